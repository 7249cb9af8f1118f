#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes algo_func.go from algo.go: the same algorithms over *lessSwap, whose
elements are swapped by a native.  Run in this folder after a change."""
import re

text = open("algo.go").read()
head, body = text.split("// insertionSort", 1) if "// insertionSort" in text \
    else text.split("func insertionSort", 1)
body = "func insertionSort" + body
names = re.findall(r"^func (\w+)\(", body, re.M)
for name in names:
    body = re.sub(r"\b%s\(" % name, name + "_func(", body)
body = re.sub(r"data Interface\b", "data *lessSwap", body)
body = re.sub(r"data\.Swap\(", "swap(data.data, data.elem, ", body)
body = re.sub(r"^// (%s)\b" % "|".join(names), r"// \1_func", body,
              flags=re.M)
open("algo_func.go", "w").write(
    "// SPDX-License-Identifier: MIT\n\n// Made from algo.go by mkfunc.py.\n\n"
    "package sort\n\n" + body)

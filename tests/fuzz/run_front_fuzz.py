#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds fuzz_front.c, the front end in one process, with clang's libFuzzer,
address and undefined-behaviour sanitizers, and runs it on the scripts of
tests/script and on Go's own tests, where these are installed: each is damaged
token by token and byte by byte, parsed, checked and, if it is accepted all the
same, compiled and verified.  No input may fail an assertion, crash, hang, or be
refused without a place.

  run_front_fuzz.py -n 20000            a bounded run (suite fuzz)
  run_front_fuzz.py --minutes 60 --keep DIR   a campaign; DIR keeps what it
                                        finds and what it learns
  run_front_fuzz.py --plain ...         without sanitizers: several times faster

Exit status 77 where clang has no libFuzzer.
"""
import glob
import os
import sys

import libfuzzer

MAX_LEN = 4096
GO_TESTS = glob.glob("/usr/share/go-*/test") + ["/usr/local/go/test"]
SOURCES = ["runtime/base", "runtime/code", "runtime/lang/syntax",
           "runtime/lang/types", "runtime/lang/gen", "runtime/lang/load"]


def seeds(folder):
    places = [os.path.join(libfuzzer.ROOT, "tests/script")] + GO_TESTS
    for place in places:
        for base, _, names in os.walk(place):
            for name in names:
                if name.endswith(".go") and not base.endswith(".dir"):
                    with open(os.path.join(base, name), "rb") as f:
                        data = f.read(MAX_LEN + 1)
                    if len(data) <= MAX_LEN:
                        libfuzzer.put(folder, data)


def main():
    ap = libfuzzer.arguments(__doc__, 20000)
    ap.add_argument("--plain", action="store_true")
    args = ap.parse_args()

    return libfuzzer.main(
        args, "fuzz_front.c", SOURCES,
        ["-lz", "-lm", "-lgmp", "-lunwind", "-lpthread"], seeds,
        [f"-max_len={MAX_LEN}", "-entropic=0"],
        sanitizers="undefined" if args.plain else "address,undefined")


if __name__ == "__main__":
    sys.exit(main())

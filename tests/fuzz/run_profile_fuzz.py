#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds fuzz_profile.c with clang's libFuzzer, address and undefined-behaviour
sanitizers, and runs it on the profiles of tests/data/profile and on some made at
random, unpacked and packed.

  run_profile_fuzz.py -n 20000          a bounded run (suite fuzz)
  run_profile_fuzz.py --minutes 30 --keep DIR   a campaign; DIR keeps what it
                                        finds and what it learns

Exit status 77 where clang has no libFuzzer.
"""
import glob
import gzip
import os
import random
import sys

import libfuzzer

sys.path.insert(0, os.path.join(os.path.dirname(libfuzzer.HERE), "tool"))
import pprofgen  # noqa: E402

MAX_LEN = 16384
SOURCES = ["runtime/base", "profile/read"]


def seeds(folder):
    rng = random.Random(1)
    bodies = [pprofgen.rand(i).encode() for i in range(60)]
    for path in sorted(glob.glob(os.path.join(
            libfuzzer.ROOT, "tests/data/profile/*.pb*"))):
        with open(path, "rb") as f:
            bodies.append(f.read())
    for data in bodies:
        plain = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
        for body in plain, gzip.compress(plain):
            for kind in range(4):
                how = bytes([kind + 4 * rng.randrange(64), rng.randrange(256),
                             rng.randrange(256)])
                if len(body) + len(how) <= MAX_LEN:
                    libfuzzer.put(folder, how + body)


def main():
    return libfuzzer.main(
        libfuzzer.arguments(__doc__, 20000).parse_args(), "fuzz_profile.c",
        SOURCES, ["-lz", "-lm", "-lunwind", "-lpthread"], seeds,
        [f"-max_len={MAX_LEN}", "-entropic=0"])


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds fuzz_trace.c with clang's libFuzzer, address and undefined-behaviour
sanitizers, and runs it on the committed corpus, the small bad traces and the
canned traces of Go, where these are installed.

  run_trace_fuzz.py -n 20000            a bounded run (suite fuzz)
  run_trace_fuzz.py -n 10000000 --keep DIR   a campaign; DIR keeps what it
                                        finds and what it learns
  run_trace_fuzz.py --pack DIR          makes trace_corpus.bin of DIR, each
                                        input that adds coverage

trace_corpus.bin is a sequence of inputs, each after its length in four bytes,
low byte first.  Exit status 77 where clang has no libFuzzer.
"""
import glob
import os
import subprocess
import sys

import libfuzzer

CORPUS = os.path.join(libfuzzer.HERE, "trace_corpus.bin")
CANNED = "/usr/share/go-1.19/src/internal/trace/testdata"
SOURCES = ["runtime/base/err.c", "runtime/base/safetext.c",
           "runtime/base/utf8.c", "trace/read", "trace/analyze", "trace/html",
           "profile/wire"]
MAX_LEN = 8192


def unpack(folder):
    with open(CORPUS, "rb") as f:
        data = f.read()
    at = n = 0
    while at < len(data):
        size = int.from_bytes(data[at:at + 4], "little")
        libfuzzer.put(folder, data[at + 4:at + 4 + size])
        at += 4 + size
        n += 1
    return n


def seeds(folder):
    paths = glob.glob(os.path.join(libfuzzer.ROOT, "tests/data/trace/*/*.trace"))
    for path in paths + glob.glob(f"{CANNED}/*"):
        with open(path, "rb") as f:
            libfuzzer.put(folder, f.read(MAX_LEN))


def pack(fuzz, tmp, folder):
    small = os.path.join(tmp, "small")
    os.makedirs(small)
    subprocess.run([fuzz, "-merge=1", f"-max_len={MAX_LEN}", small, folder],
                   check=True)
    with open(CORPUS, "wb") as f:
        for name in sorted(os.listdir(small)):
            with open(os.path.join(small, name), "rb") as g:
                data = g.read()
            f.write(len(data).to_bytes(4, "little") + data)
    print(f"{CORPUS}: {len(os.listdir(small))} inputs, "
          f"{os.path.getsize(CORPUS)} bytes")


def main():
    ap = libfuzzer.arguments(__doc__, 20000)
    ap.add_argument("--pack", metavar="DIR")
    args = ap.parse_args()

    def begin(folder):
        print(f"{unpack(folder)} inputs of the corpus")
        seeds(folder)

    return libfuzzer.main(
        args, "fuzz_trace.c", SOURCES, ["-lz", "-lm"], begin,
        ["-entropic=0", "-max_len=1024"],
        use=(lambda fuzz, tmp: pack(fuzz, tmp, args.pack)) if args.pack
        else None)


if __name__ == "__main__":
    sys.exit(main())

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
import argparse
import glob
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
CORPUS = os.path.join(HERE, "trace_corpus.bin")
CANNED = "/usr/share/go-1.19/src/internal/trace/testdata"
MAX_LEN = 8192


def has_fuzzer(tmp):
    """Whether clang is here, with libFuzzer and the sanitizers' libraries."""
    if shutil.which("clang") is None:
        return False
    probe = os.path.join(tmp, "probe.c")
    with open(probe, "w", encoding="utf-8") as f:
        f.write("int LLVMFuzzerTestOneInput(const void *p, unsigned long n)"
                "{ return p != 0 && n == 0; }")
    return subprocess.run(["clang", "-fsanitize=fuzzer,address,undefined",
                           probe, "-o", os.path.join(tmp, "probe")],
                          capture_output=True).returncode == 0


def build(out):
    sources = [os.path.join(HERE, "fuzz_trace.c"),
               os.path.join(ROOT, "runtime/base/err.c"),
               os.path.join(ROOT, "runtime/base/safetext.c"),
               os.path.join(ROOT, "runtime/base/utf8.c")]
    for folder in ("trace/read", "trace/analyze", "trace/html", "profile/wire"):
        sources += sorted(glob.glob(os.path.join(ROOT, folder, "*.c")))
    cmd = ["clang", "-g", "-O2", "-std=gnu11", "-fwrapv", "-D_GNU_SOURCE",
           "-DVOLE_CHECKS=2", "-DVOLE_LOCKRANK=0", "-DVOLE_HOSTILE=0",
           "-fsanitize=fuzzer,address,undefined",
           "-fno-sanitize-recover=undefined", f"-I{ROOT}", *sources, "-lz",
           "-lm", "-o", out]
    r = subprocess.run(cmd, capture_output=True, text=True)
    if r.returncode != 0:
        print(r.stderr[-2000:])
    return r.returncode == 0


def unpack(folder):
    with open(CORPUS, "rb") as f:
        data = f.read()
    at = n = 0
    while at < len(data):
        size = int.from_bytes(data[at:at + 4], "little")
        put(folder, data[at + 4:at + 4 + size])
        at += 4 + size
        n += 1
    return n


def put(folder, data):
    name = hashlib.sha1(data).hexdigest()
    with open(os.path.join(folder, name), "wb") as f:
        f.write(data)


def seeds(folder):
    paths = glob.glob(os.path.join(ROOT, "tests/data/trace/*/*.trace"))
    for path in paths + glob.glob(f"{CANNED}/*"):
        with open(path, "rb") as f:
            put(folder, f.read(MAX_LEN))


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
    ap = argparse.ArgumentParser()
    ap.add_argument("-n", type=int, default=20000, help="executions")
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--keep", help="folder for new inputs and findings")
    ap.add_argument("--pack", metavar="DIR")
    args = ap.parse_args()
    with tempfile.TemporaryDirectory() as tmp:
        if not has_fuzzer(tmp):
            print("no clang with libFuzzer: skipped")
            return 77
        fuzz = os.path.join(tmp, "fuzz")
        if not build(fuzz):
            return 1
        if args.pack:
            pack(fuzz, tmp, args.pack)
            return 0
        old = os.path.join(tmp, "old")
        new = args.keep or os.path.join(tmp, "new")
        os.makedirs(old)
        os.makedirs(new, exist_ok=True)
        n = unpack(old)
        seeds(old)
        print(f"{n} inputs of the corpus, {len(os.listdir(old))} with seeds",
              flush=True)
        # libFuzzer counts the inputs of the corpus, too.
        r = subprocess.run(
            [fuzz, f"-runs={args.n + len(os.listdir(old))}",
             f"-seed={args.seed}", "-entropic=0", "-max_len=1024",
             "-timeout=60", "-print_final_stats=1", "-verbosity=1",
             f"-artifact_prefix={new}/finding-", new, old],
            stderr=subprocess.STDOUT, stdout=subprocess.PIPE, text=True,
            errors="replace")
        lines = r.stdout.splitlines()
        print("\n".join(x for x in lines if x.startswith("stat::")))
        if r.returncode != 0:
            print("\n".join(lines[-60:]))
            return 1
        print("nothing found")
        return 0


if __name__ == "__main__":
    sys.exit(main())

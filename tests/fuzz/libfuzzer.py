# SPDX-License-Identifier: MIT
"""What the runners of libFuzzer targets have in common: whether clang has it,
how a target is built, with all assertions on, and how it is run."""
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
sys.path.insert(0, os.path.dirname(HERE))
import common  # noqa: E402


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


def compile_one(job):
    r = subprocess.run(job, capture_output=True, text=True)
    if r.returncode != 0:
        print(r.stderr[-2000:])
    return r.returncode == 0


def build(tmp, target, sources, libs, sanitizers="address,undefined"):
    """The program, built of the target, files and whole folders; or None.
    target.c stands for runtime/base/throw.c."""
    paths = [os.path.join(HERE, target), os.path.join(HERE, "target.c")]
    for name in sources:
        path = os.path.join(ROOT, name)
        paths += sorted(glob.glob(path + "/*.c")) if os.path.isdir(path) \
            else [path]
    paths = [x for x in paths if not x.endswith("runtime/base/throw.c")]
    flags = ["-g", "-O2", "-std=gnu11", "-fwrapv", "-D_GNU_SOURCE",
             "-DVOLE_CHECKS=2", "-DVOLE_LOCKRANK=0", "-DVOLE_HOSTILE=0",
             "-DVOLE_NOISE=0", '-DTREE_PACK=""', "-fno-strict-aliasing",
             f"-fsanitize=fuzzer,{sanitizers}",
             "-fno-sanitize-recover=undefined", f"-I{ROOT}", f"-I{tmp}"]
    jobs, objects = [], []
    for i, path in enumerate(paths):
        objects.append(os.path.join(tmp, f"{i}.o"))
        jobs.append(["clang", *flags, "-c", path, "-o", objects[-1]])
    if not all(ok for _, ok in common.parallel(compile_one, jobs,
                                               os.cpu_count())):
        return None
    out = os.path.join(tmp, "fuzz")
    return out if compile_one(["clang", *flags, *objects, *libs, "-o",
                               out]) else None


def put(folder, data):
    name = hashlib.sha1(data).hexdigest()
    with open(os.path.join(folder, name), "wb") as f:
        f.write(data)


def arguments(doc, n):
    ap = argparse.ArgumentParser(description=doc.split("\n", maxsplit=1)[0])
    ap.add_argument("-n", type=int, default=n, help="executions")
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--minutes", type=float,
                    help="as long as that, whatever -n says")
    ap.add_argument("--keep", metavar="DIR",
                    help="folder for new inputs and findings")
    return ap


def run(fuzz, tmp, args, seeds, *flags):
    """Runs the target on what seeds(folder) puts there; the exit status."""
    old = os.path.join(tmp, "old")
    new = args.keep or os.path.join(tmp, "new")
    os.makedirs(old)
    os.makedirs(new, exist_ok=True)
    seeds(old)
    print(f"{len(os.listdir(old))} inputs to begin with", flush=True)
    # libFuzzer counts the inputs of the corpus, too.
    much = [f"-max_total_time={int(args.minutes * 60)}"] if args.minutes \
        else [f"-runs={args.n + len(os.listdir(old))}"]
    r = subprocess.run(
        [fuzz, *much, f"-seed={args.seed}", "-timeout=60",
         "-print_final_stats=1", "-verbosity=1", *flags,
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


def main(args, target, sources, libs, seeds, flags, use=None,
         sanitizers="address,undefined"):
    """Builds and runs a target; 77 where there is no libFuzzer.  use(fuzz, tmp):
    what to do with it instead of running it; 0 then."""
    with tempfile.TemporaryDirectory() as tmp:
        if not has_fuzzer(tmp):
            print("no clang with libFuzzer: skipped")
            return 77
        fuzz = build(tmp, target, sources, libs, sanitizers)
        if fuzz is None:
            return 1
        if use is None:
            return run(fuzz, tmp, args, seeds, *flags)
        use(fuzz, tmp)
        return 0

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The profiles of vole-trace block, sched, syscall and net against those of
`go tool trace -pprof=`: Go 1.19's for version 1 traces, the installed Go's
for the newer ones that it makes here.

usage: waits_oracle.py VOLE_TRACE SIMTRACE
Exit status 77 (skipped) where neither Go nor its sources are installed.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

import gotool
import pbread
import v2text

HERE = os.path.dirname(os.path.abspath(__file__))
VOLE, SIM = sys.argv[1:3]
KINDS = {"block": "sync", "sched": "sched", "syscall": "syscall",
         "net": "net"}
failures = []


def check(ok, what):
    print(("ok    " if ok else "FAIL  ") + what, flush=True)
    if not ok:
        failures.append(what)


def run(*cmd, **kw):
    return subprocess.run(cmd, capture_output=True, timeout=300, check=False,
                          **kw)


def unite_zero(samples):
    """Go 1.22 and later take a stack of one address 0 for none."""
    zero = samples.pop(((0, "", 0),), None)
    if zero:
        none = samples.setdefault((), [0, 0])
        for i in range(2):
            none[i] += zero[i]


def differs(want, got, slack=0):
    """The first difference between two profiles, or None; times may be off
    by so many nanoseconds for each wait."""
    unite_zero(want.samples)
    unite_zero(got.samples)
    if want.types != got.types:
        return f"types {want.types} and {got.types}"
    for stack in sorted(set(want.samples) | set(got.samples)):
        a, b = want.samples.get(stack), got.samples.get(stack)
        if a is None or b is None or a[0] != b[0] or \
                abs(a[1] - b[1]) > slack * a[0]:
            return f"{stack[:2]}..: Go {a}, vole {b}"
    return None


def compare(tool, path, name, slack=0):
    for cmd, kind in KINDS.items():
        r = run(*tool, f"-pprof={kind}", path)
        if r.returncode != 0:
            check(False, f"{name}: Go's {kind}: {r.stderr[:200]}")
            continue
        v = run(VOLE, cmd, "-system", "-pprof", "-", path)
        if v.returncode != 0:
            check(False, f"{name}: {cmd}: {v.stderr[:200]}")
            continue
        want, got = pbread.Profile(r.stdout), pbread.Profile(v.stdout)
        bad = differs(want, got, slack)
        total = sum(x[1] for x in got.samples.values())
        check(bad is None, f"{name}: {cmd}: {len(got.samples)} stacks, "
              f"{total} ns" + (f": {bad}" if bad else ""))


def pprof_opens(path, tmp):
    """go tool pprof reads what is written."""
    out = os.path.join(tmp, "p")
    r = run(VOLE, "block", "-pprof", out, path)
    check(r.returncode == 0 and not r.stdout and not r.stderr,
          f"-pprof is silent {r.stderr}")
    r = run("go", "tool", "pprof", "-top", "-unit=ns", out)
    check(r.returncode == 0 and b"Type: delay" in r.stdout,
          f"go tool pprof: {r.stdout[:60]}{r.stderr[:200]}")


def version_1(tmp):
    tool = gotool.build(tmp)
    check(tool is not None, "Go 1.19's tool is built")
    if tool is None:
        return
    for name in sorted(os.listdir(gotool.DATA)):
        if name.endswith("_good") and "_1_5_" not in name:
            compare([tool], f"{gotool.DATA}/{name}", name)
    for procs, steps in ((2, 20000), (4, 20000)):
        path = os.path.join(tmp, f"sim{procs}.trace")
        r = run(SIM, path, str(steps), str(procs), "7")
        check(r.returncode == 0, f"simtrace with {procs} Ps")
        compare([tool], path, f"{procs} Ps")
    pprof_opens(path, tmp)


def ties(path):
    """How far a time may be from Go's: events of several threads at one tick
    can come in any order, and have nanoseconds of their own in that order
    (v2_oracle.py).  So, the longest run of events a nanosecond apart."""
    r = run(VOLE, "events", "-json", path)
    longest = run_now = last = 0
    for line in r.stdout.splitlines():
        ns = json.loads(line)["ns"]
        run_now = run_now + 1 if ns <= last + 1 else 0
        longest = max(longest, run_now)
        last = ns
    return longest + 1


def goroutines(stats, path, name, slack):
    """Times of goroutines as internal/trace.Summarizer has them."""
    r = run(stats, path)
    check(r.returncode == 0, f"{name}: Go's statistics {r.stderr[:300]}")
    r2 = run(VOLE, "goroutines", "-all", "-json", path)
    got = {g["id"]: g for g in json.loads(r2.stdout)}
    bad, n, ends = [], 0, set()
    for line in r.stdout.decode().splitlines():
        f = line.split(None, 6)
        exe, sched, block, calls, assist = map(int, f[1:6])
        g = got.get(int(f[0]))
        if g is None:
            bad.append(f"no goroutine {f[0]}")
            continue
        blocked = sum(g[k + "_ns"] for k in (
            "sleep", "chan_send", "chan_receive", "select", "sync", "cond",
            "network", "gc", "other", "forever", "before"))
        pairs = [("exec", exe, g["running_ns"]),
                 ("syscall", calls, g["syscall_ns"]),
                 ("assist", assist, g["assist_ns"])]
        pairs += [("sched", sched, g["runnable_ns"]),
                  ("block", block, blocked)]
        if len(f) > 6:
            pairs.append(("name", f[6], g["name"]))
        n += 1
        for what, a, b in pairs:
            if what != "name" and abs(a - b) <= slack * (g["runs"] + 1):
                continue
            # Go's trace ends with an event of its own, a little later: what
            # lasts until the end lasts longer by that.
            if g["ended_ns"] < 0 and what != "name" and a > b:
                ends.add(a - b)
            elif a != b:
                bad.append(f"g {f[0]} {what}: Go {a}, vole {b}")
    check(not bad and n > 5 and
          (not ends or max(ends) - min(ends) < 100 * slack),
          f"{name}: {n} goroutines with the same statistics {bad[:6]}")


def newer(tmp):
    """Traces that the installed Go makes now."""
    prog = os.path.join(tmp, "busy")
    env = dict(os.environ, GOFLAGS="-mod=mod", GOPROXY="off",
               GOTOOLCHAIN="local")
    r = run("go", "build", "-o", prog, f"{HERE}/prog/busy.go", env=env)
    check(r.returncode == 0, f"busy.go is built {r.stderr[:300]}")
    stats = gotool.build_stats(tmp)
    for procs in ("1", "4"):
        path = os.path.join(tmp, f"busy{procs}.trace")
        r = run(prog, path, env=dict(os.environ, GOMAXPROCS=procs))
        check(r.returncode == 0, f"busy with {procs} Ps {r.stderr[:300]}")
        name = f"busy, {procs} Ps"
        newer_file(stats, path, name, ties(path))
    with open(path, "rb") as f:
        data = f.read()
    with open(path, "wb") as f:
        f.write(v2text.coarsen(data, 256))
    newer_file(stats, path, name + ", coarse clock", ties(path))


def newer_file(stats, path, name, slack):
    # There, ticks are converted in each generation by itself.
    compare(["go", "tool", "trace"], path, name, slack)
    if stats is not None:
        goroutines(stats, path, name, slack)


def main():
    if shutil.which("go") is None or not gotool.available():
        print("no go or no sources of Go 1.19: skipped")
        return 77
    with tempfile.TemporaryDirectory() as tmp:
        version_1(tmp)
        newer(tmp)
    print(f"{len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

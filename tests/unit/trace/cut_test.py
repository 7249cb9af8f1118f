#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""vole-trace cut and convert: what they write is valid without a warning, has
the events of the part with their times, and with -go is read by the installed
go tool trace.

usage: cut_test.py VOLE_TRACE SIMTRACE [-go]
"""
import glob
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(HERE, "../../data/trace/good")
CANNED = "/usr/share/go-1.19/src/internal/trace/testdata"
failures = []


def check(ok, what):
    print(("ok    " if ok else "FAIL  ") + what, flush=True)
    if not ok:
        failures.append(what)


def run(*cmd, **kw):
    return subprocess.run(cmd, capture_output=True, timeout=300, **kw)


def events(vole, path):
    r = run(vole, "events", "-json", path)
    return [json.loads(x) for x in r.stdout.splitlines()]


SAME = {"GoStartLocal": "GoStart", "GoStartLabel": "GoStart",
        "GoUnblockLocal": "GoUnblock", "GoSysExitLocal": "GoSysExit"}
KEPT = ("GoStart", "GoUnblock", "GoEnd", "GoSched", "GoPreempt", "GoSleep",
        "GoSysCall", "HeapAlloc", "HeapGoal", "UserRegion", "UserLog",
        "UserTaskCreate", "UserTaskEnd", "CPUSample")


def part(evs, first, last):
    """Kind, goroutine, distance to the first of them."""
    out = []
    for e in evs:
        kind = SAME.get(e["kind"], e["kind"])
        if (kind in KEPT or kind.startswith("GoBlock")) and \
                first <= e["ns"] <= last:
            out.append((e["ns"] - first, kind, e["g"]))
    return out


def compare(vole, src, out, name, first, last):
    old = events(vole, src)
    new = events(vole, out)
    # The new file tells first what was; its Gomaxprocs is the border.
    border = next(i for i, e in enumerate(new) if e["kind"] == "Gomaxprocs")
    base = new[border]["ns"] + 1
    begin = next((i for i, e in enumerate(old) if e["kind"] == "Gomaxprocs"),
                 0) if first == 0 else 0
    want = part(old[begin:], first, last)
    got = part(new[border + 1:], base, 1 << 62)
    # Whoever runs at the end yields there.
    while len(got) > len(want) and got[-1][1] == "GoSched":
        got.pop()
    same = sorted(want) == sorted(got)
    check(same and (len(want) > 0 or len(old) < 20),
          f"{name}: {len(got)} events of the {len(want)}")
    if not same:
        for a, b in zip(sorted(want), sorted(got)):
            if a != b:
                print("      was", a, "is", b)
                break


def one(vole, go, tmp, src, name, *cut):
    out = os.path.join(tmp, "out.trace")
    cmd = [vole, "cut" if cut else "convert", *cut, "-o", out, src]
    r = run(*cmd)
    if r.returncode != 0:
        check(False, f"{name}: {r.stderr.decode()}")
        return
    r = run(vole, "validate", out)
    text = r.stdout.decode()
    check(r.returncode == 0 and ("warning" not in text or "pc 0x" in text),
          f"{name} {' '.join(cut)}: {text.strip()[-200:]}")
    if go:
        r = run(go, "-d=parsed", out)
        check(r.returncode == 0,
              f"{name}: go tool trace {r.stderr.decode()[-200:]}")
    return out


def main():
    vole, simtrace = sys.argv[1:3]
    go = None
    if "-go" in sys.argv:
        try:
            go = run("go", "tool", "-n", "trace").stdout.decode().strip()
        except OSError:
            return 77
    with tempfile.TemporaryDirectory() as tmp:
        paths = sorted(glob.glob(f"{DATA}/*"))
        if go:
            paths += sorted(glob.glob(f"{CANNED}/*_good"))
        sim = os.path.join(tmp, "sim.trace")
        run(simtrace, sim, "8000", "4", "7")
        for src in paths + [sim]:
            name = os.path.basename(src)
            out = one(vole, go, tmp, src, name)
            if out and ("sim" in name or name.startswith("v")):
                compare(vole, src, out, name, 0, 1 << 62)
        times = [e["ns"] for e in events(vole, sim)]
        for k in range(4):
            a, b = (times[(len(times) - 1) * i // 5] for i in (k, k + 1))
            out = one(vole, go, tmp, sim, "sim", "-from", f"{a}ns",
                      "-to", f"{b}ns")
            if out and k > 0:
                compare(vole, sim, out, f"sim from {a} to {b}", a, b)
        # A part is smaller, and a part of a part is no other.
        r = run(vole, "cut", "-from", "1000s", sim)
        check(r.returncode == 1 and b"no events" in r.stderr,
              f"nothing there: {r.stderr.decode().strip()}")
        r = run(vole, "cut", "-header", "1.5", sim)
        check(r.returncode == 2, "a header that is not written")
        r = run(vole, "cut", "-o", "/nowhere/x", sim)
        check(r.returncode == 1, f"no such folder: {r.stderr.decode()}")
    print(f"{len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

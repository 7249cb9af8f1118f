#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""vole-trace cut and convert: what they write is valid without a warning, has
the events of the part with their times, and with -go is read by the installed
go tool trace.  convert -v2 keeps what goroutines did, each for itself.

usage: cut_test.py VOLE_TRACE SIMTRACE [-go] [-vole VOLE]
"""
import collections
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


def kept(evs):
    """Time, kind and goroutine of those that a part must have, too."""
    for e in evs:
        kind = SAME.get(e["kind"], e["kind"])
        if kind in KEPT or kind.startswith("GoBlock"):
            yield e["ns"], kind, e["g"]


def part(evs, first, last):
    """Distance to the first of them, kind, goroutine."""
    return [(ns - first, kind, g) for ns, kind, g in kept(evs)
            if first <= ns <= last]


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


def goroutines(vole, path):
    r = run(vole, "goroutines", "-all", "-json", path)
    return {g["id"]: g for g in json.loads(r.stdout)}


def starts(evs, begun):
    """When each goroutine began to run, from the first Gomaxprocs on."""
    out = {}
    for e in evs:
        if e["kind"] == "Gomaxprocs":
            begun = True
        elif begun and e["kind"].startswith("GoStart"):
            out.setdefault(e["g"], []).append(e["ns"])
    return out


def moved(old, new):
    """The most that a start has moved: the newer format gives events of one
    nanosecond a nanosecond each.  None where it is not the same starts."""
    old, new, most = starts(old, False), starts(new, True), 0
    for g, times in old.items():
        got = new.get(g, [])[-len(times):]
        if len(got) != len(times):
            return None
        most = max([most] + [abs(a - b) for a, b in zip(times, got)])
    return most


STATES = ("running", "runnable", "sleep", "chan_send", "chan_receive",
          "select", "sync", "cond", "network", "gc", "syscall", "assist")


def same_lives(vole, src, out, name):
    old, new = goroutines(vole, src), goroutines(vole, out)
    bad = []
    # The older format tells one after the other what was there before; the
    # newer one says that it always was so.
    was = events(vole, src)
    slack = moved(was, events(vole, out))
    check(slack is not None and slack < 500, f"{name}: starts, {slack} ns")
    if slack is None:
        return
    begun = next((e["ns"] for e in was[::-1] if e["kind"] == "Gomaxprocs"), 0)
    begun = next((e["ns"] for e in was if e["kind"] == "Gomaxprocs"), begun)
    begun = next((e["ns"] for e in was if e["ns"] > begun), begun)
    named = was[0].get("entry") is not None
    # Calls that did not block have no length in the older format and begin
    # and end a nanosecond apart in the newer one.
    calls = collections.Counter(
        e["g"] for e in was if e["kind"] == "GoSysCall")
    for i, g in old.items():
        h = new.get(i)
        if h is None or g["runs"] != h["runs"] or \
                (g["name"] != h["name"] and named):
            bad.append((i, g["name"], g["runs"],
                        h and (h["name"], h["runs"])))
            continue
        pairs = [(s, g[s + "_ns"], h[s + "_ns"]) for s in STATES]
        allow = (slack + 1) * (2 * g["runs"] + 2)
        allow += begun if g["created_ns"] < 0 else 0
        allow += calls[i]
        bad += [(i, *x) for x in pairs if abs(x[1] - x[2]) > allow]
    check(not bad and len(old) > 0, f"{name}: {len(old)} goroutines live the "
          f"same life (slack {slack}, begun {begun}): {bad[:4]}")


def to_v2(vole, go, tmp, src, name):
    out = os.path.join(tmp, "v2.trace")
    r = run(vole, "convert", "-v2", "-o", out, src)
    check(r.returncode == 0, f"{name}: convert -v2 {r.stderr.decode()}")
    r = run(vole, "validate", out)
    text = r.stdout.decode()
    check(r.returncode == 0 and "warning" not in text,
          f"{name} as v2: {text.strip()[-200:]}")
    with open(src, "rb") as f, open(out, "rb") as g:
        a, b = f.read(), g.read()
    if int(a[5:7]) >= 22:
        check(a == b, f"{name}: is v2, copied")
        return
    check(b.startswith(b"go 1.23 trace\0"), f"{name}: header 1.23")
    same_lives(vole, src, out, name)
    if go:
        r = run(go, "-d=parsed", out)
        check(r.returncode == 0,
              f"{name}: go tool trace {r.stderr.decode()[-200:]}")


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
        fresh = os.path.join(tmp, "fresh.trace")
        if "-vole" in sys.argv:
            r = run(sys.argv[sys.argv.index("-vole") + 1], "run", "-trace",
                    fresh, f"{HERE}/../../../examples/pipeline.go")
            check(r.returncode == 0, f"pipeline.go {r.stderr.decode()}")
            paths.append(fresh)
        for src in paths + [sim]:
            name = os.path.basename(src)
            out = one(vole, go, tmp, src, name)
            if out and ("sim" in name or name.startswith("v")):
                compare(vole, src, out, name, 0, 1 << 62)
            to_v2(vole, go, tmp, src, name)
        times = [ns for ns, _, _ in kept(events(vole, sim))]
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

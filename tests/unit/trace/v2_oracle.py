#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares vole-trace with `go tool trace -d=parsed` on traces of Go 1.22 and
later: each event of Go's reader, in its order, with its time to the
nanosecond, its thread, processor and goroutine, what it changes, why, and all
frames of its stack.

usage: v2_oracle.py VOLE_TRACE [TRACE ...]
 1. Go's own test data (internal/trace/testdata/tests of the installed Go).
 2. Traces of oracle/load, run here.
With files, those only.  Exit status 77 where there is no Go that can.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import v2text

HERE = os.path.dirname(os.path.abspath(__file__))
failures = []
GO = []  # the program behind go tool trace

BLOCK = {"network": "GoBlockNet", "select": "GoBlockSelect",
         "sync.(*Cond).Wait": "GoBlockCond", "sync": "GoBlockSync",
         "chan send": "GoBlockSend", "chan receive": "GoBlockRecv",
         "GC mark assist wait for work": "GoBlockGC",
         "GC weak to strong wait": "GoBlockGC", "sleep": "GoSleep",
         "forever": "GoStop"}
METRIC = {"/sched/gomaxprocs:threads": "Gomaxprocs",
          "/memory/classes/heap/objects:bytes": "HeapAlloc",
          "/gc/heap/goal:bytes": "HeapGoal"}
RANGE = {"GC concurrent mark phase": ("GCStart", "GCDone"),
         "GC incremental sweep": ("GCSweepStart", "GCSweepDone"),
         "GC mark assist": ("GCMarkAssistStart", "GCMarkAssistDone")}


def check(ok, what):
    print(("ok    " if ok else "FAIL  ") + what, flush=True)
    if not ok:
        failures.append(what)


def run(*cmd, **kw):
    return subprocess.run(cmd, capture_output=True, text=True, timeout=300,
                          **kw)


LINE = re.compile(r'M=(-?\d+) P=(-?\d+) G=(-?\d+) (\w+) Time=(\d+) ?(.*)')
FRAME = re.compile(r'\t(.*) @ 0x([0-9a-f]+)')


def parse_go(text):
    """[m, p, g, kind, time, rest, stack, transition stack]"""
    events, into = [], None
    for line in text.split("\n"):
        m = LINE.match(line)
        if m:
            events.append([int(m[1]), int(m[2]), int(m[3]), m[4], int(m[5]),
                           m[6], [], []])
            into = None
        elif line.startswith("Stack="):
            into = events[-1][6]
        elif line.startswith("TransitionStack="):
            into = events[-1][7]
        elif line.startswith("\t\t") and into:
            into[-1] += line[2:].rsplit(":", 1)
        else:
            m = FRAME.match(line)
            if m and into is not None:
                into.append([m[1], int(m[2], 16)])
    return events


def go_transition(e):
    """What the common model makes of a transition: kind, p or None, about"""
    m = re.match(r'(\w+)=(\d+) (\w+)->(\w+) Reason="(.*)"', e[5])
    who, num, old, new, why = m[1], int(m[2]), m[3], m[4], m[5]
    if who == "ProcID":
        if old != "Running" and new == "Running":
            return "ProcStart", num, None, ""
        if old == "Running" and new == "Idle":
            return "ProcStop", num, None, ""
        return None
    if old == "Undetermined":
        return "GoCreate", None, num, ""
    if old == "NotExist":
        return "GoCreate", None, num, ""
    kind = {("Runnable", "Running"): "GoStart",
            ("Running", "NotExist"): "GoEnd",
            ("Syscall", "NotExist"): "GoEnd",
            ("Waiting", "Runnable"): "GoUnblock",
            ("Running", "Syscall"): "GoSysCall",
            ("Syscall", "Running"): "GoSyscallEnd",
            ("Syscall", "Runnable"): "GoSysExit"}.get((old, new))
    if (old, new) == ("Running", "Runnable"):
        kind = "GoPreempt" if why == "preempted" else "GoSched"
    if (old, new) == ("Running", "Waiting"):
        kind = BLOCK.get(why, "GoBlock")
        why = why or "coroutine"
    return (kind, None, num, why) if kind else None


def expected(e):
    """(kind, detail) of an event of Go's, or None where we have none."""
    kind, rest = e[3], e[5]
    if kind == "StateTransition":
        t = go_transition(e)
        return t and (t[0], t[2], t[3], t[1])
    if kind == "Metric":
        m = re.match(r'Name="(.*?)" Value=Value\{Uint64\((\d+)\)\}', rest)
        return METRIC[m[1]], int(m[2]), "", None
    if kind in ("RangeBegin", "RangeActive", "RangeEnd"):
        name = re.match(r'Name="(.*?)" Scope', rest)[1]
        end = kind == "RangeEnd"
        if name.startswith("stop-the-world"):
            return ("STWDone" if end else "STWStart", None,
                    name[len("stop-the-world ("):-1], None)
        return RANGE[name][end], None, "", None
    if kind == "Label":
        return "GoLabel", re.match(r'Label="(.*?)" Res', rest)[1], "", None
    if kind in ("TaskBegin", "TaskEnd"):
        m = re.match(r'ID=(\d+) Parent=(-?\d+|\d+) Type="(.*)"', rest)
        return ("UserTaskCreate" if kind == "TaskBegin" else "UserTaskEnd",
                int(m[1]), "", None)
    if kind in ("RegionBegin", "RegionEnd"):
        m = re.match(r'Task=(\d+) Type="(.*)"', rest)
        return "UserRegion", (int(m[1]), m[2]), "", None
    if kind == "Log":
        m = re.match(r'Task=(\d+) Category="(.*?)" Message="(.*)"', rest)
        return "UserLog", (int(m[1]), m[2], m[3]), "", None
    if kind == "StackSample":
        return "CPUSample", None, "", None
    return None


def detail(e):
    kind = e["kind"]
    return {"GoCreate": e.get("new"), "GoStart": e["g"], "GoEnd": e["g"],
            "GoUnblock": e.get("wakes"), "GoSysCall": e["g"],
            "GoSyscallEnd": e["g"], "GoSysExit": e["g"],
            "GoSched": e["g"], "GoPreempt": e["g"], "GoSleep": e["g"],
            "Gomaxprocs": e.get("procs"), "HeapAlloc": e.get("bytes"),
            "HeapGoal": e.get("bytes"), "GoLabel": e.get("label"),
            "UserTaskCreate": e.get("task"), "UserTaskEnd": e.get("task"),
            "UserRegion": (e.get("task"), e.get("name")),
            "UserLog": (e.get("task"), e.get("key"), e.get("message")),
            "GoStop": e["g"],
            }.get(kind, e["g"] if kind.startswith("GoBlock") else None)


def frames(e):
    return [[f["func"], f["pc"], f["file"], str(f["line"])]
            for f in e.get("stack", [])]


def differs(want, e, base, active, slack=0):
    """What is different between Go's event and ours, or None.  slack: by how
    many nanoseconds, None for any."""
    kind, about, why, proc = expected(want)
    if slack is not None and abs(e["ns"] - (want[4] - base)) > slack:
        return f"time {want[4] - base}"
    if e["kind"] != kind:
        return kind
    if kind in ("GCMarkAssistStart", "GCSweepStart") and active:
        return None
    if about is not None and about != detail(e):
        return f"detail {about}, not {detail(e)}"
    if why and e.get("why", "") != why:
        return f"reason {why!r}"
    if e.get("m", -1) != want[0]:
        return f"thread {want[0]}"
    if e["p"] != (proc if proc is not None else want[1]):
        return f"P {proc if proc is not None else want[1]}"
    if kind not in ("GoStart", "GoSysExit", "ProcStart", "ProcStop") and \
            e["g"] != max(want[2], 0) and "snapshot" not in kind and \
            not (kind == "GoCreate" and e["wire"] in (25, 48)):
        return f"goroutine {want[2]}"
    stack = want[6]
    if kind == "GoCreate" and e["wire"] in (25, 48):
        return None
    if [f[:2] + f[2:] for f in stack] != frames(e):
        return f"stack {stack[:2]}"
    return None


def compare(vole, path, name):
    r = run(GO[0], "-d=parsed", path)
    if r.returncode != 0 and not r.stdout:
        check(False, f"{name}: go tool trace: {r.stderr[-200:]}")
        return
    go = parse_go(r.stdout)
    v = run(vole, "events", "-json", path)
    if v.returncode != 0:
        check(False, f"{name}: {v.stderr}")
        return
    ours = [json.loads(x) for x in v.stdout.splitlines()]
    ours = [e for e in ours if not e.get("derived")]
    base = go[0][4]
    syncs = 0
    want = []
    for e in go:
        syncs += e[3] == "Sync"
        if e[3] == "RangeActive" and syncs > 1:
            continue
        if expected(e):
            want.append((e, e[3] == "RangeActive"))
    if len(want) != len(ours):
        check(False, f"{name}: Go has {len(want)} events, we {len(ours)}")
        return
    if all(differs(w, e, base, active) is None
           for (w, active), e in zip(want, ours)):
        check(True, f"{name}: {len(ours)} events, all as Go's reader has them "
              f"({len(go)} there)")
        return
    bad, moved = compare_ties(runs_of(go), want, ours, base)
    check(not bad, f"{name}: " + (bad or f"{len(ours)} events, as Go's reader "
          f"has them; {moved} change places with one of the same moment"))


def runs_of(go):
    """By event of Go's, first and last time of the run that it is in.  Go
    gives each event at least one nanosecond more than the one before; those
    that have exactly one more are a run."""
    runs, first = {}, 0
    for i, e in enumerate(go):
        if i + 1 == len(go) or go[i + 1][4] != e[4] + 1:
            for x in go[first:i + 1]:
                runs[id(x)] = (go[first][4], e[4])
            first = i + 1
    return runs


def about(e):
    """Whose order an event is part of: goroutines, P."""
    whose = [("P", e["p"])] if e["p"] >= 0 else []
    gs = {e["g"], e.get("new", 0), e.get("wakes", 0)} - {0}
    return whose + [("G", g) for g in gs]


def compare_ties(runs, want, ours, base):
    """What is wrong, if anything, and how many events change places.

    Events of several threads at the same tick may come in any order that the
    rules allow, and the format does not say in which; Go's reader takes what
    its heap happens to have on top.  All that becomes possible at one tick
    comes before the next one in any reader, and its times are a run.  So each
    event must be in its run, and the order of each thread, P and goroutine
    must be Go's."""
    by_m = {}
    for i, (w, active) in enumerate(want):
        by_m.setdefault(w[0], []).append((i, w, active))
    heads = dict.fromkeys(by_m, 0)
    last, moved = {}, 0
    for k, e in enumerate(ours):
        m = e.get("m", -1)
        if heads.get(m, 0) == len(by_m.get(m, [])):
            return f"thread {m} has more than with Go: {e}", 0
        i, w, active = by_m[m][heads[m]]
        heads[m] += 1
        bad = differs(w, e, base, active, slack=None)
        if bad:
            return f"Go has {bad}: {w[:6]} {e}", 0
        run = runs[id(w)]
        if run != runs[id(want[k][0])] or \
                not run[0] <= e["ns"] + base <= run[1]:
            return f"at another tick with Go: {w[:6]} {e}", 0
        for who in about(e):
            if i < last.get(who, -1):
                return f"{who} is in another order with Go: {w[:6]} {e}", 0
            last[who] = i
        moved += i != k
    return None, moved


def canned(vole, tmp):
    root = run("go", "env", "GOROOT").stdout.strip()
    data = f"{root}/src/internal/trace/testdata/tests"
    if not os.path.isdir(data):
        return
    for name in sorted(os.listdir(data)):
        with open(f"{data}/{name}") as f:
            text = f.read()
        expect, trace = re.match(
            r"-- expect --\n(.*?)\n-- trace --\n(.*)", text, re.S).groups()
        path = os.path.join(tmp, name)
        with open(path, "wb") as f:
            f.write(v2text.encode(trace))
        if expect.startswith("SUCCESS"):
            compare(vole, path, name)
        r = run(vole, "validate", path)
        check((r.returncode == 0) == expect.startswith("SUCCESS"),
              f"{name}: validate {r.stdout.strip()[:300]}")


def fresh(vole, tmp):
    src = os.path.join(tmp, "load")
    os.makedirs(src)
    shutil.copy(f"{HERE}/oracle/load/main.go", src)
    with open(f"{src}/go.mod", "w") as f:
        f.write("module load\n\ngo 1.22\n")
    env = dict(os.environ, GOFLAGS="-mod=mod", GOPROXY="off",
               GOTOOLCHAIN="local", GOCACHE=os.path.join(tmp, "cache"))
    r = run("go", "build", "-o", "load", ".", cwd=src, env=env)
    if r.returncode != 0:
        print("no load:", r.stderr)
        return
    for args, procs in ((["1"], "1"), (["1", "cpu"], "4")):
        path = os.path.join(tmp, "fresh.trace")
        r = run(f"{src}/load", path, *args,
                env=dict(os.environ, GOMAXPROCS=procs))
        check(r.returncode == 0, f"load {args} with {procs} Ps: {r.stderr}")
        compare(vole, path, f"load {' '.join(args)} with {procs} Ps")
        r = run(vole, "validate", path)
        check(r.returncode == 0, f"validate: {r.stdout.strip()}")
    with open(path, "rb") as f:
        data = f.read()
    with open(path, "wb") as f:
        f.write(v2text.coarsen(data, 256))
    compare(vole, path, "the same, with a coarse clock,")


def main():
    vole = sys.argv[1]
    if shutil.which("go") is not None:
        GO.append(run("go", "tool", "-n", "trace").stdout.strip())
    if not GO or not GO[0] or \
            run(GO[0], "-d=parsed", "/dev/null").returncode == 2:
        print("no go that reads such traces: skipped")
        return 77
    for path in sys.argv[2:]:
        compare(vole, path, path)
    if len(sys.argv) == 2:
        with tempfile.TemporaryDirectory() as tmp:
            canned(vole, tmp)
            fresh(vole, tmp)
    print(f"{len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the sums of vole-trace say of a trace whose every nanosecond is known:
the summary, goroutines and the tables of waits agree with each other.

usage: sums_test.py VOLE_TRACE
"""
import json
import os
import subprocess
import sys
import tempfile

import v2text

VOLE = os.path.abspath(sys.argv[1])
failures = []

# Goroutine 1 makes a call of 5 ns that keeps its P, one of 70 ns that loses it
# after 20, and is in a third one at the end; 2 blocks forever, 3 and 4
# are the runtime's, which only their stacks tell.
TRACE = r"""Trace Go1.23
EventBatch gen=1 m=0 time=0 size=auto
ProcStatus dt=1 p=0 pstatus=1
GoStatusStack dt=1 g=1 m=0 gstatus=2 stack=1
GoSyscallBegin dt=8 p_seq=1 stack=2
GoSyscallEnd dt=5
GoCreate dt=10 new_g=2 new_stack=3 stack=1
GoStop dt=10 reason_string=10 stack=1
GoStart dt=1 g=2 g_seq=1
GoBlock dt=4 reason_string=11 stack=3
GoStart dt=1 g=1 g_seq=1
GoSyscallBegin dt=10 p_seq=2 stack=2
ProcStop dt=20
ProcStart dt=48 p=0 p_seq=3
GoSyscallEndBlocked dt=2
GoStart dt=3 g=1 g_seq=2
GoSyscallBegin dt=17 p_seq=4 stack=2
EventBatch gen=1 m=1 time=0 size=auto
ProcStatus dt=1 p=1 pstatus=1
GoStatusStack dt=1 g=3 m=18446744073709551615 gstatus=4 stack=4
GoStatusStack dt=1 g=4 m=18446744073709551615 gstatus=4 stack=5
HeapAlloc dt=197 heapalloc_value=4096
EventBatch gen=1 m=18446744073709551615 time=0 size=auto
Frequency freq=1000000000
EventBatch gen=1 m=18446744073709551615 time=0 size=auto
Stacks
Stack id=1 nframes=1
	pc=100 func=1 file=5 line=3
Stack id=2 nframes=2
	pc=200 func=2 file=5 line=4
	pc=100 func=1 file=5 line=3
Stack id=3 nframes=1
	pc=300 func=3 file=5 line=5
Stack id=4 nframes=1
	pc=400 func=4 file=5 line=6
Stack id=5 nframes=1
	pc=500 func=6 file=5 line=7
EventBatch gen=1 m=18446744073709551615 time=0 size=auto
Strings
String id=1
	data="main.main"
String id=2
	data="syscall.read"
String id=3
	data="main.stuck"
String id=4
	data="runtime.bgsweep"
String id=5
	data="prog.go"
String id=6
	data="runtime/trace.Start.func1"
String id=10
	data="runtime.Gosched"
String id=11
	data="forever"
"""


# Goroutine 1 ends a region and leaves one, 2 ends with one open.
REGIONS = TRACE[:TRACE.index("GoSyscallBegin")] + r"""GoCreate dt=8 new_g=2 new_stack=3 stack=1
UserRegionBegin dt=10 task=0 name_string=12 stack=1
UserRegionBegin dt=10 task=0 name_string=13 stack=1
UserRegionEnd dt=30 task=0 name_string=13 stack=1
GoStop dt=5 reason_string=10 stack=1
GoStart dt=1 g=2 g_seq=1
UserRegionBegin dt=6 task=0 name_string=14 stack=3
GoDestroy dt=20
GoStart dt=1 g=1 g_seq=1
""" + TRACE[TRACE.index("EventBatch gen=1 m=1 "):] + r"""String id=12
	data="left"
String id=13
	data="ended"
String id=14
	data="lost"
"""


def check(ok, what, detail=""):
    if not ok:
        print("FAIL ", what, detail)
        failures.append(what)


def run(*args):
    r = subprocess.run([VOLE, *args], stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, timeout=60,
                       env=dict(os.environ, LC_ALL="C.UTF-8"))
    return r.returncode, r.stdout.decode(), r.stderr.decode()


def loads(*args):
    status, out, err = run(*args)
    check(status == 0 and err == "", f"{args}: {status} {err}")
    return json.loads(out)


def calls(path):
    s = loads("summary", "-json", path)
    check(s["duration_ns"] == 199, "duration", s["duration_ns"])
    calls = s["states"]["syscall"]
    check(calls == {"n": 3, "ns": 5 + 70 + 59, "longest_ns": 70},
          "system calls of the summary", calls)
    check(s["calls_busy_ns"] == 5 + 20 + 59, "calls of the Ps", s)
    check(s["states"]["running"]["longest_ns"] == 9 + 20,
          "a run is as long as what it is in no call", s["states"])
    g = {g["id"]: g for g in loads("goroutines", "-all", "-json", path)}
    check(g[1]["syscall_ns"] == 134 and g[1]["calls_ns"] == 84 and
          g[1]["running_ns"] == 9 + 20 + 10 + 17 and
          g[1]["running_ns"] == s["states"]["running"]["ns"] - 4,
          "goroutine 1 runs when it is in no call", g[1])
    left = loads("syscall", "-json", path)
    check((left["n"], left["ns"], left["left_out"], left["left_out_ns"]) ==
          (2, 75, 1, 59), "syscall leaves out what Go does, and says so",
          left)
    every = loads("syscall", "-all", "-json", path)
    check((every["n"], every["ns"], every["left_out"]) == (3, 134, 0),
          "syscall -all is the summary's total", every)
    check("not counted, as go tool trace does not: 59 ns in 1 more waits" in
          run("syscall", path)[1], "and in words")


def forever(path):
    g = {g["id"]: g for g in loads("goroutines", "-all", "-json", path)}
    check(g[2]["ended_ns"] == -1 and g[2]["state"] == "forever" and
          g[2]["forever_ns"] == 199 - 39, "blocked forever", g[2])
    s = loads("summary", "-json", path)
    check(s["goroutines"]["ended"] == 0, "nobody has ended")
    check(s["states"]["forever"]["ns"] == 160, "its time in the summary")
    b = loads("block", "-all", "-json", path)
    check([x["state"] for x in b["sites"]] == ["forever"] and
          b["ns"] == 160, "block -all has it", b)
    b = loads("block", "-json", path)
    check(b["n"] == 0 and b["left_out_ns"] == 160, "as left out", b)


def filters(path):
    status, out, err = run("block", "-func", "main.nobody", path)
    check(status == 1 and out == "" and
          "no goroutine was started with main.nobody" in err, "-func", err)
    status, out, err = run("sched", "-g", "77", path)
    check(status == 1 and "there is no goroutine 77" in err, "-g", err)
    status, out, err = run("block", "-func", "main.main", path)
    check(status == 0 and err == "", "-func with a match", err)


def system(path):
    g = {g["id"]: g for g in loads("goroutines", "-all", "-json", path)}
    check([g[i]["system"] for i in (1, 2, 3, 4)] ==
          [False, False, True, True],
          "the stack tells whose a goroutine is", g)
    s = loads("summary", "-json", path)
    check(s["states"]["before"]["n"] == 0, "the runtime's wait is left out")


def regions(path):
    r = {x["name"]: x for x in loads("regions", "-json", path)}
    got = {k: (x["n"], x["not_ended"], x["ns"]) for k, x in r.items()}
    check(got == {"ended": (1, 0, 30), "lost": (1, 1, 20),
                  "left": (1, 1, 180)},
          "a region lasts until something ends it", got)
    check(r["left"]["running_ns"] == 180 - 1 - 6 - 20 - 1 and
          r["lost"]["running_ns"] == 20, "what ran in them", r)


def stretch(path):
    """A part of the trace, which begins and ends within calls and waits."""
    s = loads("summary", "-json", "-from", "50ns", "-to", "120ns", path)
    check((s["duration_ns"], s["from_ns"], s["to_ns"]) == (199, 50, 120),
          "the stretch", s)
    x = s["states"]
    check((x["syscall"]["n"], x["syscall"]["ns"]) == (1, 70) and
          x["forever"]["ns"] == 70 and x["running"]["ns"] == 0 and
          s["busy_ns"] == s["calls_busy_ns"] == 20 and
          s["proc_ns"] == 2 * 70, "what is in it", s)
    check(s["syscalls"] == 1 and s["goroutines"]["created"] == 0 and
          s["goroutines"]["at_start"] == 4, "who is there", s)
    parts = [loads("summary", "-json", "-system", "-from", a, "-to", b, path)
             for a, b in (("0", "50ns"), ("50ns", "77ns"), ("77ns", "1s"))]
    whole = loads("summary", "-json", "-system", path)
    for k in x:
        got = sum(p["states"][k]["ns"] for p in parts)
        check(got == whole["states"][k]["ns"], f"parts add up: {k}", got)
    check(sum(p["busy_ns"] for p in parts) == whole["busy_ns"], "busy")
    late = loads("summary", "-json", "-from", "77ns", "-to", "130ns", path)
    check(late["states"]["syscall"] == {"n": 1, "ns": 43, "longest_ns": 43},
          "a call that began before", late["states"]["syscall"])
    check(sum(p["events"] for p in parts) == whole["events"],
          "each event is in one part", [p["events"] for p in parts])
    for cmd, want in (("syscall", 40), ("block", 40)):
        w = loads(cmd, "-all", "-json", "-from", "60ns", "-to", "100ns", path)
        check(w["ns"] == want, f"{cmd}: what lies within", w)
    check(whole["states"]["before"]["ns"] > 0, "-system counts the runtime")
    status, out, err = run("summary", "-from", "2s", "-to", "1s", path)
    check(status == 2, "-from after -to")


def fits(path):
    """In 80 columns, and in those of a wide terminal."""
    for cmd in (("summary",), ("goroutines",), ("goroutines", "-all"),
                ("goroutines", "-quantiles"), ("procs",), ("gc",), ("stats",),
                ("block", "-all"), ("sched", "-all"), ("syscall", "-all"),
                ("tasks",), ("regions",), ("regions", "-tasks"),
                ("events",), ("events", "-offsets"), ("events", "-stacks"),
                ("diff", path), ("timeline", "-width", "40")):
        for width in (80, 200):
            r = subprocess.run([VOLE, *cmd, path], stdout=subprocess.PIPE,
                               timeout=60, env=dict(os.environ,
                               LC_ALL="C.UTF-8", COLUMNS=str(width)))
            long = [x for x in r.stdout.decode().splitlines()
                    if len(x) > width]
            check(r.returncode == 0 and not long, f"{cmd} in {width}", long)


def words(path):
    """What is common to all commands."""
    for args in (("version",), ("--version",), ("-version",)):
        status, out, err = run(*args)
        check(status == 0 and out.startswith("vole-trace version "), args)
    check(run("version", "x")[0] == 2, "version takes nothing")
    check(run("summary", "--", path)[0] == 0, "-- ends flags")
    name = os.path.join(os.path.dirname(path), "-json")
    with open(name, "wb") as f, open(path, "rb") as g:
        f.write(g.read())
    r = subprocess.run([VOLE, "goroutines", "-all", "--", "-json"],
                       cwd=os.path.dirname(path), stdout=subprocess.PIPE)
    check(r.returncode == 0 and b"main.stuck" in r.stdout and
          not r.stdout.startswith(b"["), "a file named like a flag")
    r = subprocess.run([VOLE, "diff", "--", "-json", "-json"],
                       cwd=os.path.dirname(path), stdout=subprocess.PIPE)
    check(r.returncode == 0 and not r.stdout.startswith(b"{"), "two of them")


def timeline(path):
    def ids(*args):
        return [x["id"] for x in
                loads("timeline", "-json", "-goroutines", "1", *args, path)
                ["lanes"]]
    check(ids() == [1], "goroutine 1 ran longest")
    check(ids("-from", "34ns", "-to", "39ns") == [2],
          "but not in that stretch")
    o = run("timeline", "-width", "80", "-from", "120ns", "-to", "122ns",
            path)[1]
    marks = o.splitlines()[2].replace("\u2502", " ").split(" ns")[:-1]
    check(len(marks) == 4, "four marks", marks)
    o = run("timeline", path)[1]
    check("bgsweep" not in o and "main.stuck" in o, "the runtime's", o)
    check("bgsweep" in run("timeline", "-system", path)[1], "asked for")
    status, out, err = run("timeline", "-func", "main.nobody", path)
    check(status == 1 and "no goroutine was started with" in err, "-func")


def page(path, tmp):
    out = os.path.join(tmp, "page.html")
    for args, word in (((), "false"), (("-system",), "true")):
        status, _, err = run("html", *args, "-o", out, path)
        check(status == 0, "html", err)
        with open(out) as f:
            check(f'"system":{word},"states"' in f.read(),
                  f"the page hides the runtime's own {args}")


def main():
    with tempfile.TemporaryDirectory() as tmp:
        path = os.path.join(tmp, "known.trace")
        with open(path, "wb") as f:
            f.write(v2text.encode(TRACE))
        calls(path)
        forever(path)
        filters(path)
        system(path)
        timeline(path)
        stretch(path)
        fits(path)
        words(path)
        page(path, tmp)
        path = os.path.join(tmp, "regions.trace")
        with open(path, "wb") as f:
            f.write(v2text.encode(REGIONS))
        regions(path)
    print(f"{len(failures)} failed")
    return 1 if failures else 0


sys.exit(main())

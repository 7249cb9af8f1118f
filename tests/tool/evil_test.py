#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No byte of a foreign file makes a terminal do anything: a trace and a
profile whose every text, and a file whose name, is full of what terminals
obey go through all commands of both programs.

usage: evil_test.py VOLE VOLE_TRACE
"""
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../unit/trace"))
import v2text  # noqa: E402

VOLE, TRACE = map(os.path.abspath, sys.argv[1:3])
# Colour, title of the window, a C1 sequence as UTF-8 and as one byte, a turn
# of the writing, DEL, a new line, HTML, quotes and no UTF-8.
BAD = (b'\x1b[31m\x1b]0;t\x07\xc2\x9b1m\x9b1m\xe2\x80\xae\x7f\r\n\x08'
       b'</script><b onload="x">\'",;=\xff\xc0')
failures = []
runs = 0


def check(ok, what, detail=""):
    if not ok:
        print("FAIL ", what, detail)
        failures.append(what)


def harmful(data):
    """What is no text, or a terminal would obey."""
    try:
        s = data.decode()
    except UnicodeDecodeError as e:
        return str(e)
    m = re.search('[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u061c'
                  '\u2028-\u202e\u2066-\u2069]', s.replace("\r\n", "\n"))
    return m and repr(s[max(0, m.start() - 30):m.start() + 20])


def run(*args, status=None, cwd=None):
    global runs
    r = subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       env=dict(os.environ, LC_ALL="C.UTF-8"), timeout=120,
                       cwd=cwd)
    runs += 1
    what = " ".join(map(os.fsdecode, args[1:4]))
    for data, where in ((r.stdout, "output"), (r.stderr, "messages")):
        bad = harmful(data)
        check(not bad, f"{what!r}: {where}", bad)
    if status is not None:
        check(r.returncode == status, f"{what!r}: status", (r.returncode,
                                                          r.stderr))
    return r.stdout


# ---- a trace

TEXT = r"""Trace Go1.23
EventBatch gen=1 m=0 time=0 size=auto
ProcStatus dt=1 p=0 pstatus=1
GoStatusStack dt=1 g=1 m=0 gstatus=2 stack=1
GoLabel dt=1 label=1
GoCreate dt=10 new_g=2 new_stack=3 stack=1
UserTaskBegin dt=5 task=1 parent=0 name=1 stack=1
UserRegionBegin dt=5 task=1 name=1 stack=1
UserLog dt=5 task=1 key=1 value=1 stack=1
GoSyscallBegin dt=5 p_seq=1 stack=1
GoSyscallEnd dt=500
UserRegionEnd dt=5 task=1 name=1 stack=1
UserTaskEnd dt=5 task=1 stack=1
STWBegin dt=5 kind=1 stack=1
STWEnd dt=5
GoStop dt=10 reason_string=1 stack=1
GoStart dt=1 g=2 g_seq=1
GoBlock dt=400 reason_string=2 stack=3
GoStart dt=1 g=1 g_seq=1
GoUnblock dt=300 g=2 g_seq=2 stack=1
HeapAlloc dt=10 heapalloc_value=4096
GoBlock dt=5 reason_string=1 stack=1
GoStart dt=5 g=2 g_seq=3
GoDestroy dt=50
EventBatch gen=1 m=18446744073709551615 time=0 size=auto
Frequency freq=1000000000
EventBatch gen=1 m=18446744073709551615 time=0 size=auto
Stacks
Stack id=1 nframes=1
	pc=100 func=1 file=1 line=3
Stack id=3 nframes=2
	pc=300 func=1 file=1 line=5
	pc=400 func=3 file=1 line=5
EventBatch gen=1 m=18446744073709551615 time=0 size=auto
CPUSamples
CPUSample dt=20 m=0 p=0 g=1 stack=1
EventBatch gen=1 m=18446744073709551615 time=0 size=auto
Strings
String id=1
	data=@BAD@
String id=2
	data="chan receive"
String id=3
	data="main.worker"
"""


def trace_bytes():
    quoted = '"' + "".join("\\x%02x" % c for c in BAD) + '"'
    return v2text.encode(TEXT.replace("@BAD@", quoted))


def trace(tmp):
    path = os.path.join(tmp, "evil.trace")
    with open(path, "wb") as f:
        f.write(trace_bytes())
    name = os.fsencode(os.path.join(tmp, "n")) + BAD.replace(b"/", b"")
    with open(name, "wb") as f:
        f.write(trace_bytes())
    with open(name + b".cut", "wb") as f:
        f.write(trace_bytes()[:60])
    with open(name + b".no", "wb") as f:
        f.write(b"go 1.99 trace\0\0\0" + BAD)
    for cmd in ("summary", "events", "goroutines", "procs", "gc", "block",
                "sched", "syscall", "net", "tasks", "regions", "timeline",
                "validate"):
        for p in (path, name):
            run(TRACE, cmd, p, status=0)
            run(TRACE, cmd, "-json", p, status=0)
        run(TRACE, cmd, name + b".cut")
        run(TRACE, cmd, name + b".no")
        run(TRACE, cmd, name + b".gone", status=1)
        run(TRACE, cmd, b"-" + BAD, name)
        run(TRACE, cmd, b"-n", BAD, name)
    run(TRACE, "stats", name, status=0)
    for args in (("goroutines", "-all"), ("goroutines", "-quantiles"),
                 ("events", "-stacks"), ("block", "-all"),
                 ("sched", "-all"), ("tasks", "-list"), ("tasks", "-task=1"),
                 ("regions", "-tasks"), ("export", "-csv"),
                 ("export", "-json"), ("export", "-chrome"), ("html", "-o=-"),
                 ("goroutine", "1"), ("goroutine", "-stacks", "2"),
                 ("goroutine", "-json", "2"), ("gc", "-stacks")):
        run(TRACE, *args, name, status=0)
    run(TRACE, "diff", path, name, status=0)
    run(TRACE, "diff", "-json", path, name, status=0)
    for cmd in ("block", "sched", "syscall", "net", "goroutines", "timeline"):
        run(TRACE, cmd, b"-func", BAD + b"!", name, status=1)
    run(TRACE, BAD, name, status=2)
    run(TRACE, "help", BAD, status=2)
    run(TRACE, "html", name, status=0, cwd=tmp)
    run(TRACE, "cut", b"-o", name + b".2", name, status=0)
    # A quoted name is one field, and JSON gives back what can be shown.
    rows = run(TRACE, "export", "-csv", path).decode().split("\r\n")
    check(all(r.count('"') % 2 == 0 for r in rows), "CSV is quoted", rows)
    g = json.loads(run(TRACE, "goroutines", "-all", "-json", path))
    check(any(x["name"].startswith("\x1b[31m") for x in g), "JSON", g)


# ---- a profile

def varint(n):
    out = b""
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def field(no, x):
    if isinstance(x, int):
        return varint(no << 3) + varint(x)
    return varint(no << 3 | 2) + varint(len(x)) + x


def profile_bytes(types=1):
    vt = field(1, field(1, 1) + field(2, 2))
    strings = [b"", BAD, BAD + b"unit", BAD + b"file.go", BAD + b"key"]
    label = field(1, 4) + field(2, 1)
    number = field(1, 4) + field(3, 7) + field(4, 2)
    return (vt * types +
            field(2, field(1, 1) + field(2, b"\x05" * types) +
                  field(3, label) + field(3, number)) +
            field(3, field(1, 1) + field(5, 3) + field(6, 1)) +
            field(4, field(1, 1) + field(2, 1) + field(3, 16) +
                  field(4, field(1, 1) + field(2, 5))) +
            field(5, field(1, 1) + field(2, 1) + field(3, 1) + field(4, 3) +
                  field(5, 1)) +
            b"".join(field(6, s) for s in strings) +
            field(13, 1) + field(15, 1))


def profile(tmp):
    name = os.fsencode(os.path.join(tmp, "p")) + BAD.replace(b"/", b"")
    with open(name, "wb") as f:
        f.write(profile_bytes())
    with open(name + b".cut", "wb") as f:
        f.write(profile_bytes()[:90])
    with open(name + b".gz", "wb") as f:
        f.write(gzip.compress(profile_bytes())[:-9])
    for cmd in (("top",), ("tree",), ("list", "."), ("flame",)):
        run(VOLE, "prof", *cmd, name, status=0)
        run(VOLE, "prof", *cmd, "-json", name, status=0)
        run(VOLE, "prof", *cmd, "-lines", name, status=0)
        run(VOLE, "prof", *cmd, "-addresses", name, status=0)
        run(VOLE, "prof", *cmd, "-files", name, status=0)
        run(VOLE, "prof", *cmd, name + b".cut", status=1)
        run(VOLE, "prof", *cmd, name + b".gz", status=1)
        run(VOLE, "prof", *cmd, name + b".gone", status=1)
        run(VOLE, "prof", *cmd, b"-sample_index", BAD + b"!", name, status=1)
        run(VOLE, "prof", *cmd, b"-focus", b"(" + BAD, name)
        run(VOLE, "prof", *cmd, b"-focus", BAD, name)
        run(VOLE, "prof", *cmd, b"-unit", BAD, name)
        run(VOLE, "prof", *cmd, b"-" + BAD, name, status=2)
    run(VOLE, "prof", BAD, status=2)
    # As many sample types as a file of a megabyte can have.
    many = os.path.join(tmp, "many")
    with open(many, "wb") as f:
        f.write(profile_bytes(50000))
    out = run(VOLE, "prof", "flame", "-json", many, status=0)
    check(len(json.loads(out)["types"]) == 50000, "50,000 sample types")


def others(tmp):
    """Each program names the other where it is given the other's file."""
    t, p = os.path.join(tmp, "evil.trace"), os.path.join(tmp, "many")
    for path, data in ((t + ".gz", trace_bytes()), (p + ".gz",
                                                    profile_bytes())):
        with open(path, "wb") as f:
            f.write(gzip.compress(data))
    for path in (t, t + ".gz"):
        r = subprocess.run([VOLE, "prof", "top", path],
                           stderr=subprocess.PIPE)
        check(r.returncode == 1 and b"see vole-trace" in r.stderr,
              "vole prof and a trace", r.stderr)
    for path in (p, p + ".gz"):
        r = subprocess.run([TRACE, "summary", path], stderr=subprocess.PIPE)
        check(r.returncode == 1 and b"vole prof reads it" in r.stderr,
              "vole-trace and a profile", r.stderr)


def packed(tmp):
    """A compressed trace is read as it is, from a file and a pipe, also one
    that ends early."""
    path = os.path.join(tmp, "evil.trace")
    data = trace_bytes()
    half = len(gzip.compress(data)) // 2
    want = run(TRACE, "events", path)
    two = gzip.compress(data[:100]) + gzip.compress(data[100:])
    for packed in (gzip.compress(data), two):
        with open(path + ".gz", "wb") as f:
            f.write(packed)
        check(run(TRACE, "events", path + ".gz", status=0) == want,
              "events of a compressed trace")
        r = subprocess.run([TRACE, "events", "-"], input=packed,
                           stdout=subprocess.PIPE)
        check(r.stdout == want, "from a pipe")
    with open(path + ".gz", "wb") as f:
        f.write(gzip.compress(data)[:half])
    r = subprocess.run([TRACE, "events", path + ".gz"],
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    check(b"cut" in r.stderr or b"ends within" in r.stderr, "cut short",
          r.stderr)
    broken = bytearray(gzip.compress(data))
    broken[-6] ^= 1
    with open(path + ".gz", "wb") as f:
        f.write(broken)
    r = subprocess.run([TRACE, "events", path + ".gz"],
                       stderr=subprocess.PIPE)
    check(r.returncode == 1 and b"gzip data is damaged" in r.stderr,
          "damaged", r.stderr)


def main():
    with tempfile.TemporaryDirectory() as tmp:
        trace(tmp)
        profile(tmp)
        others(tmp)
        packed(tmp)
    print(f"{runs} runs, {len(failures)} failed")
    return 1 if failures else 0


sys.exit(main())

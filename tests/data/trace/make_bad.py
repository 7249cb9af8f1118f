#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes small traces that each break one rule, and what is to be said of
them: bad/NAME.trace, good/NAME.trace, expect.json.

  make_bad.py            write them beside this file
  make_bad.py --check    exit status 1 where the files are not what it writes

expect.json has for each file the rule, the byte offset of the record to
blame, and what go tool trace makes of it up to Go 1.21 and since 1.22:
"reads", "refuses", "crashes" (it or its viewer), "misreads".
"""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../unit/trace"))

import v2text  # noqa: E402

(BATCH, FREQ, STACK, PROCS, PSTART, PSTOP, GCSTART, GCDONE, STW, STWDONE,
 SWEEP, SWEEPDONE, CREATE, START, END, STOP, SCHED, PREEMPT, SLEEP, BLOCK,
 UNBLOCK, SEND, RECV, SELECT, SYNC, COND, NET, SYSCALL, SYSEXIT, SYSBLOCK,
 WAITING, INSYSCALL, HEAP, GOAL, TIMER, FUTILE, STRING, STARTLOCAL,
 UNBLOCKLOCAL, SYSEXITLOCAL, LABEL, BLOCKGC, ASSIST, ASSISTDONE, TASK,
 TASKEND, REGION, LOG, SAMPLE) = range(1, 50)

num = v2text.uvarint
READS, REFUSES, CRASHES, MISREADS = "reads", "refuses", "crashes", "misreads"


class Trace:
    """A trace of the first family, record by record."""

    def __init__(self, version=19):
        self.version = version
        self.b = bytearray(f"go 1.{version} trace".encode().ljust(16, b"\0"))
        self.blame = None

    def here(self):
        """The next record is the one to blame."""
        self.blame = len(self.b)

    def raw(self, *data):
        self.b += bytes(data)

    def ev(self, no, *vals):
        body = b"".join(num(v) for v in vals)
        n = len(vals) - 1
        if n < 3:
            self.b += bytes([no | n << 6]) + body
        else:
            self.b += bytes([no | 3 << 6]) + num(len(body)) + body

    def string(self, i, s):
        self.b += bytes([STRING]) + num(i) + num(len(s)) + s

    def stack(self, i, *frames, n=None):
        body = num(i) + num(len(frames) if n is None else n)
        for f in frames:
            body += b"".join(num(v) for v in f)
        self.b += bytes([STACK | 3 << 6]) + num(len(body)) + body

    def log(self, text, *vals):
        self.ev(LOG, *vals)
        self.b += num(len(text)) + text

    def begin(self, procs=2):
        """g1 runs on P 0, g2 waits; entry stacks 1 and 2."""
        self.ev(BATCH, 0, 1000)
        self.ev(CREATE, 1, 1, 1, 0)
        self.ev(CREATE, 1, 2, 2, 0)
        self.ev(WAITING, 1, 2)
        self.ev(PSTART, 1, 100)
        self.ev(START, 1, 1, 1)
        if procs:
            self.ev(PROCS, 1, procs, 0)

    def leave(self):
        self.ev(SCHED, 1, 3)
        self.ev(PSTOP, 1)

    def tables(self, freq=1000000000):
        if freq:
            self.ev(FREQ, freq)
        self.string(1, b"main.main")
        self.string(2, b"main.worker")
        self.string(3, b"prog.go")
        self.stack(1, (0x100, 1, 3, 10))
        self.stack(2, (0x200, 2, 3, 20))
        self.stack(3, (0x104, 1, 3, 12))

    def end(self):
        self.leave()
        self.tables()


CASES = {}  # name: (rule, old, new, function)
NOT_BAD = {}


def case(rule, old=REFUSES, new=REFUSES, version=19, name=None, offset=None):
    def add(fn):
        CASES[(name or fn.__name__).replace("_", "-")] = (
            rule, old, new, version, fn, offset)
        return fn
    return add


def inside(rule, old=REFUSES, new=REFUSES, **kw):
    """What is wrong happens while g1 runs; the rest is in order."""
    def add(fn):
        def whole(t):
            t.begin()
            fn(t)
            t.end()
        whole.__name__ = fn.__name__
        case(rule, old, new, **kw)(whole)
        return fn
    return add


# ---- the header

def header(name, text, old, new, rule="header", offset=0):
    def fn(t):
        t.b[:16] = text
        t.begin()
        t.end()
        t.blame = offset
    case(rule, old, new, name=name)(fn)


header("header-form", b"go 1.x trace\0\0\0\0", REFUSES, REFUSES)
header("header-version", b"go 1.20 trace\0\0\0", REFUSES, REFUSES)
header("header-future", b"go 1.99 trace\0\0\0", REFUSES, REFUSES)
header("header-padding", b"go 1.19 trace\0x\0", REFUSES, REFUSES, offset=14)


@case("header")
def header_short(t):
    del t.b[10:]
    t.blame = 0


# ---- records

@inside("event-type")
def event_zero(t):
    t.here()
    t.raw(0)


@inside("event-type")
def event_unknown(t):
    t.here()
    t.raw(50, 1)


@inside("event-type", version=11)
def event_newer(t):
    t.here()
    t.ev(SAMPLE, 0, 1100, 0, 1, 0)


@case("cut")
def cut_in_record(t):
    t.begin()
    t.leave()
    t.tables()
    t.blame = len(t.b)
    t.raw(STRING, 9, 20, 65)


@inside("number")
def number_of_eleven_bytes(t):
    t.here()
    t.raw(HEAP | 1 << 6, 1, *[0xff] * 10, 1)


@inside("length")
def length_within_a_number(t):
    t.here()
    t.raw(CREATE | 3 << 6, 4, 1, 9, 1, 0x80)


@inside("record-length", READS, REFUSES)
def long_record(t):
    t.tables(freq=0)
    t.here()
    t.stack(9, *[(0x1000 + i, 1, 3, 1000 + i) for i in range(400)])
    del t.b[t.b.index(b"\x25\x01\x09main.main"):t.blame]
    t.blame = t.b.index(b"\xc3", 40)


@inside("arguments")
def too_few_values(t):
    t.here()
    t.ev(PROCS, 1, 2)


@inside("arguments")
def too_many_values(t):
    t.here()
    t.ev(PSTOP, 1, 2)


@case("batch-args", READS, REFUSES)
def batch_with_length(t):
    t.here()
    t.raw(BATCH | 3 << 6, 3, 0, 0xe8, 7)
    good = Trace()
    good.begin()
    t.b += good.b[20:]
    t.end()


@case("batch-p", READS, REFUSES)
def batch_of_large_p(t):
    t.begin()
    t.leave()
    t.here()
    t.ev(BATCH, 1 << 31, 1200)
    t.ev(HEAP, 1, 5)
    t.tables()


@case("no-batch", READS, REFUSES)
def event_before_batch(t):
    t.here()
    t.ev(HEAP, 900, 5)
    t.begin()
    t.end()


# ---- tables

@inside("string-id")
def string_zero(t):
    t.here()
    t.string(0, b"x")


@inside("string-length")
def string_empty(t):
    t.here()
    t.string(9, b"")


@inside("string-length")
def string_long(t):
    t.here()
    t.raw(STRING, 9, *num(1000001))
    t.b += b"x" * 100


@inside("string-id")
def string_twice(t):
    t.string(9, b"x")
    t.here()
    t.string(9, b"y")


@inside("string-length")
def log_long(t):
    t.here()
    t.ev(LOG, 1, 0, 1, 0)
    t.b += num(1000001) + b"x" * 100


@inside("stack-frames")
def stack_of_1001_frames(t):
    t.here()
    t.stack(9, (1, 1, 3, 1), n=1001)


@inside("arguments")
def stack_with_wrong_count(t):
    t.here()
    t.stack(9, (1, 1, 3, 1), n=2)


@inside("string-count", READS, REFUSES)
def string_number_too_high(t):
    t.here()
    t.string((1 << 64) - 1, b"x")


@case("empty", REFUSES, READS, name="no-events")
def no_events(t):
    t.ev(BATCH, 0, 1000)
    t.tables()
    t.blame = len(t.b)


@case("frequency")
def no_frequency(t):
    t.begin()
    t.leave()
    t.tables(freq=0)
    t.blame = len(t.b)


@case("frequency")
def negative_frequency(t):
    t.begin()
    t.leave()
    t.here()
    t.tables(freq=(1 << 64) - 5)


# ---- order

@inside("order")
def wrong_seq(t):
    t.here()
    t.ev(UNBLOCK, 1, 2, 9, 3)


@inside("order")
def create_twice(t):
    t.here()
    t.ev(CREATE, 1, 2, 2, 3)


@inside("order")
def wait_twice(t):
    t.here()
    t.ev(WAITING, 1, 2)


@inside("order")
def unblock_running(t):
    t.here()
    t.ev(UNBLOCK, 1, 1, 2, 3)


@inside("order")
def exit_without_block(t):
    t.here()
    t.ev(SYSEXIT, 1, 1, 2, 0)


@inside("order")
def wrong_gc_number(t):
    t.here()
    t.ev(GCSTART, 1, 7, 3)


@case("order")
def batches_out_of_order(t):
    t.ev(BATCH, 0, 1100)
    t.here()
    t.ev(START, 1, 1, 1)
    t.leave()
    t.ev(BATCH, 0, 1000)
    t.ev(CREATE, 1, 1, 1, 0)
    t.ev(PROCS, 1, 2, 0)
    t.tables()


@case("order-claim", CRASHES, REFUSES)
def two_ps_start_one(t):
    t.begin()
    t.leave()
    t.ev(BATCH, 0, 2000)
    t.ev(START, 1, 1, 2)
    t.ev(BATCH, 1, 2000)
    t.here()
    t.ev(START, 2, 1, 2)
    t.tables()


@case("time")
def time_goes_back(t):
    t.begin()
    t.here()
    t.ev(HEAP, (1 << 64) - 500, 5)
    t.end()


@inside("time")
def exit_before_block(t):
    t.ev(SYSCALL, 1, 3)
    t.ev(SYSBLOCK, 50)
    t.ev(PSTOP, 1)
    t.here()
    t.ev(SYSEXIT, 10, 1, 2, 1010)
    t.ev(PSTART, 1, 100)
    t.ev(START, 1, 1, 3)


@inside("stray-exit")
def exit_with_time_without_block(t):
    t.ev(RECV, 1, 3)
    t.here()
    t.ev(SYSEXIT, 10, 1, 2, 1010)
    t.ev(START, 1, 1, 3)


@case("go-start")
def exit_after_start(t):
    t.begin()
    t.ev(SYSCALL, 1, 3)
    t.ev(SYSBLOCK, 50)
    t.ev(PSTOP, 1)
    t.ev(SYSEXIT, 10, 1, 2, 1200)
    t.ev(PSTART, 1, 100)
    t.here()
    t.ev(START, 1, 1, 3)
    t.ev(HEAP, 300, 5)
    t.end()


# ---- states

@inside("proc-start")
def proc_starts_twice(t):
    t.here()
    t.ev(PSTART, 1, 100)


@case("proc-stop")
def proc_stops_twice(t):
    t.begin()
    t.leave()
    t.here()
    t.ev(PSTOP, 1)
    t.tables()


@case("proc-stop")
def proc_stops_busy(t):
    t.begin()
    t.here()
    t.ev(PSTOP, 1)
    t.ev(SCHED, 1, 3)
    t.tables()


@inside("gc")
def gc_twice(t):
    t.ev(GCSTART, 1, 0, 3)
    t.here()
    t.ev(GCSTART, 1, 1, 3)
    t.ev(GCDONE, 1)


@inside("gc")
def gc_done_alone(t):
    t.here()
    t.ev(GCDONE, 1)


@inside("stw")
def stw_twice(t):
    t.ev(STW, 1, 0)
    t.here()
    t.ev(STW, 1, 1)
    t.ev(STWDONE, 1)


@inside("stw")
def stw_done_alone(t):
    t.here()
    t.ev(STWDONE, 1)


@inside("stw-kind", REFUSES, MISREADS)
def stw_of_unknown_kind(t):
    t.here()
    t.ev(STW, 1, 2)
    t.ev(STWDONE, 1)


@inside("sweep")
def sweep_twice(t):
    t.ev(SWEEP, 1, 3)
    t.here()
    t.ev(SWEEP, 1, 3)
    t.ev(SWEEPDONE, 1, 0, 0)


@inside("sweep")
def sweep_done_alone(t):
    t.here()
    t.ev(SWEEPDONE, 1, 0, 0)


@inside("assist")
def assist_twice(t):
    t.ev(ASSIST, 1, 3)
    t.here()
    t.ev(ASSIST, 1, 3)
    t.ev(ASSISTDONE, 1)


@inside("go-start")
def start_on_busy_p(t):
    t.ev(UNBLOCK, 1, 2, 2, 3)
    t.here()
    t.ev(START, 1, 2, 3)
    t.ev(SCHED, 1, 3)


@case("actor")
def nobody_blocks(t):
    t.begin()
    t.leave()
    t.ev(PSTART, 1, 100)
    t.here()
    t.ev(END, 1)
    t.tables()


@case("actor")
def nobody_calls(t):
    t.begin()
    t.leave()
    t.ev(PSTART, 1, 100)
    t.here()
    t.ev(SYSCALL, 1, 3)
    t.ev(PSTOP, 1)
    t.tables()


@inside("task")
def task_twice(t):
    t.ev(TASK, 1, 5, 0, 1, 3)
    t.here()
    t.ev(TASK, 1, 5, 0, 1, 3)


@inside("region")
def region_ends_another(t):
    t.ev(REGION, 1, 0, 0, 1, 3)
    t.here()
    t.ev(REGION, 1, 0, 1, 2, 3)


@inside("region")
def region_of_mode_2(t):
    t.here()
    t.ev(REGION, 1, 0, 2, 1, 3)


@inside("futile", READS, REFUSES)
def futile_wakeup(t):
    t.here()
    t.ev(FUTILE, 1)


@case("sample-batch", READS, REFUSES)
def sample_among_events(t):
    t.begin()
    t.here()
    t.ev(SAMPLE, 5000, 1010, 0, 1, 3)
    t.ev(SCHED, 1, 3)
    t.ev(START, 1, 3, 1)
    t.leave()
    t.ev(BATCH, 1, 2000)
    t.ev(CREATE, 1, 3, 2, 0)
    t.tables()


# ---- read, but not shown as it should be

@case("end", CRASHES, READS)
def runs_at_the_end(t):
    t.begin()
    t.tables()
    t.blame = len(t.b)


@inside("end", CRASHES, READS)
def gc_open_at_the_end(t):
    t.here()
    t.ev(GCSTART, 1, 0, 3)


@inside("end", CRASHES, READS)
def stw_open_at_the_end(t):
    t.here()
    t.ev(STW, 1, 0)


@inside("end", CRASHES, READS)
def sweep_open_at_the_end(t):
    t.here()
    t.ev(SWEEP, 1, 3)


@inside("entry-stack", REFUSES, CRASHES)
def create_without_entry(t):
    t.here()
    t.ev(CREATE, 1, 3, 0, 3)


@inside("entry-stack", REFUSES, CRASHES)
def create_with_unknown_entry(t):
    t.here()
    t.ev(CREATE, 1, 3, 77, 3)


@inside("entry-pc", CRASHES, READS)
def entry_pc_zero(t):
    t.stack(9, (0, 1, 3, 10))
    t.here()
    t.ev(CREATE, 1, 3, 9, 3)


@inside("entry-frames", MISREADS, MISREADS)
def entry_of_two_frames(t):
    t.stack(9, (0x300, 2, 3, 30), (0x400, 1, 3, 40))
    t.here()
    t.ev(CREATE, 1, 3, 9, 3)


@case("pc", MISREADS, MISREADS)
def one_pc_two_lines(t):
    t.begin()
    t.end()
    t.stack(9, (0x104, 1, 3, 99))
    t.blame = None


@case("string-before-batch", READS, MISREADS)
def string_first(t):
    t.here()
    t.string(9, b"early")
    t.begin()
    t.end()


@inside("string", MISREADS, CRASHES)
def string_undefined(t):
    t.here()
    t.ev(TASK, 1, 5, 0, 77, 3)


@inside("stack", MISREADS, MISREADS)
def stack_undefined(t):
    t.here()
    t.ev(CREATE, 1, 3, 2, 77)


@inside("gomaxprocs-p", CRASHES, READS)
def sweep_on_extra_p(t):
    t.ev(BATCH, 7, 1020)
    t.ev(PSTART, 1, 101)
    t.here()
    t.ev(SWEEP, 1, 3)
    t.ev(SWEEPDONE, 1, 0, 0)
    t.ev(PSTOP, 1)
    t.ev(BATCH, 0, 1040)


@case("gomaxprocs", CRASHES, MISREADS)
def no_gomaxprocs(t):
    t.begin(procs=0)
    t.end()
    t.blame = len(t.b)


@case("no-goroutine", READS, CRASHES)
def stw_of_nobody(t):
    t.begin()
    t.ev(SCHED, 1, 3)
    t.here()
    t.ev(STW, 1, 0)
    t.ev(STWDONE, 1)
    t.ev(PSTOP, 1)
    t.tables()


# ---- second family: v2text with the line to blame marked by ">"

START2 = """Trace Go1.{v}
EventBatch gen=1 m=7 time=1000 size=auto
ProcStatus dt=1 p=0 pstatus=1
GoStatus dt=1 g=1 m=7 gstatus=2
ProcsChange dt=1 procs=2 stack=1
"""
STOP2 = """EventBatch gen=1 m=18446744073709551615 time=1000 size=auto
{sync}
EventBatch gen=1 m=18446744073709551615 time=1000 size=auto
Strings
String id=1
	data="main.main"
String id=2
	data="prog.go"
String id=3
	data="chan receive"
EventBatch gen=1 m=18446744073709551615 time=1000 size=auto
Stacks
Stack id=1 nframes=1
	pc=256 func=1 file=2 line=10
{end}"""
SYNC = {22: "Frequency freq=1000000000"}
for _v in (25, 26):
    SYNC[_v] = ("Sync\nFrequency freq=1000000000\n"
                "ClockSnapshot dt=1 mono=5 sec=6 nsec=7")
SYNC[23] = SYNC[22]
OPEN2 = "EventBatch gen=1 m=7 time=1100 size=auto\n"

V2 = {}


def v2(name, rule, body, version=22, new=REFUSES, edit=None, blame=None):
    V2[name] = (rule, body, version, new, edit, blame)


v2("v2-record", "record", ">Raw 3 1")
v2("v2-event-unknown", "record", ">Raw 60 1")
v2("v2-number", "record", ">Raw 37 1 ff ff ff ff ff ff ff ff ff ff 1")
v2("v2-event-version", "event-version",
   "GoCreateBlocked dt=1 g=5 new=1 stack=1", new=READS, blame="2f 01 05")
v2("v2-no-goroutine", "context", "GoBlock dt=1 reason=3 stack=1\n"
   ">GoBlock dt=1 reason=3 stack=1")
v2("v2-no-thread", "context",
   "EventBatch gen=1 m=18446744073709551615 time=1100 size=auto\n"
   ">HeapAlloc dt=1 v=5")
v2("v2-status-differs", "go-status", ">GoStatus dt=1 g=1 m=7 gstatus=4")
v2("v2-status-bad", "go-status", ">GoStatus dt=1 g=9 m=7 gstatus=9")
v2("v2-proc-status-differs", "proc-status", ">ProcStatus dt=1 p=0 status=2")
v2("v2-create-twice", "go-create", "GoCreate dt=1 g=5 new=1 stack=1\n"
   ">GoCreate dt=1 g=5 new=1 stack=1")
v2("v2-stop-twice", "proc-state", "GoStop dt=1 reason=0 stack=1\n"
   "ProcStop dt=1\n>ProcStop dt=1")
v2("v2-wrong-seq", "order", "GoCreate dt=1 g=5 new=1 stack=1\n"
   "GoStop dt=1 reason=0 stack=1\n>GoStart dt=1 g=5 seq=7")
v2("v2-syscall-seq", "sequence", ">GoSyscallBegin dt=1 pseq=9 stack=1")
v2("v2-syscall-end", "go-state", ">GoSyscallEnd dt=1")
v2("v2-steal", "proc-steal", "GoSyscallBegin dt=1 pseq=1 stack=1\n"
   "EventBatch gen=1 m=8 time=1200 size=auto\n"
   ">ProcSteal dt=1 p=0 pseq=2 m=9")
v2("v2-steal-other", "proc-steal", "GoSyscallBegin dt=1 pseq=1 stack=1\n"
   "EventBatch gen=1 m=8 time=1200 size=auto\n"
   ">ProcSteal dt=1 p=0 pseq=2 m=8")
v2("v2-gc-end", "gc", "GCBegin dt=1 seq=4 stack=1\nGCEnd dt=1 seq=5\n"
   ">GCEnd dt=1 seq=6")
v2("v2-stw-twice", "range", "STWBegin dt=1 kind=3 stack=1\n"
   ">STWBegin dt=1 kind=3 stack=1")
v2("v2-sweep-end", "range", ">GCSweepEnd dt=1 a=1 b=2")
v2("v2-task-twice", "task", "UserTaskBegin dt=1 t=5 p=0 name=1 stack=1\n"
   ">UserTaskBegin dt=1 t=5 p=0 name=1 stack=1")
v2("v2-region-mismatch", "region", "UserRegionBegin dt=1 t=0 n=1 stack=1\n"
   ">UserRegionEnd dt=1 t=0 n=2 stack=1")
v2("v2-string-undefined", "string-id", ">GoBlock dt=1 reason=9 stack=1")
v2("v2-stack-undefined", "stack-id", ">GoBlock dt=1 reason=3 stack=9")
v2("v2-string-twice", "string-id", "HeapAlloc dt=1 v=5", edit=(
    "String id=3", ">String id=2"))
v2("v2-stack-twice", "stack-id", "HeapAlloc dt=1 v=5", edit=(
    "\n{end}", "\n>Stack id=1 nframes=0\n{end}"))
v2("v2-stack-frames", "stack-frames", "HeapAlloc dt=1 v=5", edit=(
    "Stack id=1 nframes=1", ">Stack id=1 nframes=129"))
v2("v2-frame-string", "string-id", "HeapAlloc dt=1 v=5", edit=(
    "Stack id=1 nframes=1\n\tpc=256 func=1",
    ">Stack id=1 nframes=1\n\tpc=256 func=9"))
v2("v2-table", "table", "HeapAlloc dt=1 v=5", edit=(
    "String id=3\n\tdata=\"chan receive\"", ">Raw 3 1 0"))
v2("v2-no-frequency", "frequency", "HeapAlloc dt=1 v=5",
   edit=("{sync}", "Stacks"), blame=16)
v2("v2-two-frequencies", "frequency", "HeapAlloc dt=1 v=5",
   edit=("{sync}", "{sync}\n>Frequency freq=5"))
v2("v2-no-clock", "clock", "HeapAlloc dt=1 v=5", version=25,
   edit=("{sync}", "Sync\nFrequency freq=1000000000"), blame=16)
v2("v2-two-clocks", "clock", "HeapAlloc dt=1 v=5", version=25,
   edit=("{sync}", "{sync}\n>ClockSnapshot dt=1 mono=5 sec=6 nsec=7"))
v2("v2-generation-zero", "generation",
   ">EventBatch gen=0 m=7 time=1100 size=auto\nHeapAlloc dt=1 v=5")
v2("v2-generation-jump", "generation",
   ">EventBatch gen=5 m=7 time=1100 size=auto\nHeapAlloc dt=1 v=5")
v2("v2-generation-mixed", "generation", version=26, body=
   ">EventBatch gen=2 m=7 time=1100 size=auto\nHeapAlloc dt=1 v=5")
v2("v2-batch-size", "record",
   ">EventBatch gen=1 m=7 time=1100 size=70000\nHeapAlloc dt=1 v=5")
v2("v2-no-batch", "record", ">RawOutside 9 1 2 3")
v2("v2-cut", "cut", "HeapAlloc dt=1 v=5", edit=(
    "{end}", "{end}\n>EventBatch gen=1 m=7 time=1100 size=50\nRaw 25 1"))
v2("v2-no-end", "cut", "HeapAlloc dt=1 v=5", version=26,
   edit=("{end}", ""), blame="end")


def build_v2(body, version, edit, blame):
    stop = STOP2
    if edit:
        assert edit[0] in stop, edit
        stop = stop.replace(edit[0], edit[1])
    if "EventBatch" not in body.split("\n")[0] and "Outside" not in body:
        body = body.lstrip("\n")
    text = START2 + body + "\n" + stop
    text = text.format(v=version, sync=SYNC[version],
                       end="EndOfGeneration" if version == 26 else "")
    whole = v2text.encode(text.replace(">", ""))
    if blame == "end":
        return whole, len(whole)
    if isinstance(blame, str):
        return whole, whole.index(bytes.fromhex(blame))
    if blame is None:
        # Two texts that differ only in that record.
        blame = locate(text)
    return whole, blame


def locate(text):
    """Byte offset of the record marked by >."""
    before, line = text.split(">", 1)[0], text.split(">", 1)[1]
    if line.startswith(("EventBatch", "RawOutside")):
        return len(v2text.encode(before))
    # Length bytes of the open batch depend on all of it.
    whole = v2text.encode(text.replace(">", ""))
    last = before.rindex("EventBatch")
    done = v2text.encode(before[:last])
    opened = v2text.encode(before)
    head = len(opened) - batch_data(opened, len(done))
    size_now = len(v2text.uvarint(batch_data(opened, len(done))))
    size_then = len(v2text.uvarint(batch_data(whole, len(done))))
    del head
    return len(opened) - size_now + size_then


def batch_data(b, at):
    """Bytes of data of the batch at that offset, by its size field."""
    at += 1
    for _ in range(4):
        v = shift = 0
        while True:
            v |= (b[at] & 0x7f) << shift
            shift += 7
            at += 1
            if b[at - 1] < 0x80:
                break
    return v


def make():
    files, expect = {}, {}
    for name, (rule, old, new, version, fn, _) in sorted(CASES.items()):
        t = Trace(version)
        fn(t)
        path = f"bad/{name}.trace"
        files[path] = bytes(t.b)
        expect[path] = {"rule": rule, "offset": t.blame, "go_1_21": old,
                        "go_1_22": new}
    for name, (rule, body, version, new, edit, blame) in sorted(V2.items()):
        data, at = build_v2(body, version, edit, blame)
        path = f"bad/{name}.trace"
        files[path] = data
        expect[path] = {"rule": rule, "offset": at, "go_1_21": REFUSES,
                        "go_1_22": new}
    for version in (11, 19, 21):
        t = Trace(version)
        t.begin()
        t.end()
        files[f"good/v{version}.trace"] = bytes(t.b)
    for version in SYNC:
        files[f"good/v{version}.trace"] = build_v2(
            "HeapAlloc dt=1 v=5\n>GoBlock dt=1 reason=3 stack=1", version,
            None, 0)[0]
    text = json.dumps(expect, indent=1, sort_keys=True) + "\n"
    files["expect.json"] = text.encode()
    return files


def main():
    files, bad = make(), 0
    check = "--check" in sys.argv
    for name, data in files.items():
        path = os.path.join(HERE, name)
        if check:
            same = os.path.exists(path) and open(path, "rb").read() == data
            if not same:
                print(f"{name}: not what make_bad.py writes")
                bad = 1
        else:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as f:
                f.write(data)
    return bad


if __name__ == "__main__":
    sys.exit(main())

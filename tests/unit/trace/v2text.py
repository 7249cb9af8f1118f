# SPDX-License-Identifier: MIT
"""Traces of Go 1.22 and later as text, in the form of Go's own test data:

    Trace Go1.23
    EventBatch gen=1 m=0 time=0 size=15
    ProcStatus dt=1 p=0 pstatus=1
    Stack id=1 nframes=1
    	pc=100 func=1 file=2 line=3
    String id=1
    	data="main.main"

encode() makes the binary form.  Names of values are not looked at, but
size=auto is the length of what follows up to the next batch; so that a bad
file can be written, "Raw 80 ff" is any bytes.
"""
import os
import re

DEF = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                   "../../../trace/read/v2.def")
RECORDS = re.findall(r'(?m)^V2\((\d+), \w+, "(\w+)", (\d+)',
                     open(DEF).read())
NUMBER = {name: int(no) for no, name, _ in RECORDS}
NARGS = {int(no): int(n) for no, _, n in RECORDS}


def uvarint(n):
    out = bytearray()
    n &= (1 << 64) - 1
    while n >= 0x80:
        out.append(n & 0x7f | 0x80)
        n >>= 7
    out.append(n)
    return bytes(out)


def values(words):
    return [w.split("=", 1)[1] for w in words]


def encode(text):
    out = []      # chunks; a batch is [header without size, size or None]
    body = None
    lines = text.split("\n")

    def flush(head, size, data):
        n = len(data) if size == "auto" else int(size)
        return head + uvarint(n) + bytes(data)

    pending = None

    def emit(data):
        nonlocal pending
        if pending is None:
            out.append(data)
        else:
            pending[2].extend(data)

    def close():
        nonlocal pending
        if pending is not None:
            out.append(flush(pending[0], pending[1], pending[2]))
        pending = None

    for line in lines:
        words = line.split()
        if not words:
            continue
        name = words[0]
        if name == "Trace":
            minor = words[1].split(".")[1]
            out.append(f"go 1.{minor} trace".encode().ljust(16, b"\0"))
        elif name in ("EventBatch", "ExperimentalBatch"):
            close()
            v = values(words[1:])
            head = bytes([NUMBER[name]])
            head += b"".join(uvarint(int(x)) for x in v[:-1])
            pending = [head, v[-1], bytearray()]
        elif name == "EndOfGeneration":
            close()
            out.append(bytes([NUMBER[name]]))
        elif name == "Raw":
            emit(bytes(int(x, 16) for x in words[1:]))
        elif name == "RawOutside":
            close()
            out.append(bytes(int(x, 16) for x in words[1:]))
        elif name.startswith("data="):
            s = line.split("=", 1)[1]
            s = bytes(s[1:-1], "utf-8").decode("unicode_escape").encode(
                "latin-1")
            emit(uvarint(len(s)) + s)
        elif name.startswith("pc="):
            emit(b"".join(uvarint(int(x)) for x in values(words)))
        else:
            emit(bytes([NUMBER[name]]) +
                 b"".join(uvarint(int(x)) for x in values(words[1:])))
    close()
    return b"".join(out)


def get(data, at):
    n = shift = 0
    while data[at] & 0x80:
        n |= (data[at] & 0x7f) << shift
        shift += 7
        at += 1
    return n | data[at] << shift, at + 1


def coarse(data, ticks, step):
    """The events of a batch with times that are multiples of step, as bodies
    of one or more batches, each with its time."""
    at, last, bodies = 0, None, []
    while at < len(data):
        typ = data[at]
        dt, rest = get(data, at + 1)
        ticks += dt
        now = ticks // step * step
        at = rest
        for _ in range(NARGS[typ] - 1):
            at = get(data, at)[1]
        if not bodies or len(bodies[-1][1]) > 60000:
            bodies.append((now, bytearray()))
            last = now
        bodies[-1][1].extend(bytes([typ]) + uvarint(now - last) +
                             data[rest:at])
        last = now
    return bodies


def coarsen(data, step):
    """A trace as a clock would have made it that ticks in steps of step."""
    tables = {NUMBER[x] for x in ("Strings", "Stacks", "CPUSamples", "Sync")}
    out, at = bytearray(data[:16]), 16
    while at < len(data):
        if data[at] != NUMBER["EventBatch"]:
            assert data[at] == NUMBER["EndOfGeneration"]
            out.append(data[at])
            at += 1
            continue
        at += 1
        v = []
        for _ in range(4):
            n, at = get(data, at)
            v.append(n)
        gen, m, ticks, size = v
        bodies = [(ticks, data[at:at + size])]
        if size > 0 and data[at] not in tables:
            bodies = coarse(data[at:at + size], ticks, step)
        at += size
        for ticks, body in bodies:
            out.append(NUMBER["EventBatch"])
            for n in (gen, m, ticks, len(body)):
                out += uvarint(n)
            out += body
    return bytes(out)

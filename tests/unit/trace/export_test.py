#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What vole-trace export, timeline, diff, tasks, regions and gc print.

usage: export_test.py VOLE_TRACE SIMTRACE
The Chrome JSON is checked against the description of the Trace Event Format,
the Perfetto file against its published schema: by hand, and, where the
package `perfetto` of PyPI is installed, with the classes made from it.
"""
import csv
import io
import json
import os
import subprocess
import sys
import tempfile

import pbread

VOLE, SIM = sys.argv[1:3]
DATA = "/usr/share/go-1.19/src/internal/trace/testdata"
failures = []


def check(ok, what, detail=""):
    if not ok:
        print("FAIL ", what, str(detail)[:500])
        failures.append(what)


def run(*args):
    env = dict(os.environ, LC_ALL="C.UTF-8")
    r = subprocess.run([VOLE, *args], capture_output=True, timeout=120,
                       env=env, check=False)
    check(r.returncode == 0 and r.stderr == b"", args, r.stderr)
    return r.stdout


def loads(*args):
    return json.loads(run(*args))


# ---- Chrome

def chrome_events(doc, name):
    """The rules of the Trace Event Format for the phases that are used."""
    frames = doc["stackFrames"]
    flows, nest = {}, {}
    for e in doc["traceEvents"]:
        what = f"{name}: {e}"
        check(e["ph"] in "XiCsteb" + "M" and isinstance(e["pid"], int) and
              isinstance(e["tid"], int) and e["ts"] >= 0, what)
        for key in ("sf", "esf"):
            check(key not in e or str(e[key]) in frames, what)
        if e["ph"] == "X":
            check(e["dur"] >= 0 and e["name"], what)
        elif e["ph"] == "i":
            check(e["s"] in "gpt", what)
        elif e["ph"] == "C":
            check(all(isinstance(v, (int, float)) and v >= 0
                      for v in e["args"].values()), what)
        elif e["ph"] in "st":
            flows.setdefault(e["id"], []).append((e["ph"], e["ts"]))
        elif e["ph"] in "be":
            key = (e["cat"], e["id"])
            nest[key] = nest.get(key, 0) + (1 if e["ph"] == "b" else -1)
            check(nest[key] >= 0, what)
        elif e["ph"] == "M":
            check("name" in e["args"] or "sort_index" in e["args"], what)
    for pair in flows.values():
        check([p for p, _ in pair] == ["s", "t"] and
              pair[0][1] <= pair[1][1], f"{name}: arrow {pair}")
    for key, f in frames.items():
        check("parent" not in f or int(f["parent"]) < int(key),
              f"{name}: frame {key}")
    return len(flows)


def no_overlap(spans, name):
    """Spans of one row: none begins before the one before it has ended."""
    for row, list_ in spans.items():
        list_.sort()
        for (_, end), (begin, _) in zip(list_, list_[1:]):
            check(begin >= end, f"{name}: row {row} overlaps at {begin}")


def rows_of(doc):
    rows = {}
    for e in doc["traceEvents"]:
        if e["ph"] == "X":
            ts = round(e["ts"] * 1000)
            rows.setdefault((e["pid"], e["tid"]), []).append(
                (ts, ts + round(e["dur"] * 1000)))
    return rows


def chrome(path, name):
    doc = loads("export", "-chrome", "-goroutines", path)
    arrows = chrome_events(doc, name)
    no_overlap(rows_of(doc), name)
    procs = {p["id"]: p["busy_ns"] for p in loads("procs", "-json", path)}
    busy = {}
    for (pid, tid), spans in rows_of(doc).items():
        if pid == 0 and tid < 1000000:
            busy[tid] = sum(b - a for a, b in spans)
    check({k: v for k, v in procs.items() if v} ==
          {k: v for k, v in busy.items() if v},
          f"{name}: the Ps are as busy as procs says", (procs, busy))
    return arrows


# ---- Perfetto

def messages(data, no):
    return [v for k, v in pbread.fields(data) if k == no]


def perfetto(path, name):
    data = run("export", "-perfetto", path)
    tracks, depth, names = {}, {}, {}
    begun, flows, ended = 0, set(), set()
    events = []
    for i, packet in enumerate(messages(data, 1)):
        p = dict(pbread.fields(packet))
        check(p[10] == 1 and (p[13] == 3 if i == 0 else p[13] == 2),
              f"{name}: sequence of packet {i}", p)
        if 60 in p:
            t = dict(pbread.fields(p[60]))
            check(t[1] not in tracks and (5 not in t or t[5] in tracks),
                  f"{name}: track {t}")
            tracks[t[1]] = t
        if 12 in p:
            for n in messages(p[12], 2):
                n = dict(pbread.fields(n))
                check(n[1] not in names, f"{name}: name {n} again")
                names[n[1]] = n[2]
        if 11 in p:
            e = dict(pbread.fields(p[11]))
            check(e[11] in tracks and 8 in p, f"{name}: event {e}")
            check(10 not in e or e[10] in names, f"{name}: name of {e}")
            check(e[9] != 4 or 8 in tracks[e[11]], f"{name}: counter {e}")
            events.append((p[8], i, e))
            if 47 in e:
                flows.add(e[47])
            if 48 in e:
                ended.add(e[48])
    check(ended <= flows, f"{name}: arrows end that never began")
    # As a reader does: by time, and in the order of the file.
    for _, _, e in sorted(events, key=lambda x: x[:2]):
        if e[9] == 1:
            begun += 1
            depth[e[11]] = depth.get(e[11], 0) + 1
        elif e[9] == 2:
            depth[e[11]] = depth.get(e[11], 0) - 1
            check(depth[e[11]] >= 0, f"{name}: end without begin {e}")
        kind = e[11] >> 56
        check(kind == 4 or depth.get(e[11], 0) <= 1,
              f"{name}: slices of track {e[11]:x} overlap")
    check(begun > 0, f"{name}: slices")
    return data, len(ended)


def perfetto_schema(files):
    """With the published schema, if it is there."""
    try:
        from perfetto.protos.perfetto.trace import perfetto_trace_pb2
    except ImportError:
        print("no module perfetto: the schema itself is not tried")
        return
    from google.protobuf import unknown_fields

    def unknown(m):
        n = len(unknown_fields.UnknownFieldSet(m))
        for field, value in m.ListFields():
            if field.message_type is not None:
                many = value if hasattr(value, "append") or \
                    hasattr(value, "add") else [value]
                n += sum(unknown(x) for x in many)
        return n

    for name, data in files:
        t = perfetto_trace_pb2.Trace()
        t.ParseFromString(data)
        check(len(t.packet) > 10 and unknown(t) == 0,
              f"{name}: the schema knows all fields")
    print("the schema of Perfetto knows all fields")


# ---- tables

def tables(path, name):
    text = run("export", "-csv", path).decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    lines = [json.loads(x) for x in
             run("export", "-json", path).decode().splitlines()]
    check(len(rows) == len(lines) > 0, f"{name}: csv and json agree")
    gs = {g["id"]: g for g in loads("goroutines", "-all", "-json", path)}
    total = {}
    for r in rows:
        key = (int(r["goroutine"]), r["state"])
        total[key] = total.get(key, 0) + int(r["ns"])
        check(int(r["to_ns"]) - int(r["from_ns"]) == int(r["ns"]),
              f"{name}: {r}")
    # The rows are spans: a call that has not lost its P is in a running one.
    moved = {"running": 1, "syscall": -1}
    bad = [(g, s, ns) for (g, s), ns in total.items()
           if s not in ("none", "runnable") and
           gs[g][f"{s}_ns"] + moved.get(s, 0) * gs[g]["calls_ns"] != ns]
    check(not bad, f"{name}: times of the csv are those of goroutines", bad)
    text = run("goroutine", "-json", str(rows[0]["goroutine"]), path)
    life = json.loads(text)
    check(life["goroutine"]["id"] == int(rows[0]["goroutine"]) and
          len(life["spans"]) == sum(r["goroutine"] == rows[0]["goroutine"]
                                    for r in rows), f"{name}: goroutine")


def timeline(path, name):
    d = loads("timeline", "-json", "-width", "50", path)
    s = loads("summary", "-json", path)
    width = (d["to_ns"] - d["from_ns"]) / d["columns"]
    check(d["columns"] == 50 and d["to_ns"] == s["duration_ns"],
          f"{name}: columns")
    busy = 0
    for p in d["procs"]:
        for i in range(50):
            ns = p.get("running_ns", [0] * 50)[i] + \
                p.get("gc_ns", [0] * 50)[i]
            check(0 <= ns <= width + 1, f"{name}: P{p['id']} column {i}")
            busy += ns
    check(busy == s["busy_ns"], f"{name}: busy", (busy, s["busy_ns"]))
    check(sum(d["gc_ns"]) == s["gc"]["ns"], f"{name}: gc")
    half = d["to_ns"] // 2
    d = loads("timeline", "-json", "-width", "7", "-to", f"{half}ns", path)
    check(d["to_ns"] == half and d["columns"] == 7, f"{name}: zoom")
    text = run("timeline", "-width", "60", path).decode()
    check(("\nP" in text) == (s["busy_ns"] > 0) and "columns of" in text,
          f"{name}: picture")


def collector(path, name):
    d = loads("gc", "-json", path)
    s = loads("summary", "-json", path)
    check(d["cycles_n"] == s["gc"]["n"], f"{name}: cycles")
    check(sum(c["to_ns"] - c["from_ns"] for c in d["cycles"]) ==
          s["gc"]["ns"], f"{name}: time of cycles")
    check(sum(x["n"] for x in d["stops"]) == s["stw"]["n"],
          f"{name}: stops")
    utils = [w["util"] for w in d["mmu"]]
    check(all(0 <= u <= 1 for u in utils), f"{name}: MMU {utils}")
    check(not utils or abs(utils[-1] - d["mmu_mean"]) < 1e-6,
          f"{name}: MMU of the whole is the mean")


def differences(a, b):
    d = loads("diff", "-json", a, b)
    back = loads("diff", "-json", b, a)
    same = loads("diff", "-json", a, a)
    for key in ("functions", "block", "sched", "syscall", "net"):
        check(sorted(x["change_ns"] for x in d[key]) ==
              sorted(-x["change_ns"] for x in back[key]), f"diff {key}")
        check(all(x["change_ns"] == 0 for x in same[key]), f"same {key}")
        sizes = [abs(x["change_ns"]) for x in d[key]]
        check(sizes == sorted(sizes, reverse=True), f"diff {key} is sorted")
    block = loads("block", "-json", a)
    check(sum(x["before_ns"] for x in d["block"]) == block["ns"],
          "diff: block adds up")
    run("diff", "-n", "3", a, b)


def annotations():
    path = f"{DATA}/user_task_region_1_19_good"
    if not os.path.exists(path):
        return
    tasks = loads("tasks", "-json", path)
    check([(t["name"], t["n"], t["ended"], t["max_ns"]) for t in tasks] ==
          [("task0", 1, 1, 89350)], "tasks", tasks)
    regions = {r["name"]: r for r in loads("regions", "-tasks", "-json",
                                           path)}
    check(regions["region0"]["max_ns"] == 7166 and
          regions["region0"]["task"] == "task0" and
          regions["region1"]["running_ns"] == 3327 and
          regions["post-existing region"]["not_ended"] == 1, "regions",
          regions)
    text = run("tasks", "-task", "1", path).decode()
    check(text.count("\n") == 7 and "key0: 0123456789abcdef" in text,
          "tasks -task", text)


def main():
    files, arrows = [], 0
    with tempfile.TemporaryDirectory() as tmp:
        paths = []
        for procs in ("1", "4"):
            path = os.path.join(tmp, f"sim{procs}")
            subprocess.run([SIM, path, "6000", procs, "3"], check=True,
                           stdout=subprocess.DEVNULL, timeout=120)
            paths.append((path, f"sim {procs}"))
        for name in ("http_1_19_good", "user_task_region_1_19_good",
                     "stress_start_stop_1_11_good", "http_1_5_good"):
            if os.path.exists(f"{DATA}/{name}"):
                paths.append((f"{DATA}/{name}", name))
        for path, name in paths:
            arrows += chrome(path, name)
            data, n = perfetto(path, name)
            arrows += n
            files.append((name, data))
            tables(path, name)
            timeline(path, name)
            collector(path, name)
        check(arrows > 0, "there are arrows")
        perfetto_schema(files)
        differences(paths[0][0], paths[1][0])
        annotations()
    print(f"{len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

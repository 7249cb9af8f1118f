#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares vole-trace with Go's own tools, where they are installed.

usage: go_oracle.py VOLE_TRACE SIMTRACE
 1. The canned traces of Go 1.19 (package golang-1.19-src): the same events
    in the same order at the same nanosecond, the same goroutine statistics
    as Go 1.19's parser, which is built from those sources.
 2. Traces that vole's recorder writes (SIMTRACE): accepted by that parser,
    by the installed `go tool trace`, and by vole-trace validate.
Exit status 77 (skipped) where neither can be done.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

GOSRC = "/usr/share/go-1.19/src/internal/trace"
HERE = os.path.dirname(os.path.abspath(__file__))
failures = []


def check(ok, what):
    print(("ok    " if ok else "FAIL  ") + what, flush=True)
    if not ok:
        failures.append(what)


def run(*cmd):
    return subprocess.run(cmd, capture_output=True, text=True, timeout=120)


def build_oracle(tmp):
    pkg = os.path.join(tmp, "trace")
    os.makedirs(pkg)
    for name in ("gc", "goroutines", "mud", "order", "parser"):
        with open(f"{GOSRC}/{name}.go", encoding="utf-8") as f:
            text = f.read()
        # Traces of Go 1.5 without their program: addresses are no names.
        text = text.replace('if ver < 1007 && bin == "" {', "if ver < 0 {")
        with open(f"{pkg}/{name}.go", "w", encoding="utf-8") as f:
            f.write(text)
    shutil.copy(f"{HERE}/oracle/main.go", tmp)
    with open(os.path.join(tmp, "go.mod"), "w") as f:
        f.write("module oracle\n\ngo 1.19\n")
    env = dict(os.environ, GOFLAGS="-mod=mod", GOPROXY="off",
               GOTOOLCHAIN="local", GOCACHE=os.path.join(tmp, "cache"))
    r = subprocess.run(["go", "build", "-o", "oracle", "."], cwd=tmp, env=env,
                       capture_output=True, text=True, timeout=500)
    if r.returncode != 0:
        print(r.stderr)
        return None
    return os.path.join(tmp, "oracle")


def events_of(vole, path):
    r = run(vole, "events", "-json", path)
    if r.returncode != 0:
        return r.stderr
    out = []
    for line in r.stdout.splitlines():
        e = json.loads(line)
        kind = {"GoStartLocal": "GoStart", "GoUnblockLocal": "GoUnblock",
                }.get(e["kind"], e["kind"])
        out.append((e["ns"], kind, e["offset"]))
    return out


def compare_events(vole, oracle, path, name):
    r = run(oracle, "events", path)
    want = []
    for line in r.stdout.splitlines():
        ts, kind, _, off = line.split()
        want.append((int(ts), kind, int(off)))
    got = events_of(vole, path)
    if isinstance(got, str):
        check(False, f"{name}: {got}")
        return
    # Go hides futile wake-ups, drops nothing else; its names differ a little.
    rename = {"GCSTWStart": "STWStart", "GCSTWDone": "STWDone",
              "GoStartLocal": "GoStart", "GoUnblockLocal": "GoUnblock",
              "UserTaskCreate": "UserTaskCreate",
              "GCSweepStart": "GCSweepStart", "HeapGoal": "HeapGoal",
              "GCMarkAssistStart": "GCMarkAssistStart"}
    want = [(t, rename.get(k, k), o) for t, k, o in want]
    hidden = {"GoUnblock", "GoStart", "FutileWakeup", "GoBlock",
              "GoBlockRecv", "GoBlockSend", "GoBlockSync", "GoBlockSelect",
              "GoBlockCond"}
    seen = set(o for _, _, o in want)
    extra = [e for e in got if e[2] not in seen]
    got = [e for e in got if e[2] in seen]
    check(all(k in hidden for _, k, _ in extra),
          f"{name}: nothing but futile wake-ups is hidden by Go "
          f"({len(extra)} are)")
    # Events at the same nanosecond may be in either order.
    same = sorted(want) == sorted(got)
    check(same, f"{name}: {len(want)} events at the same times")
    if not same:
        for a, b in zip(sorted(want), sorted(got)):
            if a != b:
                print("      Go", a, "vole", b)
                break
    check([t for t, _, _ in want] == [t for t, _, _ in got],
          f"{name}: in the same order")


def compare_goroutines(vole, oracle, path, name):
    r = run(oracle, "goroutines", path)
    want = {}
    for line in r.stdout.splitlines():
        f = line.split(None, 6)
        want[int(f[0])] = tuple(int(x) for x in f[1:6]) + (
            f[6] if len(f) > 6 else "",)
    r = run(vole, "goroutines", "-all", "-json", path)
    got = {g["id"]: g for g in json.loads(r.stdout)}
    bad = 0
    for gid, (exe, sched, io, block, sysc, fn) in want.items():
        g = got.get(gid)
        if g is None:
            bad += 1
            continue
        mine_block = (g["chan_send_ns"] + g["chan_receive_ns"] +
                      g["select_ns"] + g["sync_ns"] + g["cond_ns"])
        pairs = [("exec", exe, g["running_ns"] + g["calls_ns"]),
                 ("io", io, g["network_ns"]),
                 ("block", block, mine_block)]
        # Go 1.19's statistics begin a system call when it gives up its P.
        # It counts the wait of a goroutine that was blocked when the trace
        # began, and a system call that was open then, in its own way.
        if g["created_ns"] >= 0:
            pairs += [("sched", sched, g["runnable_ns"]),
                      ("syscall", sysc,
                       g["syscall_ns"] - g["calls_ns"])]
        if fn:
            pairs.append(("name", fn, g["name"]))
        for what, a, b in pairs:
            if a != b:
                bad += 1
                if bad < 5:
                    print(f"      g {gid} {what}: Go {a} vole {b}")
    check(bad == 0 and len(want) > 0,
          f"{name}: {len(want)} goroutines with the same statistics")


def compare_mmu(vole, oracle, path, name):
    """Minimum mutator utilization, in the windows that vole-trace prints."""
    r = run(vole, "gc", "-json", path)
    got = {w["window_ns"]: w["util"] for w in json.loads(r.stdout)["mmu"]}
    r = run(oracle, "mmu", path, *map(str, got))
    if r.returncode != 0 and "panic" in r.stderr:
        print(f"      {name}: Go 1.19 panics: no comparison")
        return
    want = {int(a): float(b) for a, b in
            (line.split() for line in r.stdout.splitlines())}
    # Events of the same nanosecond may be in another order.
    bad = [(w, u, got[w]) for w, u in want.items() if abs(u - got[w]) > 2e-5]
    check(set(want) == set(got) and not bad,
          f"{name}: MMU of {len(want)} windows {bad[:3]}")


def main():
    vole, simtrace = sys.argv[1:3]
    have_go = shutil.which("go") is not None
    have_src = os.path.exists(f"{GOSRC}/parser.go")
    if not have_go:
        print("no go: skipped")
        return 77
    with tempfile.TemporaryDirectory() as tmp:
        oracle = build_oracle(tmp) if have_src else None
        check(oracle or not have_src, "the parser of Go 1.19 is built")
        if oracle:
            data = f"{GOSRC}/testdata"
            for name in sorted(os.listdir(data)):
                if not name.endswith("_good"):
                    continue
                compare_events(vole, oracle, f"{data}/{name}", name)
                compare_goroutines(vole, oracle, f"{data}/{name}", name)
                # There, an assist began before the trace: Go 1.19 counts
                # its end as a processor gained.
                if name != "stress_start_stop_1_9_good":
                    compare_mmu(vole, oracle, f"{data}/{name}", name)
        for procs, steps in ((1, 20000), (2, 20000), (8, 8000)):
            path = os.path.join(tmp, f"sim{procs}.trace")
            r = run(simtrace, path, str(steps), str(procs), "7")
            check(r.returncode == 0, f"simtrace with {procs} Ps: "
                  f"{r.stdout.strip()}{r.stderr.strip()}")
            r = run(vole, "validate", path)
            check(r.returncode == 0 and "warning" not in r.stdout,
                  f"{procs} Ps: vole-trace validate: {r.stdout.strip()}")
            if oracle:
                compare_events(vole, oracle, path, f"{procs} Ps")
                compare_goroutines(vole, oracle, path, f"{procs} Ps")
            r = run("go", "tool", "trace", "-d=parsed", path)
            if r.returncode == 2:
                r = run("go", "tool", "trace", "-d", path)
            check(r.returncode == 0, f"{procs} Ps: go tool trace "
                  f"{r.stderr[:200]}")
    print(f"{len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

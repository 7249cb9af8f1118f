#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""vole-trace validate on small bad files (tests/data/trace/make_bad.py): it
names the rule, the byte offset, and what go tool trace makes of the file.
With Go installed, that is what its tool does;

and so does the parser of Go 1.19, if its sources are there.

usage: bad_test.py VOLE_TRACE [-go] [NAME ...]
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

import go_oracle

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(HERE, "../../data/trace")
failures = []


def check(ok, what):
    if not ok:
        print("FAIL  " + what, flush=True)
        failures.append(what)


def run(*cmd):
    return subprocess.run(cmd, capture_output=True, text=True, timeout=120)


def ours(vole, path, want):
    name = os.path.basename(path)
    r = run(vole, "validate", "-json", path)
    try:
        got = json.loads(r.stdout)
    except ValueError:
        check(False, f"{name}: {r.stdout} {r.stderr}")
        return
    refused = "refuses" in (want["go_1_21"], want["go_1_22"]) and \
        want["rule"] != "cut"
    check(r.returncode == (1 if refused else 0) or
          want["go_1_21"] == "refuses" and name.startswith("v2-"),
          f"{name}: exit status {r.returncode}")
    named = [p for p in got["problems"] if p["rule"] == want["rule"]]
    check(named, f"{name}: no {want['rule']}: {got['problems']}")
    if not named:
        return
    p = named[0]
    if want["offset"] is not None:
        check(p["offset"] == want["offset"],
              f"{name}: at byte {p['offset']}, not {want['offset']}: {p}")
    for go in ("go_1_21", "go_1_22"):
        check(p[go] == want[go] or name.startswith("v2-") and
              go == "go_1_21", f"{name}: {go} {p[go]}, not {want[go]}")
    r = run(vole, "validate", "-readers", path)
    check(f"[{want['rule']}]" in r.stdout + r.stderr or
          want["rule"] == "header", f"{name}: text has no rule: {r.stdout}")


def same_again(vole, path):
    """Which of two stacks comes first must not depend on a run's seeds: with
    two orders, twelve runs agree by chance once in two thousand."""
    out = {run(vole, "validate", path).stdout for _ in range(12)}
    check(len(out) == 1, f"{os.path.basename(path)}: {len(out)} answers: "
          f"{sorted(out)}")
    check("byte 124" in out.pop(), f"{path}: blames the later stack")


def theirs(trace, path, want):
    """What the installed go tool trace does.  It prints what it can read and
    then the error; a viewer's crash does not show here."""
    r = run(trace, "-d=parsed", path)
    refused = r.returncode != 0
    name = os.path.basename(path)
    if want["go_1_22"] == "refuses":
        check(refused, f"{name}: the installed go tool trace reads it")
    if want["go_1_22"] in ("reads", "misreads"):
        check(not refused, f"{name}: the installed go tool trace refuses it:"
              f" {r.stderr[-200:]}")


def old_reader(oracle, path, want):
    r = run(oracle, "events", path)
    refused = r.returncode != 0 or "error:" in r.stdout
    name = os.path.basename(path)
    if want["go_1_21"] in ("reads", "misreads"):
        check(not refused, f"{name}: Go 1.19 refuses it: {r.stdout[:100]}")
    if want["go_1_21"] == "refuses" and want["rule"] != "entry-stack":
        check(refused, f"{name}: Go 1.19 reads it")


def main():
    vole = sys.argv[1]
    args = sys.argv[2:]
    check(run(sys.executable, f"{DATA}/make_bad.py", "--check").returncode
          == 0, "make_bad.py writes other files than those that are here")
    with open(f"{DATA}/expect.json") as f:
        expect = json.load(f)
    go = None
    if "-go" in args:
        args.remove("-go")
        if shutil.which("go") is None:
            return 77
        go = run("go", "tool", "-n", "trace").stdout.strip()
        if not go or run(go, "-d=parsed", "/dev/null").returncode == 2:
            return 77
    tmp = tempfile.TemporaryDirectory()
    oracle = None
    if go and os.path.exists(f"{go_oracle.GOSRC}/parser.go"):
        oracle = go_oracle.build_oracle(tmp.name)
    for name, want in expect.items():
        if args and not any(a in name for a in args):
            continue
        path = f"{DATA}/{name}"
        ours(vole, path, want)
        if go:
            theirs(go, path, want)
        if oracle and not os.path.basename(name).startswith("v2-"):
            old_reader(oracle, path, want)
    same_again(vole, f"{DATA}/bad/one-pc-two-lines.trace")
    for name in sorted(os.listdir(f"{DATA}/good")):
        r = run(vole, "validate", f"{DATA}/good/{name}")
        check(r.returncode == 0 and "warning" not in r.stdout,
              f"good/{name}: {r.stdout}")
        if go:
            r = run(go, "-d=parsed", f"{DATA}/good/{name}")
            check(r.returncode == 0, f"good/{name}: {r.stderr}")
    print(f"{len(expect)} bad files, {len(failures)} failures"
          f"{'' if go else ' (no go)'}{'' if oracle else ' (no Go 1.19)'}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

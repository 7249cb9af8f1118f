# SPDX-License-Identifier: MIT
"""Go 1.19's `go tool trace`, and its parser, built from the sources that the
package golang-1.19-src installs, with the Go that there is."""
import os
import shutil
import subprocess

SRC = "/usr/share/go-1.19/src"
DATA = f"{SRC}/internal/trace/testdata"
PARSER = ("gc", "goroutines", "mud", "order", "parser")
MOVED = {
    '"internal/trace"': '"gotool/trace"',
    '"cmd/internal/browser"': '"gotool/browser"',
    '"cmd/internal/traceviewer"': '"gotool/traceviewer"',
    '"github.com/google/pprof/profile"': '"gotool/profile"',
}


def available():
    return shutil.which("go") is not None and \
        os.path.exists(f"{SRC}/cmd/trace/pprof.go")


def copy(src, dst):
    os.makedirs(os.path.dirname(dst), exist_ok=True)
    with open(src, encoding="utf-8") as f:
        text = f.read()
    for a, b in MOVED.items():
        text = text.replace(a, b)
    with open(dst, "w", encoding="utf-8") as f:
        f.write(text)


def go_build(top, name):
    env = dict(os.environ, GOFLAGS="-mod=mod", GOPROXY="off",
               GOTOOLCHAIN="local")
    r = subprocess.run(["go", "build", "-o", name, "."], cwd=top, env=env,
                       capture_output=True, text=True, timeout=500,
                       check=False)
    if r.returncode != 0:
        print(r.stderr)
        return None
    return os.path.join(top, name)


def build_stats(tmp):
    """A program that prints what the installed Go's internal/trace makes of
    the goroutines of a trace; None where its sources are not installed."""
    r = subprocess.run(["go", "env", "GOROOT"], capture_output=True,
                       text=True, timeout=60, check=False)
    src = r.stdout.strip() + "/src/internal/trace"
    if not os.path.exists(src + "/summary.go"):
        return None
    top = os.path.join(tmp, "stats")
    for folder, _, names in os.walk(src):
        rel = os.path.relpath(folder, src)
        if rel.split(os.sep)[0] in ("testdata", "testtrace", "traceviewer"):
            continue
        for name in names:
            if not name.endswith(".go") or name.endswith("_test.go"):
                continue
            with open(os.path.join(folder, name), encoding="utf-8") as f:
                text = f.read().replace('"internal/trace', '"stats/trace')
            to = os.path.join(top, "trace", rel, name)
            os.makedirs(os.path.dirname(to), exist_ok=True)
            with open(to, "w", encoding="utf-8") as f:
                f.write(text)
    here = os.path.dirname(os.path.abspath(__file__))
    shutil.copy(f"{here}/oracle/stats/main.go", top)
    with open(f"{top}/go.mod", "w", encoding="utf-8") as f:
        f.write("module stats\n\ngo 1.24\n")
    return go_build(top, "stats")


def build(tmp):
    """The path of the tool, or None after saying why not."""
    top = os.path.join(tmp, "gotool")
    for name in PARSER:
        copy(f"{SRC}/internal/trace/{name}.go", f"{top}/trace/{name}.go")
    for src, dst in (("cmd/trace", ""), ("cmd/internal/browser", "browser/"),
                     ("cmd/internal/traceviewer", "traceviewer/"),
                     ("cmd/vendor/github.com/google/pprof/profile",
                      "profile/")):
        for name in sorted(os.listdir(f"{SRC}/{src}")):
            if name.endswith(".go") and not name.endswith("_test.go"):
                copy(f"{SRC}/{src}/{name}", f"{top}/{dst}{name}")
    shutil.copytree(f"{SRC}/cmd/trace/static", f"{top}/static")
    with open(f"{top}/go.mod", "w", encoding="utf-8") as f:
        f.write("module gotool\n\ngo 1.19\n")
    return go_build(top, "gotool")

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
    env = dict(os.environ, GOFLAGS="-mod=mod", GOPROXY="off",
               GOTOOLCHAIN="local")
    r = subprocess.run(["go", "build", "-o", "gotool", "."], cwd=top, env=env,
                       capture_output=True, text=True, timeout=500,
                       check=False)
    if r.returncode != 0:
        print(r.stderr)
        return None
    return os.path.join(top, "gotool")

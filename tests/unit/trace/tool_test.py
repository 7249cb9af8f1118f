#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The manners of vole-trace: output, messages, exit status.

usage: tool_test.py VOLE_TRACE SIMTRACE
"""
import json
import os
import signal
import stat
import subprocess
import sys
import tempfile
import time

VOLE, SIM = sys.argv[1:3]
HERE = os.path.dirname(os.path.abspath(__file__))
failures = []


def check(ok, what, detail=""):
    if not ok:
        print("FAIL ", what, detail)
        failures.append(what)


def run(*args, stdin=None, env=None, stdout=subprocess.PIPE):
    e = dict(os.environ, LC_ALL="C.UTF-8")
    e.pop("NO_COLOR", None)
    e.update(env or {})
    return subprocess.run([VOLE, *args], input=stdin, stdout=stdout,
                          stderr=subprocess.PIPE, env=e, timeout=60)


def text(r):
    return (r.stdout or b"").decode(), r.stderr.decode()


def expect(args, status, err="", out=None, **kw):
    r = run(*args, **kw)
    o, e = text(r)
    name = "vole-trace " + " ".join(args)
    check(r.returncode == status, name, f"status {r.returncode}: {e}{o[:300]}")
    if err:
        check(err in e, name, f"stderr {e!r} lacks {err!r}")
        check(e.count("\n") == 1, name, f"not one line: {e!r}")
    else:
        check(e == "", name, f"stderr {e!r}")
    for want in out or []:
        check(want in o, name, f"stdout lacks {want!r}:\n{o}")
    return o


def example():
    """The worked example, from the header that the unit tests use."""
    words = []
    with open(os.path.join(HERE, "build.h")) as f:
        on = False
        for line in f:
            if "worked_example[]" in line:
                on = True
            elif on:
                words.append(line.strip().strip(';').strip('"'))
                if line.rstrip().endswith(";"):
                    break
    return bytes.fromhex("".join(words))


def usage():
    expect([], 2, "no command given")
    expect(["frob"], 2, 'unknown command "frob"')
    expect(["summary"], 2, "no trace file given")
    expect(["summary", "a", "b"], 2, "one trace file at a time")
    expect(["summary", "-frob", "a"], 2, "unknown flag -frob")
    expect(["summary", "-n", "x", "a"], 2, 'invalid value "x" for flag -n')
    expect(["summary", "-n"], 2, "flag -n needs a value")
    expect(["events", "-from", "3", "a"], 2, 'invalid value "3"')
    expect(["events", "-from", "2ms", "-to", "1ms", "a"], 2, "-from is later")
    expect(["events", "-kind", "Frob", "a"], 2, '"Frob"')
    expect(["events", "-p", "x", "a"], 2, 'invalid value "x" for flag -p')
    expect(["goroutines", "-sort", "x", "a"], 2, 'invalid value "x"')
    expect(["help"], 0, out=["summary", "events", "goroutines", "validate",
                             "Example"])
    for cmd in ("summary", "events", "goroutines", "validate"):
        o = expect(["help", cmd], 0, out=["Usage: vole-trace " + cmd,
                                          "Flags:", "Example:", "-json"])
        check(o == expect([cmd, "-h"], 0), cmd + " -h is help " + cmd)
        check(o == expect([cmd, "-n", "1", "--help"], 0), cmd + " --help")
    expect(["help", "frob"], 2, 'unknown command "frob"')


COMMANDS = ("block", "diff", "events", "export", "gc", "goroutine",
            "goroutines", "net", "procs", "regions", "sched", "summary",
            "syscall", "tasks", "timeline", "validate")


def more_usage():
    for cmd in COMMANDS:
        o = expect(["help", cmd], 0, out=["Usage: vole-trace " + cmd,
                                          "Flags:", "Example:", "-json"])
        check(o == expect([cmd, "-help"], 0), cmd + " -help")
        expect([cmd, "-frob", "a"], 2, "unknown flag -frob")
    expect(["goroutine", "a"], 2, "is no number of a goroutine")
    expect(["goroutine"], 2, "no goroutine given")
    expect(["goroutine", "1"], 2, "no trace file given")
    expect(["diff", "a"], 2, "two trace files are needed")
    expect(["diff", "-", "-"], 2, "only one can be standard input")
    expect(["diff", "a", "b", "c"], 2, '"c" is too much')
    expect(["export", "a"], 2, "one of -chrome, -perfetto, -csv and -json")
    expect(["export", "-csv", "-json", "a"], 2, "one of -chrome")
    expect(["block", "-from", "2ms", "-to", "1ms", "a"], 2, "-from is later")
    expect(["block", "-json", "-pprof", "x", "a"], 2, "exclude each other")
    expect(["sched", "-depth", "0", "a"], 2, "-depth is 1 to 1000")
    expect(["gc", "-mmu", "x", "a"], 2, 'invalid value "x" for flag -mmu')
    expect(["timeline", "-width", "0", "a"], 2, "-width is 1 to 1000")
    expect(["tasks", "-task", "1", "-list", "a"], 2, "goes with no other")
    expect(["goroutines", "-all", "-quantiles", "a"], 2, "exclude each other")


def documents():
    """What the build installs, from the same table as the help."""
    man = expect(["help", "-man"], 0, out=[".TH", ".SH EXIT STATUS"])
    for kind in ("-bash", "-zsh", "-fish"):
        o = expect(["help", kind], 0)
        for cmd in COMMANDS:
            check(cmd in o, kind + " " + cmd)
    for cmd in COMMANDS:
        check(f".SS \"vole\\-trace {cmd} " in man, "man " + cmd)
    o = expect(["help", "-bash"], 0)
    script = o + ("COMP_WORDS=(vole-trace sched -pp) COMP_CWORD=2; "
                  "_vole_trace; echo \"${COMPREPLY[@]}\"\n"
                  "COMP_WORDS=(vole-trace tim) COMP_CWORD=1; "
                  "_vole_trace; echo \"${COMPREPLY[@]}\"\n")
    r = subprocess.run(["bash", "--norc"], input=script.encode(), timeout=60,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    check(r.stdout == b"-pprof\ntimeline\n", "bash completes", r)


def every_command(tmp):
    """On a good file, on a cut one, on - and into a closed pipe."""
    good = os.path.join(tmp, "worked")
    cut = os.path.join(tmp, "cut")
    with open(good, "wb") as f:
        f.write(example())
    with open(cut, "wb") as f:
        f.write(example()[:-3])
    for cmd in COMMANDS:
        args = [cmd] + (["-csv"] if cmd == "export" else []) + \
            (["1"] if cmd == "goroutine" else [])
        two = [good] if cmd == "diff" else []
        a = expect(args + [good] + two, 0)
        check(a != "" and "\033" not in a, cmd + " says something")
        if cmd not in ("summary", "validate"):
            r = run(*args, "-", *two, stdin=example())
            check(r.returncode == 0 and r.stdout.decode() == a,
                  cmd + " on standard input", r)
        r = run(*args, cut, *two)
        check(r.returncode == 0 and (cmd == "validate" or
              b"ends within a record" in r.stderr), cmd + " on a cut file", r)
        missing = os.path.join(tmp, "missing")
        expect(args + [missing] + two, 1, "No such file or directory")
        if cmd not in ("export", "events"):
            r = run(cmd, "-json", *args[1:], good, *two)
            check(r.returncode == 0 and json.loads(r.stdout) is not None,
                  cmd + " -json", r)
    r = run("export", "-chrome", "-o", os.path.join(tmp, "no", "x"), good)
    check(r.returncode == 1 and b"No such file" in r.stderr, "export -o", r)


def bad_input(tmp):
    path = os.path.join(tmp, "bad")

    def write(data):
        with open(path, "wb") as f:
            f.write(data)

    for cmd in ("summary", "events", "goroutines", "validate"):
        missing = os.path.join(tmp, "missing")
        expect([cmd, missing], 1,
               f"vole-trace: {missing}: No such file or directory")
        expect([cmd, tmp], 1, "Is a directory")
        write(b"")
        expect([cmd, path], 1,
               f"vole-trace: {path}: not a trace: the file is empty "
               "(at byte 0)")
        write(open(VOLE, "rb").read())
        expect([cmd, path], 1, "not a Go execution trace (at byte 0)")
        write(b"go 1.27 trace\0\0\0rest")
        expect([cmd, path], 1, "unsupported")
        expect([cmd, "-"], 1, "vole-trace: standard input: not a trace",
               stdin=b"")
    good = example()
    write(good + b"\x32")
    expect(["summary", path], 1, "unknown event type 50 (at byte 287)")
    expect(["validate", path], 1,
           out=["error", "byte 287", "unknown event type 50", "not valid"])
    # Cut short: still readable, with a warning.
    write(good[:-3])
    r = run("summary", path)
    check(r.returncode == 0, "cut: summary")
    check(b"the file ends within a record" in r.stderr, "cut: warning",
          r.stderr)
    expect(["validate", path], 0, out=["warning", "ends within a record",
                                       "valid"])


def good_input(tmp):
    path = os.path.join(tmp, "good")
    data = example()
    with open(path, "wb") as f:
        f.write(data)
    o = expect(["summary", path], 0, out=[
        "2.10 µs, 34 events", "processors  2, ", "goroutines  3: 2 at the "
        "start, 1 created, 1 ended", "Where the processors' time went",
        "Where the goroutines' time went", "chan receive", "system call",
        "Garbage collection", "Longest blocks", "main.reader", "prog.go:33",
        "1.60 µs  chan receive, goroutine 2 (main.worker), at 500 ns, "
        "until the end"])
    check("\033" not in o, "no colour in a pipe")
    check(o == expect(["summary", "-"], 0, stdin=data).replace(
        "trace       -", "trace       " + path), "stdin is like a file")
    ascii_only = expect(["summary", path], 0, env={"LC_ALL": "C"})
    check(ascii_only.isascii(), "plain ASCII in the C locale")
    s = json.loads(expect(["summary", "-json", path], 0))
    check(s["duration_ns"] == 2101 and s["events"] == 34 and
          s["goroutines"]["n"] == 3 and s["gc"]["ns"] == 600 and
          s["kinds"]["GoStart"] == 4 and not s["truncated"], "summary -json",
          s)
    check(s["longest_blocks"][0]["ns"] == 1601, "longest block", s)

    o = expect(["events", path], 0, out=["GoCreate", "new=3 main.reader",
                                         "sweep termination"])
    check(len(o.splitlines()) == 34, "events: one line each", o)
    ev = [json.loads(x) for x in expect(["events", "-json", path],
                                        0).splitlines()]
    check(len(ev) == 34 and ev[0]["offset"] == 0x14 and
          ev[8]["new"] == 3 and ev[8]["entry"][0]["func"] == "main.reader",
          "events -json")

    def count(*args):
        return len(expect(["events", *args, path], 0).splitlines())

    check(count("-p", "1") == 7, "events -p")
    check(count("-g", "3") == 8, "events -g")
    check(count("-kind", "gostart,HeapAlloc") == 6, "events -kind")
    check(count("-kind", "GoBlock*") == 2, "events -kind pattern")
    check(count("-from", "1us", "-to", "1.5us") == 4, "events -from -to")
    check(count("-n", "3") == 3, "events -n")
    check(count("-n=0") == 0, "events -n=0")
    check("main.reader  prog.go:33" in expect(
        ["events", "-kind", "GoSysCall", "-stacks", path], 0), "-stacks")

    expect(["goroutines", path], 0, out=["main.main", "main.worker",
                                         "main.reader", "runnable"])
    gs = json.loads(expect(["goroutines", "-all", "-sort=id",
                            "-json", path], 0))
    check([g["id"] for g in gs] == [1, 2, 3] and
          gs[2]["syscall_ns"] == 1205, "goroutines -json", gs)
    expect(["goroutines", "-g", "3", path], 0, out=["goroutine 3",
           "created   200 ns by goroutine 1 (main.main)", "system call"])
    expect(["goroutines", "-g", "9", path], 1, "no goroutine 9")
    expect(["goroutines", path, "-all", "-n", "1"], 0, out=["2 more"])
    expect(["validate", path], 0, out=["valid: go 1.19 trace, 287 B, 34"])
    v = json.loads(expect(["validate", "-json", path], 0))
    check(v["valid"] and v["problems"] == [], "validate -json")


def outputs(tmp):
    path = os.path.join(tmp, "big")
    subprocess.run([SIM, path, "5000", "2"], check=True,
                   stdout=subprocess.DEVNULL, timeout=120)
    if os.path.exists("/dev/full"):
        for args in (["summary", path], ["events", path], ["help"],
                     ["goroutines", "-json", path], ["validate", path],
                     *(to(cmd, "-", path) for cmd in WRITERS)):
            with open("/dev/full", "wb") as full:
                r = run(*args, stdout=full)
            check(r.returncode == 1 and r.stderr ==
                  b"vole-trace: standard output: No space left on device\n",
                  f"{args} to /dev/full", r)
        for cmd in WRITERS:
            r = run(*to(cmd, "/dev/full", path))
            check(r.returncode == 1 and r.stderr ==
                  b"vole-trace: /dev/full: No space left on device\n",
                  f"{cmd} to /dev/full", r)
    # A reader that goes away is no error and ends the command early.
    p = subprocess.Popen([VOLE, "events", path], stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE)
    p.stdout.readline()
    p.stdout.close()
    err = p.stderr.read()
    check(p.wait(timeout=60) == 0 and err == b"", "closed pipe", err)
    p = subprocess.run(["/bin/sh", "-c", '"$0" summary "$1" >&-', VOLE, path],
                       capture_output=True, timeout=60)
    check(p.returncode == 1 and b"standard output" in p.stderr,
          "closed standard output", p)
    # A terminal gets colour unless NO_COLOR says otherwise.
    for env, colour in (({}, True), ({"NO_COLOR": "1"}, False)):
        try:
            primary, secondary = os.openpty()
        except OSError as e:
            print(f"skipped: colour on a terminal: {e.strerror} "
                  "(is /dev/pts mounted?)")
            break
        r = run("validate", path, stdout=secondary, env=env)
        os.close(secondary)
        got = os.read(primary, 4096)
        os.close(primary)
        check((b"\033[" in got) == colour, f"colour with {env}", got)


def narrow(tmp):
    """No line is longer than the terminal, but for a name that is longer by
    itself."""
    data = os.path.join(HERE, "..", "..", "data", "trace", "good")
    runs = sorted(os.path.join(data, f) for f in os.listdir(data)
                  if os.path.isfile(os.path.join(data, f)))
    check(len(runs) > 3, "traces to look at", runs)
    name, long = b"main.worker", b"example.com/mod/v2/long.(*multiplexer).start"
    there = bytes([len(name)]) + name
    check(there in example(), "a name to make longer")
    runs.append(os.path.join(tmp, "longer"))
    with open(runs[-1], "wb") as f:
        f.write(example().replace(there, bytes([len(long)]) + long))
    for path in runs:
        for cmd in COMMANDS:
            if cmd == "export":
                continue
            args = [cmd] + (["1"] if cmd == "goroutine" else []) + \
                ([path] if cmd == "diff" else []) + \
                (["-n", "2000"] if cmd == "events" else [])
            for more in [], ["-system"]:
                if more and cmd not in ("summary", "block", "goroutines"):
                    continue
                r = run(*args, *more, path, env={"COLUMNS": "80"})
                for line in r.stdout.decode().split("\n"):
                    check(len(line) <= 80 or " " not in line.strip(),
                          f"{cmd} {os.path.basename(path)} in 80 columns",
                          line)
    for args in [["help"]] + [["help", c] for c in COMMANDS]:
        r = run(*args, env={"COLUMNS": "80"})
        for line in r.stdout.decode().split("\n"):
            check(len(line) <= 80, " ".join(args) + " in 80 columns", line)


def cut_short(path):
    """The file becomes shorter while it is read: one message, status 1."""
    with open(path, "rb") as f:
        check(len(f.read()) > 1 << 20, "long enough to be mapped")
    with subprocess.Popen([VOLE, "events", "-json", path],
                          stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as p:
        p.stdout.read(1000)  # the rest fills the pipe and waits
        os.truncate(path, 4096)
        p.stdout.read()
        err = p.stderr.read().decode()
    check(p.returncode == 1 and err.count("\n") == 1 and
          "has become shorter" in err, f"file cut short: {p.returncode} {err}")


WRITERS = (["cut"], ["convert"], ["convert", "-v2"], ["export", "-chrome"],
           ["export", "-perfetto"], ["export", "-csv"], ["export", "-json"],
           ["html"], ["sched", "-pprof"])


def to(cmd, out, path):
    return [*cmd, *([] if cmd[-1] == "-pprof" else ["-o"]), out, path]


def content(path):
    with open(path, "rb") as f:
        return f.read()


def nameless(tmp):
    """Whether that file system has files without a name."""
    try:
        os.close(os.open(tmp, os.O_TMPFILE | os.O_WRONLY))
    except OSError:
        return False
    return True


def writes(pid, tmp, read):
    """Whether that process has a file in tmp open besides the one it reads."""
    fds = f"/proc/{pid}/fd"
    try:
        names = [os.readlink(f"{fds}/{n}") for n in os.listdir(fds)]
    except FileNotFoundError:  # it has just closed one
        return False
    return any(n.startswith(tmp) and n != read for n in names)


def stops(tmp, data, cmd, what):
    """While the command writes, something ends it.  It stands still then: it
    has to warn of an event that cannot come, and nobody reads."""
    path, out = os.path.join(tmp, "stuck"), os.path.join(tmp, "old")
    with open(path, "wb") as f:
        # P 99: GoUnblock of goroutine 999999, which is not there
        f.write(data[:16] + b"\x41\x63\x01" +
                b"\xd5\x06\x01\xbf\x84\x3d\x07\x00" + data[16:])
    with open(out, "wb") as f:
        f.write(b"old")
    r, w = os.pipe()
    os.set_blocking(w, False)
    try:
        while True:
            os.write(w, b"x" * 4096)
    except BlockingIOError:
        os.set_blocking(w, True)
    with subprocess.Popen([VOLE, *to(cmd, out, path)], stderr=w,
                          stdout=subprocess.DEVNULL) as p:
        os.close(w)
        end = time.monotonic() + 60
        while not writes(p.pid, tmp, path) and p.poll() is None and \
                time.monotonic() < end:
            time.sleep(0.01)
        check(writes(p.pid, tmp, path), f"{cmd}: no file for the time being",
              os.listdir(tmp))
        if what == "shorter":
            os.truncate(path, 4096)
        else:
            p.send_signal(what)
        with os.fdopen(r, "rb") as f:
            err = f.read().replace(b"x" * 4096, b"")
    if what == "shorter":
        check(p.returncode == 1 and b"has become shorter" in err,
              f"{cmd}, {what}", (p.returncode, err))
    else:
        check(p.returncode == -what, f"{cmd}, {what}", (p.returncode, err))
    check(content(out) == b"old", f"{cmd}, {what}: the old file is gone")
    check(sorted(os.listdir(tmp)) == ["old", "stuck"], f"{cmd}, {what}: left",
          os.listdir(tmp))
    for name in os.listdir(tmp):
        os.unlink(os.path.join(tmp, name))


def limited():
    import resource
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))


def whole_files(tmp):
    """What -o names is there when it is whole, or as it was before."""
    path, out = os.path.join(tmp, "in"), os.path.join(tmp, "out")
    link = os.path.join(tmp, "link")
    subprocess.run([SIM, path, "20000", "2", "7"], check=True,
                   stdout=subprocess.DEVNULL, timeout=120)
    for cmd in WRITERS:
        name = " ".join(cmd)
        # The same bytes in a new file, over an old one, through a link and
        # to a descriptor; the old one's rights stay, and so does the link.
        want = content(out) if run(*to(cmd, out, path)).returncode == 0 else b""
        check(len(want) > 4096 or cmd[0] == "sched", f"{name}: a file", want)
        with open(out, "wb") as f:
            f.write(b"old")
        os.chmod(out, 0o640)
        os.symlink("out", link)
        r = run(*to(cmd, link, path))
        check(r.returncode == 0 and content(out) == want and
              os.path.islink(link) and
              stat.S_IMODE(os.stat(out).st_mode) == 0o640,
              f"{name}: through a link", r)
        with open(out, "wb") as f:
            f.write(b"0123")
            f.flush()
            f.seek(0)
            r = run(*to(cmd, "/dev/stdout", path), stdout=f)
            check(r.returncode == 0 and os.fstat(f.fileno()).st_ino ==
                  os.stat(out).st_ino and content(out).startswith(want),
                  f"{name}: to /dev/stdout", r)
        r = run(*to(cmd, "/dev/null", path))
        check(r.returncode == 0 and stat.S_ISCHR(os.stat("/dev/null").st_mode),
              f"{name}: to /dev/null", r)
        # No room: the old file stays.
        with open(out, "wb") as f:
            f.write(b"old")
        big = len(want) > 4096
        r = subprocess.run([VOLE, *to(cmd, out, path)], capture_output=True,
                           preexec_fn=limited, timeout=60)
        check(r.returncode == (1 if big else 0) and
              (r.stderr == f"vole-trace: {out}: File too large\n".encode()
               or not big) and
              content(out) == (b"old" if big else want), f"{name}: no room", r)
        os.unlink(out)
        os.unlink(link)
        check(os.listdir(tmp) == ["in"], f"{name}: left over",
              os.listdir(tmp))
        # What cannot be read makes no file.
        with open(os.path.join(tmp, "bad"), "wb") as f:
            f.write(example() + b"\x32")
        r = run(*to(cmd, out, os.path.join(tmp, "bad")))
        check(r.returncode == 1 and not os.path.exists(out),
              f"{name}: bad input", r)
        os.unlink(os.path.join(tmp, "bad"))
    # What a killed process of our number has left is in nobody's way.
    script = 'echo old >"$2.tmp$$"; exec "$0" convert -o "$2" "$1"'
    r = subprocess.run(["/bin/sh", "-c", script, VOLE, path, out],
                       capture_output=True, timeout=60)
    check(r.returncode == 0 and content(out) == run("convert", path).stdout,
          "a left-over", r)
    for name in os.listdir(tmp):
        if name != "in":
            os.unlink(os.path.join(tmp, name))
    # A file may be replaced by what is made of it.
    want = run("convert", "-o", "-", path).stdout
    r = run("convert", "-o", path, path)
    check(r.returncode == 0 and content(path) == want and len(want) > 4096,
          "convert in place", r)


def main():
    with tempfile.TemporaryDirectory() as tmp:
        usage()
        more_usage()
        documents()
        every_command(tmp)
        big = os.path.join(tmp, "long")
        subprocess.run([SIM, big, "120000", "2", "7"], check=True,
                       stdout=subprocess.DEVNULL, timeout=120)
        long_one = content(big)
        cut_short(big)
        bad_input(tmp)
        good_input(tmp)
        outputs(tmp)
        narrow(tmp)
    with tempfile.TemporaryDirectory() as tmp:
        whole_files(tmp)
    with tempfile.TemporaryDirectory() as tmp:
        for cmd in WRITERS[:-1]:
            stops(tmp, long_one, cmd, signal.SIGTERM)
        for cmd in (["convert"], ["html"]):  # these read it twice
            stops(tmp, long_one, cmd, "shorter")
        stops(tmp, long_one, ["html"], signal.SIGINT)
        if nameless(tmp):
            stops(tmp, long_one, ["export", "-chrome"], signal.SIGKILL)
    print(f"{len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: MIT
"""What the runners in tests/ and bench/ share: running one command under
limits, telling crashes from failures, and speaking to vole or a stand-in.

Every runner takes `--vole CMD`, the command that runs one Go file: by default
`build/cmd/vole/vole run`, and `go run` or `yaegi run` when a stand-in is
wanted.  Class Tool knows how each of them is asked to run or check a file.
"""

import glob
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# The messages by which vole or a sanitizer says that vole itself is broken.
# They are never the fault of the script that was run.
INTERNAL = re.compile(
    r'vole: internal|fatal error: vole:|(?:Address|Thread|Leak|Memory|'
    r'UndefinedBehavior)Sanitizer|\.[ch](?:\.inc)?:\d+:\d+: runtime error:|'
    r'\.(?:c|h|inc):\d+: .*Assertion .* failed|vole: lock order|'
    r'\.go:\d+:\d+: vole: |unexpected signal|unexpected fault', re.M)

MAX_OUTPUT = 32 << 20


def go_trees():
    """The trees of Go's sources that vole finds by itself."""
    return [root
            for pattern in ('/usr/share/go-*', '/usr/lib/go-*', '/usr/local/go')
            for root in sorted(glob.glob(pattern))
            if os.path.isdir(os.path.join(root, 'src/internal/goversion'))]


def go_tree():
    """One of them, or None."""
    return next(iter(go_trees()), None)


def tree_minor(root):
    """The release of a tree, 26 of Go 1.26; its file of the working version
    says it, which Debian's sources have too."""
    path = os.path.join(root, 'src/internal/goversion/goversion.go')
    with open(path, encoding='utf-8') as f:
        return int(re.search(r'\nconst Version = (\d+)', f.read()).group(1))


def use_oldest_tree():
    """Has vole take the oldest of them, as where there is no other."""
    trees = sorted(go_trees(), key=tree_minor)
    if trees:
        os.environ['VOLEROOT'] = trees[0]
    return trees[:1]


class Result:
    """How one command ended.  `status` is the exit status, or None when it
    was killed by `signal` or by the time limit (`timeout`)."""

    def __init__(self, code, out, err, timeout, seconds, maxrss, cpu=0):
        self.timeout = timeout
        self.signal = -code if code is not None and code < 0 else 0
        # A shell in between reports a signal as 128 + n.
        if code is not None and code >= 128 + 1 and code <= 128 + 31:
            self.signal = code - 128
        self.status = None if timeout or self.signal else code
        self.out = out
        self.err = err
        self.seconds = seconds
        self.maxrss = maxrss
        self.cpu = cpu              # seconds of CPU time, user and system

    def trouble(self):
        """A crash, hang or internal message, or '' when there is none."""
        text = self.out + self.err
        m = INTERNAL.search(text)
        if m:
            lines = text[text.rfind('\n', 0, m.start()) + 1:].split('\n')
            # What a sanitizer says may not be said again.
            n = 50 if 'Sanitizer' in lines[0] else 1
            return 'internal: ' + '\n'.join(s[:200] for s in lines[:n])
        if self.timeout:
            return 'hang'
        if self.signal:
            return 'crash: ' + signal_name(self.signal)
        return ''


def signal_name(n):
    try:
        return signal.Signals(n).name
    except ValueError:
        return 'signal %d' % n


def run(cmd, timeout=20, stdin=b'', env=None, cwd=None, combine=False,
        memory=0, stdout=None, stack=0):
    """Runs cmd (a list).  `combine` sends stderr where stdout goes, in the
    order written.  `memory` is an address space limit in bytes, `stack` one
    of the main thread's stack; `stdout` names a file to use as standard
    output, or '-' for a closed one."""
    if memory or stack or stdout == '-':
        pre = ''
        if stack:
            pre += 'ulimit -s %d; ' % (stack >> 10)
        if memory:
            pre += 'ulimit -v %d; ' % (memory >> 10)
        tail = ' >&-' if stdout == '-' else ''
        cmd = ['/bin/sh', '-c', pre + 'exec "$@"' + tail, 'sh'] + list(cmd)
    # What is compiled is to be compiled, not found.
    full = dict({'VOLECACHE': 'off'}, **os.environ)
    full.update(env or {})
    with tempfile.TemporaryFile() as fo, tempfile.TemporaryFile() as fe, \
            tempfile.TemporaryFile() as fi:
        # Append mode: the child's two streams share one end of file.
        set_append(fo)
        set_append(fe)
        if isinstance(stdin, bytes):
            fi.write(stdin)
            fi.seek(0)
            source = fi
        else:
            source = stdin
        sink = open(stdout, 'wb') if stdout and stdout != '-' else fo
        start = time.monotonic()
        p = subprocess.Popen(cmd, stdin=source, stdout=sink,
                             stderr=sink if combine else fe, env=full,
                             cwd=cwd, start_new_session=True)
        code, maxrss, late, cpu = wait_for(p, timeout)
        seconds = time.monotonic() - start
        if sink is not fo:
            sink.close()
        return Result(code, contents(fo), contents(fe), late, seconds, maxrss,
                      cpu)


def set_append(f):
    import fcntl
    flags = fcntl.fcntl(f, fcntl.F_GETFL)
    fcntl.fcntl(f, fcntl.F_SETFL, flags | os.O_APPEND)


def wait_for(p, timeout):
    """Waits for p and takes its whole session down when it is late.
    wait4 is used for the peak resident size."""
    late = []

    def kill():
        late.append(1)
        try:
            os.killpg(p.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    import threading
    timer = threading.Timer(timeout, kill)
    timer.start()
    try:
        _, status, usage = os.wait4(p.pid, 0)
    finally:
        timer.cancel()
    p.returncode = os.waitstatus_to_exitcode(status)
    return p.returncode, usage.ru_maxrss * 1024, bool(late), \
        usage.ru_utime + usage.ru_stime


def contents(f):
    f.seek(0)
    # Not more than there is: read() fills a buffer of the size asked for.
    size = min(os.fstat(f.fileno()).st_size, MAX_OUTPUT)
    return f.read(size).decode('utf-8', 'backslashreplace')


def parallel(fn, items, jobs):
    """Yields (item, fn(item)) in the order of items."""
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        for item, result in zip(items, pool.map(fn, items)):
            yield item, result


class Tool:
    """A command that runs Go files: vole, or a stand-in for it."""

    def __init__(self, command):
        self.words = shlex.split(command)
        if not self.words:
            sys.exit('empty --vole command')
        base = os.path.basename(self.words[0])
        self.kind = base if base in ('go', 'yaegi') else 'vole'
        exe = shutil.which(self.words[0])
        if exe is None:
            sys.exit('%s: no such command (build vole first, or give '
                     '--vole CMD)' % self.words[0])
        self.words[0] = os.path.abspath(exe)
        self.exe = self.words[0]

    def run_cmd(self, path, args=(), flags=()):
        if self.kind == 'go' and os.path.isdir(path):
            path = sorted(os.path.join(path, f) for f in os.listdir(path)
                          if f.endswith('.go'))
        else:
            path = [path]
        return self.words + list(flags) + path + list(args)

    def check_cmd(self, path, every=True):
        """The command that reports compile errors without running."""
        if self.kind == 'go':
            return [self.exe, 'build'] + (['-gcflags=-e'] if every else []) + \
                ['-o', os.devnull, path]
        if self.kind == 'yaegi':
            return self.words + [path]
        words = [w for w in self.words if w != 'run']
        return words + ['check'] + (['-e'] if every else []) + [path]


def go_env():
    """Settings that make the real go reproducible and offline; without
    modules it would behave as a Go of years ago where GODEBUG says so."""
    return {'GODEBUG': 'panicnil=0,asynctimerchan=0',
            'GOFLAGS': '', 'GOTOOLCHAIN': 'local', 'GO111MODULE': 'off',
            'GOPROXY': 'off', 'GOENV': 'off', 'GOTRACEBACK': 'single'}


def go_tool(name):
    """The command of `go tool NAME`, or [] where go is not installed.  The
    program itself is started: looking it up each time takes go ten times as
    long as reading a small trace."""
    if shutil.which('go') is None:
        return []
    r = run(['go', 'tool', '-n', name], timeout=120, env=go_env())
    path = r.out.strip()
    return [path] if os.access(path, os.X_OK) else ['go', 'tool', name]


def built(name):
    """The path of a program in the default build folder."""
    found = [os.path.join(ROOT, 'build', d, name)
             for d in ('cmd/' + name, 'cmd', '')]
    for path in found:
        if os.path.isfile(path):
            return path
    return found[0]


def default_vole():
    return shlex.quote(os.environ.get('VOLE') or built('vole')) + ' run'


def default_vole_trace():
    return shlex.quote(os.environ.get('VOLE_TRACE') or built('vole-trace'))


def find_go_tests(given):
    """The folder with Go's own tests, or None."""
    for d in (given, os.environ.get('GOTEST')):
        if d:
            return d if os.path.isdir(d) else None
    for version in ('1.19', '1.24', '1.23', '1.22', '1.21', '1.20'):
        d = '/usr/share/go-%s/test' % version
        if os.path.isdir(d):
            return d
    return None


def summary(passed, failed, skipped, what=''):
    """The last line of every runner; tests/summary.py adds them up."""
    sys.stdout.flush()
    print('%s%d passed, %d failed, %d skipped' %
          (what + ': ' if what else '', passed, failed, skipped))
    sys.stdout.flush()


def has_package(vole, package, slow=1):
    """Whether a package of Go's library is there."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'p.go')
        with open(path, 'w', encoding='utf-8') as f:
            f.write('package main\n\nimport _ "%s"\n\nfunc main() {}\n'
                    % package)
        return run([vole, 'check', path], combine=True,
                   timeout=60 * slow).status == 0

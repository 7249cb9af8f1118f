# SPDX-License-Identifier: MIT
"""An HTTP server of Go's own net/http, run by vole and compiled by Go
(`bench/run.py http`).

wrk asks for a short text, for JSON that is read and written again, and for a
file of 64 KiB, over 1, 64 and 1,000 connections that stay open; vole and Go in
turn, n rounds, medians.  Both servers and wrk share the machine, so requests a
second say little on a busy one; the CPU time that the server itself takes for a
request is beside them.  Any error or lost request is a failure.

Then the memory of each while it serves (`--minutes M`, with 64 connections), and
what each of 10,000 connections takes that have had one request and are idle: the
resident set, and what the collector says is in use, after a collection.  Go's
package keeps a reader and a writer of 4 KiB each for an open connection, whoever
runs it, so 8 KiB of both figures are these.
"""

import os
import re
import resource
import shutil
import socket
import statistics
import subprocess
import sys
import time
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), 'tests'))
import common  # noqa: E402

KINDS = ['hello', 'json', 'file']
CONNECTIONS = [1, 64, 1000]
IDLE = 10000
BUFFERS = 8192          # of bufio, in each connection
IDLE_GOAL = 8192        # bytes besides
TICK = os.sysconf('SC_CLK_TCK')

JSON = '''wrk.method = "POST"
wrk.body = '{"name":"x","count":1,"tags":["a","b"],"more":{"k":"v"}}'
wrk.headers["Content-Type"] = "application/json"
'''


class Server:
    """One that listens; close() ends it."""

    def __init__(self, name, words, served):
        self.name = name
        self.p = subprocess.Popen(
            words + [served], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True, env=dict(os.environ, VOLECACHE='off'))
        self.address = self.p.stdout.readline().strip()
        if not self.address:
            sys.exit('%s does not listen' % ' '.join(words))

    def url(self, path):
        return 'http://%s/%s' % (self.address, path)

    def cpu(self):
        """Seconds so far, of user and system."""
        with open('/proc/%d/stat' % self.p.pid, encoding='ascii') as f:
            words = f.read().rsplit(')', 1)[1].split()
        return (int(words[11]) + int(words[12])) / TICK

    def rss(self):
        with open('/proc/%d/status' % self.p.pid, encoding='ascii') as f:
            return int(re.search(r'VmRSS:\s+(\d+)', f.read()).group(1)) * 1024

    def memory(self):
        """Bytes of the heap and of stacks that are in use, and goroutines."""
        with urllib.request.urlopen(self.url('memory')) as r:
            return [int(w) for w in r.read().split()]

    def close(self):
        self.p.stdin.close()
        try:
            self.p.wait(20)
        except subprocess.TimeoutExpired:
            self.p.kill()
            self.p.wait()
        self.p.stdout.close()


def load(server, kind, connections, seconds, script):
    """Requests a second, CPU microseconds of the server for each, and how many
    went wrong; wrk's words where it fails."""
    words = ['wrk', '-t1', '-c%d' % connections, '-d%ds' % seconds,
             '--timeout', '10s']
    if kind == 'json':
        words += ['-s', script]
    before = server.cpu()
    r = common.run(words + [server.url(kind)], timeout=seconds + 60)
    spent = server.cpu() - before
    m = re.search(r'(\d+) requests in', r.out)
    if r.status != 0 or not m or int(m.group(1)) == 0:
        return None, None, r.out + r.err
    bad = sum(int(n) for n in re.findall(
        r'(?:connect|read|write|timeout) (\d+)', r.out))
    bad += sum(int(n) for n in re.findall(r'responses: (\d+)', r.out))
    rate = float(re.search(r'Requests/sec:\s+([\d.]+)', r.out).group(1))
    return rate, spent / int(m.group(1)) * 1e6, bad


def table(servers, rounds, seconds, script):
    """Each kind and number of connections; how many rows went wrong."""
    names = [s.name for s in servers]
    print('%-16s' % 'connections' + ''.join('%14s' % ('%s, r/s' % n)
                                            for n in names) +
          '%8s' % 'ratio' + ''.join('%14s' % ('%s, CPU us' % n)
                                    for n in names) +
          '%8s%8s' % ('ratio', 'errors'))
    failed = 0
    for kind in KINDS:
        for connections in CONNECTIONS:
            rates = {n: [] for n in names}
            costs = {n: [] for n in names}
            bad = 0
            for _ in range(rounds):
                for s in servers:
                    rate, cost, wrong = load(s, kind, connections, seconds,
                                             script)
                    if rate is None:
                        print('%s, %s: %s' % (s.name, kind, wrong))
                        bad += 1
                        continue
                    rates[s.name].append(rate)
                    costs[s.name].append(cost)
                    bad += wrong
            failed += bad != 0
            row = '%-10s%6d' % (kind, connections)
            for what, form in (rates, '%14.0f'), (costs, '%14.1f'):
                med = [statistics.median(what[n] or [0]) for n in names]
                row += ''.join(form % m for m in med)
                row += '%8s' % ('%.2f' % (med[0] / med[1])
                                if len(med) > 1 and med[1] else '-')
            print(row + '%8d' % bad, flush=True)
    return failed


def steady(servers, minutes, script):
    """Resident MB in the course of a load; how many went wrong."""
    print('\nMB resident, under 64 connections for %g minutes each' % minutes)
    failed = 0
    for s in servers:
        sizes, bad, total = [s.rss()], 0, 0
        for _ in range(10):
            rate, _, wrong = load(s, 'hello', 64, max(1, int(minutes * 6)),
                                  script)
            if rate is None:
                print('%s: %s' % (s.name, wrong))
                failed += 1
                break
            bad += wrong
            total += rate * max(1, int(minutes * 6))
            sizes.append(s.rss())
        print('%-6s' % s.name + ' '.join('%.1f' % (b / 1e6) for b in sizes) +
              ', %.0f requests, %d errors' % (total, bad), flush=True)
        failed += bad != 0
    return failed


def open_idle(server, n):
    """n connections that have each had an answer."""
    host, port = server.address.split(':')
    ask = b'GET /hello HTTP/1.1\r\nHost: x\r\n\r\n'
    conns = []
    for _ in range(n):
        c = socket.create_connection((host, int(port)))
        c.sendall(ask)
        text = b''
        while not text.endswith(b'hello, world\n'):
            more = c.recv(4096)
            if not more:
                raise OSError('an idle connection was closed')
            text += more
        conns.append(c)
    return conns


def idle(servers, verdict):
    """What an idle connection takes; how many servers failed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    want = IDLE + 1000
    if hard != resource.RLIM_INFINITY and hard < want:
        print('\nno more than %d files may be open: idle connections are not '
              'measured' % hard)
        return 0
    print('\nBytes for each of %d idle connections' % IDLE)
    print('%-6s%12s%12s%12s%12s' % ('', 'resident', 'heap', 'stacks',
                                    'no buffers'))
    failed = 0
    for s in servers:
        heap0, stacks0, _ = s.memory()
        rss0 = s.rss()
        conns = []
        try:
            conns = open_idle(s, IDLE)
            heap, stacks, count = s.memory()
            each = (s.rss() - rss0) / IDLE
            print('%-6s%12.0f%12.0f%12.0f%12.0f  goal %d: %s' % (
                s.name, each, (heap - heap0) / IDLE,
                (stacks - stacks0) / IDLE, each - BUFFERS, IDLE_GOAL,
                verdict(each - BUFFERS <= IDLE_GOAL)), flush=True)
            failed += count < IDLE
        except OSError as e:
            print('%s: %s' % (s.name, e))
            failed += 1
        for c in conns:
            c.close()
    return failed


def serve(opt, vole, work, verdict):
    """All of it; how many rows went wrong."""
    if opt.only and 'http' not in opt.only:
        return 0
    print('\nRequests to a server of net/http, %d s of wrk each (medians of '
          '%d)\n' % (opt.seconds, opt.n))
    if not shutil.which('wrk'):
        print('skipped: wrk is not installed')
        return 0
    source = os.path.join(HERE, 'go', 'httpd.go')
    served = os.path.join(work, 'served.txt')
    script = os.path.join(work, 'json.lua')
    with open(served, 'wb') as f:
        f.write(b'0123456789abcdef' * 4096)
    with open(script, 'w', encoding='ascii') as f:
        f.write(JSON)
    commands = [('vole', vole + [source])]
    if shutil.which('go'):
        exe = os.path.join(work, 'httpd')
        subprocess.run(['go', 'build', '-o', exe, source], check=True,
                       env=dict(os.environ, **common.go_env()))
        commands.append(('go', [exe]))
    else:
        print('go is not installed: there is nothing to compare with')
    # Servers inherit what may be open.
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    servers = [Server(name, words, served) for name, words in commands]
    try:
        failed = table(servers, opt.n, opt.seconds, script)
        failed += steady(servers, opt.minutes, script)
    finally:
        for s in servers:
            s.close()
    fresh = []
    try:
        for name, words in commands:
            fresh.append(Server(name, words, served))
        failed += idle(fresh, verdict)
    finally:
        for s in fresh:
            s.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return failed

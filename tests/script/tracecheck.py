#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whether an execution trace is a good one: `vole-trace validate` must accept
it, and so must `go tool trace` when the real go is installed: its parser
(-d=parsed), a blocking profile (-pprof=sync), and the pages /jsontrace and
/goroutines of its viewer on localhost; --full: all profiles and pages.

Usage: tracecheck.py [--vole-trace CMD] [--full] FILE...
"""

import argparse
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
import urllib.request

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import common  # noqa: E402


class Checker:
    def __init__(self, vole_trace, full=False, slow=1):
        self.full = full
        self.limit = 60 * slow  # seconds for a command
        self.words = shlex.split(vole_trace) if vole_trace else []
        self.go = common.go_tool('trace')
        self.has_go = bool(self.go)
        self.debug = self.debug_flag() if self.has_go else ''

    def debug_flag(self):
        """Since 1.22 -d takes a word; before it was a switch."""
        r = common.run(self.go + ['-h'], env=common.go_env())
        return '-d=parsed' if 'parsed' in r.err + r.out else '-d'

    def check(self, path, with_go=True):
        """'' or what is wrong with the trace."""
        if not os.path.exists(path):
            return 'no trace was written'
        if self.words:
            r = common.run(self.words + ['validate', path],
                           timeout=self.limit)
            if r.trouble() or r.status != 0:
                return 'vole-trace validate: %s %s' % (
                    r.trouble() or r.status, (r.err or r.out)[-400:])
        return self.check_with_go(path) if self.has_go and with_go else ''

    def check_with_go(self, path):
        calls = [([self.debug], False), (['-pprof=sync'], True)]
        if self.full:
            calls += [(['-pprof=' + k], True)
                      for k in ('net', 'syscall', 'sched')]
        for flags, binary in calls:
            r = common.run(self.go + flags + [path],
                           timeout=2 * self.limit, env=common.go_env())
            if r.status != 0 or r.timeout:
                return 'go tool trace %s: %s' % (flags[0], cause(r.err))
            if not binary and 'GoCreate' not in r.out and \
                    'StateTransition' not in r.out:
                return 'go tool trace %s: no goroutines in it' % flags[0]
        return self.check_viewer(path)

    def check_viewer(self, path):
        p = subprocess.Popen(
            self.go + ['-http=127.0.0.1:0', path],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            start_new_session=True,
            env=dict(os.environ, BROWSER='true', **common.go_env()))
        try:
            return fetch_pages(p, MORE_PAGES if self.full else [], self.limit)
        finally:
            try:
                os.killpg(p.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            p.stdout.close()
            p.wait()


# Pages of the viewer, and what each must hold.
MORE_PAGES = [('/trace', 'trace'), ('/usertasks', 'ask'),
              ('/userregions', 'egion'), ('/mmu', 'html'),
              ('/mmu?mode=plot&flags=stw%7Cbackground%7Cassist%7Csweep',
               'curve')]


def cause(text):
    """The beginning of a panic, where there is one, or of everything."""
    m = re.search(r'^(?:panic|fatal error): ', text, re.M)
    return text[m.start() if m else 0:][:600]


def fetch_pages(p, more, limit):
    os.set_blocking(p.stdout.fileno(), False)
    seen, end, address = '', time.monotonic() + limit, None
    while time.monotonic() < end and not address:
        if p.poll() is not None:
            rest = p.stdout.read()
            return 'go tool trace ended: ' + \
                cause(seen + (rest.decode() if rest else ''))
        chunk = p.stdout.read()
        seen += chunk.decode() if chunk else ''
        m = re.search(r'listening on (http://[\d.:]+)', seen)
        address = m.group(1) if m else None
        time.sleep(0.02)
    if not address:
        return 'go tool trace does not listen: ' + seen[-400:]
    try:
        with urllib.request.urlopen(address + '/jsontrace', timeout=limit) as f:
            events = json.load(f).get('traceEvents')
        if not events:
            return '/jsontrace holds no events'
        with urllib.request.urlopen(address + '/goroutines', timeout=limit) as f:
            page = f.read().decode('utf-8', 'replace')
        if 'oroutine' not in page:
            return '/goroutines is empty'
        for path, word in more:
            with urllib.request.urlopen(address + path, timeout=limit) as f:
                if word not in f.read().decode('utf-8', 'replace'):
                    return path + ' lacks "%s"' % word
    except (OSError, ValueError) as e:
        return 'viewer: %s' % e
    return ''


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    ap.add_argument('--vole-trace', default=common.default_vole_trace())
    ap.add_argument('--full', action='store_true')
    ap.add_argument('files', nargs='+')
    opt = ap.parse_args()
    checker = Checker(opt.vole_trace, opt.full)
    bad = 0
    for path in opt.files:
        why = checker.check(path)
        print('%s: %s' % (path, why or 'ok'))
        bad += bool(why)
    common.summary(len(opt.files) - bad, bad, 0)
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())

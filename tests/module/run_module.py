#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Packages and modules: small trees of files and what the commands say there.

A case is a file cases/NAME.txt: comment lines (#), commands, and files.

    > run ./cmd/x a b        vole run ./cmd/x a b        go run ./cmd/x a b
    > check ./...            vole check ./...            go build ./...
    > test -v ./sub          vole test -v ./sub          go test -v ./sub
    -- go.mod --             the files from here on, as in Go's txtar
    module example.com/m

`in DIR` before the command's name changes into a folder of the tree first,
NAME=VALUE sets a variable for it, $WORK is the tree.  A line `>! ...` is asked
of vole alone: where its words are its own.  After a comment "# needs go1.N" the
case is skipped where vole finds no library of Go 1.N or newer.

cases/NAME.out has what must come of each: the command, its exit status, and
what it writes, standard output before standard error.  `--promote` writes it
with the real go (but for `>!`), `--go` compares what the installed go says
today with it.
"""

import argparse
import glob
import os
import re
import shlex
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import common  # noqa: E402


class Case:
    def __init__(self, path):
        self.name = os.path.basename(path)[:-4]
        self.path = path
        self.commands = []          # (text, vole alone)
        self.files = []
        text = open(path, encoding='utf-8').read()
        head, *rest = re.split(r'^-- (\S+) --\n', text, flags=re.M)
        m = re.search(r'^# needs go1\.(\d+)$', head, re.M)
        self.needs = int(m.group(1)) if m else 0
        for line in head.split('\n'):
            if line.startswith('>'):
                own = line.startswith('>!')
                self.commands.append((line[1 + own:].strip(), own))
        for i in range(0, len(rest), 2):
            self.files.append((rest[i], rest[i + 1]))

    def write(self, work):
        for name, text in self.files:
            path = os.path.join(work, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, 'w', encoding='utf-8', newline='') as f:
                f.write(text)


def go_command(words):
    """The go command that does what vole's does."""
    if words[0] == 'check':
        return ['go', 'build'] + words[1:]
    return ['go'] + words


def normal(text, work, is_go):
    """What is the same for both: no temporary folder, no times, nothing of
    where Go is installed."""
    text = text.replace(work, '$WORK')
    text = re.sub(r' \(\S*/src/\S+\)$', '', text, flags=re.M)
    text = re.sub(r'(\\t|\b)\d+\.\d+s\b', r'\1N.NNs', text)
    text = re.sub(r'"Time":"[^"]*"', '"Time":"T"', text)
    text = re.sub(r'"Elapsed":[\d.e-]+', '"Elapsed":N', text)
    text = re.sub(r'running go 1[.\d]+', 'running go 1.N', text)
    text = re.sub(r'\b(t|testing)\.go:\d+: race', 'testing.go:N: race', text)
    text = re.sub(r'\(cached\)', 'N.NNs', text)
    if is_go:
        text = re.sub(r'^(vet|go: downloading).*\n', '', text, flags=re.M)
        text = re.sub(r'^\t"Stale(Reason)?": .*\n', '', text, flags=re.M)
        text = re.sub(r'[^\s"]*/[0-9a-f]{64}-d\b', '_testmain.go', text)
    # The order of packages that have nothing to do with each other is free.
    head, *blocks = re.split(r'^(?=# )', text, flags=re.M)
    return head + ''.join(sorted(blocks))


def one_command(text, program, work, timeout):
    """(exit status, output) of one line of a case."""
    words = shlex.split(text.replace('$WORK', work))
    env = {'GOFLAGS': '', 'GOWORK': '', 'GOTOOLCHAIN': 'local',
           'GOPROXY': 'off', 'GO111MODULE': '', 'GOENV': 'off'}
    cwd = work
    while True:
        if words[0] == 'in':
            cwd = os.path.join(work, words[1])
            words = words[2:]
        elif '=' in words[0]:
            key, value = words.pop(0).split('=', 1)
            env[key] = value
        else:
            break
    is_go = program == ['go']
    cmd = go_command(words) if is_go else program + words
    r = common.run(cmd, timeout=timeout, env=env, cwd=cwd)
    trouble = r.trouble()
    if trouble:
        return trouble, r.out + r.err
    status, err = r.status, r.err
    if is_go and words[0] == 'run':
        m = re.search(r'^exit status (\d+)\n\Z', err, re.M)
        if m:                       # the program's own, which go run hides
            status, err = int(m.group(1)), err[:m.start()]
    return str(status), normal(r.out + err, work, is_go)


def library(case, program, timeout):
    """The minor version of the library that vole takes for a case, 0: none."""
    with tempfile.TemporaryDirectory(prefix='vole-module-') as work:
        case.write(work)
        r = common.run(program + ['env', 'TREEVERSION'], timeout=timeout,
                       cwd=work)
    m = re.match(r'go1\.(\d+)$', r.out.strip())
    return int(m.group(1)) if m else 0


def answers(case, program, only_common, timeout):
    """One text for each command."""
    out = []
    with tempfile.TemporaryDirectory(prefix='vole-module-') as top:
        work = os.path.realpath(os.path.join(top, 'work'))
        os.mkdir(work)
        case.write(work)
        for text, own in case.commands:
            if own and only_common:
                out.append(None)
                continue
            status, said = one_command(text, program, work, timeout)
            if said and not said.endswith('\n'):
                said += '\n'
            out.append('> %s\nexit %s\n%s' % (text, status, said))
    return out


def wanted(case):
    path = case.path[:-4] + '.out'
    if not os.path.exists(path):
        return []
    text = open(path, encoding='utf-8').read()
    return re.findall(r'^> .*\n(?:(?!> ).*\n)*', text, flags=re.M)


def main():
    p = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    p.add_argument('--vole', default=os.path.join(
        common.ROOT, 'build/cmd/vole/vole'))
    p.add_argument('--go', action='store_true',
                   help='compare the installed go with the expectations')
    p.add_argument('--promote', action='store_true',
                   help='write the expectations, with go where it can tell')
    p.add_argument('--oldest', action='store_true',
                   help='with the oldest tree of Go\'s sources')
    p.add_argument('--slow', type=float, default=1)
    p.add_argument('names', nargs='*', help='parts of names of cases')
    a = p.parse_args()
    if a.oldest:
        common.use_oldest_tree()
    if (a.go or a.promote) and not shutil.which('go'):
        print('0 passed, 0 failed, 1 skipped')
        return 0
    program = ['go'] if a.go else shlex.split(a.vole)
    passed = failed = skipped = 0
    for path in sorted(glob.glob(os.path.join(HERE, 'cases', '*.txt'))):
        case = Case(path)
        if a.names and not any(n in case.name for n in a.names):
            continue
        timeout = 60 * a.slow
        if (case.needs and not a.go and
                library(case, program, timeout) < case.needs):
            print('skipped %s: no library of Go 1.%d' % (case.name, case.needs))
            skipped += 1
            continue
        got = answers(case, program, a.go, timeout)
        if a.promote:
            go = answers(case, ['go'], True, timeout)
            with open(path[:-4] + '.out', 'w', encoding='utf-8') as f:
                f.write(''.join(y or x for x, y in zip(got, go)))
            continue
        want = wanted(case)
        bad = [(w, g) for w, g in zip(want, got) if g is not None and w != g]
        if bad or len(want) != len(got):
            failed += 1
            print('FAIL', case.name)
            for w, g in bad:
                print('    want:\n' + re.sub('^', '    | ', w, flags=re.M))
                print('    got:\n' + re.sub('^', '    | ', g, flags=re.M))
        else:
            passed += 1
    print('%d passed, %d failed, %d skipped' % (passed, failed, skipped))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""vole mod tidy and list -m beside the installed go's: go.mod, go.sum and the exit status
over made-up modules on a proxy of files, each command with a cache of its own.
Skipped where there is no go."""

import argparse
import os
import re
import shlex
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import common  # noqa: E402
from download_test import Module, escape  # noqa: E402
from tidy_cases import CASES, LISTED, LISTS, MODULES  # noqa: E402


def package(imports, name='p'):
    return 'package %s\n\n%s' % (
        name, ''.join('import _ "%s"\n' % i for i in imports))


def publish(proxy):
    """MODULES: 'path version': (go.mod behind the first line, {file: imports
    or text})."""
    versions = {}
    for key, (mod, files) in MODULES.items():
        path, version = key.split()
        texts = {}
        for name, what in files.items():
            texts[name] = what if isinstance(what, str) else package(what)
        m = Module(path, version, 'module %s\n%s' % (path, mod), texts)
        m.publish(proxy)
        at = os.path.join(proxy, escape(path), '@v', version + '.info')
        with open(at, 'w', encoding='utf-8') as f:
            f.write('{"Version":"%s","Time":"2023-04-05T06:07:08Z"}' % version)
        versions.setdefault(path, []).append(version)
    for path, list_ in versions.items():
        at = os.path.join(proxy, escape(path), '@v', 'list')
        with open(at, 'w', encoding='utf-8') as f:
            f.write('\n'.join(list_) + '\n')


def write_files(top, files):
    for name, what in files.items():
        at = os.path.join(top, name)
        os.makedirs(os.path.dirname(at), exist_ok=True)
        with open(at, 'w', encoding='utf-8') as f:
            f.write(what if isinstance(what, str) else package(what))


def read(path):
    try:
        with open(path, encoding='utf-8') as f:
            return f.read()
    except FileNotFoundError:
        return None


def messages(text, top):
    """Without what is fetched, and in an order: go's is by chance."""
    text = text.replace(os.path.realpath(top), 'TOP').replace(top, 'TOP')
    lines = [s for s in text.split('\n')
             if s and not s.startswith('go: downloading ')]
    return '\n'.join(sorted(lines))


def one(cmd, case, top, env, slow):
    """Runs the flags of a case one after the other in fresh files; what they
    leave and say."""
    out = []
    for flags in case.get('flags', ['']):
        main = os.path.join(top, 'main')
        shutil.rmtree(main, ignore_errors=True)
        write_files(main, case['files'])
        r = common.run(cmd + ['mod', 'tidy'] + flags.split(), env=env,
                       cwd=main, timeout=120 * slow)
        if r.trouble():
            return [('trouble', r.trouble() + r.err)]
        out += [('status' + flags, r.status),
                ('go.mod ' + flags, read(os.path.join(main, 'go.mod'))),
                ('go.sum ' + flags, read(os.path.join(main, 'go.sum'))),
                ('output ' + flags, r.out)]
        if case.get('coarse'):  # what go itself is, without its patch
            out = [(k, re.sub(r'(?m)^go (1\.\d+)\.\d+$', r'go \1', v)
                    if isinstance(v, str) else v) for k, v in out]
        if case.get('messages', True):
            out.append(('messages ' + flags, messages(r.err, top)))
    return out


def lists(cmd, top, env, slow):
    """What `list -m` says to each question: [(words, status, output)]."""
    main = os.path.join(top, 'main')
    shutil.rmtree(main, ignore_errors=True)
    write_files(main, LISTED)
    env = dict(env, GOFLAGS='-modcacherw -mod=mod')
    out = []
    for words in LISTS:
        r = common.run(cmd + ['list', '-m'] + words.split(' '), env=env,
                       cwd=main, timeout=60 * slow)
        said = re.sub('(go|vole)cache', 'CACHE', r.out)
        out.append((words, r.status, said + (r.trouble() or '')))
    return out


def chain(vole, top, env, slow):
    """Each module requires the next one, 4,000 of them: none is a call within
    the last one's, so a small stack does.  What is wrong, or None."""
    count, top = 4000, os.path.join(top, 'chain')
    lines = ['module example.com/m\n', 'go 1.16\n',
             'require example.com/c0 v1.0.0\n']
    lines += ['replace example.com/c%d => ../c%d' % (i, i)
              for i in range(count)]
    files = {'m/go.mod': '\n'.join(lines) + '\n',
             'm/m.go': 'package m\n\nimport _ "example.com/c0"\n'}
    for i in range(count):
        mod, go = 'module example.com/c%d\n\ngo 1.16\n' % i, 'package c\n'
        if i < count - 1:
            mod += '\nrequire example.com/c%d v1.0.0\n' % (i + 1)
            go += '\nimport _ "example.com/c%d"\n' % (i + 1)
        files['c%d/go.mod' % i] = mod
        files['c%d/c.go' % i] = go
    write_files(top, files)
    kb = 128 if slow <= 1 else 2048  # sanitizers make frames larger
    r = common.run(['sh', '-c', 'ulimit -s %d && exec "$@"' % kb, 'sh'] +
                   vole + ['mod', 'tidy', '-diff'], cwd=os.path.join(top, 'm'),
                   timeout=60 * slow, env=env)
    return None if r.status == 0 and r.out == '' else '%s %s' % (
        r.status, (r.out + r.err)[-500:])


def main():
    p = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    p.add_argument('--vole', default=os.path.join(
        common.ROOT, 'build/cmd/vole/vole'))
    p.add_argument('--slow', type=float, default=1)
    p.add_argument('names', nargs='*')
    a = p.parse_args()
    if not shutil.which('go'):
        print('0 passed, 0 failed, 1 skipped')
        return 0
    root = common.run(['go', 'env', 'GOROOT'], timeout=60).out.strip()
    failed = passed = 0
    with tempfile.TemporaryDirectory(prefix='vole-tidy-') as top:
        top = os.path.realpath(top)
        proxy = os.path.join(top, 'proxy')
        publish(proxy)
        env = {'GOENV': 'off', 'GOPROXY': 'file://' + proxy, 'GOPRIVATE': '',
               'GONOPROXY': '', 'GOWORK': '', 'GONOSUMDB': '*',
               'GOSUMDB': 'off', 'GOTOOLCHAIN': 'local',
               'GOFLAGS': '-modcacherw', 'VOLEROOT': root}
        for name, case in CASES.items():
            if a.names and not any(n in name for n in a.names):
                continue
            want = one(['go'], case, top, dict(
                env, GOMODCACHE=os.path.join(top, 'gocache')), a.slow)
            got = one(shlex.split(a.vole), case, top, dict(
                env, GOMODCACHE=os.path.join(top, 'volecache')), a.slow)
            want = [(k, re.sub('gocache', 'CACHE', v) if isinstance(v, str)
                     else v) for k, v in want]
            got = [(k, re.sub('volecache', 'CACHE', v) if isinstance(v, str)
                    else v) for k, v in got]
            if want == got:
                passed += 1
                continue
            failed += 1
            print('FAIL', name)
            for (what, x), (_, y) in zip(want, got):
                if x != y:
                    print('    %s: go\n%s\n    vole\n%s' % (what, x, y))
        if not a.names or 'list' in a.names:
            pairs = zip(
                lists(['go'], top, dict(
                    env, GOMODCACHE=os.path.join(top, 'gocache')), a.slow),
                lists(shlex.split(a.vole), top, dict(
                    env, GOMODCACHE=os.path.join(top, 'volecache')), a.slow))
            for want, got in pairs:
                passed += want == got
                failed += want != got
                if want != got:
                    print('FAIL list -m %s: %d\n%s    vole %d\n%s' % (
                        want + got[1:]))
        if not a.names or 'chain' in a.names:
            bad = chain(shlex.split(a.vole), top, env, a.slow)
            passed += bad is None
            failed += bad is not None
            if bad is not None:
                print('FAIL chain:', bad)
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""vole list of Go's library against the installed go, field by field.

What is compared, in several forms, are all packages of the library that the
go command has, and what a small program depends on, without cgo.  Skipped
where there is no go.
"""

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

FORMS = [
    'std',
    '-json std',
    '-f {{.Doc}} std',
    '-deps net/http',
    '-deps -json .',
    '-test -json fmt net/http',
    '-test -deps strings .',
    'encoding/... ./...',
    'all',
    '-json -test ./...',
    '-deps -f {{.DefaultGODEBUG}} ./...',
]
FILES = {
    'go.mod': 'module example.com/m\n\ngo 1.20\n\ngodebug panicnil=0\n',
    'm.go': '//go:debug http2client=0\n'
            'package main\n\nimport "net/http"\n\n'
            'func main() { http.ListenAndServe("", nil) }\n',
    'm_test.go': '//go:debug default=go1.21\n'
                 'package main\n\nimport (\n\t"testing"\n'
                 '\t"testing/fstest"\n)\n\n'
                 'func Test(t *testing.T) { _ = fstest.MapFS{} }\n',
    'lib/lib.go': 'package lib\n',
}


def normal(text):
    """Without what only who builds can say."""
    text = re.sub(r'^\t"Stale(Reason)?": .*\n', '', text, flags=re.M)
    return re.sub(r'[^\s"]*/[0-9a-f]{64}-d\b', '_testmain.go', text)


def main():
    p = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    p.add_argument('--vole', default=os.path.join(
        common.ROOT, 'build/cmd/vole/vole'))
    p.add_argument('--slow', type=float, default=1)
    a = p.parse_args()
    if not shutil.which('go'):
        print('0 passed, 0 failed, 1 skipped')
        return 0
    vole = shlex.split(a.vole)
    root = common.run(['go', 'env', 'GOROOT'], timeout=60).out.strip()
    env = {'CGO_ENABLED': '0', 'GOFLAGS': '', 'GOWORK': 'off', 'GOENV': 'off',
           'GOTOOLCHAIN': 'local', 'GOPROXY': 'off', 'VOLEROOT': root}
    failed = 0
    with tempfile.TemporaryDirectory(prefix='vole-list-') as top:
        top = os.path.realpath(top)
        for name, text in FILES.items():
            path = os.path.join(top, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, 'w', encoding='utf-8') as f:
                f.write(text)
        for form in FORMS:
            words = ['list'] + form.split(' ')
            got = common.run(vole + words, timeout=120 * a.slow, env=env,
                             cwd=top)
            want = common.run(['go'] + words, timeout=120 * a.slow, env=env,
                              cwd=top)
            if got.trouble():
                print('FAIL', form, got.trouble(), got.err)
                failed += 1
                continue
            x, y = normal(want.out), normal(got.out)
            if (x, want.status) == (y, got.status) and x:
                continue
            failed += 1
            print('FAIL list', form, want.status, got.status, got.err)
            x, y = x.split('\n'), y.split('\n')
            n = next((i for i, (s, t) in enumerate(zip(x, y)) if s != t), 0)
            print('    line %d of %d, %d: %r, not %r' % (
                n + 1, len(x), len(y), y[n], x[n]))
    print('%d passed, %d failed' % (len(FORMS) - failed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())

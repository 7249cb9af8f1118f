#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The test suites of public modules, unmodified, by vole test.

Each is fetched from the module proxy (skipped where that cannot be reached),
with what it needs by `vole mod download -sum`.  Where Go is installed, each
package, and each test and part of one in it, must end as with go test; else
each package must pass.
"""

import argparse
import io
import json
import os
import re
import shlex
import shutil
import sys
import tempfile
import urllib.error
import urllib.request
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import common  # noqa: E402

PROXY = 'https://proxy.golang.org'
MODULES = [
    ('github.com/google/btree', 'v1.1.3'),
    ('github.com/kljensen/snowball', 'v0.10.0'),
    ('github.com/rivo/uniseg', 'v0.4.7'),
    ('github.com/ulikunitz/xz', 'v0.5.12'),
    ('gopkg.in/yaml.v3', 'v3.0.1'),
    ('github.com/sergi/go-diff', 'v1.4.0'),
    ('github.com/stretchr/testify', 'v1.10.0'),
    ('github.com/d5/tengo/v2', 'v2.17.0'),
    ('github.com/benhoyt/goawk', 'v1.29.1'),
    ('github.com/skx/gobasic', ''),
]

def escape(name):
    return re.sub('[A-Z]', lambda m: '!' + m.group(0).lower(), name)


def get(proxy, path, rest):
    url = '%s/%s/%s' % (proxy, escape(path), rest)
    with urllib.request.urlopen(url, timeout=60) as r:
        return r.read()


def unpack(proxy, path, version, to, wanted=lambda name: True):
    """The module's files, or '' and why it is not there.  Of those in folders
    only the wanted ones."""
    try:
        if not version:
            version = json.loads(get(proxy, path, '@latest'))['Version']
        data = get(proxy, path, '@v/%s.zip' % version)
    except (urllib.error.URLError, OSError, ValueError) as e:
        return '', str(e)
    prefix = '%s@%s/' % (path, version)
    with zipfile.ZipFile(io.BytesIO(data)) as z:
        for name in z.namelist():
            if '/' in name[len(prefix):] and not wanted(name):
                continue
            at = os.path.join(to, name[len(prefix):])
            os.makedirs(os.path.dirname(at), exist_ok=True)
            with open(at, 'wb') as f:
                f.write(z.read(name))
    if not os.path.exists(os.path.join(to, 'go.mod')):
        with open(os.path.join(to, 'go.mod'), 'w') as f:
            f.write('module %s\n' % path)
    return to, ''


def results(text):
    """How packages and their tests ended, by the events of -json."""
    out = {}
    for line in text.splitlines():
        try:
            e = json.loads(line)
        except ValueError:
            continue
        if e.get('Action') in ('pass', 'fail', 'skip') and 'Package' in e:
            # Some have addresses or the time in their names.
            name = re.sub(r'0x[0-9a-f]+|time\.Date\(.*?\)', '~',
                          e.get('Test', ''))
            out[e['Package'], name] = e['Action']
    return out


def one(vole, proxy, path, version, top, timeout):
    """('passed' or 'failed' or 'skipped', text)."""
    work, why = unpack(proxy, path, version, os.path.join(top, 'work'))
    if not work:
        return 'skipped', why
    env = {'GOFLAGS': '-modcacherw', 'GOWORK': 'off', 'GOTOOLCHAIN': 'local',
           'GOMODCACHE': os.path.join(top, 'cache')}
    r = common.run(vole + ['mod', 'download', '-sum'], timeout=timeout,
                   env=env, cwd=work)
    if r.status != 0:
        return 'failed', r.out + r.err
    r = common.run(vole + ['test', '-json', '-short', './...'],
                   timeout=timeout, env=env, cwd=work)
    if r.trouble():
        return 'failed', r.trouble() + '\n' + (r.out + r.err)[-2000:]
    got = results(r.out)
    if shutil.which('go'):
        g = common.run(['go', 'test', '-json', '-vet=off', '-short', './...'],
                       timeout=timeout, env=env, cwd=work)
        want = results(g.out)
    else:
        want = {k: 'pass' if v == 'fail' else v for k, v in got.items()
                if not k[1]}
    bad = [k for k in sorted(want) if got.get(k) != want[k]]
    text = '%d packages, %d tests, %d of them otherwise' % (
        sum(not k[1] for k in want), sum(bool(k[1]) for k in want), len(bad))
    for package, test in bad[:20]:
        text += '\n    %s %s: %s, not %s' % (package, test, got.get(
            (package, test), 'nothing'), want[package, test])
    return ('failed' if bad or not want else 'passed'), text


def main():
    p = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    p.add_argument('--vole', default=os.path.join(
        common.ROOT, 'build/cmd/vole/vole'))
    p.add_argument('--proxy', default=PROXY)
    p.add_argument('--slow', type=float, default=1)
    p.add_argument('names', nargs='*', help='parts of module paths')
    a = p.parse_args()
    count = {'passed': 0, 'failed': 0, 'skipped': 0}
    for path, version in MODULES:
        if a.names and not any(n in path for n in a.names):
            continue
        with tempfile.TemporaryDirectory(prefix='vole-public-') as top:
            how, text = one(shlex.split(a.vole), a.proxy, path, version,
                            os.path.realpath(top), 600 * a.slow)
        count[how] += 1
        print('%-8s %s %s: %s' % (how, path, version, text), flush=True)
    print('%(passed)d passed, %(failed)d failed, %(skipped)d skipped' % count)
    return 1 if count['failed'] else 0


if __name__ == '__main__':
    sys.exit(main())

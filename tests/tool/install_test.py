#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What `meson install` puts where, and that it works there: the programs, and
a host that is built outside the tree from the header and the static library,
with what pkg-config says.

Usage: install_test.py --build DIR [--cc CC]
"""

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import common  # noqa: E402

EXPECTED = [
    'bin/vole', 'bin/vole-trace', 'include/vole.h',
    r'lib/(\S+/)?libvole\.a', r'lib/(\S+/)?pkgconfig/vole\.pc',
    r'share/man/man1/vole\.1', r'share/man/man1/vole-trace\.1',
    r'share/vole/gotree\.pack', r'share/vole/gotree\.LICENSE',
    r'share/vole/gotree\.stock',
    'share/doc/vole/LICENSE', r'share/doc/vole/README\.md',
    r'share/doc/vole/docs/EMBEDDING\.md',
    r'share/doc/vole/examples/pipeline\.go',
    r'share/doc/vole/examples/errors/crash\.go',
    r'share/doc/vole/examples/embed/host\.c',
    r'share/bash-completion/completions/vole(\.bash)?',
    'share/zsh/site-functions/_vole',
    r'share/fish/vendor_completions\.d/vole\.fish']

# A host with names of its own that vole's layers have, too.
CLASH = r'''#include <vole.h>

int gc_alloc, chan_send, rt_lock_slow, host_log;

int
main()
{
    struct vole_options opt = VOLE_OPTIONS_DEFAULT;
    struct vole_text text = {"t", "os.Exit(len(strings.Repeat(`x`, 5)))", 36,
        true};
    struct vole_error err;
    struct vole *v;
    int status = 1;

    opt.text = &text;
    if (vole_open(&v, NULL, 0, &opt, &err) == VOLE_OK)
        status = vole_run(v);
    vole_close(v);
    return status + gc_alloc + chan_send + rt_lock_slow + host_log;
}
'''


class Test:
    def __init__(self, opt, work):
        self.opt, self.work = opt, work
        self.root = os.path.join(work, 'root')
        self.pc = []

    def run(self, *cmd, **kw):
        return subprocess.run(cmd, capture_output=True, text=True, timeout=300,
                              cwd=self.work, check=False, **kw)

    def files(self):
        return [os.path.relpath(os.path.join(d, f), self.root)
                for d, _, fs in os.walk(self.root) for f in fs]

    def installed(self):
        r = self.run('meson', 'install', '-C', self.opt.build, '--no-rebuild',
                     '--destdir', self.root)
        if r.returncode:
            return r.stdout[-500:] + r.stderr[-500:]
        there = self.files()
        for e in EXPECTED:
            if not any(re.search('(^|/)' + e + '$', f) for f in there):
                return 'no ' + e
        stray = [f for f in there if re.search(
            r'(^|/)(meson\.build|gen_docs\.py|cmocka.*)$', f)]
        return 'also ' + ' '.join(stray) if stray else ''

    def find(self, tail):
        return next(os.path.join(self.root, f) for f in self.files()
                    if f.endswith(tail))

    def program(self):
        r = self.run(self.find('bin/vole'), '-e', 'fmt.Println(1 + 1)')
        return '' if r.stdout == '2\n' else r.stdout + r.stderr

    def library(self):
        """The installed tree serves, where there was one to pack, and what the
        build has compiled of it is used."""
        pack = self.find('share/vole/gotree.pack')
        if os.path.getsize(pack) < 1000:
            return ''
        prog = os.path.join(self.work, 'library.go')
        with open(prog, 'w') as f:
            f.write('package main\nimport (\n"encoding/csv"\n"os"\n"strings"\n)\n'
                    'func main() { w := csv.NewWriter(os.Stdout)\n'
                    'w.Write([]string{"a b", "c,d"})\nw.Flush()\n'
                    'maps, _ := os.ReadFile("/proc/self/maps")\n'
                    'println(strings.Count(string(maps), "gotree.stock")) }\n')
        r = self.run(self.find('bin/vole'), 'run', prog, env={
            **os.environ, 'VOLEROOT': pack, 'VOLECACHE': 'off'})
        return '' if r.stdout == 'a b,"c,d"\n' and r.stderr == '1\n' \
            else r.stdout + r.stderr

    def flags(self):
        """Those of pkg-config, for the place where all of it really is."""
        folder = os.path.dirname(self.find('vole.pc'))
        env = dict(os.environ, PKG_CONFIG_PATH=folder,
                   PKG_CONFIG_SYSROOT_DIR=self.root)
        r = self.run('pkg-config', '--cflags', '--libs', 'vole', env=env)
        return shlex.split(r.stdout) if r.returncode == 0 else None

    def link(self, cc, source, out):
        flags = self.flags()
        if flags is None:
            return 'pkg-config does not know vole'
        r = self.run(*cc, '-Wall', '-Wextra', '-Werror', source, '-o', out,
                     *flags)
        return r.stderr

    def host(self):
        """The example of docs/EMBEDDING.md."""
        src = self.find('examples/embed/host.c')
        why = self.link(shlex.split(self.opt.cc), src, 'host')
        if why:
            return why
        r = self.run('./host', self.find('examples/primes.go'))
        if r.returncode != 0 or not r.stdout:
            return 'status %d %s' % (r.returncode, r.stderr)
        r = self.run('./host', self.find('examples/errors/typo.go'))
        return '' if r.returncode == 1 and 'declared and not used' in \
            r.stderr else 'typo: %d %s' % (r.returncode, r.stderr)

    def names(self):
        """A host's own names do not clash with those inside the library."""
        for cc, name in ((shlex.split(self.opt.cc), 'clash.c'),
                         (['g++'], 'clash.cc'), (['clang++'], 'clash.cpp')):
            if shutil.which(cc[0]) is None:
                continue
            with open(os.path.join(self.work, name), 'w',
                      encoding='utf-8') as f:
                f.write(CLASH)
            why = self.link(cc, name, name + '.out')
            if why:
                return why
            r = self.run('./' + name + '.out')
            if r.returncode != 5:
                return '%s: status %d %s' % (name, r.returncode, r.stderr)
        return ''


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    ap.add_argument('--build', type=os.path.abspath, required=True)
    ap.add_argument('--cc', default='cc')
    opt = ap.parse_args()
    work = tempfile.mkdtemp(prefix='vole-install-')
    good = bad = 0
    try:
        test = Test(opt, work)
        for name in ('installed', 'program', 'library', 'host', 'names'):
            try:
                why = getattr(test, name)()
            except (StopIteration, OSError,
                    subprocess.SubprocessError) as e:
                why = repr(e)
            good, bad = good + (not why), bad + bool(why)
            if why:
                print('FAIL %s: %s' % (name, why.strip()), flush=True)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    common.summary(good, bad, 0)
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())

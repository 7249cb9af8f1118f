#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The rules about the source tree that a compiler does not check.

  layers     a file includes only its own layer and those below it
  private    a header named *_int.h is included in its own folder only
  outside    each outside library is included by one file
  guards     include guards are named after the path
  headers    every header compiles alone (with the compiler, --cc)
  symbols    external symbols of the static libraries begin with the prefix
             of their module; forbidden functions are not called (nm, --build)
  length     functions above 120 lines stand in long-functions.txt
  files      files are at most 1,200 lines, except the ones listed there
  spdx       the first line of every file names the licence
  commands   what begins with #! can be run, and nothing else can; the
             scripts that documents name exist
  comments   // comments are not used in C
  cplusplus  the public header compiles as C++, where there is a compiler
  embedding  docs/EMBEDDING.md has what the public header has, and no more
  names      what comments name exists: functions, fields, constants, files
  unused     every function is named somewhere besides its definition and
             its header

Usage: check_layers.py [--build DIR] [--cc CC] [rule...]
"""

import argparse
import collections
import glob
import os
import re
import shlex
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import common  # noqa: E402

ROOT = common.ROOT

# The stack, lowest first.  A folder may include itself, and the folders that
# its row names; `below` stands for every row above it in this list.
STACK = ['runtime/base', 'runtime/num', 'profile/wire', 'trace/record', 'profile/record',
         'runtime/race', 'gc', 'sched', 'runtime/explore', 'runtime/value', 'runtime/vm',
         'runtime/jit', 'runtime/lib',
         'runtime', 'runtime/host', 'cmd']

# Folders beside the stack, and those of the stack with more to say.
ALSO = {
    'runtime/code': ['runtime/base'],
    'runtime/lang/syntax': ['runtime/base'],
    'runtime/lang/types': ['runtime/base', 'runtime/code',
                           'runtime/lang/syntax'],
    'runtime/lang/gen': ['runtime/base', 'runtime/code',
                         'runtime/lang/syntax', 'runtime/lang/types'],
    'runtime/lang/load': ['runtime/base', 'runtime/code',
                          'runtime/lang/syntax', 'runtime/lang/types',
                          'runtime/lang/gen'],
    'trace/read': ['runtime/base'],
    'trace/analyze': ['runtime/base', 'trace/read', 'profile/wire'],
    'trace/html': ['runtime/base', 'trace/read', 'trace/analyze',
                   'profile/wire'],
    'profile/read': ['runtime/base'],
    'runtime/value': ['runtime/code'],
    'runtime/vm': ['runtime/code'],
    'runtime/jit': ['runtime/code'],
    'runtime/lib': ['runtime/code'],
    'runtime/host': ['runtime/code', 'runtime/lang/load'],
    'cmd/common': ['runtime/base'],
    'cmd/libstock': ['runtime/base', 'runtime/lang/load', 'runtime/lib'],
    'cmd/treepack': ['runtime/base', 'runtime/lang/load'],
    'cmd/vole': ['cmd/common', 'runtime/code', 'runtime/lang/load',
                 'profile/read'],
    'cmd/vole-trace': ['cmd/common', 'runtime/base', 'trace/read',
                       'trace/analyze', 'trace/html', 'profile/wire'],
}

# Exceptions to the stack: these do not see everything below them.
ONLY = {'cmd/vole-trace', 'cmd/common'}

# A header of a higher layer that is a contract without code; every entry
# says why.
CONTRACTS = {
    # Pointer maps and descriptors are plain data shared by gc and above.
    'runtime/code/rtype.h',
}

# header -> the files that may include it
OUTSIDE = {
    'atomic_ops.h': ['runtime/base/atomic.h'],
    'libunwind.h': ['runtime/base/cstack.c'],
    'zlib.h': ['profile/wire/gz.c', 'profile/read/gunzip.c',
               'trace/read/unpack.c', 'runtime/lang/load/unzip.c'],
    'gmp.h': ['runtime/lang/types/const_int.h'],
    'microhttpd.h': ['runtime/host/http.c'],
    'curl/curl.h': ['cmd/vole/fetch.c'],
}

# An external symbol begins with the name of its module, or with the first
# word of the name of a file in its module's folder (parse_int.h: parse_).
# Words used besides:
PREFIXES = {
    'runtime/base': ['rt', 'a'],
    'runtime/code': ['op'],
    'runtime/lang/syntax': ['src', 'tok'],
    'runtime/lang/types': ['builtin', 'expr', 'scope'],
    'runtime/lang/gen': ['esc', 'gf', 'gmap', 'gvec', 'expr', 'type'],
    'profile/wire': ['wire'],
    'profile/record': ['prof', 'mprof'],
    'trace/analyze': ['tan'],
    'trace/read': ['tread', 'rw', 'rw2'],
    'trace/html': ['html'],
    'gc': ['mprof'],
    'runtime/explore': ['worker', 'dfs'],
    'sched': ['globrunq', 'lo', 'notify', 'preempt', 'retake', 'schedule', 'stop',
              'strategy', 'sudog', 'timers', 'waitq'],
    'runtime/value': ['val', 'hash'],
    'runtime/lib': ['uni', 'text', 'math'],
    'runtime/host': ['vole'],
    'cmd/libstock': ['lib'],
    'cmd': ['main', 'cmd'],
}

# Functions that library code must not call, and where they are at home.
FORBIDDEN = {'exit', '_exit', 'abort', 'printf', 'puts', 'putchar', 'perror',
             'longjmp', '__longjmp_chk', '__printf_chk', 'setjmp'}
# gen.c and program.c leave by longjmp, within themselves, when memory is out;
# process.c of package os and fork.c of syscall end the child of a fork.
FORBIDDEN_OK = {'throw.c', 'log.c', 'wiring.c', 'gen.c', 'program.c',
                'download.c', 'os_process.c', 'tree_syscall_fork.c'}

MAX_FUNCTION = 120
MAX_FILE = 1200


def sources(*suffixes):
    """Paths below the root of the project's own C files."""
    found = []
    for top in ('runtime', 'gc', 'sched', 'profile', 'trace', 'cmd'):
        for base, dirs, files in os.walk(os.path.join(ROOT, top)):
            dirs.sort()
            found += [os.path.relpath(os.path.join(base, f), ROOT)
                      for f in sorted(files) if f.endswith(suffixes)]
    return found


def text_of(path):
    with open(os.path.join(ROOT, path), encoding='utf-8') as f:
        return f.read()


def layer_of(path):
    """The folder that rules a file: the longest one that is known."""
    known = set(STACK) | set(ALSO)
    folder = os.path.dirname(path)
    while folder and folder not in known:
        folder = os.path.dirname(folder)
    return folder


def allowed(layer):
    ok = {layer} | set(ALSO.get(layer, []))
    if layer not in ONLY:
        base = layer if layer in STACK else os.path.dirname(layer)
        if base in STACK:
            ok |= set(STACK[:STACK.index(base) + 1])
    return ok


INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]', re.M)


def check_layers():
    for path in sources('.c', '.h', '.inc', '.def'):
        layer = layer_of(path)
        ok = allowed(layer)
        for kind, name in INCLUDE.findall(text_of(path)):
            if kind == '<' or name in CONTRACTS:
                continue
            if '/' not in name:
                # Generated files carry no folder.
                if not name.startswith('vole_gen'):
                    there = os.path.join(os.path.dirname(path), name)
                    if os.path.exists(os.path.join(ROOT, there)):
                        yield '%s: include "%s" from the root' % (path, name)
                continue
            target = layer_of(name)
            if target and target not in ok:
                yield '%s (%s) includes %s (%s)' % (path, layer, name, target)


def check_private():
    for path in sources('.c', '.h', '.inc'):
        for kind, name in INCLUDE.findall(text_of(path)):
            if kind == '"' and name.endswith('_int.h') and \
                    os.path.dirname(name) != os.path.dirname(path):
                yield '%s includes %s, private to its folder' % (path, name)


def check_outside():
    for path in sources('.c', '.h', '.inc'):
        for kind, name in INCLUDE.findall(text_of(path)):
            homes = OUTSIDE.get(name)
            if kind == '<' and homes and path not in homes:
                yield '%s includes <%s>, which belongs to %s' % (
                    path, name, homes[0])


def check_guards():
    for path in sources('.h'):
        guard = re.sub(r'\W', '_', path.upper())
        short = re.sub(r'^RUNTIME_', '', guard)
        m = re.search(r'#ifndef (\w+)\s*\n\s*#\s*define \1\b', text_of(path))
        if not m:
            yield '%s: no include guard' % path
        elif m.group(1) not in (guard, short):
            yield '%s: the guard is %s, not %s' % (path, m.group(1), guard)


def check_spdx():
    for path in sources('.c', '.h', '.def', '.inc', '.py', '.go'):
        text = text_of(path)
        first = text.split('\n', 1)[0]
        if first.startswith('#!'):
            first = text.split('\n', 2)[1]
        if 'SPDX-License-Identifier: MIT' not in first:
            yield '%s: the first line does not name the licence' % path


DOCUMENTS = ('README.md', 'HACKING.md', 'tests/README.md')


def check_commands():
    for top in ('runtime', 'gc', 'sched', 'profile', 'trace', 'cmd', 'tests',
                'bench', 'docs', 'examples', '.ci'):
        for base, dirs, files in os.walk(os.path.join(ROOT, top)):
            dirs.sort()
            for name in sorted(files):
                path = os.path.join(base, name)
                with open(path, 'rb') as f:
                    script = f.read(2) == b'#!'
                if name.endswith('.go'):
                    continue        # a script's first line is its subject
                if script != os.access(path, os.X_OK):
                    yield '%s: %s' % (os.path.relpath(path, ROOT), script and
                                      'a script that cannot be run' or
                                      'can be run, but is no script')
    docs = sorted(os.path.relpath(p, ROOT) for p in
                  glob.glob(os.path.join(ROOT, 'docs', '*.md')))
    for path in DOCUMENTS + tuple(docs):
        words = re.findall(r'[\w./-]+/[\w-]+\.(?:py|sh)\b', text_of(path))
        for word in sorted(set(words)):
            if not any(os.path.exists(os.path.join(ROOT, base, word))
                       for base in ('', os.path.dirname(path))):
                yield '%s names %s, which is not there' % (path, word)


def strip(text):
    """The text with comments and literals blanked, lines kept."""
    def blank(m):
        return re.sub(r'[^\n]', ' ', m.group())
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'
                  r"'(?:\\.|[^'\\\n])*'", blank, text, flags=re.S)


def check_comments():
    for path in sources('.c', '.h', '.inc', '.def'):
        text = re.sub(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"',
                      lambda m: re.sub(r'[^\n]', ' ', m.group()),
                      text_of(path), flags=re.S)
        m = re.search(r'//', text)
        if m:
            yield '%s:%d: // comment' % (path,
                                         text.count('\n', 0, m.start()) + 1)


# Names of other people's, which comments may mention.
FOREIGN = {
    'libatomic_ops', 'lock_futex', 'stkbucket', 'flat_hash_map', 'e_exp',
    'linux_dirent64',
    # examples
    'name_vec',
}

# Words of comments that must exist: name(), a_name, A_NAME, file.c.
NAMED = re.compile(r'(?<![\w/.-])(?:([a-z]\w*)\(\)|([a-z]\w*_\w+|[A-Z]\w*_\w+)\b|'
                   r'([\w/]+\.(?:c|h|def|inc|py|md)\b))')


def known_words():
    """Every word of the tree's code, comments left out."""
    words = set()
    for top, _, names in os.walk(ROOT):
        if '.git' in top.split(os.sep) or top.startswith(
                os.path.join(ROOT, 'build')):
            continue
        for name in names:
            if name.endswith(('.c', '.h', '.inc', '.def')):
                path = os.path.join(top, name)
                with open(path, encoding='utf-8') as f:
                    text = re.sub(r'/\*.*?\*/', ' ', f.read(), flags=re.S)
            elif name.endswith(('.go', '.py', '.build')):
                with open(os.path.join(top, name), encoding='utf-8') as f:
                    text = f.read()
            else:
                continue
            words |= set(re.findall(r'[A-Za-z_]\w*', text))
    return words


def file_names():
    found = set()
    for top, _, names in os.walk(ROOT):
        found |= set(names)
    return found


def check_names():
    words, files = known_words() | FOREIGN, file_names()
    begins = {w[:i] for w in words for i in range(1, len(w))
              if w[i - 1] == '_'}
    for path in sources('.c', '.h', '.inc', '.def'):
        text = text_of(path)
        for comment in re.finditer(r'/\*.*?\*/', text, re.S):
            for m in NAMED.finditer(comment.group()):
                func, word, file = m.groups()
                word = func or word
                if file and os.path.basename(file) in files:
                    continue
                if word and (word in words or
                             word.endswith('_') and word in begins):
                    continue
                line = text.count('\n', 0, comment.start() + m.start()) + 1
                yield '%s:%d: a comment names %s, which does not exist' % (
                    path, line, word or file)


def check_unused():
    """Functions that nobody names: neither code nor a table nor a test."""
    counts = collections.Counter()
    for top, _, names in os.walk(ROOT):
        if '.git' in top.split(os.sep) or top.startswith(
                os.path.join(ROOT, 'build')):
            continue
        for name in names:
            if name.endswith(('.c', '.S', '.inc', '.def', '.py', '.build')):
                path = os.path.relpath(os.path.join(top, name), ROOT)
                text = text_of(path)
                if name.endswith(('.c', '.inc')):
                    text = strip(text)
                counts.update(re.findall(r'[A-Za-z_]\w*', text))
    inline = collections.Counter()
    for path in sources('.h'):
        inline.update(re.findall(r'[A-Za-z_]\w*', strip(text_of(path))))
    for path in sources('.c'):
        for name, line, _ in functions(path):
            # A header whose inline code calls it names it twice.  Natives
            # are called by rows that natives.py makes.
            if counts[name] == 1 and name != 'main' and \
                    inline[name] < 2 and not path.startswith('runtime/lib/'):
                yield '%s:%d: nobody calls %s' % (path, line, name)


def functions(path):
    """Yields (name, first line, number of lines) of the definitions, whose
    body braces stand in the first column."""
    lines = strip(text_of(path)).split('\n')
    start = None
    for i, line in enumerate(lines):
        if line.startswith('{'):
            head = ' '.join(lines[max(0, i - 8):i])
            m = re.findall(r'(\w+)\s*\([^;{}]*\)\s*$', head)
            start = (m[-1] if m else '?', i + 1)
        elif line.startswith('}') and start:
            yield start[0], start[1], i + 1 - start[1]
            start = None


# Where one meets a function by its bare name, in a stack of gdb or a line of
# perf: what runs beside a program.
ALIVE = ('gc', 'sched', 'runtime/base', 'runtime/code', 'runtime/host',
         'runtime/value', 'runtime/vm', 'runtime/explore', 'profile/record',
         'profile/wire', 'trace/record')


def check_statics():
    for layer in ALIVE:
        home = {}
        for path in sources('.c'):
            if os.path.dirname(path) != layer:
                continue
            for name in re.findall(r'^static\b[\w *]*\n(\w+)\(',
                                   text_of(path), re.M):
                if home.setdefault(name, path) != path:
                    yield '%s: a static function of %s is called %s too' % (
                        path, home[name], name)


def long_list():
    entries = {}
    path = os.path.join(HERE, 'long-functions.txt')
    with open(path, encoding='utf-8') as f:
        for line in f:
            line = line.split('#')[0].strip()
            if line:
                file, _, name = line.partition(' ')
                entries[(file, name.strip())] = False
    return entries


def check_length():
    entries = long_list()
    for path in sources('.c'):
        for name, line, n in functions(path):
            if n <= MAX_FUNCTION:
                continue
            if (path, name) in entries:
                entries[(path, name)] = True
            else:
                yield '%s:%d: %s has %d lines' % (path, line, name, n)
    for (path, name), used in entries.items():
        if name and not used:
            yield 'long-functions.txt: %s %s is not long (any more)' % (
                path, name)


def check_files():
    entries = long_list()
    for path in sources('.c', '.h'):
        n = text_of(path).count('\n')
        if n > MAX_FILE and (path, '') not in entries:
            yield '%s has %d lines' % (path, n)


def check_headers(opt):
    flags = shlex.split(opt.cc) + ['-std=gnu11', '-D_GNU_SOURCE', '-Wall',
                                   '-Wextra', '-Werror', '-Wno-unused',
                                   '-DVOLE_CHECKS=0', '-DVOLE_LOCKRANK=0',
                                   '-DVOLE_HOSTILE=0', '-DVOLE_NOISE=0',
                                   '-DVOLE_COMPUTED_GOTO=1', '-fsyntax-only',
                                   '-I', ROOT]
    if opt.build:
        for d in glob.glob(os.path.join(opt.build, '**', '*.p'),
                           recursive=True):
            flags += ['-I', d]
        for sub in ('', 'runtime/lib', 'gc', 'runtime/code'):
            flags += ['-I', os.path.join(opt.build, sub)]
    for path in sources('.h'):
        src = '#include "%s"\n#include "%s"\ntypedef int vole_not_empty;\n' \
            % (path, path)
        r = subprocess.run(flags + ['-x', 'c', '-'], input=src, text=True,
                           cwd=ROOT, capture_output=True)
        if r.returncode:
            yield '%s does not compile alone: %s' % (
                path, r.stderr.strip().split('\n')[0])


def archive_layer(path, build):
    rel = os.path.relpath(path, build)
    return layer_of(os.path.join(os.path.dirname(rel), 'x'))


def prefixes(layer):
    words = set(PREFIXES.get(layer, [])) | set(layer.split('/'))
    for path in sources('.c', '.h'):
        if layer_of(path) == layer:
            stem = os.path.basename(path).rsplit('.', 1)[0]
            words |= {stem, stem.split('_')[0]}
    return words


def has_prefix(name, words):
    return any(name == w or name.startswith(w + '_') for w in words)


def check_symbols(opt):
    for lib in sorted(glob.glob(os.path.join(opt.build, '**', '*.a'),
                                recursive=True)):
        layer = archive_layer(lib, opt.build)
        if layer not in set(STACK) | set(ALSO):
            continue
        # The installed library is all the others together.
        whole = os.path.basename(lib) == 'libvole.a'
        words = {'vole'} if whole else prefixes(layer)
        r = subprocess.run(['nm', '-A', '-g', lib], capture_output=True,
                           text=True)
        for line in r.stdout.split('\n'):
            m = re.match(r'.*?:([^:]+)\.o:\s*[0-9a-f]*\s+(\w)\s+(\S+)$',
                         line)
            if not m:
                continue
            file, kind, name = m.groups()
            file = os.path.basename(file)
            if kind in 'Uwv':  # undefined, also weakly
                if name in FORBIDDEN and file not in FORBIDDEN_OK and \
                        not whole and not layer.startswith('cmd'):
                    yield '%s: %s calls %s' % (os.path.basename(lib), file,
                                               name)
            elif not name.startswith('_') and not has_prefix(name, words):
                yield '%s: %s defines %s, without a prefix of %s' % (
                    os.path.basename(lib), file, name, layer)


PUBLIC = 'runtime/vole.h'


def check_cplusplus(opt):
    src = '#include "%s"\nvole_options take() { return ' \
        'VOLE_OPTIONS_DEFAULT; }\n' % PUBLIC
    for cc in filter(shutil.which, ('g++', 'clang++')):
        r = subprocess.run([cc, '-std=c++11', '-Wall', '-Wextra', '-pedantic',
                            '-Werror', '-fsyntax-only', '-I', ROOT, '-x',
                            'c++', '-'], input=src, text=True,
                           capture_output=True)
        if r.returncode:
            yield '%s: %s' % (cc, r.stderr.strip().split('\n')[0])


def public_names():
    """The options and functions of the public header."""
    text = re.sub(r'/\*.*?\*/', '', text_of(PUBLIC), flags=re.S)
    names = set(re.findall(r'\b(vole_\w+)\(', text)) - {
        'vole_options_default'}
    for tag in ('text', 'options', 'instruments'):
        body = re.search(r'struct vole_%s \{\n(.*?)\n\}' % tag, text, re.S)
        for line in body.group(1).split('\n'):
            m = re.search(r'\(\*(\w+)\)\(|(\w+);$', line.strip())
            if m:
                names.add(m.group(1) or m.group(2))
    return names


def check_embedding():
    names = public_names()
    doc = text_of('docs/EMBEDDING.md')
    rows = re.findall(r'^\| (`.*?) \|', doc, re.M)
    listed = set(re.findall(r'`(?:watch\.)?(\w+)`', ' '.join(rows)))
    for name in sorted(names):
        if name not in listed and '`%s`' % name not in doc and \
                '`%s()`' % name not in doc:
            yield 'docs/EMBEDDING.md says nothing about ' + name
    for name in sorted(listed - names):
        yield 'docs/EMBEDDING.md has %s, which %s has not' % (name, PUBLIC)


RULES = {
    'layers': lambda o: check_layers(), 'private': lambda o: check_private(),
    'outside': lambda o: check_outside(), 'guards': lambda o: check_guards(),
    'headers': check_headers, 'symbols': check_symbols,
    'length': lambda o: check_length(), 'files': lambda o: check_files(),
    'spdx': lambda o: check_spdx(), 'comments': lambda o: check_comments(),
    'cplusplus': check_cplusplus, 'embedding': lambda o: check_embedding(),
    'statics': lambda o: check_statics(), 'commands': lambda o: check_commands(),
    'names': lambda o: check_names(), 'unused': lambda o: check_unused(),
}


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    ap.add_argument('rules', nargs='*', metavar='rule',
                    help='some of: ' + ' '.join(RULES))
    ap.add_argument('--build', help='build folder, for nm')
    ap.add_argument('--cc', default=os.environ.get('CC', 'cc'))
    opt = ap.parse_args()
    for r in opt.rules:
        if r not in RULES:
            sys.exit('no rule named %s' % r)
    good = bad = skipped = 0
    for name, rule in RULES.items():
        if opt.rules and name not in opt.rules:
            continue
        if name == 'symbols' and not opt.build:
            skipped += 1
            continue
        found = list(rule(opt))
        for line in found:
            print('FAIL %s: %s' % (name, line))
        good, bad = good + (not found), bad + bool(found)
    common.summary(good, bad, skipped)
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())

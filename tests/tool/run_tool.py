#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The two programs under bad input and at the edges of their command lines.

Each row of CASES is a command with what must come of it: exit status, a
regular expression that stderr (or stdout) must match, a time limit and, for
some, a limit on memory.  Whatever happens, a crash, a hang, silence on
failure or a message about vole itself is a failure of the test.
"""

import argparse
import itertools
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import common  # noqa: E402
import inputs  # noqa: E402

SYNTAX = r'\.go:\d+:\d+: (?:syntax error: )?\S'
MB = 1 << 20


class Case:
    def __init__(self, args, status, err='', out='', tool='vole', timeout=20,
                 memory=0, stdin=b'', stdout=None, env=None, calm=False,
                 slow=False, either=None, stack=0):
        self.args, self.status, self.err, self.out = args, status, err, out
        self.tool, self.timeout, self.memory = tool, timeout, memory
        self.stdin, self.stdout, self.env = stdin, stdout, env
        self.calm = calm      # no words needed although it fails
        self.stack = stack    # of the main thread, in bytes
        self.slow = slow      # left out with --quick
        self.either = either  # another exit status that is fine as well

    def name(self):
        args = self.args
        text = '%s %s' % (self.tool, args if isinstance(args, str) else
                          shlex.join(args))
        if self.stdout:
            text += ' >' + {'-': '&-'}.get(self.stdout, self.stdout)
        if self.memory:
            text += ' (in %d MB)' % (self.memory // MB)
        if self.stack:
            text += ' (stack of %d kB)' % (self.stack >> 10)
        return text


def accepted_or_deep(name):
    """Nesting without end may be compiled or refused, in clear words."""
    return Case('check ' + name, 0, either=(1, r'\.go:\d+:\d+: .*(?:nest|deep|'
                                            r'too|exceed|large|limit|depth)'),
                timeout=30)


# What is in a folder for -C.
INNER = {
    'go.mod': b'module inner\n\ngo 1.26\n',
    'main.go': b'package main\n\nimport (\n"os"\n"path/filepath"\n"strings"\n)\n\n'
               b'func main() {\n\tdir, _ := os.Getwd()\n\tprintln('
               b'filepath.Base(dir), strings.Join(os.Args[1:], " "))\n}\n',
    'main_test.go': b'package main\n\nimport "testing"\n\n'
                    b'func TestIt(t *testing.T) {}\n',
}

CASES = [
    # Command lines.
    Case('', 2, r'[Uu]sage|vole help'),
    Case('help', 0, out=r'run'),
    Case('version', 0, out=r'vole version \S+ linux/amd64 \(language: '
         r'go1\.26\)'),
    Case('version -v', 0, out=r'\nmachine code: (x86-64|none)'),
    Case('version -x', 2, r'no arguments but -v'),
    Case('run -jit=fast hello.go', 2, r'-jit=fast: off, on or stress'),
    Case('run -jit=stress hello.go', 0, r'hello'),
    # A loop around a call of machine code becomes machine code itself.
    Case('run warm.go', 0, r'^0$\n(vole: jit: .* entered \d{1,4} times(,|$)|\Z)',
         env={'VOLEDEBUG': 'jitstat=1'}),
    # A loop over a function that runs when its caller becomes machine code goes
    # on in that, though it is begun but once.
    Case('run once.go', 0, r'^500000500000$\n(vole: jit: .*, [1-9]\d* of them '
         r'within what is spliced in(,|$)|\Z)',
         env={'VOLEDEBUG': 'jitstat=1'}),
    # It does behind much that is spliced in, too, but is executed once.
    Case('run crowd.go', 0, r'^501753653537$\n(vole: jit: .*, [1-9]\d* of them '
         r'within what is spliced in(,|$)|\Z)',
         env={'VOLEDEBUG': 'jitstat=1'}),
    # A function that is too large for registers does, too.
    Case('run large.go', 0, r'^5703248474597$\n(vole: jit: .* 1 of them in memory, 0 '
         r'refused|\Z)',
         env={'VOLEDEBUG': 'jitstat=1'}),
    # One that takes long to be compiled is, by another thread, and so are all
    # if that is asked for; when the program ends, what was begun may not be done.
    Case('run long.go', 0, r'^53582748284$\n(vole: jit: .*, [1-9]\d* begun in the '
         r'background|\Z)',
         env={'VOLEDEBUG': 'jitstat=1'}),
    Case('run -jit=on long.go', 0, r'^53582748284$\n(vole: jit: .*, [1-9]\d* begun '
         r'in the background|\Z)',
         env={'VOLEDEBUG': 'jitstat=1,jitlater=1'}),
    Case('run long.go', 0, r'^53582748284$\n(vole: jit: .*, 1 begun in the '
         r'background|\Z)',
         env={'VOLEDEBUG': 'jitstat=1,jit=2,jitlater=1'}),
    Case('run -jit=stress long.go', 0, r'^53582748284$',
         env={'VOLEDEBUG': 'jitlater=1'}),
    Case('help -man', 0, out=r'^\.B vole\n\[flags\] file\.go\|directory'),
    Case('help -zsh', 0, out=r'_describe command commands\n +_files\n'),
    Case('frobnicate', 2, r'frobnicate'),
    Case('build ./...', 2, r'\Avole: there is no "vole build": .*"vole check"'
         r'.*\n\Z'),
    *[Case(verb, 2, r'\Avole: there is no "vole %s": .*%s.*\n\Z' % (verb, what))
      for verb, what in (('install', 'vole run'), ('get', 'vole mod tidy'),
                         ('vet', 'vole check'), ('fmt', 'gofmt'),
                         ('tool', 'vole prof'))],
    Case('help get', 0, out=r'\AThere is no "vole get": .*"vole mod tidy"'),
    # -C, which only stands first, or behind the command's name.
    Case('run -C inner main.go a', 0, r'^inner a$'),
    Case('run -C=inner . a', 0, r'^inner a$'),
    Case('-C inner run --C ../inner main.go a', 0, r'^inner a$'),
    Case('-C inner main.go -C b', 0, r'^inner -C b$'),
    Case('check -C inner main.go', 0),
    Case('test -C inner', 0, out=r'\nok\s+inner'),
    Case('mod graph -C inner', 0, out=r'^inner go@1\.26$'),
    Case('list -C inner', 0, out=r'^inner$'),
    Case('env -C inner/go.mod', 2, r'vole: chdir inner/go.mod: Not a directory'),
    Case('run -e -C inner main.go', 2, r'vole run: -C must be the first flag'),
    Case('run -C', 2, r'vole: flag -C needs a value'),
    Case('run -C nosuch main.go', 2, r'vole: chdir nosuch: No such file or '
         r'directory'),
    Case('run', 2, r'no|file|[Uu]sage'),
    Case('run -nosuchflag hello.go', 2, r'nosuchflag'),
    Case('run -trace', 2, r'-trace'),
    Case('run missing.go', 1, r'missing\.go.*[Nn]o such file', either=(2, '')),
    Case('check missing.go', 1, r'missing\.go', either=(2, '')),
    Case('run hello.txt', 1, r'hello\.txt', either=(2, '')),
    Case('run emptydir', 1, r'emptydir|no Go files', either=(2, '')),
    Case('run unreadable.go', 1, r'.', either=(2, '')),
    Case('run hello.go', 0, r'^hello$'),
    Case('check hello.go', 0),
    Case('run shebang.go', 0, r'^hello$'),
    Case('run args.go -x --y a b', 0, r'^-x\n--y\na\nb$'),
    Case('run exit.go', 44, calm=True),
    Case('run -trace /no/such/dir/t hello.go', 1, r'/no/such/dir/t',
         either=(2, '')),
    Case('run -trace args.go hello.go', 2, r'-trace would overwrite the Go '
         r'source file args\.go'),
    Case('run -cpuprofile=args.go hello.go', 2, r'-cpuprofile would overwr'),
    Case('run -wallprofile args.go hello.go', 2, r'-wallprofile would over'),
    Case('run -memprofile new.go hello.go', 0, r'^hello$'),
    Case('prof top -o args.go bad.trace', 2, r'-o would overwrite the Go'),
    Case('cut -o args.go bad.trace', 2, r'-o would', tool='vole-trace'),
    Case('html -o args.go bad.trace', 2, r'-o would', tool='vole-trace'),
    Case('export -o args.go bad.trace', 2, r'-o would', tool='vole-trace'),
    Case('block -pprof args.go bad.trace', 2, r'-pprof', tool='vole-trace'),
    Case('run args.go a b c d e f g h i j k l', 0, r'^a\n(.\n){10}l$'),
    Case('run args.go intact', 0, r'^intact$'),
    Case('run -trace . hello.go', 1, r'directory|\.', either=(2, '')),
    Case('run -trace /dev/full hello.go', 1, r'space|/dev/full'),
    Case('run -memprofile /dev/full hello.go', 1, r'/dev/full: No space'),
    *[Case(['-trace', 'limit.trace', '-trace-limit', size, '-e',
            inputs.HANDS_OVER],
           # Another thread says so, perhaps when the program is done already.
           0, r'\A(done\n)?.*ended at its limit of 65536 bytes; the program '
           r'goes on\n(?(1)|done\n)\Z') for size in ('64k', '64KiB', '65536')],
    Case('run -trace-limit 1x hello.go', 2, r'-trace-limit wants a size'),
    Case('run -flight 2parsecs hello.go', 2, r'-flight wants a size or a'),
    Case(['-e', 'fmt.Println(debug.SetGCPercent(50), debug.SetMemoryLimit(-1))'
          ], 0, out=r'^-1 3145728$', env={'GOGC': 'off', 'GOMEMLIMIT': '3MiB'}),
    Case(['-e', 'fmt.Println(debug.SetGCPercent(50), debug.SetMemoryLimit(-1))'
          ], 0, out=r'^33 2199023255552$', env={'GOGC': '33',
                                               'GOMEMLIMIT': '2TiB'}),
    Case('run hello.go', 2, r'malformed GOMEMLIMIT "3MB"', env={
        'GOMEMLIMIT': '3MB'}),
    Case('run hello.go', 0, r'', env={'GOMAXPROCS': 'x'}),
    Case('run hello.go', 0, r'hello', env={'GOMAXPROCS': '0'}),
    Case('run hello.go', 0, r'hello', env={'GOMAXPROCS': '500'}),
    Case('run hello.go', 0, r'hello', env={'GOGC': 'off'}),
    Case('run hello.go', 0, r'hello', env={'GOGC': '-5x'}),
    Case('run hello.go', 0, r'nosuchvar|hello', env={'VOLEDEBUG':
                                                     'nosuchvar=1'}),
    # Without a command; standard input; statements; the end of flags.
    Case('args.go -x b', 0, r'^-x\nb$'),
    Case('-- args.go -- c', 0, r'^--\nc$'),
    Case('run -- args.go -x', 0, r'^-x$'),
    Case('run -- -dash.go', 0, r'^hello$'),
    Case('-- -dash.go', 0, r'^hello$'),
    Case('-memprofile=plain.prof args.go x', 0, r'^x$'),
    Case('-nosuchflag args.go', 2, r'^vole: unknown flag -nosuchflag'),
    Case('-memprofile x.prof', 2, r'no Go file, directory or command'),
    Case('no/such.go', 1, r'no/such\.go: No such file'),
    Case('run - x y', 0, r'^x\ny$', stdin='args.go'),
    Case('- z', 0, r'^z$', stdin='args.go'),
    Case('check -', 0, stdin='hello.go'),
    Case('run -', 1, r'^-:3:15: undefined: typo$', stdin=b'package main\n\n'
         b'func main() { typo() }\n'),
    # Not of the syntax, and yet no program.
    Case('check -', 1, r"^-:3:25: invalid character '\\'' in octal escape\n"
         r'-:3:28: undefined: typo$', stdin=b'package main\n\n'
         b"func main() { _, _ = '\\0', typo }\n"),
    Case('disasm -', 0, out=r'main\.main', stdin='hello.go'),
    Case('run -', 1, r'^-:1:1: .*package', stdin=b''),
    Case('-e println("a",len(os.Args),os.Args[0]) 1 2', 0, r'^a 3 -e$'),
    Case(['-e', 'x := strings.Fields(" a  b ") // words\n\nfmt.Println(x, '
          'utf8.RuneLen(65), time.Duration(3), unsafe.Sizeof(int8(1)))'], 0,
         out=r'^\[a b\] 1 3ns 1$'),
    Case(['-e', 'var fmt struct{ Println func(...any) }\n_ = fmt.Println == '
          'nil; func() { os := 1; println(os, len(os.Args)) }()'], 1,
         r'^-e:2:\d+: os\.Args undefined \(type int'),
    Case(['-e', 'println(1)\n\tprintln(y)'], 1, r'^-e:2:10: undefined: y$'),
    Case(['-e', 'x := 1'], 1, r'^-e:1:1: declared and not used: x$'),
    Case(['-e', 'println(nosuch.X, md.X)'], 1, r'^-e:1:9: undefined: nosuch\n'
         r'-e:1:19: undefined: md$'),
    Case(['-e', 'for {'], 1, r'^-e:2:2: syntax error: unexpected EOF'),
    Case(['-e', '}; func f() {'], 0),
    Case(['-e', '\npanic("no")'], 2, r'^panic: no(?s:.)*main\.main\(\)\n'
         r'\t-e:2 '),
    Case(['-e', ''], 0),
    Case('-e', 2, r'flag -e needs a value'),
    Case('run -e hello.go', 0, r'^hello$'),
    # Only statements import what they name.
    Case('run noimport.go', 1, r'^noimport\.go:3:15: undefined: fmt$'),
    # Sources that are not programs.
    Case('run empty.go', 1, r'empty\.go:1:1: .*(?:package|EOF)'),
    Case('run blank.go', 1, r'blank\.go:\d+:\d+: '),
    Case('run binary.go', 1, r'binary\.go:\d+:\d+: '),
    Case('run zeros.go', 1, r'zeros\.go:1:1: '),
    Case('run nul.go', 1, r'nul\.go:3:\d+: .*NUL'),
    Case('run badutf8.go', 1, r'badutf8\.go:3:\d+: .*UTF-8'),
    Case('run bom.go', 0, r'hello'),
    Case('run bommid.go', 1, r'bommid\.go:4:1: .*(?:BOM|byte order)'),
    Case('run crlf.go', 0, r'hello'),
    Case('run nonl.go', 0, r'hello'),
    Case('run nopackage.go', 1, r'nopackage\.go:1:1: .*package'),
    Case('run nomain.go', 1, r'main is undeclared|function main'),
    Case('run lib.go', 1, r'main|lib'),
    Case('run mainargs.go', 1, r'func main must have no arguments'),
    Case('run badimport.go', 1, r'badimport\.go:3:8: .*no/such/package'),
    Case('run selfimport.go', 1, r'selfimport\.go:3:8: '),
    Case('run relimport.go', 1, r'relimport\.go:3:8: '),
    Case('run garbage.go', 1, SYNTAX),
    Case('run generic.go', 0, r'^1$'),
    Case('run unterm_string.go', 1, r':4:\d+: .*(?:newline in|not '
         r'terminated)'),
    Case('run unterm_raw.go', 1, r':4:\d+: .*not terminated'),
    Case('run unterm_rune.go', 1, r':4:\d+: .*(?:newline|rune)'),
    Case('run unterm_comment.go', 1, r':4:\d+: .*comment not terminated'),
    Case('run unterm_brace.go', 1, SYNTAX),
    Case('run unterm_paren.go', 1, SYNTAX),
    Case('run unterm_bracket.go', 1, SYNTAX),
    Case('run unterm_import.go', 1, SYNTAX),
    Case('run unterm_struct.go', 1, SYNTAX),
    Case('run unterm_escape.go', 1, r':4:\d+: '),
    Case('run manyerrors.go', 1, r'(?s)(?:undefined: x.*){10}'),
    Case('check -e manyerrors.go', 1, r'(?s):5000:2?.*undefined: x'),
    # Depth and size.
    accepted_or_deep('parens.go'),
    Case('check parens_open.go', 1, SYNTAX, timeout=30),
    accepted_or_deep('brackets.go'),
    Case('check brackets_open.go', 1, SYNTAX, timeout=30),
    accepted_or_deep('braces.go'),
    accepted_or_deep('unary.go'),
    accepted_or_deep('nots.go'),
    accepted_or_deep('stars.go'),
    accepted_or_deep('funcs.go'),
    accepted_or_deep('ifs.go'),
    accepted_or_deep('elses.go'),
    accepted_or_deep('plus.go'),
    accepted_or_deep('concat.go'),
    accepted_or_deep('composite.go'),
    accepted_or_deep('calls.go'),
    accepted_or_deep('chans.go'),
    Case('check selectors.go', 1, SYNTAX, timeout=30),
    Case('run deepest.go', 0, r'^true$'),
    Case('run deepest.go', 0, r'^true$', stack=MB // 4),
    Case('check parens.go', 0, stack=MB // 4, timeout=30),
    Case('run big.go', 0, r'^big$', timeout=60, slow=True),
    Case('run bigdecl.go', 0, r'^100000$', timeout=60, slow=True),
    Case('run bigline.go', 0, r'^5242880$'),
    Case('run biglit.go', 0, r'^200000 199999$', timeout=60, slow=True),
    Case('run bigmethods.go', 0, out=r'\A2177967000\n'
         r'a1 none\nb1 none\nc1 none\nd1 none\ne1 none\nf1 none\ng1 g4 g1\n'
         r'\[ccc bb a\]\ntrue mine\n1copied\nZ\nruntime error: invalid '
         r'memory address or nil pointer dereference\ny\nx\n\Z',
         timeout=60, slow=True),
    Case('check bigident.go', 1, r'declared and not used'),
    Case('check bignum.go', 0, either=(1, r'bignum\.go:4:\d+: ')),
    Case('check bigshift.go', 1, r':4:\d+: '),
    Case('check bigexp.go', 1, r':4:\d+: '),
    Case('check bigarray.go', 1, r':4:\d+: .*(?:large|invalid)'),
    Case('check bigarray2.go', 1, r':4:\d+: .*(?:large|invalid)'),
    Case('run bigframe.go', 0, r'3 134217728', either=(1, r'large|stack'),
         timeout=60, slow=True),
    # More variables than a frame has slots.
    Case('run manylocals.go', 0,
         r'^625000000 277780 6360384 625025001 25000 3 s24997 164$',
         timeout=120, slow=True),
    # Declarations without an end.
    Case('run rectype.go', 1, r'rectype\.go:3:6: invalid recursive type'),
    Case('run rectype2.go', 1, r':3:6: invalid recursive type'),
    Case('run reciface.go', 1, r':3:6: invalid recursive type'),
    Case('run recalias.go', 1, r':3:6: invalid recursive type'),
    Case('run recarray.go', 1, r'recarray\.go:\d+:\d+: '),
    Case('run initcycle.go', 1, r':3:5: initialization cycle'),
    Case('run constcycle.go', 1, r':3:7: initialization cycle'),
    # Failing at run time.
    # Panics upon panics: all are told, however many, but not all frames.
    Case('run repanic.go', 2, r'\Apanic: first\n\tpanic: 5999\n'
         r'(?:\tpanic: \d+\n){5998}\tpanic: 0\n'),
    Case('run deeppanic.go', 2, r'\A.*\nfatal error: stack overflow\n\n'
         r'goroutine 1 [^\0]{1000,9000}\n\.\.\.\d+ frames elided\.\.\.\n'
         r'[^\0]{1000,9000}\Z', timeout=60),
    Case('run runtime.go', 2, r'index out of range \[5\] with length 0'),
    Case('run recurse.go', 2, r'stack overflow', timeout=60, slow=True),
    Case('run hugealloc.go', 2, r'out of range|out of memory'),
    Case('run eat.go', 2, r'fatal error: .*out of memory', memory=400 * MB,
         timeout=60),
    Case('run small.go', 2, r'fatal error: .*out of memory', memory=400 * MB,
         timeout=60),
    Case('run spawn.go', 2, r'fatal error: .*out of memory', memory=400 * MB,
         timeout=60),
    Case('run hello.go', 0, r'hello', memory=400 * MB),
    Case('run hello.go', 0, r'hello', memory=10 * MB, either=(2, r'memory')),
    Case('check bigdecl.go', 1, r'memory', memory=40 * MB,
         either=(2, r'memory'), timeout=60, slow=True),
    Case('run writes.go', 7, r'write failed: .*no space left',
         stdout='/dev/full'),
    # Go opens /dev/null in place of a closed stream; an error is as good.
    Case('run writes.go', 0, stdout='-',
         either=(7, r'write failed: .*bad file descriptor')),
    Case('run prints.go', 0, stdout='/dev/full', calm=True),
    Case('run prints.go', 0, stdout='-', calm=True),
    Case('help', 1, r'space', stdout='/dev/full', either=(2, r'space')),
    Case('version', 1, r'[Bb]ad file|write', stdout='-', either=(2, r'.')),
    # The reader of traces.
    Case('', 2, r'[Uu]sage|vole-trace help', tool='vole-trace'),
    Case('help', 0, out=r'summary', tool='vole-trace'),
    Case('frobnicate x', 2, r'frobnicate', tool='vole-trace'),
    Case('summary', 2, r'.', tool='vole-trace'),
    Case('summary missing.trace', 1, r'missing\.trace', tool='vole-trace',
         either=(2, r'missing\.trace')),
    Case('summary -nosuchflag good.trace', 2, r'nosuchflag',
         tool='vole-trace'),
    Case('summary emptydir', 1, r'.', tool='vole-trace'),
] + [
    Case('%s %s.trace' % (cmd, name), 1, r'%s\.trace' % name,
         tool='vole-trace')
    for cmd in ('summary', 'events', 'goroutines')
    for name in ('bad', 'text', 'version', 'short', 'empty', 'zeros')
] + [
    # The validator's findings are its output, so they go to stdout.
    Case('validate %s.trace' % name, 1, out='not valid|error',
         tool='vole-trace', either=(1, r'%s\.trace' % name))
    for name in ('bad', 'text', 'version', 'short', 'empty', 'zeros',
                 'header')
] + [
    Case('%s good.trace' % 'validate', 0, tool='vole-trace'),
    Case('summary good.trace', 0, out=r'.', tool='vole-trace'),
    Case('events good.trace', 0, out=r'GoCreate', tool='vole-trace'),
    Case('goroutines good.trace', 0, out=r'main\.main', tool='vole-trace'),
    Case('events good.trace', 1, r'space|write', tool='vole-trace',
         stdout='/dev/full', either=(2, r'space|write')),
    Case('validate -', 0, tool='vole-trace', stdin='good.trace'),
    Case('validate -', 1, out=r'not valid', tool='vole-trace',
         stdin='bad.trace'),
]


class Runner:
    def __init__(self, opt):
        self.opt = opt
        self.work = tempfile.mkdtemp(prefix='vole-tool-')
        self.makers = inputs.files()
        self.tools = {'vole': shlex.split(opt.vole),
                      'vole-trace': shlex.split(opt.vole_trace)}
        if self.tools['vole'][-1] == 'run':
            self.tools['vole'].pop()

    def prepare(self):
        for name in ('emptydir', 'inner'):
            os.mkdir(os.path.join(self.work, name))
        self.write('hello.txt', b'hello')
        for name, text in INNER.items():
            self.write('inner/' + name, text)
        os.symlink('loop.go', os.path.join(self.work, 'unreadable.go'))
        os.symlink('unreadable.go', os.path.join(self.work, 'loop.go'))
        r = self.run(self.tools['vole'] + ['run', '-trace', 'good.trace',
                                           'traceme.go'])
        return r.status == 0

    def write(self, name, data):
        with open(os.path.join(self.work, name), 'wb') as f:
            f.write(data)

    def need(self, words):
        for w in words:
            if w in self.makers and \
                    not os.path.exists(os.path.join(self.work, w)):
                self.write(w, self.makers[w]())

    def run(self, cmd, **kw):
        kw.setdefault('timeout', 30 * self.opt.slow)
        return common.run(cmd, cwd=self.work, **kw)

    def check(self, case):
        words = case.args
        if isinstance(words, str):
            words = words.split()
        self.need(words)
        stdin = case.stdin
        if isinstance(stdin, str):
            self.need([stdin])
            if not os.path.exists(os.path.join(self.work, stdin)):
                return 'no trace could be made'
            stdin = open(os.path.join(self.work, stdin), 'rb')
        try:
            r = self.run(self.tools[case.tool] + words,
                         timeout=case.timeout * self.opt.slow,
                         memory=case.memory, stack=case.stack, stdin=stdin,
                         env=case.env, stdout=case.stdout)
        finally:
            if not isinstance(stdin, bytes):
                stdin.close()
        return self.judge(case, r)

    def judge(self, case, r):
        if r.trouble():
            return '%s\n%s' % (r.trouble(), clip(r.err))
        if r.status == case.status and re.search(case.err, r.err, re.M) and \
                re.search(case.out, r.out, re.M):
            if r.status and not case.calm and not (r.err + r.out).strip():
                return 'fails in silence'
            return ''
        if case.either and r.status == case.either[0] and \
                re.search(case.either[1], r.err, re.M):
            if r.status and not r.err.strip():
                return 'fails in silence'
            return ''
        return 'status %s, want %d; stderr should match %r:\n%s' % (
            r.status, case.status, case.err or case.out,
            clip(r.err or r.out))

    def constraints(self):
        """Which files of a directory belong to the program."""
        line = [('linux', 1), ('windows', 0), ('ignore', 0), ('!ignore', 1),
                ('linux && amd64', 1), ('linux&&arm64 || vole', 1),
                ('(linux || darwin) && !cgo', 1), ('unix', 1), ('go1.18', 1),
                ('go1.99', 0), ('!windows && !(linux && vole)', 0), ('gc', 1),
                ('', 'unexpected end'), ('linux &&', 'unexpected end'),
                ('(linux', 'missing close paren'), ('!!linux', 'double'),
                ('linux darwin', 'unexpected token'),
                ('linux)', 'unexpected token'), ('%', 'unexpected token'),
                ('(' * 100000, 'nested too deeply'),
                ('! ' * 100000 + 'x', 'double|nested too deeply')]
        name = [('x.go', 1), ('x_linux.go', 1), ('x_windows.go', 0),
                ('x_windows_amd64.go', 0), ('x_linux_amd64.go', 1),
                ('x_linux_arm64.go', 0), ('x_arm64.go', 0),
                ('windows.go', 1), ('x_test.go', 0), ('x_other.go', 1),
                ('windows_amd64.go', 1), ('x_windows_y.go', 1)]
        head = '// Words.\n\n/* and\nmore */ //go:build %s\r\n\n'
        rows = [('x.go', head % e, e, want) for e, want in line] + \
            [(n, '', n, want) for n, want in name]
        for n, (file, text, what, want) in enumerate(rows):
            d = 'constraints%d' % n
            os.mkdir(os.path.join(self.work, d))
            self.write(d + '/main.go', b'package main\n\nvar x = "out"\n\n'
                       b'func main() { println(x) }\n')
            if 'package' not in text:
                text += 'package main\n'
            self.write(d + '/' + file,
                       (text + '\nfunc init() { x = "in" }\n').encode())
            r = self.run(self.tools['vole'] + ['run', d])
            if isinstance(want, int):
                if r.status != 0 or r.err != ('in' if want else 'out') + '\n':
                    return '%s: %s' % (what[:40], clip(r.err))
            elif r.status not in (1, 2) or not re.search(
                    r'%s/x\.go: parsing //go:build line: .*(%s)' % (d, want),
                    r.err):
                return '%s: %d %s' % (what[:40], r.status, clip(r.err))
        # Behind the package clause it chooses nothing, as in Go, whose
        # compiler then says so.
        os.mkdir(os.path.join(self.work, 'behind'))
        self.write('behind/x.go', b'package main\n\n//go:build ignore\n\n'
                   b'func main() {}\n')
        r = self.run(self.tools['vole'] + ['run', 'behind'])
        if r.err != 'behind/x.go:3:3: misplaced compiler directive\n':
            return 'behind: ' + clip(r.err)
        self.write('constraints0/main.go', b'//go:build ignore\n\npackage '
                   b'main\n\nfunc main() { println("named") }\n')
        os.remove(os.path.join(self.work, 'constraints0/x.go'))
        r = self.run(self.tools['vole'] + ['run', 'constraints0'])
        if 'build constraints exclude all Go files in %s\n' % os.path.join(
                self.work, 'constraints0') not in r.err or r.status == 0:
            return clip(r.err)
        r = self.run(self.tools['vole'] + ['run', 'constraints0/main.go'])
        return '' if r.err == 'named\n' else clip(r.err)

    def executable(self):
        """A script that runs by its first line, which Go's tools accept."""
        folder = os.path.join(self.work, 'bin')
        os.mkdir(folder)
        for name, text in (
                ('vole', b'#!/bin/sh\nexec %s "$@"\n' %
                 shlex.join(self.tools['vole']).encode()),
                ('script', b'//usr/bin/env true; exec vole run "$0" "$@"\n\n'
                 b'package main\n\nimport "os"\n\nfunc main() {\n'
                 b'\tprintln(len(os.Args), os.Args[1])\n\tos.Exit(7)\n}\n')):
            self.write('bin/' + name, text)
            os.chmod(os.path.join(folder, name), 0o755)
        shutil.copy(folder + '/script', folder + '/script.go')
        env = {'PATH': folder + ':' + os.environ['PATH']}
        for how in (['sh', '-c', 'script "$@"', 'sh'],
                    ['sh', '-c', 'exec bin/script.go "$@"', 'sh'],
                    ['env', 'script'], ['sh', 'bin/script.go'],
                    ['bash', '-c', 'script "$@"', 'bash'],
                    ['zsh', '-c', 'script.go "$@"', 'zsh']):
            if shutil.which(how[0]) is None:
                continue
            r = self.run(how + ['two words'], env=env)
            if (r.status, r.err) != (7, '2 two words\n'):
                return '%s: %s %s' % (how, r.status, clip(r.err))
        for tool in (['gofmt', '-l'], ['go', 'vet']):
            if shutil.which(tool[0]) is not None:
                r = self.run(tool + ['bin/script.go'])
                if r.status != 0 or r.out:
                    return '%s: %s' % (tool, clip(r.out + r.err))
        return ''

    def perf_map(self):
        """The file by which perf names machine code, and whether perf, which
        trusts no names but the file's own where code is mapped from a file,
        goes by it."""
        self.write('pid.go', inputs.MAPPED)
        r = self.run(self.tools['vole'] + ['run', '-jit=stress', 'pid.go'],
                     env={'VOLEDEBUG': 'jitperf=1'})
        pid, *maps = r.err.splitlines()
        path = '/tmp/perf-%s.map' % pid
        if not os.path.exists(path):
            v = self.run(self.tools['vole'] + ['version', '-v'])
            return '' if 'machine code: none' in v.out else 'no ' + path
        with open(path, encoding='utf-8') as f:
            rows = [line.rstrip('\n').split(' ', 2) for line in f]
        os.remove(path)
        places = sorted((int(a, 16), int(n, 16)) for a, n, _ in rows)
        for (a, n), (b, _) in zip(places, places[1:]):
            if a + n > b:
                return 'functions overlap at %x' % b
        if len(maps) != 1 or '/dev/zero' not in maps[0]:
            return 'perf will not look: %s' % maps
        names = {name for _, _, name in rows}
        return '' if {'main.f', 'main.main'} <= names else 'no main.f'

    def faults(self):
        """Addresses that are not there, by unsafe pointers."""
        self.write('faults.go', inputs.FAULTS)
        where = [('here', 'fatal error: fault\n', 'main.load(', ''),
                 ('other', 'fatal error: fault\n', 'main.main.func', ''),
                 ('native', 'fatal error: unexpected signal during runtime '
                  'execution\n', 'runtime stack:\n', ''),
                 ('panic', 'fatal error: fault\n', 'main.load(',
                  'recovered true\n' * 6 + 'deferred\n')]
        for (arg, text, stack, out), jit in itertools.product(
                where, ['on', 'stress']):
            trace = arg + '.trace'
            r = self.run(self.tools['vole'] + ['run', '-trace', trace, '-jit',
                                               jit, 'faults.go', arg])
            if arg == 'panic':
                text = 'panic: runtime error: invalid memory address or ' \
                    'nil pointer dereference\n'
            signal_line = '[signal SIGSEGV: segmentation violation code=0x'
            for part in (text, stack, signal_line, 'main.main'):
                if part not in r.err:
                    return '%s: no %r:\n%s' % (arg, part, clip(r.err))
            if r.status != 2 or r.out != out:
                return '%s: status %d, prints %r' % (arg, r.status, r.out)
            if arg == 'native':
                continue
            r = self.run(self.tools['vole-trace'] + ['validate', trace])
            if r.status != 0:
                return '%s: the trace: %s' % (arg, clip(r.err + r.out))
        r = self.run(self.tools['vole'] + ['run', 'faults.go', 'here'],
                     env={'GOTRACEBACK': 'crash'})
        if r.signal != signal.SIGABRT or 'main.load(' not in r.err:
            return 'crash: status %s, signal %s' % (r.status, r.signal)
        return ''

    def cut_trace(self):
        """A trace of a program that is killed: readable up to the cut."""
        self.need(['traced.go'])
        p = subprocess.Popen(self.tools['vole'] + [
            'run', '-trace', 'cut.trace', 'traced.go'], cwd=self.work,
            stderr=subprocess.PIPE, stdout=subprocess.DEVNULL,
            start_new_session=True)
        p.stderr.readline()
        end = time.monotonic() + 20 * self.opt.slow
        path = os.path.join(self.work, 'cut.trace')
        # What comes first may be a generation of a few events, of a process
        # that had no processor, and what is cut in the middle another one: so
        # the first that is large has to be whole, and before the cut.
        size = large = 0
        while time.monotonic() < end and p.poll() is None and not (
                large > 0 and size > 3 * large):
            time.sleep(0.02)
            size = os.path.getsize(path) if os.path.exists(path) else 0
            large = large or (size if size > 200000 else 0)
        if p.poll() is None:
            os.killpg(p.pid, signal.SIGKILL)
        p.stderr.close()
        p.wait()
        if not os.path.exists(path) or os.path.getsize(path) < 100000:
            return 'nothing was flushed while the program ran'
        # Also cut in the middle of a record.
        with open(path, 'rb') as f:
            data = f.read()
        self.write('cut2.trace', data[:len(data) * 2 // 3 + 7])
        for name in ('cut.trace', 'cut2.trace'):
            r = self.run(self.tools['vole-trace'] + ['events', name])
            if r.trouble() or r.out.count('\n') < 1000:
                return '%s: %s %d lines\n%s' % (
                    name, r.trouble(), r.out.count('\n'), clip(r.err))
            r = self.run(self.tools['vole-trace'] + ['summary', name])
            if r.trouble() or not r.out.strip():
                return '%s: no summary %s' % (name, clip(r.err))
        return ''

    def examples(self):
        """The programs of examples/ run to their end."""
        folder = os.path.join(common.ROOT, 'examples')
        for name in sorted(os.listdir(folder)):
            if name.endswith('.go'):
                r = self.run(self.tools['vole'] +
                             ['run', os.path.join(folder, name)])
                if r.trouble() or r.status != 0 or not r.out:
                    return '%s: %s status %s\n%s' % (
                        name, r.trouble(), r.status, clip(r.err))
        r = self.run(self.tools['vole'] +
                     ['run', os.path.join(folder, 'philosophers.go'),
                      '-deadlock'], timeout=60 * self.opt.slow)
        if r.status not in (0, 2) or r.status == 2 and \
                'all goroutines are asleep - deadlock!' not in r.err:
            return 'philosophers -deadlock: %s\n%s' % (r.status, clip(r.err))
        return ''

    def closed_pipe(self):
        """Nobody reads any more: SIGPIPE ends the program, as in Go."""
        self.need(['prints.go'])
        p = subprocess.Popen(self.tools['vole'] + ['run', 'prints.go'],
                             cwd=self.work, stdout=subprocess.PIPE)
        first = p.stdout.readline()
        p.stdout.close()
        try:
            status = p.wait(20 * self.opt.slow)
        except subprocess.TimeoutExpired:
            p.kill()
            p.wait()
            return 'hang'
        if first != b'line 0\n' or status != -signal.SIGPIPE:
            return 'first line %r, status %d' % (first, status)
        return ''

    def reader_gone(self):
        """Nobody reads what a command says, from the first write of several
        on: it says nothing of that."""
        folder = os.path.join(self.work, 'unread')
        for name in 'a', 'b', 'c':
            os.makedirs(os.path.join(folder, name))
            with open(os.path.join(folder, name, 'x.go'), 'w') as f:
                f.write('package %s\n' % name)
        with open(os.path.join(folder, 'go.mod'), 'w') as f:
            f.write('module unread\n')
        tool = [os.path.abspath(self.tools['vole'][0])]
        reader, writer = os.pipe()
        os.close(reader)
        try:
            r = subprocess.run(tool + ['test', './...'], cwd=folder, text=True,
                               stdout=writer, stderr=subprocess.PIPE,
                               timeout=60 * self.opt.slow)
        finally:
            os.close(writer)
        return r.stderr

    def limits(self):
        """Out of memory at many places: while it is compiled, while it
        starts and while it runs."""
        names = ('eat.go', 'small.go', 'spawn.go', 'chanmake.go', 'concat.go')
        self.need(names)
        for name in names:
            for mb in (7, 8, 9, 10, 11, 12, 14, 17, 21, 26, 40, 70, 130):
                r = self.run(self.tools['vole'] + ['run', name],
                             memory=mb * MB)
                # In very little the system cannot even load the program.
                done = name == 'concat.go' and r.status == 0 or \
                    'while loading shared libraries' in r.err
                if not done and (r.trouble() or r.status != 2 or not
                                 re.search('out of memory|limit of memory',
                                           r.err)):
                    return '%s in %d MB: %s status %s\n%s' % (
                        name, mb, r.trouble(), r.status, clip(r.err))
        return ''

    def million(self):
        """A million goroutines parked on one channel and released: at most
        1,000 bytes each at the peak of resident memory."""
        path = os.path.join(common.ROOT, 'bench', 'go', 'parked.go')
        n = 1000000
        most = self.run(self.tools['vole'] + ['run', path, str(n)],
                        timeout=120)
        least = self.run(self.tools['vole'] + ['run', path, '1'])
        if most.status != 0 or most.out != 'released\n':
            return 'status %s %s\n%s' % (most.status, most.trouble(),
                                         clip(most.err))
        each = (most.maxrss - least.maxrss) / n
        return '' if each <= 1000 else '%.0f bytes each' % each

    def damaged_traces(self):
        """Every cut and many single-byte changes of a good trace: an answer
        in words, never a crash or a hang."""
        with open(os.path.join(self.work, 'good.trace'), 'rb') as f:
            data = f.read()
        step = max(1, len(data) // 150)
        for i in range(16, len(data), step):
            damaged = bytearray(data)
            damaged[i] ^= 1 << (i % 8)
            for blob in (data[:i], bytes(damaged)):
                self.write('damaged.trace', blob)
                r = self.run(self.tools['vole-trace'] +
                             ['validate', 'damaged.trace'], timeout=10)
                if r.trouble() or r.status not in (0, 1):
                    return 'byte %d of %d: %s status %s\n%s' % (
                        i, len(data), r.trouble(), r.status, clip(r.err))
        return ''


def clip(text, n=600):
    text = text.strip()
    lines = [s[:200] for s in text.split('\n')]
    if len(lines) > 12:
        lines = lines[:6] + ['...'] + lines[-5:]
    return '\n'.join('    ' + s for s in lines)[:n * 2]


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    ap.add_argument('filter', nargs='*', help='parts of commands')
    ap.add_argument('--vole', default=common.default_vole(), metavar='CMD')
    ap.add_argument('--vole-trace', metavar='CMD',
                    default=common.default_vole_trace())
    ap.add_argument('--asan', action='store_true', help='leave out the '
                    'address space limits, which sanitizers cannot live with')
    ap.add_argument('--quick', action='store_true')
    ap.add_argument('--slow', type=float, default=1, metavar='FACTOR')
    ap.add_argument('-v', action='store_true')
    opt = ap.parse_args()
    runner = Runner(opt)
    good = bad = skipped = 0

    def add(name, why):
        nonlocal good, bad
        good, bad = good + (not why), bad + bool(why)
        if why:
            print('FAIL %s: %s' % (name, why), flush=True)
        elif opt.v:
            print('ok   ' + name, flush=True)

    try:
        runner.write('traceme.go', inputs.TRACEME)
        runner.prepare()
        for case in CASES:
            name = case.name()
            if opt.filter and not any(f in name for f in opt.filter):
                continue
            if opt.asan and case.memory or opt.quick and case.slow:
                skipped += 1
                continue
            add(name, runner.check(case))
        for name in ('examples', 'executable', 'closed_pipe', 'reader_gone',
                     'limits', 'million', 'faults', 'perf_map',
                     'constraints', 'cut_trace', 'damaged_traces'):
            if opt.filter and not any(f in name for f in opt.filter):
                continue
            if opt.asan and name in ('million', 'limits', 'faults'):
                skipped += 1
                continue
            if 'trace' in name and not os.path.exists(os.path.join(runner.work, 'good.trace')):
                add(name, 'no trace could be made')
                continue
            add(name, getattr(runner, name)())
    finally:
        shutil.rmtree(runner.work, ignore_errors=True)
    common.summary(good, bad, skipped)
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())

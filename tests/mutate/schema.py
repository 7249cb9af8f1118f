# SPDX-License-Identifier: MIT
"""One instrumented tree in which all mutants of a draw are built in.

The body of a function that has mutants becomes

    {
        if (MUTANT(17)) { the body with mutant 17; return; }
        if (MUTANT(18)) { the body with mutant 18; return; }
        the body, with MUTANT_AT(n) where mutant n's statement begins
    }

(mutant.h), so that one build holds hundreds of them, and the environment
chooses.  A process has one mutant or none from start to end: what the bodies
keep in static variables does not mix.  Whole bodies are copied rather than
expressions guarded, for then any change that is C can be built in, and each
copy is compiled as a tree with that change alone would be.

The mark MUTANT_AT stands before the whole statement in which the mutant is,
or where that is hard to find, before a larger one: it may claim too much, and
only costs time then.
"""

import os
import re
import shlex
import subprocess

import sites

INCLUDE = '#include "runtime/base/mutant.h"\n'
LITERAL = re.compile(r'\((?:const\s+)?(?:struct|union)\s[^()]*\)\s*$')
LABEL = re.compile(r'^[ \t]*(?!default\b)([a-z_]\w*):(?!:)', re.M)


class File:
    """A source with the mutants that are in it: (number, Site)."""

    def __init__(self, path, text, numbered):
        self.path, self.text = path, text
        self.plain = sites.blank(text)
        self.bodies = list(sites.bodies(self.plain))
        self.numbered = list(numbered)
        self.coarse = set()     # whose marks stand at the function's head

    def drop(self, number):
        self.numbered = [(n, s) for n, s in self.numbered if n != number]

    def line(self, at):
        return self.text.count('\n', 0, at) + 1

    def body_of(self, site):
        return max(b for b, _ in self.bodies if b <= site.at)

    def with_includes(self):
        """The mutants of bodies that include files, with labels in them."""
        return {n for begin, end in self.bodies
                if re.search(r'^#include', self.text[begin:end], re.M)
                for n, s in self.numbered if begin <= s.at < end}

    def instrumented(self, name):
        """The text with all mutants; `name` is what the compiler calls the
        file."""
        out, done = [INCLUDE, '#line 1 "%s"\n' % name], 0
        for begin, end in self.bodies:
            inside = [(n, s) for n, s in self.numbered if begin <= s.at < end]
            if not inside:
                continue
            out += [self.text[done:begin], '\n']
            for n, site in inside:
                out.append(self.mutated(n, site, begin, end, name))
            out.append('#line %d "%s"\n' % (self.line(begin), name))
            out.append(self.marked(inside, begin, end))
            done = end
        return ''.join(out) + self.text[done:]

    def mutated(self, number, site, begin, end, name):
        """The body with one mutant.  Lines have the numbers that they have
        in the source, in a file whose name tells the mutant."""
        labels = sorted(set(LABEL.findall(self.plain[begin:end])))
        head = 'if (MUTANT(%d)) {%s\n#line %d "mutant%d/%s"\n' % (
            number, ' __label__ %s;' % ', '.join(labels) if labels else '',
            self.line(begin), number, name)
        at = site.at - begin
        body = self.text[begin:end]
        assert body[at:at + len(site.old)] == site.old
        return head + body[:at] + site.new + body[at + len(site.old):] + \
            '\nreturn; }\n'

    def marked(self, inside, begin, end):
        """The body itself, with the marks of its mutants."""
        marks = {}
        for n, site in inside:
            at = begin if n in self.coarse else \
                self.statement(begin, site.at)
            marks.setdefault(at, []).append(n)
        out, done = [], begin
        for at in sorted(marks):
            out.append(self.text[done:at])
            out += [' MUTANT_AT(%d);' % n for n in marks[at]]
            done = at
        return ''.join(out) + self.text[done:end]

    def statement(self, begin, at):
        """Where the statement around `at` begins, or an outer one."""
        best = begin
        for m in re.finditer(r'[;{}]', self.plain[begin:at]):
            here = begin + m.end()
            before = self.plain[begin:here - 1]
            after = self.plain[here:].lstrip()
            if before.count('(') != before.count(')'):
                continue        # inside the head of a loop
            if re.match(r'else\b|while\b|case\b|default\b|[,;)}]|\w+:', after):
                continue
            if m.group() == '{' and not re.search(
                    r'(?:\)|\belse|\bdo)\s*$', before):
                continue        # an initialiser, a switch without a case
            if m.group() == '{' and LITERAL.search(before):
                continue        # a compound literal
            best = here
        return best


class Compiler:
    """How the sources of a build folder are compiled."""

    def __init__(self, commands):
        self.commands = {}
        for row in commands:
            self.commands[os.path.normpath(os.path.join(
                row['directory'], row['file']))] = row

    def name(self, full):
        return self.commands[full]['file']

    def run(self, full, text, *flags):
        """Compiles `text` in place of the file; returns (status, output,
        messages)."""
        row = self.commands[full]
        words = [w for w in shlex.split(row['command'])
                 if w not in ('-MD', '-g', 'ccache')]
        for flag in ('-o', '-MQ', '-MF', '-c'):
            while flag in words:
                at = words.index(flag)
                del words[at:at + 2]
        # Included files are looked for beside the file itself first.
        words += ['-iquote', os.path.dirname(full), '-w', '-x', 'c',
                  '-fdiagnostics-color=never',
                  *flags, '-']
        r = subprocess.run(words, cwd=row['directory'], input=text, text=True,
                           capture_output=True)
        return r.returncode, r.stdout, r.stderr

    def refuses(self, full, text):
        return self.run(full, text, '-fsyntax-only')[0] != 0

    def assembly(self, full, text):
        """What becomes of it, debug information left out; '' if nothing."""
        name = '#line 1 "%s"\n' % self.name(full)
        status, out, _ = self.run(full, name + text, '-S', '-o', '-')
        return out if status == 0 else ''


ERROR = re.compile(r'^(?:mutant(\d+)/)?(\S+?):(\d+):\d+: (?:fatal )?error:',
                   re.M)


def settle(f, full, compiler):
    """Takes out of a File what cannot be built in.  Returns the numbers that
    the compiler refuses, and those that only a tree of their own can hold."""
    refused, alone = [], []
    while f.numbered:
        text = f.instrumented(compiler.name(full))
        status, _, messages = compiler.run(full, text, '-fsyntax-only')
        if status == 0:
            break
        found = ERROR.findall(messages)
        bad = {int(n) for n, _, _ in found if n}
        lines = {int(line) for n, _, line in found if not n}
        if not bad:
            near = {n for n, s in f.numbered if n not in f.coarse and any(
                f.line(f.statement(f.body_of(s), s.at)) <= line
                for line in lines)} if lines else set()
            f.coarse |= near
            bad = set() if near else f.with_includes()
            if not near and not bad:
                raise SystemExit('%s: %s' % (f.path, messages))
        for n, site in list(f.numbered):
            if n in bad:
                plain = compiler.refuses(full, site.apply(f.text))
                (refused if plain else alone).append(n)
                f.drop(n)
    return refused, alone

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds opcode.def against the bodies of the instructions.

The column `does` of runtime/code/opcode.def says what an instruction may do
besides writing its operands.  Here the same is found out from the C text: the
body between OPBODY(name) and the next one, after the preprocessor, and what it
calls, through all functions of runtime/vm and runtime/value.

  P  may panic            S  is a safepoint      W  may park the goroutine
  A  allocates            B  has a write barrier H  calls a helper
  E  ends the function: nothing goes on behind it

The column `access` is held against the same text as far as it names sizes and
places; of those that say `by` or `no`, that the body touches no memory by
itself.

The columns of operands are held against bodies that use their slots by name:
which slots are read, which are written, on all of its ways (d) or on some (w),
and as what.

Usage: check_ops.py [--cc CC] [--show]
"""

import argparse
import glob
import os
import re
import shlex
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import common  # noqa: E402

ROOT = common.ROOT
LETTERS = 'PSWABHE'

# What functions of the layers below do, and where the text alone says
# nothing: calls through pointers.
FACTS = {
    'vm_panicf': 'P', 'vm_panic_plain': 'P', 'vm_panic_error': 'P',
    'vm_panic_nil': 'P', 'vm_panic_value': 'P', 'vm_fatalf': 'P',
    'vm_out_of_memory': '',
    # What follows an answer, not what the operation does.
    'vm_after': 'S',
    'gc_alloc': 'A', 'gc_alloc_array': 'A', 'gc_alloc_noscan': 'A',
    'gc_alloc_noscan_dirty': 'A', 'gc_alloc_slow': 'A',
    'gc_write_barrier': 'B', 'gc_write_barrier_range': 'B',
    'chan_make': 'A', 'chan_send': 'SWB', 'chan_recv': 'SWB',
    'chan_select': 'SWB',
}

# What looks like a call and is none, or becomes an instruction.
KEYWORDS = {'if', 'while', 'for', 'switch', 'return', 'sizeof', 'memcpy',
            'memmove', 'memset', 'floor', '__builtin_sqrt', '__builtin_fabs',
            'rt_throw', 'rt_throwf'}

# The markers into which the macros that end a body are turned.
DEFINES = {
    'OPBODY(name)': '@@OP name',
    'NEXT(n)': '@@GOES_ON', 'DISPATCH()': '@@GOES_ON',
    'LOOP(n)': '@@GOES_ON @@SAFEPOINT', 'JUMP(n)': '@@GOES_ON',
    'FAIL(label)': '@@FAIL label', 'FAIL_AS(s)': 's', 'VM': 'vm',
    'CALLED()': '@@GOES_ON', 'SAVE(n)': '@@SAVE',
    'CALLOP(name, n)': '@@GOES_ON vm_op_##name(t)',
    'rt_likely(x)': 'x', 'rt_unlikely(x)': 'x',
    'rt_assert(x)': '', 'rt_assert_full(x)': '',
}


def rows():
    """name -> the columns `does` and `access` and those of operands."""
    with open(os.path.join(ROOT, 'runtime/code/opcode.def')) as f:
        text = re.sub(r'/\*.*?\*/', '', f.read(), flags=re.S)
    return {name: (does, access, dict(zip('ABC', abc)))
            for name, *abc, does, access in re.findall(
                r'^OP\((\w+), \w+, ([^,]+), ([^,]+), ([^,]+), ([A-Z-]+), '
                r'(\w+),', text, re.M)}


def bodies(cc):
    """name -> the preprocessed body."""
    src = ''.join('#define %s %s\n' % d for d in DEFINES.items())
    for inc in sorted(glob.glob(os.path.join(ROOT, 'runtime/vm/ops_*.inc'))):
        # Checked forms have no bodies of their own.
        if not inc.endswith('/ops_race.inc'):
            src += '#include "%s"\n' % os.path.relpath(inc, ROOT)
    r = subprocess.run(shlex.split(cc) + ['-E', '-P', '-I', ROOT, '-xc', '-'],
                       input=src, text=True, capture_output=True, cwd=ROOT)
    if r.returncode:
        sys.exit(r.stderr)
    parts = re.split(r'@@OP (\w+)', r.stdout)
    return dict(zip(parts[1::2], parts[2::2]))


FUNCTION = re.compile(r'^(?:VM_OP\((\w+)\)|(\w+)\([^;{}]*\)|'
                      r'\w+ VM_OP\((\w+)\))\s*\n\{(.*?)^\}', re.M | re.S)


def functions():
    """(file, name) and name -> the text of each function's body."""
    found = {}
    for folder in ('runtime/vm', 'runtime/value'):
        for path in sorted(glob.glob(os.path.join(ROOT, folder, '*.[ch]'))):
            with open(path) as f:
                text = re.sub(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"', ' ', f.read(),
                              flags=re.S)
            for op, name, cold, body in FUNCTION.findall(text):
                name = 'vm_op_' + (op or cold) if op or cold else name
                found.setdefault(name, []).append((path, body))
    return found


def inline_functions():
    """Functions that compilers put into the loop itself."""
    found = set()
    for path in headers():
        with open(path) as f:
            found |= set(re.findall(
                r'^static inline [^;{}()]*?\b(\w+)\([^;{}]*\)\s*\{', f.read(),
                re.M))
    return found


def headers():
    out = [os.path.join(ROOT, 'runtime/vm/interp.c')]
    for folder in ('gc', 'sched', 'runtime/*'):
        out += glob.glob(os.path.join(ROOT, folder, '*.h'))
    return sorted(out)


def calls(text):
    return set(re.findall(r'\b([a-z_]\w*)\s*\(', text))


class Effects:
    """What functions do, found out on demand and kept."""

    def __init__(self):
        self.defs = functions()
        self.known = {}
        self.inline = inline_functions()

    def of(self, name, path=None):
        if name in FACTS:
            return set(FACTS[name])
        key = (name, path)
        if key not in self.known:
            self.known[key] = set()  # a cycle adds nothing
            self.known[key] = self.work_out(name, path)
        return self.known[key]

    def out_of_line(self, name):
        """Whether machine code would have to call it."""
        if name in self.inline or name in KEYWORDS:
            return False
        return True

    def work_out(self, name, path):
        out = set()
        defs = self.defs.get(name, [])
        here = [d for d in defs if d[0] == path]
        for where, body in here or defs:
            if re.search(r'\bVM_PARK\b', body):
                out |= set('SW')
            for callee in calls(body):
                if callee != name:
                    out |= self.of(callee, where)
        return out


def effects_of_body(eff, text):
    out = set()
    if re.search(r'@@FAIL (nil|index|divide|shift)\b', text):
        out.add('P')
    if '@@SAFEPOINT' in text or re.search(r'\bgoto (stack|act)\b', text):
        out.add('S')
    named = calls(text)
    for name in named:
        out |= eff.of(name)
        if eff.out_of_line(name):
            out.add('H')
    if '->tables.natives[' in text:
        out |= set('PSWABH')
    if ends_function(text):
        out.add('E')
    return out


def ends_function(text):
    """Nothing behind it follows: it leaves the frame, gives it to another
    function, or goes nowhere but to a panic."""
    if 'pc = fp[-1].p' in text:
        return True
    if 'pc = ((const struct' in text and '[-1].p =' not in text:
        return True
    return '@@GOES_ON' not in text and 'goto act' not in text


BYTES = {'uint8_t': 1, 'int8_t': 1, 'uint16_t': 2, 'int16_t': 2,
         'uint32_t': 4, 'int32_t': 4, 'uint64_t': 8, 'void *': 8,
         'any_u16': 2, 'any_i16': 2, 'any_u32': 4, 'any_i32': 4, 'any_u64': 8}
CONSTANT = {'RANGESTR'}  # takes what never changes
TYPE = r'(?:const )?(void \*|\w+) ?\*'  # what a pointer points to


def memory(side, pointers):
    """The sizes of what an expression takes from memory or puts there."""
    casts = re.findall(r'(?<!\w)\*\(' + TYPE + r'\)', side)
    casts += re.findall(r'\(\(' + TYPE + r'\)\w+(?:\(B\)\.p)?\)\[', side)
    casts += ['uint8_t'] * len(re.findall(r'\*\(vm->globals', side))
    names = re.findall(r'(?<![\w)])(\w+)\[', side)
    names += re.findall(r'^\s*\*(\w+)$', side)
    return [BYTES[c] for c in casts] + [
        BYTES[pointers[n]] for n in names if n in pointers]


def access_of_body(text):
    """What the column `access` says of a body that takes memory by itself;
    None where it does not."""
    text = re.sub(r'(gc_write_barrier\w*|memcpy)\([^;]*;', ';', text)
    pointers = dict((name, kind) for kind, name in re.findall(
        TYPE + r'(\w+) =', text) if kind in BYTES)
    reads, writes = [], []
    for stmt in re.split(r'[;{}]', text):
        if 'fp +' in stmt:
            continue  # a part of the frame
        left, _, right = stmt.partition(' = ')
        writes += [] if re.match(r'\s*const ', left) else memory(
            left, {n: k for n, k in pointers.items()
                   if not re.search(r'\w \*+' + n, left)})
        reads += memory(right, pointers)
    if not reads and not writes:
        return None
    where = ('g' if '->globals' in text else 'x' if '@@FAIL index' in text
             else 'a' if 'p[R(C)' in text else 'p')
    return ('w' if writes else 'r') + where + str(sum(writes or reads))


SLOT = re.compile(r'\bR\((\w)(?: \+ (\d+))?\)(?:\.(\w+))?')
TOKEN = re.compile(r'\s*(if|else|for|while|do|switch|[{}])(?![\w])|'
                   r'\s*([^;{}]*;)')


class Ways:
    """Which slots of its operands a body reads, which it writes on some of its
    ways and which on all that go on."""

    def __init__(self, text):
        self.text, self.pos, self.exits = text, 0, []
        self.reads, self.writes, self.fields = set(), set(), {}
        self.known = 'switch' not in text
        while self.known and self.text[self.pos:].strip():
            self.statement(frozenset())

    def note(self, text, written=False):
        for operand, more, field in SLOT.findall(text):
            slot = operand, int(more or 0)
            (self.writes if written else self.reads).add(slot)
            self.fields.setdefault(slot, set()).add(field)

    def condition(self):
        """What stands in parentheses here."""
        start = self.pos = self.text.index('(', self.pos)
        depth = 0
        while True:
            depth += {'(': 1, ')': -1}.get(self.text[self.pos], 0)
            self.pos += 1
            if depth == 0:
                break
        self.note(self.text[start:self.pos])

    def peek(self, word):
        m = TOKEN.match(self.text, self.pos)
        return m is not None and m.group(1) == word

    def statement(self, had):
        """had: what is written so far; what is then, None: it does not go on
        behind it."""
        m = TOKEN.match(self.text, self.pos)
        if m is None:
            self.known = False
            return None
        self.pos = m.end()
        word = m.group(1)
        if word == '{':
            while self.known and not self.peek('}'):
                after = self.statement(had if had is not None else frozenset())
                had = after if had is not None else None
            self.pos = self.text.index('}', self.pos) + 1
            return had
        if word == 'if':
            self.condition()
            one, other = self.statement(had), had
            if self.peek('else'):
                self.pos = TOKEN.match(self.text, self.pos).end()
                other = self.statement(had)
            return one & other if None not in (one, other) else \
                other if one is None else one
        if word in ('for', 'while'):
            self.condition()
            self.statement(had)
            return had
        if word == 'do':
            had = self.statement(had)
            self.pos = TOKEN.match(self.text, self.pos).end()
            self.condition()
            self.pos = self.text.index(';', self.pos) + 1
            return had
        return self.simple(m.group(2) or '', had)

    def simple(self, text, had):
        if '@@GOES_ON' in text:
            self.exits.append(had)
            return None
        if re.match(r'(@@FAIL|goto|return|rt_throw)\b', text):
            return None
        m = re.match(SLOT.pattern + r' (\W?)=(?!=)', text)
        if m is None:
            self.note(text)
            return had
        self.note(m.group(0), True)
        if m.group(4):
            self.note(m.group(0))
        self.note(text[m.end():])
        return had | {(m.group(1), int(m.group(2) or 0))}


# How a slot that holds this is used in C; '' is the slot as a whole.
AS = {'i': {'i', 'u', ''}, 'f': {'f64', 'u', ''}, 'h': {'f32', 'u', ''},
      'p': {'p', 'u', ''}, 'c': {'u', 'p', ''}, 'x': {'i', 'u', 'p', ''}}


def slots_of(column):
    """[(done, hold)] of an operand that is so many slots, or None."""
    out = []
    for part in column.split('+'):
        m = re.fullmatch(r'([dumw])([123])([ifhpcx]+)', part)
        if m is None:
            return None
        hold = m.group(3)
        out += [(m.group(1), hold[min(i, len(hold) - 1)])
                for i in range(int(m.group(2)))]
    return out


def operands_differ(ways, text, columns):
    """What a row says of its operands and the body does otherwise; ''."""
    for operand, column in columns.items():
        slots = slots_of(column)
        named = {k for o, k in ways.fields if o == operand}
        if slots is None or not named or 'vm_op_' in text or re.search(
                r'&R\({0}|fp \+ {0}\b|R\({0} \+ [^\d]'.format(operand), text):
            continue  # not all of its slots are named
        for k, (done, hold) in enumerate(slots):
            slot = operand, k
            always = all(slot in e for e in ways.exits)
            if (slot in ways.reads) != (done in 'um') or \
                    (slot in ways.writes) != (done in 'dmw') or \
                    done == 'd' and not always or done == 'w' and always:
                return '%s: slot %d of %s is %s, %s, %s' % (
                    operand, k, column,
                    'read' if slot in ways.reads else 'not read',
                    'written' if slot in ways.writes else 'not written',
                    'always' if always else 'not always')
            if not ways.fields[slot] <= AS[hold]:
                return '%s: slot %d of %s is used as %s' % (
                    operand, k, column, ' '.join(sorted(ways.fields[slot])))
        if max(named) >= len(slots):
            return '%s: %s has no slot %d' % (operand, column, max(named))
    return ''


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    ap.add_argument('--cc', default=os.environ.get('CC', 'cc'))
    ap.add_argument('--show', action='store_true')
    opt = ap.parse_args()
    eff, told = Effects(), rows()
    good = bad = 0
    for name, text in bodies(opt.cc).items():
        if name in ('EXT', 'MACHINE'):
            continue  # never executed; anything
        found = effects_of_body(eff, text)
        word = ''.join(c for c in LETTERS if c in found) or '-'
        access = None if name in CONSTANT else access_of_body(text)
        if opt.show:
            print('%-12s %-7s %s' % (name, word, access))
            continue
        does, says, columns = told.get(name, (None, None, {}))
        ways = Ways(text)
        why = operands_differ(ways, text, columns) if ways.known else ''
        if why:
            bad += 1
            print('FAIL %s: %s' % (name, why))
        elif does == word and (access == says or access is None and
                               says in ('no', 'by', 'self')):
            good += 1
        else:
            bad += 1
            print('FAIL %s: opcode.def says %s %s, the body %s %s' % (
                name, does, says, word, access))
    if not opt.show:
        common.summary(good, bad, 0)
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())

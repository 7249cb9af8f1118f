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

The columns of operands are held against what op_ways.py finds out: which slots
are read, which are written, on all of its ways (d) or on some (w), and as what.
That a wrong column would be noticed is tried, too.

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
sys.path.insert(0, HERE)
import common  # noqa: E402
import op_ways  # noqa: E402

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


# Of the first EXT word; code_operands() says it of these instructions.
EXT = {'MAPGETOK': 'd1i'}
# Its operands are in its EXT words; tests/unit/vm/test_operands.c tries them.
BY_TEST = {'SELECT'}


def operands_differ(ways, columns, ext):
    """What a row says of its operands and the body does otherwise; ''."""
    for operand, column in [*columns.items(), ('E', ext)]:
        why = op_ways.operand_differs(ways, operand, column)
        if why:
            return '%s: %s' % (operand, why)
    return ''


def unnoticed(ways, columns):
    """Wrong columns that would pass as this row's."""
    for operand, column in columns.items():
        done = column[0]
        if op_ways.slots_of(column)[0] is None or '+' in column:
            continue
        wrong = [d + column[1:] for d in 'dumw' if d != done]
        wrong += [done + n + column[2:] for n in '123'
                  if column[1] in '123' and n > column[1]]
        for w in ['-'] + wrong:
            if not op_ways.operand_differs(ways, operand, w):
                return '%s: %s would pass for %s' % (operand, w, column)
    return ''


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    ap.add_argument('--cc', default=os.environ.get('CC', 'cc'))
    ap.add_argument('--show', action='store_true')
    opt = ap.parse_args()
    eff, told, functions = Effects(), rows(), op_ways.Functions(ROOT)
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
        ways = op_ways.Ways(functions, text)
        why = name not in BY_TEST and (
            ways.unknown or operands_differ(ways, columns, EXT.get(name, '-'))
            or unnoticed(ways, columns))
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

# SPDX-License-Identifier: MIT
"""Which slots of its operands the body of an instruction reads and writes.

A body is followed on all of its ways: through the functions of runtime/vm that
it hands its frame or the address of a slot, as if their text stood in it.
Below them, LEAVES says what functions of other folders do with a slot whose
address they get.  `CODE_NO_SLOT` stands for a slot that is not wanted; what is
done then does not count.
"""

import glob
import os
import re

# A slot by its operand, A to C, or E: the first EXT word's; and by its place in
# it, WHOLE: all that the operand is.  ANY stands beside whatever is written.
WHOLE, ANY = '*', 'any'
SLOT = re.compile(r'\bR\((\w)(?: \+ (\d+))?\)(?:\.(\w+))?')
ADDRESS = re.compile(r'&R\((\w)(?: [+-] \d+)?\)(?!\.)')
TOKEN = re.compile(r'\s*(if|else|for|while|do|switch|[{}])(?![\w])|'
                   r'\s*([^;{}]*;)')

LABEL = re.compile(r'\s*(case|default)\b[^:]*:')

# By parameter: u, it reads what is there; d, it writes it.
LEAVES = {
    'memcpy': 'du', 'memmove': 'du', 'memset': 'd',
    'move_few': '-u', 'gc_write_barrier_range': '---u',
    'str_concat': '-u', 'alg_load': '-d', 'alg_equal': '-uu', 'iface_box': '--u',
    'map_get': '--u', 'map_set': '--uu', 'map_ref': '--u',
    'map_delete': '---u',
    'chan_send': '--u', 'chan_recv': '--d', 'slice_append': '---u',
    'vm_print': '-u', 'sched_go': '--u', 'vm_defer_push': '---u',
    'frame_get': 'u', 'frame_put': 'w',  # one of an array in the frame
}
# After these nothing goes on.
FAILURES = {'vm_panicf', 'vm_panic_plain', 'vm_panic_error', 'vm_panic_nil',
            'vm_panic_value', 'vm_fatalf', 'vm_out_of_memory'}
GOES_ON = re.compile(r'\bVM_(OK|PARK|YIELD)\b')
CALL = re.compile(r'\b([a-z_]\w*)\(')


def closing(text, start):
    """The index behind the parenthesis that closes the one at start."""
    depth = 0
    for i in range(start, len(text)):
        depth += {'(': 1, ')': -1}.get(text[i], 0)
        if depth == 0:
            return i + 1
    raise ValueError('open parenthesis: ' + text[start:start + 60])


def arguments(text):
    """The parts between commas that are in no parentheses."""
    out, depth, last = [], 0, 0
    for i, c in enumerate(text):
        depth += {'(': 1, ')': -1}.get(c, 0)
        if c == ',' and depth == 0:
            out.append(text[last:i].strip())
            last = i + 1
    return out + [text[last:].strip()]


def plain(text):
    """C text in which slots are R(A + 1) and braces are blocks alone."""
    text = re.sub(r'\s+', ' ', text)
    text = re.sub(r'(= |\(struct \w+\) ?)\{([^{};]*)\}', r'\1(\2)', text)
    text = re.sub(r'\bfp\[pc->([abc])( \+ \d+)?\]',
                  lambda m: 'R(%s%s)' % (m[1].upper(), m[2] or ''), text)
    text = re.sub(r'\bfp\[pc\[1\]\.a\]', 'R(E)', text)
    text = re.sub(r'\bfp\[(\w) \+ ([^\]]*)\] = ([^;]*);',
                  r'frame_put(&R(\1), \2, \3);', text)
    text = re.sub(r'\bfp\[(\w) \+ ([^\]]*)\]', r'frame_get(&R(\1), \2)', text)
    text = re.sub(r'\bpc->([abc])\b', lambda m: m[1].upper(), text)
    return re.sub(r'\bpc\[1\]\.a\b', 'E', text)


def aliased(text):
    """The same where a pointer to a slot has a name of its own."""
    for name, slot in re.findall(
            r'union rt_slot \*(\w+) =(?: \w == CODE_NO_SLOT \? NULL :)? '
            r'&R\((\w)\);', text):
        text = re.sub(r'union rt_slot \*%s = [^;]*;' % name, ';', text)
        text = named(text, name, slot)
    return text


def named(text, name, slot):
    """`name` is the address of the operand's first slot."""
    text = re.sub(r'\b%s\[(\d)\]' % name, lambda m: 'R(%s%s)' % (
        slot, '' if m[1] == '0' else ' + ' + m[1]), text)
    text = re.sub(r'\b%s->' % name, 'R(%s).' % slot, text)
    return re.sub(r'(?<![.>])\b%s\b' % name, '&R(%s)' % slot, text)


class Functions:
    """The functions of runtime/vm, by name: parameters and text."""

    def __init__(self, root):
        self.found = {}
        definition = re.compile(
            r'^(?:[\w ]*\bVM_OP\((\w+)\)|(\w+)\(([^;{}]*?)\))\s*\n\{(.*?)^\}',
            re.M | re.S)
        for path in sorted(glob.glob(
                os.path.join(root, 'runtime/vm/*.[ch]'))):
            with open(path, encoding='utf-8') as f:
                text = re.sub(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"', '0', f.read(),
                              flags=re.S)
            text = re.sub(r'rt_(?:un)?likely\b', '', text)
            text = re.sub(r'\brt_assert(?:_full)?\((?:[^()]|\((?:[^()]|'
                          r'\([^()]*\))*\))*\);', '', text)
            for op, name, params, body in definition.findall(text):
                if op:
                    name, params = 'vm_op_' + op, 't, fp, pc'
                names = [re.findall(r'\w+', p)[-1] for p in params.split(',')
                         if re.search(r'\w', p)]
                self.found.setdefault(name, (names, plain(body)))

    def fails(self, expr):
        """Whether what is returned says that the operation has failed."""
        return not GOES_ON.search(expr) and any(
            self.is_failure(name) for name in CALL.findall(expr))

    def is_failure(self, name):
        if name in FAILURES:
            return True
        if name not in self.found:
            return False
        returned = re.findall(r'\breturn\b([^;]*);', self.found[name][1])
        return bool(returned) and all(map(self.fails, returned))

    def inlined(self, name, args):
        """The text of a function with its arguments in place; None where it is
        not followed."""
        if name in LEAVES or name not in self.found or not re.search(
                r'\bfp\b|&R\(', ', '.join(args)):
            return None
        params, text = self.found[name]
        for param, arg in zip(params, args):
            slot = re.fullmatch(r'&R\((\w)\)', arg)
            if slot:
                text = named(text, param, slot.group(1))
            elif 'R(' in arg:
                text = re.sub(r'(?<![.>])\b%s\b' % param,
                              lambda _, a=arg: a, text)
        return text


class Ways:
    """What is read, what is written on some way, and what has been written at
    each of the places (exits) where the operation is done and goes on."""

    def __init__(self, functions, text, body=True):
        self.functions = functions
        self.text, self.pos, self.exits = aliased(plain(text)), 0, []
        self.reads, self.writes, self.fields = set(), set(), {}
        self.unknown, self.breaks, had = '', [], frozenset()
        while had is not None and not self.unknown and \
                self.text[self.pos:].strip():
            had = self.statement(had)
        if had is not None and not body:
            self.exits.append(had)

    # -- expressions

    def note(self, text, written=False):
        for operand, more, field in SLOT.findall(text):
            slot = operand, int(more or 0)
            (self.writes if written else self.reads).add(slot)
            self.fields.setdefault(slot, set()).add(field)

    def followed(self, text, had):
        """The text without its calls of functions that are followed, and what
        is written then."""
        at = 0
        while True:
            m = CALL.search(text, at)
            if m is None:
                return text, had
            end = closing(text, m.end() - 1)
            args = arguments(text[m.end():end - 1])
            body = self.functions.inlined(m.group(1), args)
            at = m.end()
            if body is not None:
                had |= self.take(body)
                text = text[:m.start()] + '0' + text[end:]
                at = m.start()

    def take(self, body):
        """Adds what a function does; what it has written where it is done."""
        sub = Ways(self.functions, body, False)
        self.merge(sub)
        return frozenset.intersection(*sub.exits) if sub.exits else frozenset()

    def merge(self, sub):
        self.unknown = self.unknown or sub.unknown
        self.reads |= sub.reads
        self.writes |= sub.writes
        for slot, fields in sub.fields.items():
            self.fields.setdefault(slot, set()).update(fields)

    def expression(self, text, had):
        text, had = self.followed(text, had)
        for m in reversed(list(ADDRESS.finditer(text))):
            does = self.handed(text, m.start())
            one = re.match(r'[^;()]*, 8\)', text[m.end():])
            slot = m.group(1), 0 if one else WHOLE
            self.fields.setdefault(slot, set())
            if does == 'u':
                self.reads.add(slot)
            elif does == 'd':
                self.writes.add(slot)
                had |= {slot, (m.group(1), ANY)}
            elif does == 'w':  # some slot of it
                self.writes.add(slot)
            else:
                self.unknown = 'an address in ' + text
            text = text[:m.start()] + '0' + text[m.end():]
        self.note(text)
        return had

    def handed(self, text, at):
        """What the function does with the argument that stands there."""
        depth, before = 0, 0
        for i in range(at - 1, -1, -1):
            depth += {')': 1, '(': -1}.get(text[i], 0)
            before += text[i] == ',' and depth == 0
            name = re.search(r'(\w+)$', text[:i])
            if depth < 0 and name is not None:
                does = LEAVES.get(name.group(1), '')
                return does[before] if before < len(does) else ''
            if depth < 0:
                depth = 0
        return ''

    # -- statements

    def condition(self, had):
        """What stands in parentheses here: what is written then, and what it
        always answers, if that is known."""
        start = self.pos = self.text.index('(', self.pos)
        self.pos = closing(self.text, start)
        text = self.text[start:self.pos]
        m = re.fullmatch(r'\( ?\w (.)= CODE_NO_SLOT ?\)', text)
        if m is not None:
            return had, m.group(1) == '!'
        return self.expression(text, had), None

    def peek(self, word):
        m = TOKEN.match(self.text, self.pos)
        return m is not None and m.group(1) == word

    def statement(self, had):
        """had: what is written so far; what is then, None: it does not go on
        behind it."""
        m = TOKEN.match(self.text, self.pos)
        if m is None:
            self.unknown = 'no statement: ' + self.text[self.pos:][:60]
            return None
        self.pos = m.end()
        word = m.group(1)
        if word == '{':
            while not self.unknown and not self.peek('}'):
                after = self.statement(had if had is not None else frozenset())
                had = after if had is not None else None
            self.pos = self.text.find('}', self.pos) + 1
            return had
        if word == 'if':
            return self.choice(*self.condition(had))
        if word in ('for', 'while'):
            had, _ = self.condition(had)
            self.breaks.append([])
            self.statement(had)
            self.breaks.pop()
            return had
        if word == 'switch':
            return self.cases(self.condition(had)[0])
        if word == 'do':
            had = self.statement(had)
            self.pos = TOKEN.match(self.text, self.pos).end()
            had, _ = self.condition(had)
            self.pos = self.text.index(';', self.pos) + 1
            return had
        return self.simple(m.group(2) or '', had)

    def cases(self, before):
        """The block of a switch."""
        self.pos = self.text.index('{', self.pos) + 1
        self.breaks.append([])
        had, every = None, False
        while not self.unknown and not self.peek('}'):
            m = LABEL.match(self.text, self.pos)
            if m is not None:
                self.pos = m.end()
                every |= m.group(1) == 'default'
                had = before if had is None else before & had
            else:
                after = self.statement(had if had is not None else frozenset())
                had = after if had is not None else None
        self.pos = self.text.find('}', self.pos) + 1
        ways = self.breaks.pop() + [had] + ([] if every else [before])
        ways = [w for w in ways if w is not None]
        return frozenset.intersection(*ways) if ways else None

    def choice(self, had, known):
        """Both ways behind an if; of one that is not taken nothing counts."""
        one, other = self.counted(had, known is not False), had
        if self.peek('else'):
            self.pos = TOKEN.match(self.text, self.pos).end()
            other = self.counted(had, known is not True)
        if known is not None:
            return one if known else other
        return one & other if None not in (one, other) else \
            other if one is None else one

    def counted(self, had, counts):
        before = (set(self.reads), set(self.writes), list(self.exits))
        after = self.statement(had)
        if not counts:
            self.reads, self.writes, self.exits = before
        return after

    def simple(self, text, had):
        if '@@GOES_ON' in text:
            text = re.sub(r'@@GOES_ON (vm_op_\w+)\(t\)',
                          r'return \1(t, fp, pc)', text)
        if '@@GOES_ON' in text:
            self.exits.append(had)
            return None
        m = re.match(r'return\b(.*);', text)
        if m is not None:
            return self.result(m.group(1).strip(), had)
        if re.match(r'(@@FAIL|goto|rt_throw)\b', text):
            return None
        if text == 'break;' and self.breaks:
            self.breaks[-1].append(had)
            return None
        m = re.match(SLOT.pattern + r' (\W?)=(?!=)', text)
        if m is None:
            return self.expression(text, had)
        if m.group(4):
            self.note(m.group(0))
        had = self.expression(text[m.end():], had)
        self.note(m.group(0), True)
        return had | {(m.group(1), int(m.group(2) or 0)), (m.group(1), ANY)}

    def result(self, expr, had):
        """A return: of what a function answers that is followed, of a failure,
        or of anything else."""
        m = CALL.match(expr)
        if m is not None and closing(expr, m.end() - 1) == len(expr):
            body = self.functions.inlined(
                m.group(1), arguments(expr[m.end():-1]))
            if body is not None:
                sub = Ways(self.functions, body, False)
                self.merge(sub)
                self.exits += [had | e for e in sub.exits]
                return None
        fails = self.functions.fails(expr)
        had = self.expression(expr, had)
        if not fails:
            self.exits.append(had)
        return None


# How a slot that holds this is used in C; '' is the slot as a whole.
AS = {'i': {'i', 'u', ''}, 'f': {'f64', 'u', ''}, 'h': {'f32', 'u', ''},
      'p': {'p', 'u', ''}, 'c': {'u', 'p', ''}, 'x': {'i', 'u', 'p', ''}}


def slots_of(column):
    """[(done, hold)] of an operand that is so many slots, and whether it is
    as many as something else says; None where it is no slots."""
    out = []
    for part in column.split('+'):
        m = re.fullmatch(r'([dumw])([123nTKV])([ifhpcx]*)', part)
        if m is None:
            return None, False
        done, many, hold = m.groups()
        if many not in '123':
            return [(done, 'x')], True
        out += [(done, hold[min(i, len(hold) - 1)]) for i in range(int(many))]
    return out, False


def operand_differs(ways, operand, column):
    """What a row says of an operand and the body does otherwise; ''.  Where a
    body names some slots, what gets the operand's address is for those."""
    slots, many = slots_of(column)
    places = {k for o, k in ways.fields if o == operand}
    if column == 'B':
        return ''  # the arguments of a call
    if slots is None:
        return '%s is no slot, but is used as one' % column if places else ''
    numbers = {k for k in places if k != WHOLE}
    if not many and numbers and max(numbers) >= len(slots):
        return '%s has no slot %d' % (column, max(numbers))
    for k, (done, hold) in enumerate(slots):
        mine = {(operand, p) for p in places} if many else {(operand, k)}
        if k in numbers or not numbers:
            mine.add((operand, WHOLE))
        read, written = bool(mine & ways.reads), bool(mine & ways.writes)
        always = all(
            ({(operand, ANY)} if many else mine) & e for e in ways.exits)
        if read != (done in 'um') or written != (done in 'dmw') or \
                done == 'd' and not always or done == 'w' and always:
            return 'slot %d of %s is %s, %s, %s' % (
                k, column, 'read' if read else 'not read',
                'written' if written else 'not written',
                'always' if always else 'not always')
        fields = set().union(*(ways.fields.get(s, set()) for s in mine))
        if not many and not fields <= AS[hold]:
            return 'slot %d of %s is used as %s' % (
                k, column, ' '.join(sorted(fields)))
    return ''

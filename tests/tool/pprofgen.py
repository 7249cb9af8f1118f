# SPDX-License-Identifier: MIT
"""Writes profiles in pprof's format, right ones and, for fuzzing, random
ones: a protobuf encoder of a few lines that shares nothing with vole."""

import gzip
import random


def varint(n):
    n &= (1 << 64) - 1
    out = bytearray()
    while n >= 0x80:
        out.append(n & 0x7f | 0x80)
        n >>= 7
    out.append(n)
    return bytes(out)


def num(field, n):
    return varint(field << 3) + varint(n) if n else b''


def blob(field, data):
    return varint(field << 3 | 2) + varint(len(data)) + data


class Profile:
    """Collects records; encode() gives the bytes."""

    def __init__(self, types, period=('', ''), packed=True):
        self.strings = {'': 0}
        self.body = b''
        self.packed = packed
        self.ntypes = len(types)
        for t, u in types:
            self.body += blob(1, self.value_type(t, u))
        self.tail = b''
        if period[0]:
            self.tail += blob(11, self.value_type(*period))

    def s(self, text):
        return self.strings.setdefault(text, len(self.strings))

    def value_type(self, t, u):
        return num(1, self.s(t)) + num(2, self.s(u))

    def mapping(self, id, start, limit, file, offset=0, build=''):
        self.body += blob(3, num(1, id) + num(2, start) + num(3, limit) +
                          num(4, offset) + num(5, self.s(file)) +
                          num(6, self.s(build)))

    def function(self, id, name, file='', start=0, system=None):
        self.body += blob(5, num(1, id) + num(2, self.s(name)) +
                          num(3, self.s(name if system is None else system)) +
                          num(4, self.s(file)) + num(5, start))

    def location(self, id, address=0, mapping=0, lines=()):
        self.body += blob(4, num(1, id) + num(2, mapping) + num(3, address) +
                          b''.join(blob(4, num(1, f) + num(2, n))
                                   for f, n in lines))

    def numbers(self, field, ns):
        if self.packed:
            return blob(field, b''.join(map(varint, ns)))
        return b''.join(varint(field << 3) + varint(n) for n in ns)

    def sample(self, locations, values, labels=()):
        x = self.numbers(1, locations) + self.numbers(2, values)
        for key, v, *unit in labels:
            if isinstance(v, str):
                x += blob(3, num(1, self.s(key)) + num(2, self.s(v)))
            else:
                x += blob(3, num(1, self.s(key)) + num(3, v) +
                          num(4, self.s(unit[0] if unit else '')))
        self.body += blob(2, x)

    def header(self, time=0, duration=0, period=0, default='', drop='',
               keep='', comments=()):
        self.tail += num(7, self.s(drop)) + num(8, self.s(keep)) + \
            num(9, time) + num(10, duration) + num(12, period) + \
            b''.join(varint(13 << 3) + varint(self.s(c)) for c in comments) + \
            num(14, self.s(default))

    def encode(self):
        return self.body + self.tail + b''.join(
            blob(6, t.encode('utf-8', 'surrogateescape'))
            for t in self.strings)

    def write(self, path, compress=True):
        data = self.encode()
        with open(path, 'wb') as f:
            f.write(gzip.compress(data, mtime=0) if compress else data)


def addresses():
    """As a C++ program's, before symbolization: mappings, no functions."""
    p = Profile([('samples', 'count'), ('cpu', 'nanoseconds')],
                ('cpu', 'nanoseconds'), packed=False)
    p.mapping(1, 0x400000, 0x500000, '/usr/bin/server', 0, 'abcdef0123')
    p.mapping(2, 0x7f0000000000, 0x7f0000100000, '/lib/libc.so.6', 0x1000)
    for i in range(1, 9):
        p.location(i, 0x401000 + 16 * i, 1)
    p.location(9, 0x7f0000001230, 2)
    p.location(10, 0xdeadbeef)
    for stack, n in (([1, 2, 3], 10), ([9, 2, 3], 7), ([10, 3], 1),
                     ([4, 5, 6, 7, 8], 3), ([9, 8], 2)):
        p.sample(stack, [n, n * 10000000])
    p.header(time=1700000000 * 10**9, duration=5 * 10**9, period=10000000)
    return p


def cplusplus():
    """Demangled names, inlining, frames to drop."""
    p = Profile([('objects', 'count'), ('space', 'bytes')],
                ('space', 'bytes'))
    p.mapping(1, 0x1000, 0x9000, '/opt/app')
    names = ['main', 'ns::Vec<int, std::less<int>>::push(int const&)',
             'operator new(unsigned long)', 'tc_malloc',
             '(anonymous namespace)::helper(char const*)', 'run()']
    for i, n in enumerate(names, 1):
        p.function(i, n, '/src/app/./f%d.cc' % (i // 2), 10 * i)
    p.location(1, 0x1100, 1, [(4, 41)])
    p.location(2, 0x1200, 1, [(3, 33), (2, 25)])
    p.location(3, 0x1300, 1, [(5, 52), (6, 61)])
    p.location(4, 0x1400, 1, [(1, 12)])
    p.sample([1, 2, 3, 4], [10, 10240], [('bytes', 1024, 'bytes')])
    p.sample([1, 3, 4], [1, 1 << 20], [('bytes', 1 << 20, 'bytes')])
    p.sample([2, 4], [3, 300], [('request', 'GET'), ('user', 'anna')])
    p.sample([4], [5, 77])
    p.header(drop=r'tc_malloc|operator new', default='space',
             comments=['built by hand', '#hidden'])
    return p


UNITS = [('bytes', 'bytes'), ('cpu', 'nanoseconds'), ('wall', 'milliseconds'),
         ('n', 'count'), ('odd', 'parsecs'), ('t', 'microseconds')]
PARTS = ['main.', 'net/http.(*conn).', 'a::b::', 'runtime.', '']


def rand(seed):
    """A random valid profile, the kind that finds differences: recursion,
    inlining, missing names, negative and huge values."""
    r = random.Random(seed)
    types = r.sample(UNITS, r.randint(1, 3))
    p = Profile(types, types[-1], packed=r.random() < .5)
    nmap, nfun, nloc = r.randint(0, 3), r.randint(1, 12), r.randint(1, 25)
    for i in range(1, nmap + 1):
        p.mapping(i * 3, i << 20, (i << 20) + 0x8000,
                  r.choice(['/bin/prog', 'lib%d.so' % i, '']),
                  build=r.choice(['', 'b%d' % i]))
    for i in range(1, nfun + 1):
        p.function(i * 7, r.choice(PARTS) + r.choice('fghijk') +
                   r.choice(['', '<int>', '(int)', '[go.shape.int]']),
                   r.choice(['', 'x.go', '/src/./y.go', '../z//w.c']),
                   r.choice([0, 3 * i]))
    for i in range(1, nloc + 1):
        n = r.choice([0, 1, 1, 1, 2, 3])
        p.location(i * 5, r.randrange(1 << 24),
                   3 * r.randint(0, nmap),
                   [(7 * r.randint(1, nfun), r.randint(0, 60))
                    for _ in range(n)])
    scale = r.choice([1, 1000, 10**6])
    for _ in range(r.randint(0, 60)):
        stack = [5 * r.randint(1, nloc) for _ in range(r.randint(0, 9))]
        p.sample(stack, [r.choice([0, 1, r.randrange(1000 * scale),
                                   r.randrange(1000)])
                         for _ in types],
                 [('k', r.choice(['a', 'b', 'c']))] * r.randint(0, 1) +
                 [('bytes', r.randrange(1 << 20))] * r.randint(0, 1))
    p.header(time=r.choice([0, 10**18]), duration=r.choice([0, 3 * 10**9]),
             default=r.choice(['', types[0][0]]),
             drop=r.choice(['', '', r'main\.f.*']))
    return p

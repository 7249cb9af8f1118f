# SPDX-License-Identifier: MIT
"""Reads profiles as their format says (profile.proto), for comparison with what
vole's own reader says of them."""

import gzip


def varint(b, i):
    v = shift = 0
    while True:
        c = b[i]
        i += 1
        v |= (c & 0x7f) << shift
        shift += 7
        if c < 0x80:
            return v, i


def fields(b):
    """Yields (number, value) of a message; numbers as int, the rest bytes."""
    i = 0
    while i < len(b):
        key, i = varint(b, i)
        if key & 7 == 0:
            v, i = varint(b, i)
        elif key & 7 == 2:
            n, i = varint(b, i)
            v = b[i:i + n]
            i += n
        else:
            raise ValueError('wire type %d' % (key & 7))
        yield key >> 3, v


def numbers(v):
    if isinstance(v, int):
        return [v]
    out, i = [], 0
    while i < len(v):
        x, i = varint(v, i)
        out.append(x)
    return out


def signed(x):
    return x - (1 << 64) if x >= 1 << 63 else x


class Profile:
    """types: [(type, unit)]; samples: [(stack, values, labels)] where a stack
    is a list of (function, file, line), leaf first."""

    def __init__(self, data):
        b = gzip.decompress(data)
        top = list(fields(b))
        strs = [v.decode() for n, v in top if n == 6]
        self.period = next((v for n, v in top if n == 12), 0)
        self.duration = next((v for n, v in top if n == 10), 0)
        self.default = strs[next((v for n, v in top if n == 14), 0)]
        self.types = []
        funcs, locs = {}, {}
        for n, v in top:
            if n == 1:
                d = dict(fields(v))
                self.types.append((strs[d.get(1, 0)], strs[d.get(2, 0)]))
            elif n == 5:
                d = dict(fields(v))
                funcs[d[1]] = (strs[d.get(2, 0)], strs[d.get(4, 0)])
        for n, v in top:
            if n == 4:
                f = list(fields(v))
                d = dict(x for x in f if x[0] != 4)
                lines = [dict(fields(x)) for k, x in f if k == 4]
                locs[d[1]] = [funcs[x[1]] + (x.get(2, 0),) for x in lines]
        self.samples = []
        for n, v in top:
            if n != 2:
                continue
            stack, values, labels = [], [], {}
            for k, x in fields(v):
                if k == 1:
                    for loc in numbers(x):
                        stack += locs[loc]
                elif k == 2:
                    values += [signed(y) for y in numbers(x)]
                elif k == 3:
                    d = dict(fields(x))
                    labels[strs[d[1]]] = strs[d[2]] if 2 in d else d.get(3, 0)
            if len(values) != len(self.types):
                raise ValueError('%d values, %d types' % (
                    len(values), len(self.types)))
            self.samples.append((stack, values, labels))

    def total(self, i=0):
        return sum(v[i] for _, v, _ in self.samples)

    def by(self, what, i):
        """Sum of value i of the samples for whose stack what() is true."""
        return sum(v[i] for s, v, _ in self.samples if what(s))

    def leaf(self, fn, i):
        return self.by(lambda s: bool(s) and s[0][0] == fn, i)

    def cum(self, fn, i):
        return self.by(lambda s: any(f[0] == fn for f in s), i)

# SPDX-License-Identifier: MIT
"""Reads protocol buffers without a schema, and profiles with one."""
import gzip


def fields(data):
    """Yields (number, value): an int, or bytes."""
    i = 0

    def varint():
        nonlocal i
        v = shift = 0
        while True:
            b = data[i]
            i += 1
            v |= (b & 0x7f) << shift
            shift += 7
            if b < 0x80:
                return v

    while i < len(data):
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint()
        elif key & 7 == 2:
            n = varint()
            if i + n > len(data):
                raise ValueError("field runs over the end")
            yield key >> 3, data[i:i + n]
            i += n
        elif key & 7 == 1:
            yield key >> 3, int.from_bytes(data[i:i + 8], "little")
            i += 8
        else:
            raise ValueError("wire type %d" % (key & 7))


def numbers(value):
    if isinstance(value, int):
        return [value]
    out, v, shift = [], 0, 0
    for b in value:
        v |= (b & 0x7f) << shift
        shift += 7
        if b < 0x80:
            out.append(v)
            v = shift = 0
    return out


class Profile:
    """types: [(type, unit)]; samples: {((address, function, line), ..):
    [values]}, equal stacks added up."""

    def __init__(self, data):
        if data[:2] == b"\x1f\x8b":
            data = gzip.decompress(data)
        self.strings, types, samples, self.period = [], [], [], 0
        locs, funcs = {}, {}
        for no, v in fields(data):
            if no == 1:
                types.append(dict(fields(v)))
            elif no == 2:
                pcs, values = [], []
                for k, x in fields(v):
                    if k == 1:
                        pcs += numbers(x)
                    elif k == 2:
                        values += numbers(x)
                samples.append((pcs, values))
            elif no == 4:
                loc = dict(fields(v))
                locs[loc[1]] = (loc.get(3, 0), dict(fields(loc.get(4, b""))))
            elif no == 5:
                f = dict(fields(v))
                funcs[f[1]] = f
            elif no == 6:
                self.strings.append(v.decode())
            elif no == 12:
                self.period = v
        self.types = [(self.strings[t.get(1, 0)], self.strings[t.get(2, 0)])
                      for t in types]
        self.samples = {}
        for pcs, values in samples:
            key = []
            for pc in pcs:
                addr, line = locs[pc]
                f = funcs.get(line.get(1), {})
                key.append((addr, self.strings[f.get(2, 0)],
                            line.get(2, 0)))
            old = self.samples.setdefault(tuple(key), [0] * len(values))
            for i, v in enumerate(values):
                old[i] += v

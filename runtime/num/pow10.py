#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the table of powers of ten that floats are converted by.

usage: pow10.py OUT.c

Row q - NUM_POW10_LOW of num_pow10 holds the 128 most significant bits of 10^q,
rounded down: floor(10^q * 2^(127 - floor(log2(10^q)))), high word first.  The
bounds are those of runtime/num/decimal.h.
"""
import sys

LOW, HIGH = -343, 341


def floor_log2(q):
    """floor(log2(10^q)), exactly."""
    if q >= 0:
        return (10 ** q).bit_length() - 1
    return -(10 ** -q).bit_length()


def power(q):
    """The 128 most significant bits of 10^q."""
    shift = 127 - floor_log2(q)
    if q < 0:
        bits = (1 << shift) // 10 ** -q
    elif shift >= 0:
        bits = 10 ** q << shift
    else:
        bits = 10 ** q >> -shift
    assert bits.bit_length() == 128
    return bits


def check_logarithms():
    """The multiplications that decimal.c takes for logarithms are exact."""
    for q in range(LOW, HIGH + 1):
        assert q * 1741647 >> 19 == floor_log2(q), q
    for e in range(-1100, 1100):
        # 2^e and 3/4 * 2^e as fractions; 10^k <= x < 10^(k+1).
        for num, k in ((4, e * 1262611 >> 22),
                       (3, e * 1262611 - 524031 >> 22)):
            num, den = num << max(e, 0), 4 << max(-e, 0)
            assert 10 ** max(k, 0) * den <= num * 10 ** max(-k, 0), e
            k += 1
            assert 10 ** max(k, 0) * den > num * 10 ** max(-k, 0), e


def main():
    """Writes the table."""
    check_logarithms()
    mask = (1 << 64) - 1
    with open(sys.argv[1], "w", encoding="ascii") as out:
        out.write('/* Made by runtime/num/pow10.py. */\n'
                  '#include "runtime/num/decimal.h"\n\n'
                  f'static_assert(NUM_POW10_LOW == {LOW} && '
                  f'NUM_POW10_HIGH == {HIGH}, "the same bounds");\n\n'
                  'const uint64_t num_pow10[][2] = {\n')
        for q in range(LOW, HIGH + 1):
            bits = power(q)
            out.write(f"    {{0x{bits >> 64:016x}, 0x{bits & mask:016x}}}, "
                      f"/* 1e{q} */\n")
        out.write("};\n")


main()

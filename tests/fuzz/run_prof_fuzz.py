#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Feeds `vole prof` with damaged profiles.

The profiles of tests/data/profile and random ones are changed at random
places, bytes, runs and whole fields, before or after compression, and given
to one of the commands.  Whatever the damage, it must end in time with status
0 or 1, and with 1 it must say why in one line.  The seed is printed; --seed
replays it, --keep keeps the profiles that failed.
"""

import argparse
import glob
import gzip
import os
import random
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), 'tool'))
import common  # noqa: E402
import pprofgen  # noqa: E402

DATA = os.path.join(common.ROOT, 'tests', 'data', 'profile')
COMMANDS = [['top'], ['top', '-lines', '-cum'], ['tree'], ['top', '-files'],
            ['top', '-json', '-addresses'], ['tree', '-json'],
            ['list', '.'], ['list', '-json', 'main'], ['flame'],
            ['flame', '-json'], ['top', '-focus=main', '-hide=r'],
            ['top', '-tagfocus=1kb:', '-show_from=m'],
            ['tree', '-diff_base'], ['top', '-base'], ['flame', '-diff']]
NUMBERS = [0, 1, 2, 127, 128, 255, 2**31, 2**32 - 1, 2**32, 2**63 - 1, 2**63,
           2**64 - 1]


def mutate(rng, data):
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 1, 1, 2, 4, 16])):
        i = rng.randrange(len(data) + 1)
        how = max(0, rng.randrange(-6, 8))
        if how == 0 and i < len(data):
            data[i] ^= 1 << rng.randrange(8)
        elif how == 1 and i < len(data):
            data[i] = rng.choice([0, 1, 0x7f, 0x80, 0xff,
                                  rng.randrange(256)])
        elif how == 2:
            del data[i:i + rng.randrange(1, 20)]
        elif how == 3:
            data[i:i] = bytes(rng.randrange(256)
                              for _ in range(rng.randrange(1, 12)))
        elif how == 4:
            data[i:i + rng.randrange(3)] = pprofgen.varint(
                rng.choice(NUMBERS))
        elif how == 5:
            j = rng.randrange(len(data) + 1)
            data[i:i] = data[j:j + rng.randrange(60)]
        elif how == 6:
            # A field of the top level: sizes of bodies are right.
            body = bytes(rng.choice([8, 16, 24, 32, 10, 18, 34, 1, 2, 200])
                         for _ in range(rng.randrange(9)))
            data += pprofgen.blob(rng.randrange(1, 17), body)
        elif rng.random() < .2:
            del data[i:]
        if not data:
            break
    return bytes(data)


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    ap.add_argument('--vole', default=common.built('vole'))
    ap.add_argument('--seed', type=int,
                    default=random.SystemRandom().randrange(1 << 30))
    ap.add_argument('-n', type=int, default=500)
    ap.add_argument('--keep', action='store_true')
    opt = ap.parse_args()
    print('seed %d' % opt.seed)
    plain = []
    for path in sorted(glob.glob(DATA + '/*.pb*')):
        with open(path, 'rb') as f:
            data = f.read()
        plain.append(gzip.decompress(data) if data[:2] == b'\x1f\x8b'
                     else data)
    tmp = tempfile.mkdtemp(prefix='vole-prof-fuzz-')
    base = os.path.join(tmp, 'base')
    good = bad = accepted = 0
    for i in range(opt.n):
        rng = random.Random(opt.seed * 1000003 + i)
        data = rng.choice(plain) if rng.random() < .6 else \
            pprofgen.rand(rng.randrange(10**6)).encode()
        cmd = list(rng.choice(COMMANDS))
        if cmd[-1].startswith('-') and cmd[-1][1:] in ('base', 'diff_base',
                                                       'diff'):
            with open(base, 'wb') as f:
                f.write(data if rng.random() < .5 else mutate(rng, data))
            cmd.append(base)
        if rng.random() < .15:
            data = mutate(rng, gzip.compress(data))
        else:
            data = mutate(rng, data)
        path = os.path.join(tmp, '%d.pb' % i)
        with open(path, 'wb') as f:
            f.write(data)
        r = common.run([opt.vole, 'prof'] + cmd + [path], timeout=60)
        why = r.trouble()
        if not why and r.status not in (0, 1):
            why = 'status %s' % r.status
        lines = [x for x in r.err.splitlines() if 'matched no' not in x]
        if not why and r.status == 1 and len(lines) != 1:
            why = 'says %r' % r.err
        accepted += r.status == 0
        if why:
            bad += 1
            print('FAIL case %d (%s): %s' % (i, ' '.join(cmd), why))
            if opt.keep:
                print('   kept', path)
                continue
        good += not why
        os.unlink(path)
    if not opt.keep:
        shutil.rmtree(tmp)
    print('%d of them were still profiles' % accepted)
    common.summary(good, bad, 0)
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())

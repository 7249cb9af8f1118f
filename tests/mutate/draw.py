# SPDX-License-Identifier: MIT
"""Which mutants a seed draws.

A draw is over all sites of the tree, so every changed source would give
another.  draw1.txt therefore keeps what seed 1 drew, once and for all: each
mutant by its function and what it makes of which line.  It is found again
wherever that stands now, and has the same number; where the line is gone, the
mutant is, and the number stays free.  After those that are kept, and for
every other seed, comes a draw over the tree as it is.
"""

import collections
import os
import random

import sites

HERE = os.path.dirname(os.path.abspath(__file__))
HEAD = '''\
# What a seed drew (draw.py): number, file, function, kind, which of those that
# look alike, the line, and what becomes of it; between them, tabulators.
'''


def names(found, source):
    """The sites by what says which they are, wherever they stand."""
    by_name, seen = {}, collections.Counter()
    for site in found:
        alike = (site.path, site.function, site.kind,
                 *site.shown(source(site.path)))
        site.name = (*alike[:3], str(seen[alike]), *alike[3:])
        seen[alike] += 1
        by_name[site.name] = site
    return by_name


def kept(seed):
    path = os.path.join(HERE, 'draw%d.txt' % seed)
    if not os.path.exists(path):
        return []
    with open(path, encoding='utf-8') as f:
        rows = [line.rstrip('\n').split('\t') for line in f
                if not line.startswith('#')]
    return [(int(row[0]), tuple(row[1:])) for row in rows]


def keep(seed, numbered):
    """Writes down a draw, for good."""
    path = os.path.join(HERE, 'draw%d.txt' % seed)
    with open(path, 'w', encoding='utf-8') as f:
        f.write(HEAD)
        for number, site in numbered:
            f.write('\t'.join((str(number), *site.name)) + '\n')


def draw(root, seed, folders, source):
    """(number, Site) of every mutant there is, in the order of the draw."""
    found = sites.all_sites(root, folders)
    by_name = names(found, source)
    first = [(n, by_name.pop(name)) for n, name in kept(seed)
             if name in by_name]
    rest = [s for s in found if s.name in by_name]
    random.Random(seed).shuffle(rest)
    last = max((n for n, _ in kept(seed)), default=0)
    return first + list(enumerate(rest, last + 1))

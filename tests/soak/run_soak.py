#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compilation, collections, preemption and growing stacks at random, for a
time: soak.go with one seed after another.

What it prints depends on its seed alone.  It is run as machine code from the
first call on or when it is hot, with registers and exits limited, collections
forced, one to four threads, all drawn from the seed, and has to print what
the interpreter prints.  What a failed run printed is kept in soak-SEED.log.

Usage: run_soak.py [--minutes N] [--seed N] [--keep DIR] [--vole CMD]
"""

import argparse
import os
import random
import shlex
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import common  # noqa: E402

PROGRAM = os.path.join(HERE, 'soak.go')
LIMIT = 1800  # seconds of one run: then it hangs
ENOUGH = 20   # failures: then something is wrong with all of them


def draw(seed):
    """The mode, variables of VOLEDEBUG, and the environment of a run."""
    r = random.Random(seed)
    debug = ['gcverify=1'] if r.random() < .3 else []
    if r.random() < .5:
        debug.append('gcstress=%d' % r.choice([97, 331, 1009, 5003]))
    if r.random() < .4:
        debug.append('jitexit=%d' % r.choice([3, 17, 101]))
    if r.random() < .3:
        debug.append('jitregs=%d' % r.choice([1, 2, 5]))
    if r.random() < .1:
        debug.append('jitmemory=1')
    if r.random() < .3:
        debug.append('jitlater=1')
    env = {'GOMAXPROCS': str(r.randint(1, 4)),
           'GOGC': str(r.choice([5, 20, 100, 400]))}
    return r.choice(['on', 'stress']), debug, env


def run(command, mode, debug, env, args):
    """The status, and all that was printed."""
    env = dict(os.environ, VOLEDEBUG=','.join(debug), **env)
    try:
        done = subprocess.run(
            shlex.split(command) + ['-jit=' + mode, PROGRAM] + args, env=env,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LIMIT,
            check=False)
    except subprocess.TimeoutExpired as e:
        return 'hangs', e.output or b''
    return done.returncode, done.stdout


def main():
    p = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    p.add_argument('--minutes', type=float, default=60)
    p.add_argument('--seed', type=int, default=1)
    p.add_argument('--keep', default='.', metavar='DIR')
    p.add_argument('--vole', default=common.ROOT + '/build/cmd/vole/vole run')
    a = p.parse_args()
    end = time.monotonic() + 60 * a.minutes
    seed, passed, failed = a.seed, 0, 0
    while failed < ENOUGH and (
            passed + failed == 0 or time.monotonic() < end):
        args = [str(seed), '12', '40']
        mode, debug, env = draw(seed)
        want = run(a.vole, 'off', [], {}, args)
        got = run(a.vole, mode, debug, env, args)
        if want == got and got[0] == 0:
            passed += 1
        else:
            failed += 1
            log = os.path.join(a.keep, 'soak-%d.log' % seed)
            with open(log, 'wb') as f:
                f.write(want[1] + b'---\n' + got[1])
            print('seed %d: -jit=%s VOLEDEBUG=%s %s: status %s, %s without;'
                  ' see %s' % (seed, mode, ','.join(debug), env, got[0],
                               want[0], log), flush=True)
        seed += 1
    print('seeds up to %d' % (seed - 1))
    print('%d passed, %d failed, 0 skipped' % (passed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The manners of `vole prof`: messages, exit status, pipes, hostile files,
and its flame graph in a browser, if chromium is installed.

usage: prof_test.py [--vole VOLE]
"""

import argparse
import gzip
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
sys.path.insert(0, HERE)
import common  # noqa: E402
import pprofgen  # noqa: E402

DATA = os.path.join(common.ROOT, 'tests', 'data', 'profile')
CPU1 = os.path.join(DATA, 'cpu1.pb.gz')
CPU2 = os.path.join(DATA, 'cpu2.pb.gz')
HEAP = os.path.join(DATA, 'heap2.pb.gz')

failures = []
count = {'passed': 0, 'skipped': 0}
VOLE = None


def check(ok, what, detail=''):
    if ok:
        count['passed'] += 1
    else:
        print('FAIL', what, detail)
        failures.append(what)


def run(*args, stdin=b'', cwd=None, **env):
    r = common.run([VOLE, 'prof', *args], timeout=120, stdin=stdin, cwd=cwd,
                   env={'LC_ALL': 'C.UTF-8', **env})
    check(not r.trouble(), 'prof ' + ' '.join(args), r.trouble())
    return r


def expect(args, status, err='', out=(), **kw):
    r = run(*args, **kw)
    name = 'prof ' + ' '.join(args)
    check(r.status == status, name, 'status %s: %s' % (r.status, r.err[:300]))
    if err:
        check(err in r.err, name, 'stderr %r lacks %r' % (r.err, err))
    elif status == 0:
        check(r.err == '', name, 'stderr %r' % r.err)
    for want in out:
        check(want in r.out, name, 'stdout lacks %r: %s' % (want,
                                                            r.out[:500]))
    return r.out


def usage():
    expect([], 2, 'top, tree, list or flame?')
    expect(['frob', CPU1], 2, 'unknown command "frob"')
    expect(['top'], 2, 'no profile given')
    expect(['list'], 2, 'list needs a regular expression')
    expect(['list', 'x'], 2, 'no profile given')
    expect(['top', '-frob', CPU1], 2, 'unknown flag -frob')
    expect(['top', '-nodecount', 'x', CPU1], 2, 'invalid value "x"')
    expect(['top', '-nodefraction=', CPU1], 2, 'invalid value ""')
    expect(['top', '-divide_by=0', CPU1], 2, '-divide_by')
    expect(['top', '-sort=x', CPU1], 2, '-sort is flat or cum')
    expect(['top', '-granularity=x', CPU1], 2, 'unknown -granularity')
    expect(['top', '-base', CPU1, '-diff', CPU1, CPU1], 2, 'only one of')
    for args in (['-h'], ['help'], ['top', '-h']):
        expect(args, 0, out=['Usage: vole prof top', 'Exit status',
                             '-diff_base', 'Examples:'])


def messages():
    expect(['top', '/nonexistent'], 1,
           '/nonexistent: No such file or directory')
    expect(['top', '-'], 1, '-: the profile is empty')
    expect(['top', DATA], 1, 'Is a directory')
    expect(['top', '-focus=(', CPU1], 1, 'missing closing )')
    expect(['top', '-focus=a\\p{L}', CPU1], 1, 'not supported')
    expect(['top', '-sample_index=frob', CPU1], 1,
           'no sample type "frob"; there are: samples, cpu')
    expect(['top', '-sample_index=2', CPU1], 1, 'no sample type "2"')
    expect(['top', '-base', HEAP, CPU1], 1, 'profiles of different kinds')
    expect(['list', 'no_such_function', CPU1], 1,
           'no matches found for regexp')
    expect(['top', '-'], 1, 'debug=0', stdin=b'goroutine profile: total 3\n')
    expect(['top', '-'], 1, 'execution trace', stdin=b'go 1.22 trace\0\0\0')
    expect(['top', '-'], 1, 'HTML', stdin=b'<html>')
    expect(['top', '-'], 1, 'not a profile', stdin=b'{"a":1}')
    r = run('top', '-focus=nothing_like_it', CPU1)
    check(r.status == 0 and '-focus matched no samples' in r.err, 'no match',
          r.err)


def manners():
    with open(CPU1, 'rb') as f:
        data = f.read()
    same = run('top', CPU1).out
    check(run('top', '-', stdin=data).out == same, 'standard input')
    check(run('top', '-', stdin=gzip.decompress(data)).out == same,
          'not compressed')
    half = len(data) // 2
    raw = gzip.decompress(data)
    parts = gzip.compress(raw[:half]) + gzip.compress(raw[half:])
    check(run('top', '-', stdin=parts).out == same, 'two gzip members')
    check(run('top', CPU1, '-cum').out == run('top', '-cum', CPU1).out,
          'flags behind the file')
    check('\x1b' not in same, 'colour in a pipe')
    r = subprocess.run([VOLE, 'prof', 'tree', CPU1], stdout=open('/dev/full',
                       'w'), stderr=subprocess.PIPE, timeout=60)
    check(r.returncode == 1 and b'No space left' in r.stderr, '/dev/full',
          (r.returncode, r.stderr))
    p = subprocess.Popen('%s prof tree -trim=false %s | head -1' % (VOLE,
                         CPU1), shell=True, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE)
    out, err = p.communicate(timeout=60)
    check(err == b'' and out.count(b'\n') == 1, 'broken pipe', err)
    terminal()


def terminal():
    """Colour there, and the page of a flame graph goes to a file."""
    import pty
    with tempfile.TemporaryDirectory() as tmp:
        for args in (['top', CPU1], ['flame', CPU1]):
            try:
                master, slave = pty.openpty()
            except OSError as e:
                print('skipped: a terminal: %s (is /dev/pts mounted?)' % e)
                return
            p = subprocess.Popen([VOLE, 'prof', *args], stdout=slave,
                                 stderr=subprocess.PIPE, cwd=tmp,
                                 env=dict(os.environ, TERM='xterm',
                                          NO_COLOR=''))
            os.close(slave)
            got = b''
            try:
                while True:
                    got += os.read(master, 65536)
            except OSError:
                pass
            err = p.communicate(timeout=60)[1]
            os.close(master)
            if args[0] == 'top':
                check(b'\x1b[' in got, 'colour on a terminal')
            else:
                check(got == b'' and b'wrote cpu1.pb.gz.html' in err and
                      os.path.exists(tmp + '/cpu1.pb.gz.html'),
                      'flame at a terminal', (got[:80], err))


def hostile():
    """Files that are wrong in one way each, and bombs."""
    with tempfile.TemporaryDirectory() as tmp:
        bomb = os.path.join(tmp, 'bomb.gz')
        z = zlib.compressobj(9, zlib.DEFLATED, 31)
        with open(bomb, 'wb') as f:
            chunk = b'\0' * (1 << 24)
            for _ in range(70):
                f.write(z.compress(chunk))
            f.write(z.flush())
        r = run('top', bomb)
        check(r.status == 1 and 'unpacks to more than 1024 MiB' in r.err,
              'gunzip bomb', r.err)
    good = pprofgen.cplusplus().encode()
    table = [
        (good[:-3], 'reaches beyond'), (b'\xff' * 40, 'a number is too long'),
        (good + b'\x0f', 'wire type'), (good + b'\x80', 'cut short'),
        (good.replace(b'\x32\x00', b'\x32\x01x', 1), 'first string'),
        (good + b'\x22\x02\x08\x01', 'two locations with one id'),
        (good + b'\x22\x00', 'location with id 0'),
        (good + b'\x2a\x00', 'function with id 0'),
        (good + b'\x1a\x02\x08\x01', 'two mappings with one id'),
        (good + b'\x12\x03\x0a\x01\x63', 'at no location'),
        (good + b'\x12\x04\x12\x02\x01\x01', ''),
        (good + b'\x12\x05\x12\x03\x01\x01\x01', 'more values'),
        (good + b'\x12\x03\x12\x01\x01', 'fewer values'),
        (good + b'\x22\x06\x08\x63\x22\x02\x08\x63', 'of no function'),
        (good + b'\x2a\x04\x08\x63\x10\x63', 'string table'),
        (good + b'\x48\x01\x48\x01', 'several profiles'),
        (b'\x12\x00\x32\x00', 'without a sample type'),
        (b'\x48\x01', 'no string table'),
        (gzip.compress(good)[:-9], 'ends early'),
        (gzip.compress(good) + b'junk', 'gzip data'),
        (gzip.compress(good)[:30] + b'\0' * 50, 'gzip data'),
    ]
    for data, want in table:
        r = run('top', '-', stdin=data)
        check(r.status == (1 if want else 0) and want in r.err,
              'hostile: ' + want, (r.status, r.err))
        check(r.err.count('\n') == (1 if want else 0), 'one line', r.err)
    # A name full of escape sequences reaches no terminal and no page.
    p = pprofgen.Profile([('n', 'count')])
    evil = '\x1b]0;owned\x07</script><img src=x onerror=alert(1)>\u009b31m'
    p.function(1, evil, '/etc/\x1b[2J')
    p.location(1, 0, 0, [(1, 1)])
    p.sample([1], [1])
    out = run('top', '-', stdin=p.encode()).out
    check('\x1b' not in out and '\u009b' not in out and '\\x1b' in out,
          'escapes', repr(out))
    page = run('flame', '-', stdin=p.encode()).out
    check('<img' not in page and '</script><' not in page, 'page injection')
    json.loads(run('top', '-json', '-', stdin=p.encode()).out)
    # The profile's own regular expressions are somebody else's, too.
    for drop in ('(' * 5000, '((a{100}){100}){100}', '(a*)*b', '\\1', '['):
        p = pprofgen.Profile([('n', 'count')])
        p.function(1, 'a' * 3000)
        p.location(1, 0, 0, [(1, 1)])
        p.sample([1, 1], [1])
        p.header(drop=drop)
        r = run('top', '-compact_labels', '-', stdin=p.encode())
        check(r.status == 0 and r.seconds < 20, 'drop_frames ' + drop[:20],
              (r.status, r.err))


def listing():
    with tempfile.TemporaryDirectory() as tmp:
        src = os.path.join(tmp, 'x.go')
        with open(src, 'w') as f:
            f.write('\n'.join('line %d\x1b[31m' % i for i in range(1, 31)))
        p = pprofgen.Profile([('n', 'count')])
        p.function(1, 'main.f', src, 10)
        p.function(2, 'main.g', '/gone/y.go', 3)
        p.location(1, 0, 0, [(1, 12)])
        p.location(2, 0, 0, [(2, 7), (1, 14)])
        p.sample([1], [3])
        p.sample([2], [4])
        out = expect(['list', 'main', '-'], 0, stdin=p.encode())
        lines = out.splitlines()
        check(lines[0] == 'Total: 7' and any(
            x == '         3          3     12:line 12\\x1b[31m'
            for x in lines) and any(
            x == '         .          4     14:line 14\\x1b[31m'
            for x in lines), 'list', out)
        check('main.g in /gone/y.go' in out and ' Error: open /gone/y.go: '
              'no such file or directory\n         4          4      7:\n'
              in out, 'missing source', out)
        check(' 9:line' not in out and '10:line 10' in out and
              '19:line 19' in out and '20:line' not in out, 'extent', out)
        data = json.loads(run('list', '-json', 'main.f', '-',
                              stdin=p.encode()).out)
        rows = {x['line']: x for x in data['functions'][0]['lines']}
        check(rows[12]['flat'] == 3 and rows[14]['cum'] == 4 and
              rows[14]['flat'] == 0, 'list -json')
        # Found below a folder, though built elsewhere.
        os.makedirs(tmp + '/proj/sub')
        shutil.copy(src, tmp + '/proj/sub/z.go')
        p = pprofgen.Profile([('n', 'count')])
        p.function(1, 'main.f', '/build/proj/sub/z.go', 10)
        p.location(1, 0, 0, [(1, 12)])
        p.sample([1], [3])
        expect(['list', 'main', '-'], 0, out=['12:line 12'],
               stdin=p.encode(), cwd=tmp + '/proj')
        expect(['list', 'main', '-', '-source_path', tmp + '/proj'], 0,
               out=['12:line 12'], stdin=p.encode())


def flame_data(*args):
    return json.loads(run('flame', '-json', *args).out)


def flame():
    d = flame_data(CPU1)
    t = json.loads(run('top', '-json', '-trim=false', CPU1).out)
    k = d['shown']
    n = len(d['parent'])
    check(d['types'][k]['type'] == 'cpu' and
          d['cum'][k][0] == t['total'] == sum(d['self'][k]), 'flame total')
    check(all(d['parent'][i] < i for i in range(n)), 'parents come first')
    flat = {}
    for i in range(1, n):
        name = d['names'][d['frame'][i]]
        flat[name] = flat.get(name, 0) + d['self'][k][i]
    check({x['name']: x['flat'] for x in t['nodes'] if x['flat']} ==
          {a: b for a, b in flat.items() if b}, 'flame self = top flat')
    kids = [0] * n
    for i in range(1, n):
        kids[d['parent'][i]] += d['cum'][k][i]
    check(all(d['cum'][k][i] == d['self'][k][i] + kids[i] for i in range(n)),
          'cum = self + children')
    d = flame_data('-diff', CPU1, CPU2)
    a, b = flame_data(CPU1), flame_data(CPU2)
    check(d['compared'] and d['cum'][1][0] == b['cum'][1][0] and
          d['oldCum'][1][0] == a['cum'][1][0], 'both sides of a comparison')
    # Many small frames: the largest are kept.
    p = pprofgen.Profile([('n', 'count')])
    for i in range(1, 70002):
        p.function(i, 'f%d' % i)
        p.location(i, 0, 0, [(i, 0)])
        p.sample([i], [i])
    d = json.loads(run('flame', '-json', '-', stdin=p.encode()).out)
    check(d['dropped'] > 10000 and len(d['parent']) > 59000 and
          d['cum'][0][0] == 70001 * 70002 // 2 and
          'f70001' in d['names'] and 'f1' not in d['names'], 'limit',
          (d['dropped'], len(d['parent'])))
    # A deep stack must not be a deep recursion.
    p = pprofgen.Profile([('n', 'count')])
    p.function(1, 'deep')
    p.location(1, 0, 0, [(1, 0)])
    p.sample([1] * 200000, [1])
    d = json.loads(run('flame', '-json', '-', stdin=p.encode()).out)
    check(d['cum'][0][0] == 1, 'deep')


class Browser:
    def __init__(self, tmp):
        self.tmp = tmp
        self.exe = shutil.which('chromium') or shutil.which(
            'chromium-browser') or shutil.which('google-chrome')

    def dom(self, path, fragment=''):
        r = subprocess.run(
            [self.exe, '--headless', '--no-sandbox', '--disable-gpu',
             '--no-first-run', '--disable-background-networking',
             '--user-data-dir=' + os.path.join(self.tmp, 'user'),
             '--window-size=1200,800', '--virtual-time-budget=3000',
             '--dump-dom', 'file://' + path + '#' + fragment],
            capture_output=True, timeout=120)
        return r.stdout.decode(errors='replace')


def frames(dom):
    """[(class, style, text)] of the frames on the page."""
    return [(c, s, html.unescape(t)) for c, s, t in re.findall(
        r'<div class="(f[^"]*)" data-i[^>]* style="([^"]*)">([^<]*)</div>',
        dom)]


def wide(style):
    return float(re.search(r'width: ([\d.]+)px', style).group(1))


def state(dom):
    s = re.search(r'<div id="status"[^>]*>(.*?)</div>', dom, re.S)
    return html.unescape(re.sub(r'<[^>]*>', '', s.group(1))) if s else ''


def browser():
    with tempfile.TemporaryDirectory() as tmp:
        b = Browser(tmp)
        if not b.exe:
            count['skipped'] += 1
            return
        page = os.path.join(tmp, 'p.html')
        r = run('flame', '-o', page, CPU1)
        check(r.status == 0 and r.out == '', 'flame -o')
        text = open(page).read()
        check(not re.search(r'(src|href)\s*=|https?://|@import|url\(', text),
              'the page asks for nothing')
        total = flame_data(CPU1)['cum'][1][0]
        dom = b.dom(page)
        if 'id="graph"' not in dom:
            count['skipped'] += 1
            print('chromium does not run here')
            return
        all_frames = frames(dom)
        names = [t for _, _, t in all_frames]
        check('main.main' in names and 'all' in names, 'drawn', names[:9])
        check(state(dom).endswith('cpu in all') and
              state(dom).startswith('%.2f s' % (total / 1e9)), 'status',
              state(dom))
        # Zoom: the frame fills the row, its callers stay, others go.
        dom = b.dom(page, 'zoom=main.sorting')
        f = {t: (c, s) for c, s, t in frames(dom) if t}
        check(f['main.sorting'][0] == 'f' and f['main.main'][0] == 'f up' and
              wide(f['main.sorting'][1]) == wide(f['all'][1]) and
              'main.recurse' not in f, 'zoom', f.keys())
        check('zoomed on main.sorting' in state(dom), 'zoom', state(dom))
        # Search: what matches is marked and added up once.
        dom = b.dom(page, urllib.parse.urlencode({'find': r'^main\.spin$'}))
        hits = [t for c, _, t in frames(dom) if ' hit' in c and t]
        spin = [x for x in json.loads(run(
            'top', '-json', CPU1).out)['nodes'] if x['name'] == 'main.spin']
        share = '%.1f %%' % (100 * spin[0]['cum'] / total)
        check(hits and set(hits) == {'main.spin'} and share in state(dom),
              'search', (hits, state(dom), share))
        # Icicle: the root is above.
        dom = b.dom(page, 'icicle=1')
        top = [s for _, s, t in frames(dom) if t == 'all'][0]
        check('top: 0px' in top, 'icicle', top)
        # Callers: leaves are next to the root.
        dom = b.dom(page, 'callers=1&icicle=1')
        second = [t for _, s, t in frames(dom) if 'top: 19px' in s and t]
        check('main.spin' in second and 'runtime.main' not in second,
              'callers', second)
        # Another sample type.
        dom = b.dom(page, 'type=samples')
        check('samples in all' in state(dom) and
              state(dom).startswith('%d ' % flame_data(CPU1)['cum'][0][0]),
              'type', state(dom))
        # Comparison: both totals, colours by what has changed.
        run('flame', '-o', page, '-diff', CPU1, CPU2)
        dom = b.dom(page)
        check(', before ' in state(dom) and 'red: more' in dom, 'diff',
              state(dom))


def main():
    global VOLE
    ap = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    ap.add_argument('--vole', default=common.built('vole'))
    VOLE = os.path.abspath(ap.parse_args().vole)
    for part in (usage, messages, manners, hostile, listing, flame, browser):
        part()
    common.summary(count['passed'], len(failures), count['skipped'])
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())

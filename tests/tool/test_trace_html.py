#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page that vole-trace html writes, in a headless Chromium: it loads,
shows what the analysis says, zooms and moves by wheel, keys and mouse, is
searched and clicked, and complains of nothing.  Without a browser only what
can be read from the file is checked."""

import argparse
import base64
import gzip
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
sys.path.insert(0, HERE)
import browser  # noqa: E402
import common  # noqa: E402

PROGRAM = '''package main

import (
	"sync"
	"time"
)

func worker(in chan int, out chan int, wg *sync.WaitGroup) {
	defer wg.Done()
	for v := range in {
		s := 0
		for i := 0; i < 2000; i++ {
			s += i * v
		}
		out <- s
	}
}

func gather(out chan int, done chan bool) {
	for range out {
	}
	done <- true
}

func main() {
	in, out, done := make(chan int, 4), make(chan int), make(chan bool)
	var wg sync.WaitGroup
	for i := 0; i < 3; i++ {
		wg.Add(1)
		go worker(in, out, &wg)
	}
	go gather(out, done)
	for i := 0; i < 3000; i++ {
		in <- i
		if i%1000 == 0 {
			_ = make([]byte, 1<<20)
			time.Sleep(time.Millisecond)
		}
	}
	close(in)
	wg.Wait()
	close(out)
	<-done
}
'''


class Failed(Exception):
    pass


def check(ok, text):
    if not ok:
        raise Failed(text)


def index_of(page):
    m = re.search(r'<script type="application/json" id="index">(.*?)</script>',
                  page, re.S)
    check(m, 'no index')
    return json.loads(m.group(1))


def chunks_of(page):
    return {int(i): gzip.decompress(base64.b64decode(b)) for i, b in re.findall(
        r'<script type="text/plain" id="c(\d+)">([^<]*)</script>', page)}


def varints(b):
    v = shift = 0
    for c in b:
        v |= (c & 127) << shift
        shift += 7
        if c < 128:
            yield v
            v = shift = 0


def test_file(page, summary):
    """What the page holds adds up to what the summary says."""
    x, c = index_of(page), chunks_of(page)
    check(x['duration'] == summary['duration_ns'], 'duration')
    check(not re.search(r'(src|href)="?http', page), 'it needs the network')
    runs = 0
    for p in x['procs']:
        n = busy = last = 0
        for id_, count, t0, t1 in p['chunks']:
            v, at = list(varints(c[id_])), 0
            check(len(v) == 5 * count, 'numbers of a chunk')
            for i in range(0, len(v), 5):
                at += (v[i] >> 1) ^ -(v[i] & 1)
                check(t0 <= at and at + v[i + 1] <= t1, 'chunk bounds')
                check(at >= last, 'slices of a P overlap')
                at += v[i + 1]
                last = at
                busy += v[i + 1]
                n += 1
        check(busy == p['busy'], 'P %d: %d ns in slices, %d busy'
              % (p['id'], busy, p['busy']))
        for steps, id_ in p['levels']:
            d = c[id_]
            check(len(d) == 2 * steps, 'size of a level')
            share = sum(d[:steps]) / 255 / steps
            check(share >= busy / x['duration'] - 0.01, 'level of a P')
        runs += n
    ran = 0
    for g in x['groups']:
        for id_, count, _, _ in g['chunks'] + g['slow']:
            v = list(varints(c[id_]))
            check(len(v) == 8 * count, 'numbers of a group chunk')
            ran += sum(1 for i in range(3, len(v), 8) if v[i] == 1)
    check(ran == runs, '%d runs of goroutines, %d of Ps' % (ran, runs))
    check(sum(g['n'] for g in x['groups']) == x['ngs'], 'goroutines in groups')
    return x


def test_browser(path, x, shot):
    with browser.Browser() as b:
        b.open(path)
        b.until("document.documentElement.dataset.ready === 'yes'")
        b.until('+document.documentElement.dataset.drawn > 1')
        colours = ('(() => { const c = document.getElementById("canvas");'
                   'const d = c.getContext("2d").getImageData(0, 0, c.width,'
                   'c.height).data; const s = new Set();'
                   'for (let i = 0; i < d.length; i += 404)'
                   's.add(d[i] << 16 | d[i+1] << 8 | d[i+2]);'
                   'return s.size; })()')
        b.until(colours + ' > 6')
        check('goroutines' in b.js(
            'return document.getElementById("facts").textContent'), 'facts')
        whole = b.js('return View.v.to - View.v.from')
        check(whole >= x['duration'], 'all is shown at first')

        # Where P 0 has a slice.
        row = b.js('for (const p of Data.index.procs) if (p.chunks.length) {'
                   'return p.id; }')
        y = b.js('let y = 22 + 46 + 46 + 18 + 18 + 10;'
                 'for (const p of Data.index.procs) {'
                 'if (p.id === arguments[0]) return y + '
                 'document.getElementById("canvas").getBoundingClientRect().top;'
                 'y += 20; }', row)
        b.wheel(700, y, -400)
        b.until('View.v.to - View.v.from < %r' % (whole * 0.7))
        b.keys('w')
        b.until('View.v.to - View.v.from < %r' % (whole * 0.5))
        at = b.js('return View.v.from')
        b.keys('d')
        b.until('View.v.from > %r' % at)
        at = b.js('return View.v.from')
        b.drag(700, y, 120, 0)
        b.until('View.v.from < %r' % at)

        # A slice, in the middle of the view, long enough to hit.
        b.js('Data.load(Data.index.procs.find(p => p.id === arguments[0])'
             '.chunks[0][0], "slices", Data.index.procs.find(p => p.id === '
             'arguments[0]).chunks[0][1]).then(d => { let k = d.n >> 1;'
             'while (k + 1 < d.n && d.to[k] <= d.from[k]) k++;'
             'window.wanted = { g: d.g[k], from: d.from[k], to: d.to[k] };'
             'View.show(d.from[k] - (d.to[k] - d.from[k]),'
             'd.to[k] + (d.to[k] - d.from[k])); })', row)
        b.until('window.wanted')
        b.until('View.under(View.x((window.wanted.from + window.wanted.to) '
                '/ 2), %r - document.getElementById("canvas")'
                '.getBoundingClientRect().top).slice' % y)
        px = b.js('return View.x((window.wanted.from + window.wanted.to) / 2)')
        b.move(px, y)
        b.until('getComputedStyle(document.getElementById("tip")).display '
                '=== "block"')
        b.click(px, y)
        b.until('View.v.pick && View.v.pick.g === window.wanted.g')
        b.until('Panel.current() === "selection"')
        check('running for' in b.js(
            'return document.getElementById("body").textContent'), 'panel')
        b.until('document.getElementById("body").textContent.includes('
                '"How it came to run")')
        if shot:
            b.shot(shot)

        # Search: a function, then a goroutine.
        b.js('document.getElementById("search").focus()')
        b.keys('worker\ue007')
        b.until('Panel.current() === "search"')
        check('main.worker' in b.js(
            'return document.getElementById("body").textContent'), 'search')
        k = b.js('return Data.index.groups.findIndex('
                 'g => g.name === "main.worker")')
        check(b.js('return View.v.hit') == k, 'the group is marked')
        b.js('document.getElementById("search").value = "g1"')
        b.js('document.getElementById("search").focus()')
        b.keys('\ue007')
        b.until('document.getElementById("body").textContent.includes('
                '"longest block")')

        # Light and dark, tables, an open group.
        bg = b.js('return getComputedStyle(document.body).backgroundColor')
        b.js('document.getElementById("theme").click()')
        b.until('getComputedStyle(document.body).backgroundColor !== %s'
                % json.dumps(bg))
        for tab in ('overview', 'goroutines', 'waits', 'tasks', 'help'):
            b.js('Panel.open(arguments[0])', tab)
            check(len(b.js('return document.getElementById("body")'
                           '.textContent')) > 20, 'page ' + tab)
        drawn = b.js('return +document.documentElement.dataset.drawn')
        b.js('View.v.open.add(arguments[0]); View.show(0, View.end)', k)
        b.until('+document.documentElement.dataset.drawn > %d' % drawn)
        check(not b.errors(), 'the page complains: %s' % b.errors())


def main():
    p = argparse.ArgumentParser()
    p.add_argument('--vole', required=True)
    p.add_argument('--vole-trace', required=True)
    p.add_argument('--shot', help='write a screenshot of a selection')
    p.add_argument('--trace', help='use this trace')
    opt = p.parse_args()
    passed = failed = skipped = 0
    with tempfile.TemporaryDirectory(prefix='vole-html-') as d:
        trace = opt.trace or os.path.join(d, 't.trace')
        page = os.path.join(d, 't.html')
        prog = os.path.join(d, 'prog.go')
        with open(prog, 'w') as f:
            f.write(PROGRAM)
        if not opt.trace:
            subprocess.run(shlex.split(opt.vole) + ['-trace', trace, prog],
                           check=True, env=dict(os.environ, GOMAXPROCS='2'))
        subprocess.run([opt.vole_trace, 'html', '-o', page, trace],
                       check=True, stdout=subprocess.DEVNULL)
        summary = json.loads(subprocess.run(
            [opt.vole_trace, 'summary', '-json', trace], check=True,
            stdout=subprocess.PIPE).stdout)
        x = None
        tests = [('file', lambda: test_file(open(page).read(), summary))]
        if browser.installed():
            tests.append(('browser', lambda: test_browser(page, x, opt.shot)))
        else:
            print('SKIP browser: chromium and chromedriver are not installed')
            skipped += 1
        for name, fn in tests:
            try:
                got = fn()
                x = got if got is not None else x
                passed += 1
            except (Failed, RuntimeError) as e:
                print('FAIL %s: %s' % (name, e))
                failed += 1
    print('%d passed, %d failed, %d skipped' % (passed, failed, skipped))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())

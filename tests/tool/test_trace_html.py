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
import time

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


TASKS = '''package main

import (
	"context"
	"runtime/trace"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	for i := 0; i < 5000; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			_, t := trace.NewTask(context.Background(), "job")
			if i%50 != 0 {
				t.End()
			}
		}()
	}
	wg.Wait()
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


# What is drawn in each column of a group's lane: how many pixels of it say
# that goroutines ran, and how many that they could have.
PIXELS = '''
const dot = document.createElement('canvas').getContext('2d');
const colour = s => {
  dot.fillStyle = s;
  dot.fillRect(0, 0, 1, 1);
  return dot.getImageData(0, 0, 1, 1).data.slice(0, 3).join();
};
const wanted = [colour(View.v.colours.run), colour(View.v.colours.ready)];
const [k, h] = arguments;
let y = 22 + 46 + 46 + 18 + 18 + 20 * Data.index.procs.length + 18;
for (let i = 0; i < k; i++)
  if (View.v.system || !Data.index.groups[i].system) y += h;
const w = View.v.w - View.LABEL;
const d = View.canvas.getContext('2d').getImageData(View.LABEL, y, w, h).data;
const out = [];
for (let x = 0; x < w; x++) {
  const n = [0, 0];
  for (let i = 0; i < h; i++) {
    const at = 4 * (i * w + x), c = wanted.indexOf(d.slice(at, at + 3).join());
    if (c >= 0) n[c]++;
  }
  out.push(n);
}
return out;
'''
LANE, MARGIN = 30, 6


def differing(drawn, timeline, name):
    """Columns of a group's lane that are drawn as something else than what
    the text tool says of its goroutines, beyond the pixels at edges."""
    step = (timeline['to_ns'] - timeline['from_ns']) / timeline['columns']
    sums = [[sum(g.get(s + '_ns', [0] * len(drawn))[i]
                 for g in timeline['lanes'] if g['name'] == name) / step
             for s in ('running', 'runnable')] for i in range(len(drawn))]
    top = max([1] + [sum(s) for s in sums])
    return [(i, got, [round(s / top * (LANE - MARGIN), 1) for s in want])
            for i, (got, want) in enumerate(zip(drawn, sums))
            if any(abs(g - s / top * (LANE - MARGIN)) > 2
                   for g, s in zip(got, want))]


def test_lanes(path, tool, trace):
    """The lanes of groups in a window of 60 us, pixel by pixel, beside what
    `vole-trace timeline` says of it."""
    with browser.Browser() as b:
        b.open(path)
        b.until("document.documentElement.dataset.ready === 'yes'")
        width = b.js('return View.v.w - View.LABEL')
        # In the middle of what main.main did, which waits for others.
        start = b.js('const g = Data.index.groups.find('
                     'g => g.name === "main.main");'
                     'return Data.load(g.chunks[0][0], "spans", g.chunks[0][1])'
                     '.then(d => Math.round(d.from[d.n >> 1]) - 20000)')
        timeline = json.loads(subprocess.run(
            [tool, 'timeline', '-json', '-width', str(width), '-goroutines',
             '100', '-from', '%dns' % start, '-to', '%dns' % (start + 60000),
             trace], check=True, stdout=subprocess.PIPE).stdout)
        check(timeline['columns'] == width, 'columns')
        b.js('View.show(arguments[0], arguments[0] + 60000)', start)
        for name in ('main.main', 'main.worker', 'main.gather'):
            k = b.js('return Data.index.groups.findIndex('
                     'g => g.name === arguments[0])', name)
            # What is still packed is drawn as soon as it is not.
            for _ in range(600):
                bad = differing(b.js(PIXELS, k, LANE), timeline, name)
                if not bad:
                    break
                time.sleep(0.05)
            check(not bad, 'the lane of %s: (column, drawn, said) %s'
                  % (name, bad[:5]))
        check(not b.errors(), 'the page complains: %s' % b.errors())


def test_tasks(path):
    """All of 5,000 tasks are counted, wherever the page is zoomed to."""
    with browser.Browser() as b:
        b.open(path)
        b.until("document.documentElement.dataset.ready === 'yes'")
        for part, width in ((0, 1), (0.6, 0.2), (0.7, 0.001)):
            b.js('View.show(View.end * arguments[0],'
                 'View.end * (arguments[0] + arguments[1]))', part, width)
            got = b.js('return View.tasksInView()')
            want = b.js('const t = Data.index.tasks; return [t.filter('
                        't => t[2] <= View.v.to && (t[3] < 0 || '
                        't[3] >= View.v.from)).length, t.length]')
            check(want[1] == 5000, '%d tasks' % want[1])
            check(got['shown'] + got['more'] == want[0],
                  '%s tasks in view, want %d' % (got, want[0]))
            check(len(got['rows']) <= 24, '%d rows' % len(got['rows']))
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
        def traced(folder, name, text, trace=None):
            """The page of a program's trace, or of another trace."""
            path = os.path.join(folder, name)
            if trace is None:
                with open(path + '.go', 'w') as f:
                    f.write(text)
                trace = path + '.trace'
                subprocess.run(
                    shlex.split(opt.vole) + ['-trace', trace, path + '.go'],
                    check=True, env=dict(os.environ, GOMAXPROCS='2'))
            subprocess.run([opt.vole_trace, 'html', '-o', path + '.html',
                            trace], check=True, stdout=subprocess.DEVNULL)
            return path + '.html'

        trace = opt.trace or os.path.join(d, 't.trace')
        page = traced(d, 't', PROGRAM, opt.trace)
        summary = json.loads(subprocess.run(
            [opt.vole_trace, 'summary', '-json', trace], check=True,
            stdout=subprocess.PIPE).stdout)
        x = None
        tests = [('file', lambda: test_file(open(page).read(), summary))]
        if browser.installed():
            tests += [('browser', lambda: test_browser(page, x, opt.shot))]
            if not opt.trace:
                tests += [
                    ('lanes', lambda: test_lanes(page, opt.vole_trace, trace)),
                    ('tasks', lambda: test_tasks(traced(d, 'tasks', TASKS)))]
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

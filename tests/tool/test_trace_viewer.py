#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Loads what `vole-trace export -chrome` writes into the trace viewer of
Chrome (Catapult), in the edition that Go 1.19's `go tool trace` serves, in a
headless Chromium.

usage: test_trace_viewer.py VOLE_TRACE SIMTRACE
Exit status 77 (skipped) without Chromium or the sources of Go 1.19.
"""
import functools
import http.server
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading

import browser

STATIC = '/usr/share/go-1.19/src/cmd/trace/static'
DATA = '/usr/share/go-1.19/src/internal/trace/testdata'
PAGE = '''<html><head><script src="webcomponents.min.js"></script>
<link rel="import" href="trace_viewer_full.html">
<script>
document.addEventListener('WebComponentsReady', function () {
  window.load = function (name) {
    var req = new XMLHttpRequest();
    req.open('GET', name, false);
    req.send(null);
    var model = new tr.Model();
    var opts = new tr.importer.ImportOptions();
    opts.shiftWorldToZero = false;
    new tr.importer.Import(model, opts).importTraces([req.responseText]);
    var count = {slices: 0, async: 0, counters: 0, names: []};
    model.getAllThreads().forEach(function (t) {
      count.slices += t.sliceGroup.length;
      count.async += t.asyncSliceGroup.length;
      if (t.name) count.names.push(t.name);
    });
    count.counters = model.getAllCounters().length;
    count.flows = model.flowEvents.length;
    count.processes = model.getAllProcesses().map(
        function (p) { return p.name; });
    count.frames = Object.keys(model.stackFrames).length;
    count.from = model.bounds.min;
    count.to = model.bounds.max;
    count.warnings = model.importWarnings.map(
        function (w) { return w.message; });
    return count;
  };
});
</script></head><body></body></html>'''
failures = []


def check(ok, what, detail=''):
    print(('ok    ' if ok else 'FAIL  ') + what, flush=True)
    if not ok:
        print('      ' + str(detail)[:600])
        failures.append(what)


def one(b, vole, path, name, tmp):
    out = os.path.join(tmp, name + '.json')
    r = subprocess.run([vole, 'export', '-chrome', '-goroutines', '-o', out,
                        path], capture_output=True, timeout=120, check=False)
    check(r.returncode == 0, f'{name}: exported', r.stderr)
    with open(out, encoding='utf-8') as f:
        doc = json.load(f)
    phase = {}
    for e in doc['traceEvents']:
        phase[e['ph']] = phase.get(e['ph'], 0) + 1
    got = b.js('return load(arguments[0])', name + '.json')
    # Instants are slices without a length there.
    want = phase.get('X', 0)
    check(want <= got['slices'] <= want + phase.get('i', 0),
          f'{name}: {want} slices', got)
    counters = {e['name'] for e in doc['traceEvents'] if e['ph'] == 'C'}
    series = sum(n in counters for n in ('Goroutines', 'Threads', 'Heap'))
    check(got['counters'] == series, f'{name}: {series} counters', got)
    check(got['flows'] == phase.get('s', 0),
          f'{name}: {phase.get("s", 0)} arrows', got)
    check(got['frames'] == len(doc['stackFrames']),
          f'{name}: {got["frames"]} frames', got)
    check({'PROCS', 'GOROUTINES'} <= set(got['processes']) and
          'Proc 0' in got['names'], f'{name}: names', got)
    # Regions that the trace's end leaves open are so in the viewer, too.
    r = subprocess.run([vole, 'regions', '-json', path], capture_output=True,
                       timeout=120, check=False)
    left = sum(x['not_ended'] for x in json.loads(r.stdout))
    bad = [w for w in got['warnings'] if 'BEGIN' not in w]
    check(not bad and len(got['warnings']) == left,
          f'{name}: {left} regions are left open, no other warnings',
          got['warnings'])


def main():
    vole, sim = sys.argv[1:3]
    if not browser.installed() or not os.path.exists(STATIC):
        print('no Chromium, or no sources of Go 1.19: skipped')
        return 77
    with tempfile.TemporaryDirectory() as tmp:
        for name in os.listdir(STATIC):
            shutil.copy(os.path.join(STATIC, name), tmp)
        with open(os.path.join(tmp, 'page.html'), 'w', encoding='utf-8') as f:
            f.write(PAGE)
        handler = functools.partial(Quiet, directory=tmp)
        server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        path = os.path.join(tmp, 'sim.trace')
        subprocess.run([sim, path, '4000', '2', '5'], check=True,
                       stdout=subprocess.DEVNULL, timeout=120)
        with browser.Browser() as b:
            b.call('POST', '/url', {'url': 'http://127.0.0.1:%d/page.html' %
                                    server.server_port})
            b.until('!!window.load')
            one(b, vole, path, 'sim', tmp)
            for name in ('http_1_19_good', 'user_task_region_1_19_good'):
                one(b, vole, f'{DATA}/{name}', name, tmp)
        server.shutdown()
    print('%d failed' % len(failures))
    return 1 if failures else 0


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


if __name__ == '__main__':
    sys.exit(main())

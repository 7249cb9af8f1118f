// SPDX-License-Identifier: MIT
/* The arithmetic of the page's timeline, without a page.
 *
 * usage: node lanes_test.js trace/html/page/lanes.js
 */
'use strict';
const Lanes = require(require('path').resolve(process.argv[2]));
let failed = 0;

function check(ok, what, got) {
  if (ok) return;
  console.log('FAIL ', what, JSON.stringify(got));
  failed++;
}
const same = (a, b) => a.length === b.length && a.every((x, i) => Math.abs(x - b[i]) < 1e-9);

/* Numbers that are always the same. */
let seed = 1;
const random = n => (seed = seed * 48271 % 2147483647) % n;

function tasks() {
  /* One after the other: one row, however many there are. */
  const many = [];
  for (let i = 0; i < 5000; i++) many.push([i, 0, 10 * i, 10 * i + 10]);
  let rows = Lanes.rows(many);
  check(rows.length === 1 && rows[0].length === 5000, '5000 tasks in a row', rows.length);
  check(same(Lanes.within(rows[0], 24995, 25005), [2499, 2501]), 'those of a moment',
    Lanes.within(rows[0], 24995, 25005));

  /* At once: a row for each; a free row is taken again, the first one first;
   * what has not ended keeps its row. */
  rows = Lanes.rows([[0, 0, 0, 100], [1, 0, 1, 20], [2, 0, 2, -1], [3, 0, 30, 40],
    [4, 0, 100, 110], [5, 0, 105, 106]]);
  check(rows.map(r => r.map(t => t[0]).join()).join(' ') === '0,4 1,3,5 2',
    'the first free row', rows);
  check(same(Lanes.within(rows[2], 1e9, 2e9), [0, 1]), 'never ended, always seen');

  /* Whatever they are, all are there, and none overlaps another. */
  const some = [];
  for (let i = 0; i < 3000; i++) {
    const from = random(100000);
    some.push([i, 0, from, random(50) ? from + random(3000) : -1]);
  }
  rows = Lanes.rows(some);
  check(rows.reduce((n, r) => n + r.length, 0) === 3000, 'all are there');
  for (const r of rows)
    for (let i = 1; i < r.length; i++)
      check(r[i - 1][3] >= 0 && r[i - 1][3] <= r[i][2], 'no overlap', [r[i - 1], r[i]]);
  for (const [from, to] of [[0, 10], [500, 900], [99000, 2e5]]) {
    const want = some.filter(t => t[2] <= to && (t[3] < 0 || t[3] >= from)).length;
    const got = rows.reduce((n, r) => {
      const [a, b] = Lanes.within(r, from, to);
      return n + b - a;
    }, 0);
    check(got === want, 'in view', [from, to, got, want]);
  }
}

function spans(list) {
  return { n: list.length, from: list.map(s => s[0]), to: list.map(s => s[1]),
    state: list.map(s => s[2]) };
}

function cover() {
  /* Ten pixels of 10 ns each, from 1000 on. */
  const parts = [spans([[0, 1025, 1], [1030, 1040, 1], [1042, 1044, 2]]),
    spans([[1044, 5000, 1], [900, 1000, 1], [1100, 1200, 1], [1000, 1100, 4]])];
  const got = Lanes.cover(parts, 1000, 1100, 10, 3);
  check(same(got[0], [1, 1, 0.5, 1, 0.6, 1, 1, 1, 1, 1]), 'running', [...got[0]]);
  check(same(got[1], [0, 0, 0, 0, 0.2, 0, 0, 0, 0, 0]), 'runnable', [...got[1]]);
  check(same(got[2], new Array(10).fill(0)), 'no blocked one', [...got[2]]);

  /* The sum over the pixels is the time of the spans within. */
  const some = [];
  let want = 0;
  for (let i = 0; i < 500; i++) {
    const from = random(100000), to = from + random(5000);
    some.push([from, to, 1 + random(3)]);
    want += Math.max(0, Math.min(to, 60000) - Math.max(from, 20000));
  }
  const sum = Lanes.cover([spans(some)], 20000, 60000, 777, 3)
    .reduce((n, v) => n + v.reduce((a, b) => a + b, 0), 0) * 40000 / 777;
  check(Math.abs(sum - want) < 1e-3, 'the time adds up', [sum, want]);
}

tasks();
cover();
console.log(failed + ' failed');
process.exit(failed ? 1 : 0);

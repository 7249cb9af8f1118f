'use strict';
/*
 * The arithmetic of the timeline that needs no page: in which row a task is,
 * and how many goroutines a pixel has.
 */
const Lanes = (() => {
  /* A heap: the least of what was pushed comes first. */
  class Heap {
    constructor(less) { this.a = []; this.less = less; }
    get size() { return this.a.length; }
    get least() { return this.a[0]; }
    push(x) {
      const a = this.a;
      let i = a.length;
      a.push(x);
      while (i > 0) {
        const up = (i - 1) >> 1;
        if (!this.less(x, a[up])) break;
        a[i] = a[up];
        i = up;
      }
      a[i] = x;
    }
    pop() {
      const a = this.a, top = a[0], x = a.pop(), n = a.length;
      for (let i = 0; n > 0;) {
        let k = 2 * i + 1;
        if (k + 1 < n && this.less(a[k + 1], a[k])) k++;
        if (k >= n || !this.less(a[k], x)) {
          a[i] = x;
          break;
        }
        a[i] = a[k];
        i = k;
      }
      return top;
    }
  }

  /* Each task [id, parent, from, to or -1, ...] in the first row that is free
   * at its time: the tasks of each row, in the order of time. */
  function rows(tasks) {
    const out = [];
    const busy = new Heap((a, b) => a[0] < b[0]), free = new Heap((a, b) => a < b);
    for (const t of [...tasks].sort((a, b) => a[2] - b[2])) {
      while (busy.size && busy.least[0] <= t[2]) free.push(busy.pop()[1]);
      const k = free.size ? free.pop() : out.push([]) - 1;
      out[k].push(t);
      busy.push([t[3] < 0 ? Infinity : t[3], k]);
    }
    return out;
  }

  /* The tasks of a row that a time touches: [first, behind the last]. */
  function within(row, from, to) {
    const count = before => {
      let lo = 0, hi = row.length;
      while (lo < hi) {
        const mid = (lo + hi) >> 1;
        if (before(row[mid])) lo = mid + 1; else hi = mid;
      }
      return lo;
    };
    const a = count(t => t[3] >= 0 && t[3] < from);
    return [a, Math.max(a, count(t => t[2] <= to))];
  }

  /* How many of the spans in parts are in each of the states 1 to states, on
   * average of each of n equal steps of from .. to: out[state - 1][step]. */
  function cover(parts, from, to, n, states) {
    const out = Array.from({ length: states }, () => new Float64Array(n));
    const diff = out.map(() => new Float64Array(n + 1)), w = (to - from) / n;
    for (const d of parts)
      for (let i = 0; i < d.n; i++) {
        const s = d.state[i] - 1;
        if (s < 0 || s >= states || d.to[i] <= from || d.from[i] >= to) continue;
        const a = (Math.max(d.from[i], from) - from) / w;
        const b = (Math.min(d.to[i], to) - from) / w;
        const k = Math.min(n - 1, Math.floor(a)), m = Math.min(n - 1, Math.floor(b));
        if (k === m) {
          out[s][k] += b - a;
          continue;
        }
        out[s][k] += k + 1 - a;
        out[s][m] += b - m;
        diff[s][k + 1]++;
        diff[s][m]--;
      }
    out.forEach((v, s) => {
      for (let i = 0, sum = 0; i < n; i++) v[i] += sum += diff[s][i];
    });
    return out;
  }

  return { rows, within, cover };
})();
if (typeof module !== 'undefined') module.exports = Lanes;

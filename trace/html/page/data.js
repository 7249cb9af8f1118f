/*
 * The data of the page: unpacks chunks when they are asked for.
 *
 * A chunk is gzip in base64.  Records are varints; the first number of a
 * record is its start relative to the record before (signed: zigzag), the
 * first record's relative to 0.
 *   slice of a P   start (relative to the end before), length, goroutine,
 *                  event that ended it, stack
 *   span           start, length, goroutine, state, P + 1, stack, who began
 *                  it (goroutine + 1), where (stack)
 *   counter        time, value
 *   band           start, length, kind: 0 a collection, else 1 + why stopped
 * Levels are pictures of the whole in n equal steps: of a P n shares of 255
 * and n groups; of a group n averages for running, runnable, system call and
 * blocked; of a counter n lows and n highs.
 */
const Data = (() => {
  const index = JSON.parse(document.getElementById('index').textContent);
  const MOST = 512; // chunks that stay unpacked
  const cache = new Map();
  let changed = () => {};

  async function unpack(id) {
    const text = atob(document.getElementById('c' + id).textContent);
    const raw = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) raw[i] = text.charCodeAt(i);
    const out = new Blob([raw]).stream()
      .pipeThrough(new DecompressionStream('gzip'));
    return new Uint8Array(await new Response(out).arrayBuffer());
  }

  class Numbers {
    constructor(b) { this.b = b; this.i = 0; }
    u() {
      let v = 0, m = 1, c;
      do {
        c = this.b[this.i++];
        v += (c & 127) * m;
        m *= 128;
      } while (c > 127);
      return v;
    }
    s() {
      const v = this.u();
      return v % 2 ? -(v + 1) / 2 : v / 2;
    }
  }

  const decode = {
    slices(b, n) {
      const r = new Numbers(b);
      const d = { n, from: new Float64Array(n), to: new Float64Array(n),
        g: new Uint32Array(n), end: new Uint8Array(n), stack: new Uint32Array(n) };
      let at = 0;
      for (let i = 0; i < n; i++) {
        d.from[i] = at + r.s();
        at = d.to[i] = d.from[i] + r.u();
        d.g[i] = r.u();
        d.end[i] = r.u();
        d.stack[i] = r.u();
      }
      return d;
    },
    spans(b, n) {
      const r = new Numbers(b);
      const d = { n, from: new Float64Array(n), to: new Float64Array(n),
        g: new Uint32Array(n), state: new Uint8Array(n), p: new Int32Array(n),
        stack: new Uint32Array(n), by: new Int32Array(n), at: new Uint32Array(n) };
      let last = 0;
      for (let i = 0; i < n; i++) {
        last = d.from[i] = last + r.s();
        d.to[i] = last + r.u();
        d.g[i] = r.u();
        d.state[i] = r.u();
        d.p[i] = r.u() - 1;
        d.stack[i] = r.u();
        d.by[i] = r.u() - 1;
        d.at[i] = r.u();
      }
      return d;
    },
    points(b, n) {
      const r = new Numbers(b);
      const d = { n, at: new Float64Array(n), v: new Float64Array(n) };
      let last = 0;
      for (let i = 0; i < n; i++) {
        last = d.at[i] = last + r.s();
        d.v[i] = r.u();
      }
      return d;
    },
    bands(b, n) {
      const r = new Numbers(b);
      const d = { n, from: new Float64Array(n), to: new Float64Array(n),
        kind: new Uint8Array(n) };
      let last = 0;
      for (let i = 0; i < n; i++) {
        last = d.from[i] = last + r.s();
        d.to[i] = last + r.u();
        d.kind[i] = r.u();
      }
      return d;
    },
    bytes: b => b,
    floats: b => new Float32Array(b.buffer, 0, b.length >> 2),
    doubles: b => new Float64Array(b.buffer, 0, b.length >> 3),
    json: b => JSON.parse(new TextDecoder().decode(b)),
    goroutines(b, n) {
      const r = new Numbers(b), states = index.states.length;
      const d = { n, id: new Float64Array(n), group: new Uint8Array(n),
        parent: new Int32Array(n), created: new Float64Array(n),
        ended: new Float64Array(n), runs: new Uint32Array(n),
        blocks: new Uint32Array(n), longest: new Float64Array(n),
        time: new Float64Array(n * states) };
      let last = 0;
      for (let i = 0; i < n; i++) {
        last = d.id[i] = last + r.u();
        d.group[i] = r.u();
        d.parent[i] = r.u() - 1;
        d.created[i] = r.u() - 1;
        d.ended[i] = r.u() - 1;
        d.runs[i] = r.u();
        d.blocks[i] = r.u();
        d.longest[i] = r.u();
        for (let k = 0; k < states; k++) d.time[i * states + k] = r.u();
      }
      return d;
    },
  };

  function start(id, kind, n) {
    const c = { value: null };
    c.promise = unpack(id).then(b => {
      c.value = decode[kind](b, n);
      changed();
      return c.value;
    });
    cache.set(id, c);
    if (cache.size > MOST) {
      const [old, was] = cache.entries().next().value;
      if (was.value && !was.keep) cache.delete(old);
    }
    return c;
  }

  /* The chunk if it is unpacked; null, and it soon will be. */
  function peek(id, kind, n) {
    const c = cache.get(id);
    if (!c) {
      start(id, kind, n);
      return null;
    }
    cache.delete(id);
    cache.set(id, c);
    return c.value;
  }
  const load = (id, kind, n) => (cache.get(id) || start(id, kind, n)).promise;

  /* The chunks [id, n, from, to] that a time touches. */
  const within = (chunks, from, to) =>
    chunks.filter(c => c[3] >= from && c[2] <= to);

  /* Number of the last of d.from[] that is <= t; -1: none. */
  function before(from, n, t) {
    let lo = 0, hi = n;
    while (lo < hi) {
      const mid = (lo + hi) >> 1;
      if (from[mid] <= t) lo = mid + 1; else hi = mid;
    }
    return lo - 1;
  }

  /* All spans of one goroutine that touch a time, in order. */
  async function spansOf(g, from, to) {
    const group = index.groups[Data.gs.group[g]];
    const out = [];
    for (const c of [...within(group.chunks, from, to), ...within(group.slow, from, to)]) {
      const d = await load(c[0], 'spans', c[1]);
      for (let i = 0; i < d.n; i++)
        if (d.g[i] === g && d.to[i] >= from && d.from[i] <= to)
          out.push({ g, from: d.from[i], to: d.to[i], state: d.state[i], p: d.p[i],
            stack: d.stack[i], by: d.by[i], at: d.at[i] });
    }
    return out.sort((a, b) => a.from - b.from || a.to - b.to);
  }

  async function open(onChange) {
    changed = onChange;
    const keep = async (id, kind, n) => {
      const v = await load(id, kind, n);
      cache.get(id).keep = true;
      return v;
    };
    Data.gs = await keep(index.goroutines, 'goroutines', index.ngs);
    const t = await keep(index.stacks, 'json');
    Data.stacks = t.stacks;
    Data.names = t.names;
  }

  const name = x => typeof x === 'number' ? Data.names[x] : x;

  /* [{func, file, line}], innermost first */
  function stack(id) {
    const s = Data.stacks[id] || [], out = [];
    for (let i = 0; i < s.length; i += 3)
      out.push({ func: name(s[i]), file: name(s[i + 1]), line: s[i + 2] });
    return out;
  }

  return { index, peek, load, within, before, spansOf, open, stack,
    gs: null, stacks: null, names: null, groupName: g => index.groups[Data.gs.group[g]].name };
})();

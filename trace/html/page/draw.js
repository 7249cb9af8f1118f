/* The timeline: rows, their pictures, and what is under the mouse. */
const View = (() => {
  const { index } = Data;
  const canvas = document.getElementById('canvas'), box = document.getElementById('view');
  const cx = canvas.getContext('2d');
  const LABEL = 150, RULER = 22, RUN = 1, READY = 2, CALL = 3;
  const end = Math.max(index.duration, 1);
  const v = { from: 0, to: end, y: 0, w: 0, h: 0, open: new Set(), pick: null,
    chain: [], hit: -1, colours: {}, dark: false, system: index.system };
  const taskRows = Lanes.rows(index.tasks);
  let rows = [], pending = false, height = 0;

  const fmt = ns => {
    const a = Math.abs(ns);
    if (a >= 1e9) return (ns / 1e9).toPrecision(4) + ' s';
    if (a >= 1e6) return (ns / 1e6).toPrecision(4) + ' ms';
    if (a >= 1e3) return (ns / 1e3).toPrecision(4) + ' µs';
    return Math.round(ns) + ' ns';
  };
  /* A time with as many digits as a step needs. */
  const stamp = (t, step) => {
    const [unit, name] = t >= 1e9 ? [1e9, ' s'] : t >= 1e6 ? [1e6, ' ms'] :
      t >= 1e3 ? [1e3, ' µs'] : [1, ' ns'];
    const digits = Math.max(0, Math.min(9, Math.ceil(-Math.log10(step / unit) - 1e-9)));
    return (t / unit).toFixed(digits) + name;
  };
  /* In steps of 1024, as everywhere in the tools. */
  const bytes = n => {
    const units = [' B', ' kB', ' MB', ' GB', ' TB'];
    let i = 0;
    for (; n >= 999.5 && i < 4; i++) n /= 1024;
    return (i ? n.toPrecision(3) : n) + units[i];
  };

  const x = t => LABEL + (t - v.from) / (v.to - v.from) * (v.w - LABEL);
  const time = px => v.from + (px - LABEL) / (v.w - LABEL) * (v.to - v.from);
  const hue = g => 'hsl(' + (g * 137.5 + 200) % 360 + ',' + (v.dark ? '45%,52%' : '55%,58%') + ')';

  function themed() {
    const css = getComputedStyle(document.documentElement);
    for (const k of ['bg', 'fg', 'dim', 'line', 'row', 'accent', 'run', 'ready', 'call',
      'block', 'gc', 'stop', 'heap', 'goal', 'hit'])
      v.colours[k] = css.getPropertyValue('--' + k).trim();
    v.dark = document.documentElement.dataset.theme === 'dark';
    redraw();
  }

  function stateColour(s) {
    return s === RUN ? v.colours.run : s === READY ? v.colours.ready :
      s === CALL ? v.colours.call : v.colours.block;
  }

  /* ---- rows ---- */

  /* Goroutines of an open group that did something in view; where that would
   * take too much unpacking, the first that lived. */
  function members(k) {
    const MANY = 24, ROWS = 200, g = index.groups[k], seen = new Map();
    const near = Data.within(g.chunks, v.from, v.to);
    const exact = near.length <= MANY;
    if (exact)
      for (const c of [...near, ...Data.within(g.slow, v.from, v.to)]) {
        const d = Data.peek(c[0], 'spans', c[1]);
        for (let i = 0; d && i < d.n; i++)
          if (d.to[i] >= v.from && d.from[i] <= v.to && seen.size < 5000)
            seen.set(d.g[i], (seen.get(d.g[i]) || 0) + (d.state[i] <= CALL ? 1 : 0));
      }
    else
      for (let i = 0; i < Data.gs.n && seen.size < ROWS; i++)
        if (Data.gs.group[i] === k && Data.gs.created[i] <= v.to &&
          (Data.gs.ended[i] < 0 || Data.gs.ended[i] >= v.from))
          seen.set(i, 1);
    const busy = [...seen.keys()].filter(i => seen.get(i) > 0);
    const all = busy.length ? busy : [...seen.keys()];
    return { list: all.sort((a, b) => a - b).slice(0, ROWS), more: all.length - ROWS, exact };
  }

  const others = n => '… ' + n.toLocaleString('en') + ' more in view';

  /* The rows of tasks that are shown, how many tasks of the view they have, and
   * how many others there are. */
  function tasksInView() {
    const ROWS = 24, out = { rows: [], shown: 0, more: 0 };
    taskRows.forEach((row, k) => {
      const [a, b] = Lanes.within(row, v.from, v.to);
      if (a === b) return;
      if (out.rows.length < ROWS) {
        out.rows.push(k);
        out.shown += b - a;
      } else
        out.more += b - a;
    });
    return out;
  }

  function layout() {
    rows = [];
    let y = RULER;
    const add = (h, r) => { rows.push({ ...r, y, h }); y += h; };
    add(46, { kind: 'heap', label: 'heap' });
    add(46, { kind: 'count', label: 'goroutines' });
    add(18, { kind: 'bands', label: 'GC, stops' });
    add(18, { kind: 'title', label: 'Processors' });
    index.procs.forEach((p, i) => add(20, { kind: 'proc', i, label: 'P ' + p.id }));
    if (index.tasks.length) {
      const { rows: shown, more } = tasksInView();
      add(18, { kind: 'title', label: 'Tasks' });
      for (const k of shown) add(16, { kind: 'tasks', i: k, label: '' });
      if (more) add(15, { kind: 'more', label: others(more) });
    }
    add(18, { kind: 'title', label: 'Goroutines' });
    index.groups.forEach((g, k) => {
      if (!v.system && g.system) return;
      add(30, { kind: 'group', i: k, label: (v.open.has(k) ? '▾ ' : '▸ ') + g.name,
        note: g.n.toLocaleString('en') });
      if (!v.open.has(k)) return;
      const m = members(k);
      for (const i of m.list)
        add(15, { kind: 'g', i, exact: m.exact, label: 'g ' + Data.gs.id[i] });
      if (m.more > 0)
        add(15, { kind: 'more', label: others(m.more) });
    });
    height = y + 30;
    v.y = Math.max(0, Math.min(v.y, height - v.h));
  }

  /* ---- pictures ---- */

  /* The level whose steps are not wider than a pixel, or the finest. */
  function level(levels) {
    const need = (v.w - LABEL) * end / (v.to - v.from);
    let best = levels[0];
    for (const l of levels)
      if (l[0] >= need && l[0] < best[0]) best = l;
    return best;
  }

  function each(n, fn) {
    /* Calls fn(pixel, first step, last step) for the pixels of the view. */
    for (let px = LABEL; px < v.w; px++) {
      const a = time(px), b = time(px + 1);
      if (b < 0 || a > end) continue;
      const i = Math.max(0, Math.min(n - 1, Math.floor(a / end * n)));
      const k = Math.max(i, Math.min(n - 1, Math.ceil(b / end * n) - 1));
      fn(px, i, k);
    }
  }

  function exactProc(p, r, y) {
    const MANY = 24, near = Data.within(p.chunks, v.from, v.to);
    let shown = 0;
    for (const c of near)
      shown += c[1] * Math.min(1, (v.to - v.from) / Math.max(1, c[3] - c[2]));
    if (near.length > MANY || shown > 4 * v.w) return false;
    const parts = near.map(c => Data.peek(c[0], 'slices', c[1]));
    if (parts.some(d => !d)) return false;
    for (const d of parts) {
      let i = Math.max(0, Data.before(d.from, d.n, v.from));
      for (; i < d.n && d.from[i] <= v.to; i++) {
        if (d.to[i] < v.from) continue;
        const a = Math.max(x(d.from[i]), LABEL), w = Math.max(x(d.to[i]) - a, 0.6);
        const hit = v.hit >= 0 && (Data.gs.group[d.g[i]] === v.hit);
        cx.fillStyle = hit ? v.colours.hit : hue(Data.gs.group[d.g[i]]);
        cx.fillRect(a, y + 2, w, r.h - 4);
        if (v.pick && v.pick.p === p.id && v.pick.from === d.from[i]) {
          cx.strokeStyle = v.colours.fg;
          cx.lineWidth = 2;
          cx.strokeRect(a, y + 2, w, r.h - 4);
        }
        if (w > 60) text('g' + Data.gs.id[d.g[i]] + ' ' + Data.groupName(d.g[i]),
          a + 3, y + r.h / 2, w - 6, '#000c');
      }
    }
    return true;
  }

  function proc(r, y) {
    const p = index.procs[r.i];
    if (exactProc(p, r, y)) return;
    const [n, id] = level(p.levels), d = Data.peek(id, 'bytes');
    if (!d) return;
    each(n, (px, i, k) => {
      let sum = 0, most = i;
      for (let j = i; j <= k; j++) {
        sum += d[j];
        if (d[j] > d[most]) most = j;
      }
      if (!sum) return;
      const h = Math.max(1, sum / (k - i + 1) / 255 * (r.h - 4)), g = d[n + most];
      cx.fillStyle = v.hit === g ? v.colours.hit : hue(g);
      cx.fillRect(px, y + r.h - 2 - h, 1, h);
    });
  }

  /* The averages of groups in the pixels of the view, from their spans: where
   * the finest level's steps are wider than a pixel.  null: there are too many
   * spans, or they are still being unpacked. */
  function exactAreas(list, states) {
    const MANY = 48, wide = v.w - LABEL, near = [];
    if (wide < 1 || wide * end / (v.to - v.from) <= index.groupSteps) return null;
    for (const k of list) {
      const g = index.groups[k];
      near.push(...Data.within(g.chunks, v.from, v.to), ...Data.within(g.slow, v.from, v.to));
      if (near.length > MANY) return null;
    }
    const parts = near.map(c => Data.peek(c[0], 'spans', c[1]));
    if (parts.some(d => !d)) return null;
    const got = Lanes.cover(parts, v.from, v.to, wide, states.length), cols = [];
    for (let i = 0; i < wide; i++)
      cols.push([LABEL + i, ...states.map(s => got[s][i])]);
    return cols;
  }

  /* The same from a level. */
  function levelAreas(list, states) {
    const got = list.map(k => {
      const [n, id] = level(index.groups[k].levels);
      return [n, Data.peek(id, 'floats')];
    }).filter(g => g[1]);
    if (!got.length) return [];
    const n = got[0][0], cols = [];
    each(n, (px, i, k) => {
      const col = [px];
      for (const s of states) {
        let sum = 0;
        for (const g of got)
          for (let j = i; j <= k; j++) sum += g[1][s * n + j];
        col.push(sum / (k - i + 1));
      }
      cols.push(col);
    });
    return cols;
  }

  /* Stacked averages of one or all groups; returns the largest. */
  function areas(list, r, y, states) {
    const exact = exactAreas(list, states), cols = exact || levelAreas(list, states);
    let top = 1;
    if (!cols.length) return 0;
    for (const col of cols)
      top = Math.max(top, col.slice(1).reduce((a, b) => a + b, 0));
    const colours = [v.colours.run, v.colours.ready, v.colours.call, v.colours.block];
    for (const col of cols) {
      let at = y + r.h - 2;
      states.forEach((s, q) => {
        const h = col[q + 1] / top * (r.h - 6);
        if (h <= 0) return;
        cx.fillStyle = colours[s];
        cx.fillRect(col[0], at - h, 1, h);
        at -= h;
      });
    }
    return top;
  }

  function line(c, r, y, top, colour, fill) {
    const d = Data.peek(c.level, 'doubles'), n = c.steps;
    if (!d) return;
    cx.fillStyle = cx.strokeStyle = colour;
    const near = Data.within(c.chunks, v.from, v.to);
    const h = b => b / top * (r.h - 6);
    if (near.length <= 4 && n * (v.to - v.from) / end < v.w - LABEL) {
      const parts = near.map(k => Data.peek(k[0], 'points', k[1])).filter(Boolean);
      const i0 = Math.max(0, Math.floor(v.from / end * n) - 1);
      let last = d[n + Math.min(n - 1, i0)], at = LABEL;
      const to = px => {
        if (!(last >= 0)) return;
        if (fill) cx.fillRect(at, y + r.h - 2 - h(last), px - at, h(last));
        else cx.fillRect(at, y + r.h - 3 - h(last), px - at, 1.5);
      };
      for (const p of parts)
        for (let i = 0; i < p.n; i++) {
          if (p.at[i] > v.to) break;
          const px = Math.max(LABEL, x(p.at[i]));
          if (p.at[i] >= v.from) to(px);
          last = p.v[i];
          at = px;
        }
      to(Math.min(v.w, x(end)));
      return;
    }
    each(n, (px, i, k) => {
      let lo = Infinity, hi = -Infinity;
      for (let j = i; j <= k; j++) {
        if (!(d[n + j] >= 0)) continue;
        lo = Math.min(lo, d[j]);
        hi = Math.max(hi, d[n + j]);
      }
      if (hi < lo) return;
      if (fill) cx.fillRect(px, y + r.h - 2 - h(hi), 1, h(hi));
      else cx.fillRect(px, y + r.h - 3 - h(hi), 1, Math.max(1.5, h(hi - lo)));
    });
  }

  let heapTop = 0;
  function heap(r, y) {
    if (!heapTop)
      for (const c of [index.heap, index.goal]) {
        const d = Data.peek(c.level, 'doubles');
        if (!d) return;
        for (let i = c.steps; i < 2 * c.steps; i++)
          if (d[i] > heapTop && d[i] < 1e15) heapTop = d[i];
      }
    if (!heapTop) return;
    line(index.heap, r, y, heapTop, v.colours.heap, true);
    line(index.goal, r, y, heapTop, v.colours.goal, false);
    text(bytes(heapTop), LABEL + 4, y + 8, 90, v.colours.dim);
  }

  function bandList() {
    const out = [];
    for (const c of Data.within(index.bands, v.from, v.to)) {
      const d = Data.peek(c[0], 'bands', c[1]);
      if (d) out.push(d);
    }
    return out;
  }

  function bands(r, y) {
    let last = -1;
    for (const pass of [0, 1])
      for (const d of bandList())
        for (let i = 0; i < d.n; i++) {
          const stop = d.kind[i] > 0;
          if ((pass === 1) !== stop || d.to[i] < v.from || d.from[i] > v.to) continue;
          const a = Math.max(x(d.from[i]), LABEL), w = Math.max(x(d.to[i]) - a, 1);
          if (Math.floor(a) === last && w <= 1) continue;
          last = Math.floor(a);
          cx.fillStyle = stop ? v.colours.stop : v.colours.gc;
          cx.fillRect(a, y + 3 + (stop ? 0 : 3), w, r.h - (stop ? 6 : 12));
          if (!stop && w > 2) {
            cx.globalAlpha = 0.06;
            cx.fillRect(a, y, w, v.h);
            cx.globalAlpha = 1;
          }
        }
  }

  function goroutine(r, y) {
    const gs = Data.gs, i = r.i;
    const a = Math.max(LABEL, x(Math.max(0, gs.created[i])));
    const b = Math.min(v.w, x(gs.ended[i] < 0 ? end : gs.ended[i]));
    cx.fillStyle = v.colours.block;
    cx.globalAlpha = 0.45;
    if (b > a) cx.fillRect(a, y + r.h / 2 - 1, b - a, 2);
    cx.globalAlpha = 1;
  }

  function spans(first, last) {
    /* The exact spans of all goroutine rows on the screen, chunk by chunk. */
    const at = new Map();
    for (const r of rows)
      if (r.kind === 'g' && r.exact && r.y + r.h >= first && r.y <= last) at.set(r.i, r);
    for (const k of new Set([...at.keys()].map(i => Data.gs.group[i]))) {
      const g = index.groups[k];
      for (const c of [...Data.within(g.slow, v.from, v.to), ...Data.within(g.chunks, v.from, v.to)]) {
        const d = Data.peek(c[0], 'spans', c[1]);
        for (let i = 0; d && i < d.n; i++) {
          const r = at.get(d.g[i]);
          if (!r || d.to[i] < v.from || d.from[i] > v.to) continue;
          const a = Math.max(x(d.from[i]), LABEL), w = Math.max(x(d.to[i]) - a, 0.5);
          const thin = d.state[i] > CALL;
          cx.fillStyle = stateColour(d.state[i]);
          cx.fillRect(a, r.y - v.y + (thin ? 5 : 2), w, r.h - (thin ? 10 : 4));
          if (v.pick && v.pick.g === d.g[i] && v.pick.from === d.from[i]) {
            cx.strokeStyle = v.colours.fg;
            cx.strokeRect(a, r.y - v.y + 2, w, r.h - 4);
          }
        }
      }
    }
  }

  function tasks(r, y) {
    const [first, last] = Lanes.within(taskRows[r.i], v.from, v.to);
    for (const t of taskRows[r.i].slice(first, last)) {
      const to = t[3] < 0 ? end : t[3];
      const a = Math.max(x(t[2]), LABEL), w = Math.max(x(to) - a, 1);
      cx.fillStyle = hue(t[5].length * 7 + 3);
      cx.fillRect(a, y + 2, w, r.h - 4);
      if (w > 40) text(t[5], a + 3, y + r.h / 2, w - 6, '#000c');
    }
  }

  function text(s, px, y, w, colour) {
    cx.fillStyle = colour;
    const most = Math.floor(w / 6);
    if (s.length > most) s = most > 1 ? s.slice(0, most - 1) + '…' : '';
    cx.fillText(s, px, y);
  }

  function ruler() {
    cx.fillStyle = v.colours.bg;
    cx.fillRect(0, 0, v.w, RULER);
    const raw = (v.to - v.from) / Math.max(2, (v.w - LABEL) / 130);
    const p = Math.pow(10, Math.floor(Math.log10(raw)));
    const step = raw / p > 5 ? 10 * p : raw / p > 2 ? 5 * p : 2 * p;
    cx.strokeStyle = v.colours.line;
    cx.lineWidth = 1;
    for (let t = Math.ceil(v.from / step) * step; t <= v.to; t += step) {
      const px = Math.round(x(t)) + 0.5;
      if (px < LABEL) continue;
      cx.beginPath();
      cx.moveTo(px, RULER - 5);
      cx.lineTo(px, v.h);
      cx.stroke();
      text(stamp(t, step), px + 3, 10, 130, v.colours.dim);
    }
  }

  function arrows() {
    /* From who woke it to what it did then. */
    for (const a of v.chain) {
      const from = rows.find(r => r.kind === 'proc' && index.procs[r.i].id === a.fromP);
      const to = rows.find(r => r.kind === 'proc' && index.procs[r.i].id === a.toP);
      if (!to) continue;
      const x1 = x(a.from), x2 = x(a.to);
      const y1 = (from || to).y + (from || to).h / 2 - v.y, y2 = to.y + to.h / 2 - v.y;
      cx.strokeStyle = cx.fillStyle = v.colours.accent;
      cx.lineWidth = 1.5;
      cx.beginPath();
      cx.moveTo(x1, y1);
      cx.bezierCurveTo(x1 + 20, y1, x2 - 30, y2, x2 - 4, y2);
      cx.stroke();
      cx.beginPath();
      cx.moveTo(x2, y2);
      cx.lineTo(x2 - 7, y2 - 4);
      cx.lineTo(x2 - 7, y2 + 4);
      cx.fill();
      cx.beginPath();
      cx.arc(x1, y1, 2.5, 0, 7);
      cx.fill();
    }
  }

  const painters = { heap, bands, proc, tasks, g: goroutine,
    count(r, y) {
      const list = index.groups.map((g, k) => k).filter(k => v.system || !index.groups[k].system);
      const top = areas(list, r, y, [0, 1, 2]);
      text(top ? 'to ' + Number(top.toPrecision(3)).toLocaleString('en') : '', LABEL + 4, y + 8, 90, v.colours.dim);
    },
    group(r, y) { areas([r.i], r, y, [0, 1, 2]); },
    title() {}, more() {} };

  function paint() {
    pending = false;
    layout();
    cx.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    cx.font = '11px system-ui, sans-serif';
    cx.textBaseline = 'middle';
    cx.fillStyle = v.colours.bg;
    cx.fillRect(0, 0, v.w, v.h);
    ruler();
    cx.save();
    cx.beginPath();
    cx.rect(0, RULER, v.w, v.h - RULER);
    cx.clip();
    for (const r of rows) {
      const y = r.y - v.y;
      if (y + r.h < RULER || y > v.h) continue;
      if (r.kind === 'title') {
        cx.fillStyle = v.colours.row;
        cx.fillRect(0, y, v.w, r.h);
      }
      painters[r.kind](r, y);
    }
    spans(v.y, v.y + v.h);
    arrows();
    cx.fillStyle = v.colours.bg;
    cx.fillRect(0, RULER, LABEL, v.h);
    for (const r of rows) {
      const y = r.y - v.y;
      if (y + r.h < RULER || y > v.h) continue;
      if (r.kind === 'title') {
        cx.fillStyle = v.colours.row;
        cx.fillRect(0, y, LABEL, r.h);
      }
      if (r.kind === 'group') {
        cx.fillStyle = hue(r.i);
        cx.fillRect(2, y + 4, 3, r.h - 8);
        text(r.label, 9, y + r.h / 2 - 6, LABEL - 12, v.colours.fg);
        text(r.note, 20, y + r.h / 2 + 7, LABEL - 24, v.colours.dim);
      } else
        text(r.label, r.kind === 'g' || r.kind === 'more' ? 22 : 8, y + r.h / 2,
          LABEL - 12, r.kind === 'g' || r.kind === 'title' ? v.colours.dim : v.colours.fg);
    }
    cx.fillStyle = v.colours.line;
    cx.fillRect(LABEL - 1, 0, 1, v.h);
    cx.restore();
    document.documentElement.dataset.drawn = (+document.documentElement.dataset.drawn || 0) + 1;
  }

  function redraw() {
    if (pending) return;
    pending = true;
    requestAnimationFrame(paint);
  }

  function resize() {
    v.w = box.clientWidth;
    v.h = box.clientHeight;
    canvas.width = v.w * devicePixelRatio;
    canvas.height = v.h * devicePixelRatio;
    canvas.style.width = v.w + 'px';
    canvas.style.height = v.h + 'px';
    redraw();
  }

  function show(from, to) {
    const least = 50, w = Math.max(least, Math.min(to - from, end * 1.04));
    from = Math.max(-end * 0.02, Math.min(from, end * 1.02 - w));
    v.from = from;
    v.to = from + w;
    redraw();
  }
  function zoom(f, at) {
    at = at === undefined ? (v.from + v.to) / 2 : at;
    show(at - (at - v.from) * f, at + (v.to - at) * f);
  }
  const move = part => show(v.from + (v.to - v.from) * part, v.to + (v.to - v.from) * part);
  function reveal(from, to) {
    const w = Math.max((to - from) * 3, (v.to - v.from) / 1e6, 200);
    show((from + to) / 2 - w / 2, (from + to) / 2 + w / 2);
  }
  function scrollTo(kind, i) {
    layout();
    const r = rows.find(q => q.kind === kind && q.i === i);
    if (r && (r.y - v.y < RULER || r.y + r.h - v.y > v.h)) v.y = r.y - v.h / 2;
    redraw();
  }

  /* What is at a place: {row, time, slice or span, ...} */
  function under(px, py) {
    const r = rows.find(q => py + v.y >= q.y && py + v.y < q.y + q.h);
    if (!r || py < RULER) return null;
    const t = time(px), near = (v.to - v.from) / (v.w - LABEL) * 1.5;
    const out = { row: r, time: t, label: px < LABEL };
    if (out.label) return out;
    if (r.kind === 'proc') {
      const p = index.procs[r.i];
      for (const c of Data.within(p.chunks, t - near, t + near)) {
        if (v.to - v.from > 24 * (c[3] - c[2]) && c[1] > 512) continue;
        const d = Data.peek(c[0], 'slices', c[1]);
        if (!d) continue;
        const i = Data.before(d.from, d.n, t + near);
        if (i >= 0 && d.to[i] >= t - near)
          out.slice = { p: p.id, g: d.g[i], from: d.from[i], to: d.to[i], state: RUN,
            end: d.end[i], stack: d.stack[i] };
      }
    } else if (r.kind === 'g') {
      const g = index.groups[Data.gs.group[r.i]];
      for (const c of [...Data.within(g.slow, t, t), ...Data.within(g.chunks, t, t)]) {
        const d = Data.peek(c[0], 'spans', c[1]);
        for (let i = 0; d && i < d.n; i++)
          if (d.g[i] === r.i && d.from[i] <= t + near && d.to[i] >= t - near)
            out.slice = { p: d.p[i], g: r.i, from: d.from[i], to: d.to[i], state: d.state[i],
              stack: d.stack[i], by: d.by[i], at: d.at[i] };
      }
    } else if (r.kind === 'bands') {
      for (const d of bandList())
        for (let i = 0; i < d.n; i++)
          if (d.from[i] <= t + near && d.to[i] >= t - near && !(out.band && out.band.kind))
            out.band = { kind: d.kind[i], from: d.from[i], to: d.to[i] };
    } else if (r.kind === 'tasks') {
      const row = taskRows[r.i], [a, b] = Lanes.within(row, t - near, t + near);
      if (a < b) out.task = row[a];
    } else if (r.kind === 'heap')
      out.heap = true;
    return out;
  }

  /* The heap and its goal at a time. */
  function heapAt(t) {
    const at = c => {
      const d = Data.peek(c.level, 'doubles');
      return d ? d[c.steps + Math.max(0, Math.min(c.steps - 1, Math.floor(t / end * c.steps)))] : NaN;
    };
    return [at(index.heap), at(index.goal)];
  }

  /* A moment, with the digits that a pixel needs. */
  const moment = t => stamp(t, (v.to - v.from) / Math.max(1, v.w - LABEL));

  return { v, LABEL, end, fmt, moment, bytes, x, time, redraw, resize, show, zoom, move, reveal,
    under, themed, scrollTo, heapAt, tasksInView, canvas, stateColour, hue };
})();

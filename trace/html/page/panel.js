/* The tables beside the timeline, and what is known of the selection. */
const Panel = (() => {
  const { index } = Data, { fmt } = View;
  const body = document.getElementById('body'), tabs = document.getElementById('tabs');
  const pages = {};
  let current = 'overview';

  function el(tag, attrs, ...kids) {
    const e = document.createElement(tag);
    for (const k in attrs || {})
      if (k.startsWith('on')) e[k] = attrs[k]; else e.setAttribute(k, attrs[k]);
    for (const kid of kids.flat())
      if (kid !== null && kid !== undefined) e.append(kid);
    return e;
  }

  function open(name) {
    current = name;
    tabs.replaceChildren(...Object.keys(pages).map(k =>
      el('button', { class: k === current ? 'on' : '', onclick: () => open(k) }, k)));
    body.replaceChildren(...[pages[name]()].flat());
  }

  const share = (a, b) => b > 0 ? (100 * a / b).toFixed(1) + ' %' : '';
  const gname = g => 'g' + Data.gs.id[g] + ' ' + Data.groupName(g);
  const glink = g => g < 0 ? 'the scheduler' :
    el('a', { onclick: () => showGoroutine(g) }, gname(g));

  /* rows: [[cell...]...]; heads: [text, numeric]; a click on a head sorts. */
  function table(heads, rows, keys, act) {
    const MOST = 500, t = el('table');
    let by = -1, up = false;
    const fill = () => t.replaceChildren(
      el('tr', {}, heads.map((h, i) => el('th', { class: h[1] ? 'n' : '',
        onclick: () => {
          up = by === i ? !up : !h[1];
          by = i;
          const order = rows.map((r, k) => k).sort((a, b) => {
            const x = keys[a][i], y = keys[b][i];
            return (x < y ? -1 : x > y ? 1 : 0) * (up ? 1 : -1);
          });
          rows = order.map(k => rows[k]);
          keys = order.map(k => keys[k]);
          fill();
        } }, h[0]))),
      ...rows.slice(0, MOST).map((r, k) => el('tr', act ? { class: 'go', onclick: () => act(keys[k]) } : {},
        r.map((c, i) => el('td', { class: heads[i][1] ? 'n' : '' }, c)))),
      ...rows.length > MOST ? [el('tr', {}, el('td', { class: 'dim', colspan: heads.length },
        '… ' + (rows.length - MOST).toLocaleString('en') + ' more'))] : []);
    fill();
    return t;
  }

  function stackOf(id) {
    const s = Data.stack(id);
    return el('div', { class: 'stack' }, s.length ? s.map(f =>
      el('div', {}, f.func + ' ', el('span', {}, f.file ? f.file.replace(/^.*\//, '') +
        (f.line ? ':' + f.line : '') : ''))) : el('span', {}, 'no stack'));
  }

  pages.overview = () => {
    const sum = index.totals.reduce((a, t) => a + t[0], 0);
    const busy = index.procs.reduce((a, p) => a + p.busy, 0);
    const room = index.duration * (index.gomaxprocs || index.procs.length);
    return [
      el('table', {}, [
        ['duration', fmt(index.duration)],
        ['events', index.events.toLocaleString('en')],
        ['processors', index.procs.length + ', busy ' + share(busy, room)],
        ['goroutines', index.ngs.toLocaleString('en') + ', at most ' +
          index.peak.toLocaleString('en') + ' at once'],
        ['created, ended', index.created.toLocaleString('en') + ', ' +
          index.ended.toLocaleString('en')],
      ].map(r => el('tr', {}, el('td', { class: 'dim' }, r[0]), el('td', {}, r[1])))),
      el('h3', {}, "Where the goroutines' time went"),
      table([['state'], ['time', 1], ['share', 1], ['times', 1], ['longest', 1]],
        index.totals.map((t, i) => [[el('span', { class: 'key', style: 'background:' +
          View.stateColour(i) }), index.states[i]], fmt(t[0]), share(t[0], sum),
        t[1].toLocaleString('en'), fmt(t[2])]).filter((r, i) => index.totals[i][1] > 0),
        index.totals.map((t, i) => [index.states[i], t[0], t[0], t[1], t[2]])
          .filter((r, i) => index.totals[i][1] > 0)),
      el('h3', {}, 'Processors'),
      table([['P'], ['busy', 1], ['GC', 1], ['runs', 1]],
        index.procs.map(p => ['P ' + p.id, share(p.busy, index.duration),
          share(p.gc, index.duration), p.runs.toLocaleString('en')]),
        index.procs.map(p => [p.id, p.busy, p.gc, p.runs])),
    ];
  };

  pages.goroutines = () => {
    const blocked = t => t.slice(4).reduce((a, b) => a + b, 0);
    const shown = index.groups.map((g, i) => i)
      .filter(i => View.v.system || !index.groups[i].system);
    return [
      el('p', { class: 'dim' }, 'By entry function; a click opens the group.' +
        (shown.length < index.groups.length ? " The runtime's own are hidden (r)." : '')),
      table([['function'], ['n', 1], ['running', 1], ['runnable', 1], ['blocked', 1]],
        shown.map(i => index.groups[i]).map(g => [g.name, g.n.toLocaleString('en'),
          fmt(g.time[1]), fmt(g.time[2]), fmt(blocked(g.time))]),
        shown.map(i => [i, index.groups[i]]).map(([i, g]) =>
          [g.name, g.n, g.time[1], g.time[2], blocked(g.time), i]),
        k => {
          View.v.open.add(k[5]);
          View.v.hit = k[5];
          View.scrollTo('group', k[5]);
        }),
    ];
  };

  const waitTable = list => table([['how long', 1], ['what'], ['goroutine'], ['woken by']],
    list.map(w => [fmt(w[0]), index.states[w[5]], w[2] < 0 ? '?' : gname(w[2]),
      w[3] < 0 ? '' : gname(w[3])]),
    list.map(w => [w[0], index.states[w[5]], w[2], w[3], w]),
    k => {
      const w = k[4];
      if (w[2] >= 0) select({ g: w[2], from: w[1], to: w[1] + w[0], state: w[5], stack: w[4], p: -1 }, true);
    });

  pages.waits = () => [
    el('h3', {}, 'Longest blocks'), waitTable(index.longest),
    el('h3', {}, 'Longest waits for a processor'), waitTable(index.late),
  ];

  pages.tasks = () => index.tasks.length ? table(
    [['task'], ['name'], ['start', 1], ['time', 1]],
    index.tasks.map(t => [t[0], t[5], fmt(t[2]), t[3] < 0 ? 'open' : fmt(t[3] - t[2])]),
    index.tasks.map(t => [t[0], t[5], t[2], t[3] < 0 ? Infinity : t[3] - t[2], t]),
    k => View.reveal(k[4][2], k[4][3] < 0 ? View.end : k[4][3])) :
    el('p', { class: 'dim' }, 'The program has no tasks of its own.');

  let chosen = null;
  pages.selection = () => chosen || el('p', { class: 'dim' },
    'Click a slice of a processor or of a goroutine.');

  /*
   * How it came to run: back from a time at which g runs to who woke it, and
   * on from there.
   */
  async function causes(g, t, most) {
    const out = [];
    for (let k = 0; k < most; k++) {
      const look = Math.max(View.end / 50, 1e6);
      let s = await Data.spansOf(g, t - look, t);
      let i = s.findIndex(q => q.state === 1 && q.from <= t && q.to >= t);
      if (i < 0) break;
      const run = s[i], ready = s[i - 1];
      if (!ready || ready.state !== 2) break;
      const step = { g, run, ready, block: s[i - 2], by: ready.by };
      if (step.by >= 0) {
        const w = await Data.spansOf(step.by, ready.from, ready.from);
        step.waker = w.find(q => q.state === 1);
      }
      out.push(step);
      if (step.by < 0 || step.by === g) break;
      g = step.by;
      t = ready.from;
    }
    return out;
  }

  async function select(s, jump) {
    View.v.pick = s;
    View.v.chain = [];
    if (jump) View.reveal(s.from, s.to);
    const lines = [
      el('h3', {}, gname(s.g)),
      el('div', {}, index.states[s.state] + ' for ' + fmt(s.to - s.from) +
        (s.state === 1 ? ' on P ' + s.p : '') + ', from ' + fmt(s.from) + ' to ' + fmt(s.to)),
      s.end ? el('div', { class: 'dim' }, 'ended by ' + index.kinds[s.end]) : null,
      el('h3', {}, s.state === 1 ? 'Where it stopped' : 'Where it waited'),
      stackOf(s.stack),
      el('div', {}, el('a', { onclick: () => showGoroutine(s.g) }, 'all about g' + Data.gs.id[s.g])),
    ].filter(Boolean);
    chosen = lines;
    open('selection');
    View.redraw();
    /* A block's cause is in the run that follows it. */
    let t = s.from;
    if (s.state !== 1) {
      const after = (await Data.spansOf(s.g, s.to, s.to + View.end / 50))
        .find(q => q.state === 1 && q.from >= s.to);
      if (!after) return;
      t = after.from;
    }
    const chain = await causes(s.g, t, 12);
    if (View.v.pick !== s) return;
    View.v.chain = chain.filter(c => c.waker).map(c => ({ from: c.ready.from,
      fromP: c.waker.p, to: c.run.from, toP: c.run.p }));
    lines.push(el('h3', {}, 'How it came to run'));
    for (const c of chain)
      lines.push(el('div', {}, glink(c.g), ' ran after ', fmt(c.ready.to - c.ready.from), ' runnable',
        c.block && c.block.state > 2 ? ', and ' + fmt(c.block.to - c.block.from) + ' in ' +
          index.states[c.block.state] : '',
        c.by >= 0 ? [', woken by ', glink(c.by), ' at ', el('a', { onclick: () =>
          View.reveal(c.ready.from - 500, c.ready.from + 500) }, fmt(c.ready.from))] : ''),
      c.ready.at ? stackOf(c.ready.at) : el('div', { class: 'stack' }));
    if (!chain.length) lines.push(el('div', { class: 'dim' }, 'not known'));
    chosen = lines;
    if (current === 'selection') open('selection');
    View.redraw();
  }

  function showGoroutine(g) {
    const gs = Data.gs, n = index.states.length;
    const t = Array.from(gs.time.subarray(g * n, g * n + n));
    const sum = t.reduce((a, b) => a + b, 0);
    View.v.hit = gs.group[g];
    View.v.system = View.v.system || index.groups[gs.group[g]].system;
    View.v.open.add(gs.group[g]);
    View.scrollTo('g', g);
    chosen = [
      el('h3', {}, gname(g)),
      el('table', {}, [
        ['created', gs.created[g] < 0 ? 'before the trace' : fmt(gs.created[g])],
        ['by', gs.parent[g] < 0 ? 'unknown' : glink(gs.parent[g])],
        ['ended', gs.ended[g] < 0 ? 'not in the trace' : fmt(gs.ended[g])],
        ['runs, blocks', gs.runs[g].toLocaleString('en') + ', ' + gs.blocks[g].toLocaleString('en')],
        ['longest block', fmt(gs.longest[g])],
      ].map(r => el('tr', {}, el('td', { class: 'dim' }, r[0]), el('td', {}, r[1])))),
      el('h3', {}, 'Its time'),
      table([['state'], ['time', 1], ['share', 1]],
        t.map((q, i) => [index.states[i], fmt(q), share(q, sum)]).filter((r, i) => t[i] > 0),
        t.map((q, i) => [index.states[i], q, q]).filter((r, i) => t[i] > 0)),
      el('p', {}, el('a', { onclick: () => View.reveal(Math.max(0, gs.created[g]),
        gs.ended[g] < 0 ? View.end : gs.ended[g]) }, 'show its life')),
    ];
    open('selection');
  }

  let found = [];
  pages.search = () => found.length ? found : el('p', { class: 'dim' }, 'Nothing found.');
  function search(q) {
    q = q.trim().toLowerCase();
    if (!q) return;
    found = [];
    const num = /^g?\s*(\d+)$/.exec(q);
    if (num) {
      const id = +num[1], i = Data.before(Data.gs.id, Data.gs.n, id);
      if (i >= 0 && Data.gs.id[i] === id) {
        found.push(el('div', {}, glink(i)));
        showGoroutine(i);
        return;
      }
    }
    index.groups.forEach((g, k) => {
      if (!g.name.toLowerCase().includes(q)) return;
      found.push(el('div', {}, el('a', { onclick: () => {
        View.v.hit = k;
        View.v.open.add(k);
        View.scrollTo('group', k);
      } }, g.name), el('span', { class: 'dim' }, '  ' + g.n.toLocaleString('en') + ' goroutines')));
      if (found.length === 1) {
        View.v.hit = k;
        View.scrollTo('group', k);
      }
    });
    const tasks = index.tasks.filter(t => t[5].toLowerCase().includes(q)), MOST = 100;
    for (const t of tasks.slice(0, MOST))
      found.push(el('div', {}, el('a', { onclick: () =>
        View.reveal(t[2], t[3] < 0 ? View.end : t[3]) }, 'task ' + t[0] + ' ' + t[5])));
    if (tasks.length > MOST)
      found.push(el('div', { class: 'dim' }, '… ' + (tasks.length - MOST) + ' more tasks'));
    open('search');
  }

  pages.help = () => [
    el('h3', {}, 'Mouse'),
    el('p', {}, 'Wheel: zoom at the pointer. Shift and wheel: move. Wheel over the names: scroll. ' +
      'Drag: move. Click: details, and arrows from who woke it. Click on a group: its goroutines.'),
    el('h3', {}, 'Keys'),
    el('table', {}, [['w, +', 'zoom in'], ['s, -', 'zoom out'], ['a, ←', 'move left'],
      ['d, →', 'move right'], ['↑ ↓', 'scroll'], ['0', 'show all'],
      ['r', "show the runtime's own goroutines, or hide them"], ['/', 'search'],
      ['Esc', 'forget the selection'], ['?', 'this page']].map(r =>
      el('tr', {}, el('td', {}, el('kbd', {}, r[0])), el('td', {}, r[1])))),
    el('h3', {}, 'Colours'),
    el('p', {}, 'Slices of processors have the colour of their group of goroutines. Goroutines are:'),
    el('div', {}, [['running', 1], ['runnable', 2], ['in a system call', 3], ['blocked', 4]].map(r =>
      el('div', {}, el('span', { class: 'key', style: 'background:' + View.stateColour(r[1]) }), r[0]))),
  ];

  return { open, select, search, showGoroutine, current: () => current };
})();

/* Mouse, keys and buttons. */
(() => {
  const { index } = Data, { v, canvas } = View;
  const $ = id => document.getElementById(id);
  const tip = $('tip'), search = $('search');

  function theme(t) {
    document.documentElement.dataset.theme = t;
    View.themed();
    Panel.open(Panel.current());
  }

  let drag = null;
  canvas.addEventListener('mousedown', e => {
    drag = { x: e.offsetX, y: e.offsetY, from: v.from, to: v.to, top: v.y, moved: false };
    canvas.focus();
  });
  window.addEventListener('mouseup', e => {
    const d = drag;
    drag = null;
    if (d && !d.moved && e.target === canvas) click(e.offsetX, e.offsetY);
  });
  canvas.addEventListener('mousemove', e => {
    if (drag) {
      const dx = e.offsetX - drag.x, dy = e.offsetY - drag.y;
      if (Math.abs(dx) + Math.abs(dy) > 3) drag.moved = true;
      if (!drag.moved) return;
      const t = dx / (v.w - View.LABEL) * (drag.to - drag.from);
      v.y = drag.top - dy;
      View.show(drag.from - t, drag.to - t);
      tip.style.display = 'none';
      return;
    }
    hover(e.offsetX, e.offsetY);
  });
  canvas.addEventListener('mouseleave', () => { tip.style.display = 'none'; });
  canvas.addEventListener('wheel', e => {
    e.preventDefault();
    if (e.offsetX < View.LABEL) {
      v.y += e.deltaY;
      View.redraw();
    } else if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY))
      View.move((e.deltaX || e.deltaY) / 1000);
    else
      View.zoom(Math.exp(e.deltaY / 500), View.time(e.offsetX));
  }, { passive: false });

  function click(x, y) {
    const u = View.under(x, y);
    if (!u) return;
    if (u.slice)
      Panel.select(u.slice, false);
    else if (u.row.kind === 'group') {
      if (!v.open.delete(u.row.i)) v.open.add(u.row.i);
      v.hit = v.open.has(u.row.i) ? u.row.i : -1;
      View.redraw();
    } else if (u.row.kind === 'g' && u.label)
      Panel.showGoroutine(u.row.i);
    else if (u.band)
      View.reveal(u.band.from, u.band.to);
    else if (u.task)
      View.reveal(u.task[2], u.task[3] < 0 ? View.end : u.task[3]);
    else if (u.row.kind === 'proc' && !u.label)
      View.zoom(0.25, u.time); /* too many to tell apart */
  }

  function hover(x, y) {
    const u = View.under(x, y);
    let s = '';
    canvas.style.cursor = u && (u.slice || u.band || u.task || u.row.kind === 'group') ?
      'pointer' : 'default';
    if (u && u.slice) {
      const f = Data.stack(u.slice.stack)[0];
      s = 'g' + Data.gs.id[u.slice.g] + ' ' + Data.groupName(u.slice.g) + '\n' +
        index.states[u.slice.state] + ' ' + View.fmt(u.slice.to - u.slice.from) +
        (f ? '\nuntil ' + f.func + ' ' + f.file.replace(/^.*\//, '') + ':' + f.line : '');
    } else if (u && u.band)
      s = (u.band.kind ? 'world stopped: ' + index.stops[u.band.kind - 1] : 'collection') + '\n' +
        View.fmt(u.band.to - u.band.from);
    else if (u && u.task)
      s = 'task ' + u.task[0] + ' ' + u.task[5] + '\n' +
        (u.task[3] < 0 ? 'open' : View.fmt(u.task[3] - u.task[2]));
    else if (u && u.heap && !u.label) {
      const [heap, goal] = View.heapAt(u.time);
      if (heap >= 0) s = 'heap ' + View.bytes(heap) + (goal >= 0 ? ', goal ' + View.bytes(goal) : '');
    }
    if (u && !u.label && s) s += '\nat ' + View.moment(u.time);
    tip.style.display = s ? 'block' : 'none';
    if (!s) return;
    tip.textContent = s;
    tip.style.left = Math.min(x + 14, v.w - tip.offsetWidth - 8) + 'px';
    tip.style.top = Math.min(y + 14, v.h - tip.offsetHeight - 8) + 'px';
  }

  const keys = {
    w: () => View.zoom(0.6), '+': () => View.zoom(0.6), '=': () => View.zoom(0.6),
    s: () => View.zoom(1 / 0.6), '-': () => View.zoom(1 / 0.6),
    a: () => View.move(-0.2), ArrowLeft: () => View.move(-0.2),
    d: () => View.move(0.2), ArrowRight: () => View.move(0.2),
    ArrowUp: () => { v.y -= 60; View.redraw(); }, ArrowDown: () => { v.y += 60; View.redraw(); },
    0: () => View.show(0, View.end),
    r: () => {
      v.system = !v.system;
      Panel.open(Panel.current());
      View.redraw();
    },
    '/': () => search.focus(), '?': () => Panel.open('help'),
    Escape: () => { v.pick = null; v.chain = []; v.hit = -1; View.redraw(); },
  };
  window.addEventListener('keydown', e => {
    if (e.target === search || e.ctrlKey || e.metaKey || e.altKey) return;
    const f = keys[e.key];
    if (f) {
      e.preventDefault();
      f();
    }
  });
  search.addEventListener('keydown', e => {
    if (e.key === 'Enter') Panel.search(search.value);
    if (e.key === 'Escape') canvas.focus();
  });
  $('fit').onclick = keys[0];
  $('in').onclick = keys.w;
  $('out').onclick = keys.s;
  $('keys').onclick = keys['?'];
  $('theme').onclick = () => theme(v.dark ? 'light' : 'dark');
  window.addEventListener('resize', View.resize);

  $('facts').textContent = View.fmt(index.duration) + ', ' +
    index.events.toLocaleString('en') + ' events, ' + index.ngs.toLocaleString('en') +
    (index.ngs === 1 ? ' goroutine' : ' goroutines') + ' on ' + index.procs.length +
    (index.procs.length === 1 ? ' processor' : ' processors');
  Data.open(View.redraw).then(() => {
    theme(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
    View.resize();
    Panel.open('overview');
    document.documentElement.dataset.ready = 'yes';
  }, e => { $('facts').textContent = 'This page is damaged: ' + e; });
})();

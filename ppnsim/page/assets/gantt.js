// Processes over time on a canvas: firings, the class of every cycle with its cause, FIFO occupancies, parallelism.
"use strict";
const Gantt = (() => {
  const LEFT = 150, LANE = 46, STRIP = 13, CURVE = 30, TOP = 24, BARS = 700, STACK = 8;
  const PATTERN = { blocked: "/", resource: "x" };
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();

  function paper(canvas, rows) {
    const width = Math.max(canvas.clientWidth, 400), ratio = window.devicePixelRatio || 1;
    canvas.height = rows * ratio;
    canvas.width = width * ratio;
    canvas.style.height = rows + "px";
    const context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, rows);
    context.textBaseline = "middle";
    return { context, width };
  }

  function hatch(context, kind) {
    const tile = document.createElement("canvas");
    tile.width = tile.height = 6;
    const pen = tile.getContext("2d");
    pen.fillStyle = colour(kind);
    pen.fillRect(0, 0, 6, 6);
    if (PATTERN[kind]) {
      pen.strokeStyle = "#000";
      pen.lineWidth = 0.9;
      pen.beginPath();
      pen.moveTo(0, 6); pen.lineTo(6, 0);
      if (PATTERN[kind] === "x") { pen.moveTo(0, 0); pen.lineTo(6, 6); }
      pen.stroke();
    }
    return context.createPattern(tile, "repeat");
  }

  function draw(canvas, view, range, cycle) {
    const { model, result } = view, [first, last] = range;
    const height = TOP + model.processes.length * LANE + CURVE + 14 + model.channels.length * CURVE + 8;
    const { context, width } = paper(canvas, height), wide = width - LEFT - 10;
    const x = (at) => LEFT + ((at - first) / (last - first)) * wide;
    const looks = Object.fromEntries(["starting", "done", "draining", "ii", "starved", "blocked", "resource"].map((kind) => [kind, hatch(context, kind)]));
    const per = wide / (last - first);
    context.font = "11px sans-serif";
    axis(context, first, last, x, height, per);
    model.processes.forEach((process, i) => {
      const y = TOP + i * LANE;
      label(context, process.name, y + LANE / 2 - 2);
      firings(context, view, i, range, x, y + 2, LANE - STRIP - 10, per);
      strip(context, view, i, range, x, y + LANE - STRIP - 6, per, looks);
    });
    critical(context, view.path, range, x);
    const base = TOP + model.processes.length * LANE;
    label(context, `executes (max ${view.parallel.most})`, base + CURVE / 2);
    curve(context, view.parallel.cycles, view.parallel.values, Math.max(view.parallel.most, 1), range, x, base, "starting");
    model.channels.forEach((channel, i) => {
      const y = base + CURVE + 14 + i * CURVE, held = view.held[i], top = Math.max(channel.depth ?? held.most, held.most, 1);
      label(context, `${channel.name} ${held.most}/${channel.depth ?? "∞"}`, y + CURVE / 2);
      curve(context, held.cycles, held.tokens, top, range, x, y, "token");
    });
    if (cycle >= first && cycle < last) {
      context.fillStyle = colour("ink");
      context.globalAlpha = 0.16;
      context.fillRect(x(cycle), 0, Math.max(per, 2), height);
      context.globalAlpha = 1;
    }
  }

  // The critical path runs along the lanes of the processes that it is in, and crosses to the one that was waited for.
  function critical(context, path, [first, last], x) {
    context.strokeStyle = context.fillStyle = colour("alarm");
    context.lineWidth = 1.5;
    path.forEach(([i, begin, end], k) => {
      if (end < first || begin >= last) return;
      const y = TOP + i * LANE + LANE - 3, left = Math.max(x(begin), LEFT), right = x(Math.min(end + 1, last));
      context.fillRect(left, y - 1.5, Math.max(right - left, 1), 3);
      if (k && begin >= first) {
        context.beginPath();
        context.moveTo(x(begin), TOP + path[k - 1][0] * LANE + LANE - 3); context.lineTo(x(begin), y);
        context.stroke();
      }
    });
    context.lineWidth = 1;
  }

  function label(context, text, y) {
    context.fillStyle = colour("ink");
    let shown = text;
    while (shown.length > 3 && context.measureText(shown).width > LEFT - 12) shown = shown.slice(0, -2) + "…";
    context.textAlign = "left";
    context.fillText(shown, 4, y);
  }

  function axis(context, first, last, x, height, per) {
    let step = 1;
    for (let k = 0; step * per < 60; k++) step = [1, 2, 5][k % 3] * 10 ** Math.floor(k / 3);
    context.textAlign = "center";
    for (let at = Math.ceil(first / step) * step; at <= last; at += step) {
      context.strokeStyle = colour("line");
      context.beginPath();
      context.moveTo(x(at), TOP - 6); context.lineTo(x(at), height);
      context.stroke();
      context.fillStyle = colour("faint");
      context.fillText(at, x(at), TOP / 2);
    }
  }

  // Firings one by one in rows that are free; where they are too many, how many there are.
  function firings(context, view, i, [first, last], x, y, height, per) {
    const { start, end } = view.result.processes[i], stopped = view.result.stopped;
    if (last - first > BARS) return density(context, view, i, [first, last], x, y, height);
    const shown = [];
    for (let n = 0; n < start.length; n++) {
      if (start[n] < 0 || start[n] >= last) break;
      const until = end[n] < 0 ? stopped : Math.max(end[n], start[n] + 0.25);
      if (until > first) shown.push([n, start[n], until]);
    }
    const rows = [];
    const at = shown.map(([, begin, until]) => {
      let row = rows.findIndex((busy) => busy <= begin);
      if (row < 0) row = rows.push(0) - 1;
      rows[row] = until;
      return row;
    });
    if (rows.length > STACK) return density(context, view, i, [first, last], x, y, height);
    const tall = height / Math.max(rows.length, 1);
    context.textAlign = "center";
    shown.forEach(([n, begin, until], k) => {
      const left = Math.max(x(begin), LEFT), right = x(Math.min(until, last)), top = y + at[k] * tall;
      context.fillStyle = colour("firing");
      context.fillRect(left + 0.5, top + 0.5, Math.max(right - left - 1, 0.7), Math.max(tall - 1, 1));
      if (tall >= 9 && right - left > 7 * String(n).length + 3) {
        context.fillStyle = "#000";
        context.fillText(n, (left + right) / 2, top + tall / 2 + 0.5);
      }
    });
  }

  function density(context, view, i, [first, last], x, y, height) {
    const { start, end } = view.result.processes[i], columns = Math.ceil(x(last) - LEFT), busy = new Float64Array(columns + 1);
    for (let n = 0; n < start.length; n++) {
      if (start[n] < 0 || start[n] >= last) continue;
      const until = end[n] < 0 ? view.result.stopped : end[n];
      const a = Math.max(0, Math.floor(x(start[n]) - LEFT)), b = Math.min(columns, Math.floor(x(until) - LEFT));
      if (b >= a && until > first) { busy[a] += 1; if (b + 1 <= columns) busy[b + 1] -= 1; }
    }
    let now = 0, most = 1;
    const sums = Array.from(busy, (change) => (now += change));
    for (const value of sums) most = Math.max(most, value);
    context.fillStyle = colour("firing");
    sums.forEach((value, column) => { const tall = (value / most) * height; context.fillRect(LEFT + column, y + height - tall, 1.2, tall); });
  }

  // The class of every cycle; a column that holds several cycles shows their shares, exactly.
  function strip(context, view, i, [first, last], x, y, per, looks) {
    const { labels, codes } = view.classes[i], end = Math.min(last, codes.length);
    if (per >= 1) {
      for (let at = Math.max(first, 0); at < end; ) {
        let until = at + 1;
        while (until < end && codes[until] === codes[at]) until++;
        const { kind } = labels[codes[at]];
        context.fillStyle = looks[kind];
        context.fillRect(x(at), y, x(until) - x(at), STRIP);
        context.strokeStyle = colour("faint");
        context.lineWidth = 0.5;
        context.strokeRect(x(at), y, x(until) - x(at), STRIP);
        const words = view.causeOf(i, codes[at]);
        if (words && x(until) - x(at) > context.measureText(words).width + 6) {
          context.textAlign = "center";
          context.fillStyle = "#000";
          context.fillText(words, (x(at) + x(until)) / 2, y + STRIP / 2 + 0.5);
        }
        at = until;
      }
      return;
    }
    for (let column = 0; column < x(last) - LEFT; column++) {
      const a = Math.floor(first + column / per), b = Math.min(end, Math.max(a + 1, Math.floor(first + (column + 1) / per)));
      const counts = new Map();
      for (let at = a; at < b; at++) counts.set(codes[at], (counts.get(codes[at]) || 0) + 1);
      let top = y;
      for (const code of [...counts.keys()].sort((m, n) => m - n)) {
        const tall = (STRIP * counts.get(code)) / Math.max(b - a, 1);
        context.fillStyle = looks[labels[code].kind];
        context.fillRect(LEFT + column, top, 1.1, tall);
        top += tall;
      }
    }
  }

  function curve(context, cycles, values, most, [first, last], x, y, name) {
    const tall = CURVE - 6, columns = x(last) - LEFT, tops = new Float64Array(Math.ceil(columns) + 1);
    context.fillStyle = colour(name);
    for (let k = 0; k < cycles.length; k++) {
      const begin = Math.max(cycles[k], first), end = Math.min(k + 1 < cycles.length ? cycles[k + 1] : last, last);
      if (begin >= end || !values[k]) continue;
      const a = x(begin) - LEFT, b = x(end) - LEFT;
      if (b - a >= 1) context.fillRect(LEFT + a, y + tall * (1 - values[k] / most), b - a, (tall * values[k]) / most);
      else tops[Math.floor(a)] = Math.max(tops[Math.floor(a)], values[k]);
    }
    tops.forEach((value, column) => { if (value) context.fillRect(LEFT + column, y + tall * (1 - value / most), 1, (tall * value) / most); });
    context.strokeStyle = colour("line");
    context.strokeRect(LEFT, y, columns, tall);
  }

  // Which process (or null) and cycle a point of the canvas shows.
  function at(canvas, range, px, py, view) {
    const wide = Math.max(canvas.clientWidth, 400) - LEFT - 10;
    const cycle = Math.floor(range[0] + ((px - LEFT) / wide) * (range[1] - range[0]));
    const process = Math.floor((py - TOP) / LANE);
    const below = py - TOP - view.model.processes.length * LANE - CURVE - 14, channel = Math.floor(below / CURVE);
    return {
      cycle, inside: px >= LEFT && cycle >= 0 && cycle < view.result.stopped,
      process: process >= 0 && process < view.model.processes.length ? process : null,
      channel: below >= 0 && channel < view.model.channels.length ? channel : null,
    };
  }

  return { draw, at, LEFT, colour };
})();

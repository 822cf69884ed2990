// Processes over time on a canvas: firings, the class of every cycle with its cause, FIFO occupancies, parallelism.
"use strict";
const Gantt = (() => {
  const LEFT = 150, LANE = 46, STRIP = 13, CURVE = 30, TOP = 24, BARS = 700, STACK = 8;
  const { colour } = Looks;

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

  function draw(canvas, view, range, cycle) {
    const { model, result } = view, [first, last] = range;
    const height = TOP + model.processes.length * LANE + CURVE + 14 + model.channels.length * CURVE + 8;
    const { context, width } = paper(canvas, height), wide = width - LEFT - 10;
    const x = (at) => LEFT + ((at - first) / (last - first)) * wide;
    const fill = Looks.fills(context, model.colours);
    const per = wide / (last - first);
    context.font = "11px sans-serif";
    axis(context, first, last, x, height, per);
    model.processes.forEach((process, i) => {
      const y = TOP + i * LANE;
      label(context, process.name, y + LANE / 2 - 2);
      firings(context, view, i, range, x, y + 2, LANE - STRIP - 10, per);
      strip(context, view, i, range, x, y + LANE - STRIP - 6, per, fill);
    });
    critical(context, view.path, range, x);
    const base = TOP + model.processes.length * LANE;
    label(context, `executes (max ${view.parallel.most})`, base + CURVE / 2);
    curve(context, view.parallel.cycles, view.parallel.values, Math.max(view.parallel.most, 1), range, x, base, colour("firing"));
    model.channels.forEach((channel, i) => {
      const y = base + CURVE + 14 + i * CURVE, held = view.held[i], top = Math.max(channel.depth ?? held.most, held.most, 1);
      label(context, `${channel.name} ${held.most}/${channel.depth ?? "∞"}`, y + CURVE / 2);
      curve(context, held.cycles, held.tokens, top, range, x, y, Looks.line(model.colours, i));
    });
    if (cycle !== null && cycle >= first && cycle < last) {
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
    const { start, end, numbers } = view.result.processes[i], stopped = view.result.stopped;
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
      const number = numbers ? numbers[n] : n;
      if (tall >= 9 && right - left > 7 * String(number).length + 3) {
        context.fillStyle = Looks.on(colour("firing"));
        context.fillText(number, (left + right) / 2, top + tall / 2 + 0.5);
      }
    });
  }

  // The mean number of firings in each column, exactly, against the largest of these means.
  function density(context, view, i, [first, last], x, y, height) {
    const { start, end } = view.result.processes[i], columns = Math.ceil(x(last) - LEFT);
    const partly = new Float64Array(columns + 1), wholly = new Float64Array(columns + 2);
    const place = (cycle) => Math.max(0, Math.min(x(cycle) - LEFT, columns));
    for (let n = 0; n < start.length; n++) {
      if (start[n] < 0 || start[n] >= last) continue;
      const from = place(start[n]), to = place(end[n] < 0 ? view.result.stopped : end[n]), a = Math.floor(from), b = Math.floor(to);
      if (a === b) { partly[a] += to - from; continue; }
      partly[a] += a + 1 - from;
      partly[b] += to - b;
      wholly[a + 1] += 1;
      wholly[b] -= 1;
    }
    let now = 0;
    const means = Array.from(partly.subarray(0, columns), (part, column) => (now += wholly[column]) + part);
    heights(context, means, Math.max(...means), (column) => LEFT + column, y, height);
  }

  function heights(context, values, most, left, y, height) {
    context.fillStyle = colour("firing");
    values.forEach((value, column) => { const tall = (value / most) * height; if (tall) context.fillRect(left(column), y + height - tall, left(column + 1) - left(column), tall); });
  }

  // The class of every cycle; a column that holds several cycles shows their shares, exactly.
  function strip(context, view, i, [first, last], x, y, per, fill) {
    const { labels, codes, base = 0 } = view.classes[i], end = Math.min(last, base + codes.length);
    if (per >= 1) {
      for (let at = Math.max(first, base); at < end; ) {
        const code = codes[at - base];
        let until = at + 1;
        while (until < end && codes[until - base] === code) until++;
        context.fillStyle = fill(labels[code]);
        context.fillRect(x(at), y, x(until) - x(at), STRIP);
        context.strokeStyle = colour("faint");
        context.lineWidth = 0.5;
        context.strokeRect(x(at), y, x(until) - x(at), STRIP);
        const words = view.causeOf(i, code);
        if (words && x(until) - x(at) > context.measureText(words).width + 6) {
          const [ground] = Looks.paint(view.model.colours, labels[code]), middle = [(x(at) + x(until)) / 2, y + STRIP / 2 + 0.5];
          context.textAlign = "center";
          context.strokeStyle = ground; // so that no hatch goes through a letter
          context.lineWidth = 4;
          context.strokeText(words, ...middle);
          context.fillStyle = Looks.on(ground);
          context.fillText(words, ...middle);
        }
        at = until;
      }
      return;
    }
    for (let column = 0; column < x(last) - LEFT; column++) {
      const a = Math.floor(first + column / per), b = Math.min(end, Math.max(a + 1, Math.floor(first + (column + 1) / per)));
      const counts = new Map();
      for (let at = a; at < b; at++) counts.set(codes[at - base], (counts.get(codes[at - base]) || 0) + 1);
      shares(context, [...counts].sort(([m], [n]) => m - n), labels, b - a, LEFT + column, y, 1.1, fill);
    }
  }

  // The shares of a column: each class as tall as the cycles that it has of all.
  function shares(context, counts, labels, all, left, top, wide, fill) {
    for (const [code, cycles] of counts) {
      const tall = (STRIP * cycles) / Math.max(all, 1);
      context.fillStyle = fill(labels[code]);
      context.fillRect(left, top, wide, tall);
      top += tall;
    }
  }

  function curve(context, cycles, values, most, [first, last], x, y, paint) {
    const tall = CURVE - 6, columns = x(last) - LEFT, tops = new Float64Array(Math.ceil(columns) + 1);
    context.fillStyle = paint;
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

  return { draw, at, paper, label, axis, shares, heights, LEFT, LANE, STRIP, CURVE, TOP };
})();

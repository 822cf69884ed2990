// Where every cycle of a process went (T6.2), as ppnsim/model/cycles.py and waits.py tell it, for the page.
"use strict";
const Classes = (() => {
  const NEVER = -1;
  // Loops instead of Array.from and Map: a hundred thousand firings are to be shown at once.
  function orStopped(values, stopped) {
    const known = Float64Array.from(values);
    for (let n = known.length - 1; n >= 0 && known[n] === NEVER; n--) known[n] = stopped;
    return known;
  }

  // The cycle from which what each firing waits for by an edge is there; `stopped` if never.
  function thereFrom(index, passed, delay, never) {
    const there = new Float64Array(index.length);
    for (let n = 0; n < index.length; n++) {
      const at = index[n];
      if (at >= 0) there[n] = at < passed.length && passed[at] !== NEVER ? passed[at] + delay : never;
    }
    return there;
  }

  // Per consumer firing the cycle from which all tokens that it reads are there.
  function readableFrom(result, channel) {
    const { run, model, stopped } = result, ends = run.channels[channel], { forward } = model.channels[channel];
    return thereFrom(ends.tokens, run.passed[ends.writer], forward, stopped + forward);
  }

  // Per producer firing the cycle from which all slots that it fills are free.
  function writableFrom(result, channel) {
    const { run, model, stopped } = result, ends = run.channels[channel];
    if (!ends.slots) return new Float64Array(ends.put.length);
    return thereFrom(ends.slots, run.passed[ends.reader], model.channels[channel].release, stopped);
  }

  const holdEnds = (holds, stopped) => {
    const after = holds.map(([, end]) => (end === NEVER ? stopped : end)), lengths = [0];
    holds.forEach(([first], i) => lengths.push(lengths[i] + after[i] - first));
    return { after, lengths };
  };
  const countUpTo = (sorted, value, inclusive) => {
    let low = 0, high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (inclusive ? sorted[middle] <= value : sorted[middle] < value) low = middle + 1; else high = middle;
    }
    return low;
  };

  // Per firing the first cycle that is not too early after the start before it.
  function iiOver(result, number) {
    const { start, holds } = result.processes[number], { ii, style } = result.model.processes[number];
    const begun = orStopped(start, result.stopped), over = new Float64Array(begun.length);
    if (style !== "flushable") {
      for (let n = 1; n < over.length; n++) over[n] = begun[n - 1] + ii;
      return over;
    }
    const { after, lengths } = holdEnds(holds, result.stopped);
    const heldBefore = (cycle) => lengths[countUpTo(after, cycle, true)];
    const holdBeat = holds.map(([first]) => first - heldBefore(first));
    for (let n = 1; n < over.length; n++) {
      const beat = begun[n - 1] - heldBefore(begun[n - 1]) + ii;
      over[n] = beat + lengths[countUpTo(holdBeat, beat, false)];
    }
    return over;
  }

  // The cycle from which its own process let firing n pass step k.
  function dueCycles(result, number) {
    const style = result.model.processes[number].style;
    return { elastic: dueElastic, frozen: dueFrozen, flushable: dueFlushable }[style](result, number);
  }

  function dueElastic(result, number) {
    const { rows, steps } = result.processes[number], { ii } = result.model.processes[number];
    const passed = rows.map((row) => orStopped(row, result.stopped)), count = passed[0].length;
    const inTurn = passed.map((row) => { const mine = new Float64Array(count); for (let n = 1; n < count; n++) mine[n] = row[n - 1] + (ii ? 1 : 0); return mine; });
    inTurn[0] = iiOver(result, number);
    if (steps.capacity !== null)
      for (let n = steps.capacity; n < count; n++)
        for (const row of passed) inTurn[0][n] = Math.max(inTurn[0][n], row[n - steps.capacity]);
    const due = inTurn.map((row) => row.slice());
    for (let k = 0; k < due.length; k++)
      for (let j = 0; j < due.length; j++)
        for (let n = 0; n < count; n++) {
          const gap = steps.offsets[k][n] - steps.offsets[j][n];
          if (gap > 0) due[k][n] = Math.max(due[k][n], passed[j][n] + gap);
          else if (gap === 0) due[k][n] = Math.max(due[k][n], inTurn[j][n]);
        }
    return due;
  }

  const placesOf = (result, number) => {
    const { rows, steps } = result.processes[number], { ii, places } = result.model.processes[number];
    return places ? [Float64Array.from(places)] : rows.map((row, k) => row.map((_, n) => n * ii + steps.offsets[k][n]));
  };

  // The steps of a frozen pipeline in which something is due, ascending, and their cycles.
  function frozenSteps(result, number) {
    const { rows } = result.processes[number], at = new Map();
    placesOf(result, number).forEach((row, k) => row.forEach((place, n) => {
      if (!at.has(place)) at.set(place, rows[k][n] === NEVER ? result.stopped : rows[k][n]);
    }));
    const step = Float64Array.from(at.keys()).sort();
    return { step, cycle: step.map((place) => at.get(place)) };
  }

  function dueFrozen(result, number) {
    const { step, cycle } = frozenSteps(result, number);
    return placesOf(result, number).map((row) => row.map((place) => {
      const before = countUpTo(step, place, false) - 1;
      return before < 0 ? 0 : cycle[before] + place - step[before];
    }));
  }

  function dueFlushable(result, number) {
    const { rows, steps, holds } = result.processes[number], { stopped } = result;
    const due = rows.map((row) => orStopped(row, stopped)), count = due[0].length;
    due[0] = iiOver(result, number);
    for (let k = 1; k < due.length; k++)
      for (let n = 1; n < count; n++)
        if (steps.offsets[k][n] === 0)
          due[0][n] = Math.max(due[0][n], (rows[k][n - 1] === NEVER ? stopped : rows[k][n - 1]) + 1);
    const begins = new Map(holds.filter(([, end]) => end !== NEVER).map(([first, end]) => [end, first]));
    for (let k = 1; k < due.length; k++)
      rows[k].forEach((cycle, n) => { if (cycle !== NEVER && begins.has(cycle)) due[k][n] = begins.get(cycle); });
    if (holds.length && holds[holds.length - 1][1] === NEVER) dueInFlight(result, number, due);
    for (let k = 1; k < due.length; k++)
      for (let n = 0; n < count; n++) if (steps.offsets[k][n] === 0) due[k][n] = due[0][n];
    return due;
  }

  // In a pipeline that is held for good, what is due in its earliest beat has been due since the hold began.
  function dueInFlight(result, number, due) {
    const { rows, steps, holds } = result.processes[number], { after, lengths } = holdEnds(holds, result.stopped);
    const atBeat = (cycle) => cycle - lengths[countUpTo(after, cycle, true)];
    const all = rows.map((_, k) => k), count = rows[0].length;
    let ended = 0;
    while (ended < count && rows.every((row) => row[ended] !== NEVER)) ended++;
    const beats = new Map(), key = (n, k) => n * rows.length + k;
    for (let n = ended; n < count && rows[0][n] !== NEVER; n++) {
      let beat = 0, last = 0;
      for (const offset of [...new Set(all.map((k) => steps.offsets[k][n]))].sort((a, b) => a - b)) {
        const together = all.filter((k) => steps.offsets[k][n] === offset);
        if (rows[together[0]][n] !== NEVER) beat = atBeat(rows[together[0]][n]);
        else {
          beat += offset - last;
          if (n) for (const k of together) beat = Math.max(beat, (beats.get(key(n - 1, k)) ?? atBeat(rows[k][n - 1])) + 1);
          for (const k of together) beats.set(key(n, k), beat);
        }
        last = offset;
      }
    }
    const earliest = Math.min(...beats.values());
    for (const [at, beat] of beats)
      if (beat === earliest) due[at % rows.length][Math.floor(at / rows.length)] = holds[holds.length - 1][0];
  }

  const PLAIN = ["starting", "done", "draining", "ii"];

  // The class of every cycle of [0, stopped) of a process: `labels[codes[cycle]]` is {kind, channel or resource}.
  function of(result, number) {
    const { model, stopped } = result, { steps, start, end, rows } = result.processes[number];
    const process = model.processes[number], { inputs, outputs, capacity } = steps;
    const labels = PLAIN.map((kind) => ({ kind }));
    for (const channel of outputs) labels.push({ kind: "blocked", channel });
    for (const channel of inputs) labels.push({ kind: "starved", channel });
    if (process.resource != null) labels.push({ kind: "resource", resource: process.resource });
    const codes = new Uint16Array(stopped).fill(PLAIN.indexOf("ii"));
    const paint = (code, first, last) => { for (let cycle = Math.max(first, 0), end = Math.min(last, stopped); cycle < end; cycle++) codes[cycle] = code; };
    const paintAll = (code, first, last, shift = 0) => {
      for (let n = 0; n + shift < first.length; n++) if (first[n + shift] < last[n]) paint(code, first[n + shift], last[n]);
    };
    if (process.places) return { labels, codes: paintScheduled(result, number, codes, labels, paintAll) };
    const due = dueCycles(result, number), begun = orStopped(start, stopped), count = rows[0].length;
    const passes = orStopped(rows[0], stopped);
    const startBefore = new Float64Array(count);
    startBefore.set(passes.subarray(0, count - 1), 1);
    if (process.resource != null) {
      const possible = due[0].slice();
      const raise = (channel, from, ends) => {
        const offsets = steps.offsets[ends.get(channel)];
        for (let n = 0; n < count; n++) if (offsets[n] === 0) possible[n] = Math.max(possible[n], from[n]);
      };
      for (const channel of inputs) raise(channel, readableFrom(result, channel), steps.ends.in);
      for (const channel of outputs) raise(channel, writableFrom(result, channel), steps.ends.out);
      paintAll(labels.length - 1, possible, begun);
    }
    for (let i = inputs.length - 1; i >= 0; i--) {
      const step = steps.ends.in.get(inputs[i]), offsets = steps.offsets[step];
      const since = due[step].map((cycle, n) => (offsets[n] === 0 ? startBefore[n] : cycle));
      paintAll(PLAIN.length + outputs.length + i, since, readableFrom(result, inputs[i]));
    }
    if (process.style === "frozen") {
      const { step, cycle } = frozenSteps(result, number);
      for (let i = 0; i < step.length; i++) paint(3, cycle[i], cycle[i] + (i + 1 < step.length ? step[i + 1] - step[i] : 1));
    } else {
      const over = iiOver(result, number);
      for (let n = 1; n < count; n++) if (startBefore[n] < over[n]) paint(3, startBefore[n], over[n]);
    }
    if (start[start.length - 1] !== NEVER) paint(2, start[start.length - 1], stopped);
    for (let i = outputs.length - 1; i >= 0; i--) {
      const free = writableFrom(result, outputs[i]), code = PLAIN.length + i;
      paintAll(code, due[steps.ends.out.get(outputs[i])], free);
      if (process.style === "elastic" && capacity !== null && count > capacity) paintAll(code, iiOver(result, number), free, capacity);
    }
    let last = 0;
    for (const cycle of end) {
      if (cycle === NEVER) { last = NEVER; break; }
      last = Math.max(last, cycle);
    }
    if (last !== NEVER) paint(1, last, stopped);
    for (const cycle of start) if (cycle !== NEVER) paint(0, cycle, cycle + 1);
    return { labels, codes };
  }

  // A scheduled process moves, or stands still for the first declared channel that is not ready.
  function paintScheduled(result, number, codes, labels, paintAll) {
    const { model, stopped } = result, { rows, start } = result.processes[number];
    const { places } = model.processes[number], passed = rows[0], count = passed.length, due = dueFrozen(result, number)[0];
    const code = (kind, channel) => labels.findIndex((label) => label.kind === kind && label.channel === channel);
    for (let channel = model.channels.length - 1; channel >= 0; channel--) {
      const { source, target } = model.channels[channel];
      if (source === number) paintAll(code("blocked", channel), due, writableFrom(result, channel));
      if (target === number) paintAll(code("starved", channel), due, readableFrom(result, channel));
    }
    const last = start[start.length - 1], done = passed[count - 1];
    for (let n = 0; n < count && passed[n] !== NEVER; n++) {
      const until = Math.min(passed[n] + (n + 1 < count ? places[n + 1] - places[n] : 1), Math.max(stopped, 1));
      paintAll(code("ii"), [passed[n]], [until]);
      if (last !== NEVER) paintAll(code("draining"), [Math.max(passed[n], last)], [Math.max(until, last)]);
    }
    if (done !== NEVER) paintAll(code("done"), [done + 1], [stopped]);
    for (const cycle of start) if (cycle !== NEVER) paintAll(code("starting"), [cycle], [cycle + 1]);
    return codes;
  }

  // The sum over time of +1 at each of `ups` and -1 at each of `downs` (both ascending), as change points.
  function curve(base, ups, downs, until) {
    const cycles = [0], values = [base];
    let now = base, most = base, up = 0, down = 0;
    while (up < ups.length || down < downs.length) {
      const cycle = Math.min(up < ups.length ? ups[up] : Infinity, down < downs.length ? downs[down] : Infinity);
      if (cycle >= until) break;
      for (; ups[up] === cycle; up++) now++;
      for (; downs[down] === cycle; down++) now--;
      if (cycle === 0) values[0] = most = now;
      else if (now !== values[values.length - 1]) { cycles.push(cycle); values.push(now); }
      if (now > most) most = now;
    }
    return { cycles, values, most };
  }

  // The cycle of each token of a running count, `shift` later, for what has happened.
  function moments(passed, totals, shift) {
    const found = [];
    for (let n = 0; n < passed.length && passed[n] !== NEVER; n++)
      for (let k = n ? totals[n - 1] : 0; k < totals[n]; k++) found.push(passed[n] + shift);
    return found;
  }

  // The tokens that a channel holds: change points [cycles, tokens] over [0, stopped].
  function occupancy(result, channel) {
    const { run, model, stopped } = result, ends = run.channels[channel], held = model.channels[channel];
    const written = moments(run.passed[ends.writer], ends.put, 0), freed = moments(run.passed[ends.reader], ends.freed, held.release);
    const { cycles, values, most } = curve(held.initial, written, freed, stopped + 1);
    return { cycles, tokens: values, most };
  }

  // How many firings execute over time, as change points; a scheduled process is active in each cycle in which it moves.
  function parallelism(result) {
    let busy = 0, many = 0;
    for (const { rows } of result.processes) many += rows[0].length;
    const begins = new Float64Array(many), ends = new Float64Array(many), last = Math.max(result.stopped, 1);
    many = 0;
    result.processes.forEach(({ rows, steps }, number) => {
      const { places } = result.model.processes[number], row = rows[0], count = row.length;
      for (let n = 0; n < count && row[n] !== NEVER; n++, many++) {
        begins[many] = row[n] + steps.read;
        if (places) ends[many] = Math.min(row[n] + (n + 1 < count ? places[n + 1] - places[n] : 1), last);
        else ends[many] = begins[many] + (steps.latencies.length > 1 ? steps.latencies[n] : steps.latencies[0]);
        busy += ends[many] - begins[many];
      }
    });
    const told = curve(0, begins.subarray(0, many).sort(), ends.subarray(0, many).sort(), last);
    return { ...told, mean: result.finish ? busy / result.finish : null };
  }

  return { of, occupancy, parallelism };
})();
if (typeof module !== "undefined") module.exports = Classes;

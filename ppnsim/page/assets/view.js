// A simulated run with everything that the pictures and tables of the page ask of it.
"use strict";
const PLAIN_WORDS = { starting: "a firing starts", done: "done", draining: "every firing has started: draining", ii: "between two starts: initiation interval, or steps of a schedule" };
function viewOf(model) {
  const result = Engine.simulate(model);
  const classes = model.processes.map((_, i) => Classes.of(result, i));
  const held = model.channels.map((_, i) => Classes.occupancy(result, i));
  // Tokens that an end of a channel moves in a cycle: its passings ascend, so two searches find those of the cycle.
  const before = (passed, cycle) => {
    let low = 0, high = passed.length;
    while (low < high) { const middle = (low + high) >> 1; if (passed[middle] >= 0 && passed[middle] < cycle) low = middle + 1; else high = middle; }
    return low;
  };
  const moved = (node, totals, cycle) => {
    const passed = result.run.passed[node], first = before(passed, cycle), last = before(passed, cycle + 1);
    return (last ? totals[last - 1] : 0) - (first ? totals[first - 1] : 0);
  };
  const stuck = circleOf(result.waits);
  const view = {
    model, result, classes, held, parallel: Classes.parallelism(result),
    stuck: new Set(stuck.map((wait) => wait.process)), stuckChannels: new Set(stuck.map((wait) => wait.channel)), circle: stuck,
    causeOf(i, code) {
      return Still.causeOf(model, classes[i].labels[code]);
    },
    stateAt(i, cycle) {
      const { labels, codes } = classes[i];
      if (cycle >= codes.length) return { kind: result.complete ? "done" : "stopped", cause: "" };
      const label = labels[codes[cycle]];
      return { ...label, cause: view.causeOf(i, codes[cycle]) };
    },
    heldAt(i, cycle) {
      const { cycles, tokens } = held[i];
      let low = 0, high = cycles.length;
      while (low < high) { const middle = (low + high) >> 1; if (cycles[middle] <= cycle) low = middle + 1; else high = middle; }
      return tokens[low - 1] ?? 0;
    },
    writtenAt: (i, cycle) => moved(result.run.channels[i].writer, result.run.channels[i].put, cycle),
    readAt: (i, cycle) => moved(result.run.channels[i].reader, result.run.channels[i].freed, cycle),
    sentence(i, cycle) {
      const { kind, cause } = view.stateAt(i, cycle);
      if (kind === "starved") return `waits for a token of ${cause}`;
      if (kind === "blocked") return `waits for a slot in ${cause} (${view.heldAt(view.stateAt(i, cycle).channel, cycle)} held)`;
      if (kind === "resource") return `waits for a unit of ${cause}`;
      return PLAIN_WORDS[kind] || kind;
    },
    counts(i) {
      const { labels, codes } = classes[i], counted = new Float64Array(labels.length);
      for (const code of codes) counted[code]++;
      return labels.map((label, code) => ({ ...label, cause: view.causeOf(i, code), cycles: counted[code] }));
    },
  };
  return view;
}

// The circle of waits of a deadlock: follow who waits for whom until somebody comes again.
function circleOf(waits) {
  const by = new Map(waits.map((wait) => [wait.process, wait]));
  for (const first of waits) {
    const way = [];
    let wait = first;
    while (wait && !way.includes(wait)) { way.push(wait); wait = by.get(wait.other); }
    if (wait) return way.slice(way.indexOf(wait));
  }
  return waits;
}

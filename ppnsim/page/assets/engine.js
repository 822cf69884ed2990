// The timing rules of ppnsim (engines/TIMING.md) for the page: elastic, frozen and flushable recurrences.
// `simulate(model)` returns the cycle in which every firing passes every step, as the Python engines do.
"use strict";
const Engine = (() => {
  const NEVER = -1, UNKNOWN = -1;

  // -- lowering: steps, and who waits for whom ----------------------------------------------------------------------

  const sequence = (of, count) => {
    const values = new Float64Array(count), period = of.table.length;
    if (period) for (let n = 0; n < count; n++) values[n] = of.table[n % period] + Math.floor(n / period) * of.growth;
    return values;
  };

  // The steps of a process (T1.3): offsets per step and firing, and the step of each channel end.
  function stepsOf(model, number) {
    const process = model.processes[number], count = process.count;
    const ends = { in: new Map(), out: new Map() };
    const inputs = model.channels.map((c, i) => i).filter((i) => model.channels[i].target === number);
    const outputs = model.channels.map((c, i) => i).filter((i) => model.channels[i].source === number);
    if (process.places) {
      for (const i of inputs) ends.in.set(i, 0);
      for (const i of outputs) ends.out.set(i, 0);
      const steps = { offsets: [new Float64Array(count)], writeStep: 0, ends, capacity: null, varies: false };
      return { ...steps, inputs, outputs, ending: [0], read: 0, write: 1, latencies: [1], deepest: 0 };
    }
    const latencies = Array.isArray(process.latency) ? process.latency : [process.latency];
    let most = 0;
    for (const latency of latencies) most = Math.max(most, latency);
    const longest = process.read + most;
    const toStart = [...new Set([0, ...inputs.map((i) => model.channels[i].to_offset || 0)])].sort((a, b) => a - b);
    const distance = (i) => (model.channels[i].from_offset == null ? 0 : model.channels[i].from_offset - longest);
    const toWrite = [...new Set([0, ...outputs.map(distance)])].sort((a, b) => a - b);
    const varies = latencies.length > 1;
    let offsets, writeStep;
    if (!varies) {
      const absolute = [...new Set([...toStart, ...toWrite.map((d) => longest + d)])].sort((a, b) => a - b);
      offsets = absolute.map((a) => new Float64Array(count).fill(a));
      for (const i of inputs) ends.in.set(i, absolute.indexOf(model.channels[i].to_offset || 0));
      for (const i of outputs) ends.out.set(i, absolute.indexOf(longest + distance(i)));
      writeStep = absolute.indexOf(longest);
    } else {
      offsets = toStart.map((a) => new Float64Array(count).fill(a));
      for (const d of toWrite) offsets.push(Float64Array.from(latencies, (latency) => process.read + latency + d));
      for (const i of inputs) ends.in.set(i, toStart.indexOf(model.channels[i].to_offset || 0));
      for (const i of outputs) ends.out.set(i, toStart.length + toWrite.indexOf(distance(i)));
      writeStep = toStart.length + toWrite.indexOf(0);
    }
    let deepest = 0;
    for (const row of offsets) for (const a of varies ? row : row.subarray(0, 1)) deepest = Math.max(deepest, a);
    const capacity = process.ii ? Math.max(1, Math.ceil(deepest / process.ii)) : null;
    const ending = [...new Set([writeStep, ...ends.out.values()])].sort((a, b) => a - b);
    const numbers = { read: process.read, write: process.write, latencies, deepest };
    return { offsets, writeStep, ends, capacity, varies, inputs, outputs, ending, ...numbers };
  }

  // The firing of the other end at which a running count first exceeds `wanted`; -1 if it is there from the beginning.
  function firstAbove(counts, wanted) {
    const index = new Int32Array(wanted.length), length = counts.length;
    for (let n = 0; n < wanted.length; n++) {
      if (wanted[n] < 0) { index[n] = -1; continue; }
      let low = 0, high = length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (counts[middle] > wanted[n]) high = middle; else low = middle + 1;
      }
      index[n] = low;
    }
    return index;
  }

  // Everything that does not change while the network runs.
  function lower(model) {
    const steps = model.processes.map((_, number) => stepsOf(model, number));
    const first = [];
    const nodes = [];
    steps.forEach((own, process) => {
      first.push(nodes.length);
      own.offsets.forEach((offsets, step) => nodes.push({ process, step, offsets, edges: [], wakes: new Set() }));
    });
    first.push(nodes.length);
    const channels = model.channels.map((channel, number) => {
      const producer = model.processes[channel.source].count, consumer = model.processes[channel.target].count;
      const put = sequence(channel.put, producer), need = sequence(channel.need, consumer);
      const freed = sequence(channel.freed, consumer);
      const writer = first[channel.source] + steps[channel.source].ends.out.get(number);
      const reader = first[channel.target] + steps[channel.target].ends.in.get(number);
      const tokens = firstAbove(put, need);
      nodes[reader].edges.push({ source: writer, index: tokens, weight: channel.forward, channel: number, kind: "token" });
      nodes[writer].wakes.add(channel.target);
      let slots = null;
      if (channel.depth != null) {
        const wanted = new Float64Array(producer);
        for (let n = 0; n < producer; n++) {
          const count = put[n] - (n ? put[n - 1] : 0);
          wanted[n] = count > 0 ? put[n] + channel.initial - channel.depth - 1 : -1;
        }
        slots = firstAbove(freed, wanted);
        nodes[writer].edges.push({ source: reader, index: slots, weight: channel.release, channel: number, kind: "slot" });
        nodes[reader].wakes.add(channel.source);
      }
      return { put, need, freed, writer, reader, tokens, slots };
    });
    return { model, steps, first, nodes, channels };
  }

  // -- execution ----------------------------------------------------------------------------------------------------

  // The cycle from which firing n may pass a node as far as its edges know, or UNKNOWN.
  function readyOf(run, node, n) {
    let ready = 0;
    for (const edge of run.nodes[node].edges) {
      const at = edge.index[n];
      if (at >= 0) {
        if (at >= run.done[edge.source]) return UNKNOWN;
        const when = run.passed[edge.source][at] + edge.weight;
        if (when > ready) ready = when;
      }
    }
    return ready;
  }

  function walkElastic(run, actor) {
    const { begin, end, steps } = actor;
    let passed = 0, more = true;
    while (more) {
      more = false;
      for (let node = end - 1; node >= begin; node--) {
        const some = steps.varies ? passVarying(run, actor, node) : passFixed(run, actor, node);
        passed += some;
        if (some && end > begin + 1) more = true;
      }
    }
    return passed;
  }

  // Steps in their order, which is the same for all firings: as many firings of one step as others allow.
  function passFixed(run, actor, node) {
    const { begin, end, ii, count } = actor, { capacity } = actor.steps, { edges } = run.nodes[node];
    const mine = run.passed[node], from = run.done[node], first = node === begin, apart = first ? ii : ii ? 1 : 0;
    const other = first ? (capacity === null ? null : run.passed[end - 1]) : run.passed[node - 1];
    const gap = first ? 0 : run.nodes[node].offsets[0] - run.nodes[node - 1].offsets[0], back = first ? capacity : 0;
    const until = other === null || other === mine ? count : Math.min(count, run.done[first ? end - 1 : node - 1] + back);
    let n = from, before = n ? mine[n - 1] : -apart;
    for (; n < until; n++) {
      let due = before + apart;
      if (other !== null && n >= back) { const when = other[n - back] + gap; if (when > due) due = when; }
      let known = true;
      for (const edge of edges) {
        const at = edge.index[n];
        if (at < 0) continue;
        if (edge.source === node ? at >= n : at >= run.done[edge.source]) { known = false; break; }
        const when = run.passed[edge.source][at] + edge.weight;
        if (when > due) due = when;
      }
      if (!known) break;
      mine[n] = before = due;
    }
    run.done[node] = n;
    return n - from;
  }

  function passVarying(run, actor, node) {
    const from = run.done[node], behind = actor.ii ? 1 : 0;
    for (let n = from; n < actor.count; n = run.done[node]) if (!passElastic(run, actor, node, n, behind, actor.steps)) break;
    return run.done[node] - from;
  }

  // Let firing n pass a node, together with the steps that fall on the same offset in it; false if it cannot yet.
  function passElastic(run, actor, node, n, behind, steps) {
    const { begin, end, ii } = actor, offset = run.nodes[node].offsets[n];
    let before = -1, gap = 0, due = 0;
    const together = [node];
    for (let other = begin; other < end; other++) {
      const theirs = run.nodes[other].offsets[n];
      if (theirs === offset && other !== node) together.push(other);
      else if (theirs < offset && (before < 0 || theirs > offset - gap)) { before = other; gap = offset - theirs; }
    }
    if (before >= 0) {
      if (run.done[before] <= n) return false;
      due = run.passed[before][n] + gap;
    } else if (steps.capacity !== null && n >= steps.capacity) {
      const oldest = n - steps.capacity;
      let last = begin;
      for (let other = begin; other < end; other++)
        if (run.nodes[other].offsets[oldest] > run.nodes[last].offsets[oldest]) last = other;
      if (run.done[last] <= oldest) return false;
      due = run.passed[last][oldest];
    }
    for (const member of together) {
      if (run.done[member] < n) return false;
      if (n) due = Math.max(due, run.passed[member][n - 1] + (member === begin ? ii : behind));
      const ready = readyOf(run, member, n);
      if (ready === UNKNOWN) return false;
      if (ready > due) due = ready;
    }
    for (const member of together) {
      run.passed[member][n] = due;
      run.done[member] = n + 1;
    }
    return true;
  }

  function walkFrozen(run, actor) {
    const { begin, end, ii, places, count } = actor;
    const place = (node, n) => (places ? places[n] : n * ii + run.nodes[node].offsets[n]);
    let passed = 0;
    for (;;) {
      let step = -1;
      for (let node = begin; node < end; node++) {
        const n = run.done[node];
        if (n < count) {
          const at = place(node, n);
          if (step < 0 || at < step) step = at;
        }
      }
      if (step < 0) return passed;
      let due = actor.lastCycle + step - actor.lastStep;
      for (let node = begin; node < end; node++) {
        const n = run.done[node];
        if (n < count && place(node, n) === step) {
          const ready = readyOf(run, node, n);
          if (ready === UNKNOWN) return passed;
          if (ready > due) due = ready;
        }
      }
      for (let node = begin; node < end; node++) {
        const n = run.done[node];
        if (n < count && place(node, n) === step) {
          run.passed[node][n] = due;
          run.done[node] = n + 1;
          passed++;
        }
      }
      actor.lastStep = step;
      actor.lastCycle = due;
    }
  }

  function nextDue(run, actor) {
    let due = -1;
    for (let node = actor.begin; node < actor.end; node++) {
      const n = run.done[node];
      if (n < actor.next) {
        const beat = run.beats[node][n];
        if (due < 0 || beat < due) due = beat;
      }
    }
    return due;
  }

  function walkFlushable(run, actor) {
    const { begin, end, ii, count } = actor;
    let passed = 0;
    actor.held = actor.asks = false;
    for (;;) {
      const due = nextDue(run, actor);
      if (actor.next < count) {
        let start = actor.beat;
        const n = actor.next;
        for (let node = begin; n && node < end; node++)
          if (run.nodes[node].offsets[n] === 0)
            start = Math.max(start, run.beats[node][n - 1] + (node === begin ? ii : 1));
        if (due < 0 || start < due) {
          let ready = 0, known = true;
          for (let node = begin; node < end; node++)
            if (run.nodes[node].offsets[n] === 0) {
              const when = readyOf(run, node, n);
              if (when === UNKNOWN) known = false; else if (when > ready) ready = when;
            }
          start = Math.max(start, actor.beat + ready - actor.now);
          if (due >= 0 && (start >= due || (!known && actor.decided))) {
            actor.decided = false;
            actor.now += due - actor.beat;
            actor.beat = due;
            continue;
          }
          if (!known) { actor.asks = due >= 0; return passed; }
          actor.decided = false;
          actor.now += start - actor.beat;
          actor.beat = start;
          passed += enter(run, actor);
          continue;
        }
      } else if (due < 0) return passed;
      actor.now += due - actor.beat;
      actor.beat = due;
      let now = actor.now;
      for (let node = begin; node < end; node++) {
        const n = run.done[node];
        if (n < actor.next && run.beats[node][n] === due) {
          const ready = readyOf(run, node, n);
          if (ready === UNKNOWN) { actor.held = true; return passed; }
          if (ready > now) now = ready;
        }
      }
      if (now > actor.now) actor.holds.push([actor.now, now]);
      actor.now = now;
      for (let node = begin; node < end; node++) {
        const n = run.done[node];
        if (n < actor.next && run.beats[node][n] === due) {
          run.passed[node][n] = now;
          run.done[node] = n + 1;
          passed++;
        }
      }
    }
  }

  // Start a firing now, and note in which beats it is due at its later steps; results leave in order.
  function enter(run, actor) {
    const n = actor.next;
    let beat = actor.beat, offset = 0, passed = 0;
    for (;;) {
      let here = beat, following = -1;
      for (let node = actor.begin; node < actor.end; node++) {
        const place = run.nodes[node].offsets[n];
        if (place === offset) {
          if (offset && n) here = Math.max(here, run.beats[node][n - 1] + 1);
        } else if (place > offset && (following < 0 || place < following)) following = place;
      }
      for (let node = actor.begin; node < actor.end; node++)
        if (run.nodes[node].offsets[n] === offset) {
          run.beats[node][n] = here;
          if (!offset) { run.passed[node][n] = actor.now; run.done[node] = n + 1; passed++; }
        }
      if (following < 0) { actor.next = n + 1; return passed; }
      beat = here + following - offset;
      offset = following;
    }
  }

  // Let the earliest due access come before a start whose token is not known (T3.2); false if there is none.
  function decide(run, queue) {
    const asking = run.actors.filter((actor) => actor.asks);
    const when = asking.map((actor) => actor.now + nextDue(run, actor) - actor.beat);
    const earliest = Math.min(...when);
    asking.forEach((actor, i) => {
      if (when[i] === earliest) { actor.decided = true; queue.add(actor.number); }
    });
    return asking.length > 0;
  }

  // Each number is in the queue once at most.
  function queueOf(count) {
    const ring = new Int32Array(count), inside = new Uint8Array(count);
    let head = 0, length = 0;
    return {
      size: () => length,
      add(number) {
        if (inside[number]) return;
        inside[number] = 1;
        ring[(head + length++) % count] = number;
      },
      take() {
        const number = ring[head];
        head = (head + 1) % count;
        length--;
        inside[number] = 0;
        return number;
      },
    };
  }

  const WALKS = { elastic: walkElastic, frozen: walkFrozen, flushable: walkFlushable };

  function simulate(model) {
    const lowered = lower(model), { nodes, first, steps } = lowered;
    const run = {
      ...lowered,
      passed: nodes.map(({ process }) => new Float64Array(model.processes[process].count).fill(NEVER)),
      beats: nodes.map(({ process }) =>
        model.processes[process].style === "flushable" ? new Float64Array(model.processes[process].count) : null),
      done: new Int32Array(nodes.length),
      actors: model.processes.map((process, number) => ({
        number, begin: first[number], end: first[number + 1], steps: steps[number], count: process.count,
        ii: process.ii, places: process.places, walk: WALKS[process.style], holds: [], lastStep: 0, lastCycle: 0,
        beat: 0, now: 0, next: 0, held: false, asks: false, decided: false,
      })),
    };
    if (model.recorded) return result(run, replay(run, model.recorded));
    const queue = queueOf(model.processes.length);
    for (const actor of run.actors) {
      actor.wakes = [...new Set(nodes.slice(actor.begin, actor.end).flatMap((node) => [...node.wakes]))];
      queue.add(actor.number);
    }
    while (queue.size() || decide(run, queue)) {
      const actor = run.actors[queue.take()];
      if (actor.walk(run, actor)) for (const other of actor.wakes) queue.add(other);
    }
    const holds = run.actors.map((actor) => (actor.held ? [...actor.holds, [actor.now, NEVER]] : actor.holds));
    return result(run, holds);
  }

  // What only the Python engine can run (shared resources) comes as it was recorded.
  function replay(run, recorded) {
    recorded.passed.forEach((cycles, node) => {
      run.passed[node].set(cycles);
      const never = cycles.indexOf(NEVER);
      run.done[node] = never < 0 ? cycles.length : never;
    });
    return recorded.holds;
  }

  function result(run, holds) {
    const { model, steps, first } = run;
    const of = (number) => run.passed.slice(first[number], first[number + 1]);
    const processes = model.processes.map((process, number) => {
      const rows = of(number), own = steps[number], starts = process.starts;
      const start = starts ? Float64Array.from(starts, (at) => rows[0][at]) : rows[0];
      const end = new Float64Array(start.length).fill(NEVER);
      if (starts) start.forEach((cycle, n) => { end[n] = cycle === NEVER ? NEVER : cycle + 1; });
      else
        for (let n = 0; n < end.length; n++) {
          let last = 0;
          for (const k of own.ending) last = rows[k][n] === NEVER || last === NEVER ? NEVER : Math.max(last, rows[k][n]);
          end[n] = last === NEVER ? NEVER : last + own.write;
        }
      return { rows, start, end, holds: holds[number], steps: own };
    });
    let finish = 0, last = NEVER, complete = true;
    processes.forEach(({ rows, end }, number) => {
      for (const row of rows) for (const cycle of row) { if (cycle === NEVER) complete = false; else if (cycle > last) last = cycle; }
      const ends = model.processes[number].starts ? [rows[0][rows[0].length - 1] + 1] : end;
      for (const cycle of ends) if (cycle > finish) finish = cycle;
    });
    // Between its stops a scheduled process goes on, also when it will stand still at the next one.
    model.processes.forEach(({ places }, number) => {
      const row = processes[number].rows[0], done = places ? row.indexOf(NEVER) : -1;
      if (done > 0) last = Math.max(last, row[done - 1] + places[done] - places[done - 1] - 1);
    });
    const stopped = complete ? finish : last + 1;
    return { run, model, processes, complete, finish: complete ? finish : null, stopped, waits: complete ? [] : waits(run) };
  }

  // After a deadlock: what the next passing of each unfinished process lacks.
  function waits(run) {
    const found = [];
    for (const actor of run.actors)
      for (let node = actor.begin; node < actor.end; node++) {
        const n = run.done[node];
        if (n >= actor.count) continue;
        const edge = run.nodes[node].edges.find((each) => each.index[n] >= run.done[each.source]);
        if (edge) {
          const other = run.nodes[edge.source].process;
          found.push({ process: actor.number, firing: n, channel: edge.channel, kind: edge.kind, other });
          break;
        }
      }
    return found;
  }

  return { simulate, NEVER };
})();
if (typeof module !== "undefined") module.exports = Engine;

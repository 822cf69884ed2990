// The page: it shows one of its runs, plays it, and simulates it anew when a slider moves.
"use strict";
(() => {
  const all = JSON.parse(document.getElementById("data").textContent);
  const $ = (id) => document.getElementById(id);
  const CAUSES = 24; // of waits that the legend names
  const state = { told: null, model: null, view: null, drawing: null, cycle: 0, range: [0, 1], playing: false, first: null, marked: [] };

  // -- what is shown ------------------------------------------------------------------------------------------------

  function open(index) {
    const told = all[index];
    Object.assign(state, { told, model: null, view: null, still: null, cycle: 0, playing: false, first: null });
    document.title = told.name;
    $("name").textContent = told.name;
    const plays = Boolean(told.model);
    for (const id of ["play", "time-section", "live", "keys"]) $(id).hidden = !plays;
    $("answer").textContent = told.answer;
    $("answer").className = told.deadlock ? "deadlock" : "";
    if (plays) {
      state.model = structuredClone(told.model);
      simulate();
      state.first = state.view;
      state.drawing = Graph.draw($("graph"), state.model, told.layout, { process: aboutProcess, channel: aboutChannel });
      sliders();
      legend();
      source();
      const { complete, stopped } = state.view.result;
      // A deadlock is shown where it stands still, with what led to it.
      state.range = told.window || [complete ? 0 : Math.max(0, stopped - 300), Math.max(stopped, 1)];
      look(complete || told.window ? state.range[0] : stopped - 1);
    }
    $("still").replaceChildren();
    if (told.still) {
      legend($("still"));
      state.still = Still.show($("still"), told.still, head);
      state.still();
    }
    tables();
  }

  function simulate() {
    state.view = viewOf(state.model);
    const declared = state.told.model, same = (key) => (each, i) => each[key] === declared[key === "depth" ? "channels" : "processes"][i][key];
    const asInFile = state.model.channels.every(same("depth")) && state.model.processes.every((each, i) => same("ii")(each, i) && (Array.isArray(each.latency) || same("latency")(each, i)));
    state.view.path = asInFile ? state.told.path || [] : [];
    const { result, parallel } = state.view, last = Math.max(result.stopped - 1, 0);
    $("time").max = $("cycle").max = last;
    state.cycle = Math.min(state.cycle, last);
    const told = state.told, before = state.first && state.first.result.finish;
    const mean = parallel.mean === null ? "-" : parallel.mean.toFixed(2);
    let words;
    if (result.complete) {
      words = `finish ${result.finish} cycles (${duration(result.finish * state.model.clock_ns)}), parallelism ${mean} mean, ${parallel.most} max, ${told.style}`;
      if (before && before !== result.finish) words += `; was ${before} (${result.finish > before ? "+" : "−"}${Math.abs(result.finish - before)})`;
      else if (state.first && before === null) words += "; it stood still before";
    } else {
      const circle = state.view.circle.map((wait) => `${state.model.processes[wait.process].name} waits for a ${wait.kind} of ${state.model.channels[wait.channel].name}`);
      words = `deadlock (${told.style}): nothing happens from cycle ${result.stopped} on: ${circle.join("; ")}`;
    }
    if (state.first) legend();
    if (!state.first && told.finish !== undefined && told.finish !== result.finish)
      words += ` — the engine of this page disagrees with ${told.engine} (${told.finish}): please report it`;
    $("answer").textContent = words;
    $("answer").className = result.complete ? "" : "deadlock";
    $("answer").dataset.finish = result.finish ?? "deadlock";
    cycles();
  }

  // The table of classes follows the sliders; what Python worked out below it is of the run as in the file.
  function cycles() {
    const { model, view } = state, kinds = ["starting", "ii", "starved", "blocked", "resource", "draining", "done"];
    const rows = model.processes.map((process, i) => {
      const { start } = view.result.processes[i], started = start.filter((cycle) => cycle >= 0), counts = view.counts(i);
      const of = (kind) => {
        const some = counts.filter((each) => each.kind === kind && each.cycles);
        return kind in { starved: 1, blocked: 1, resource: 1 } ? some.map((each) => `${each.cause} ${each.cycles}`).join(", ") || null : some.reduce((sum, each) => sum + each.cycles, 0);
      };
      return [process.name, process.firings, started.length ? started[0] : null, started.length ? started[started.length - 1] : null, ...kinds.map(of)];
    });
    $("live").replaceChildren();
    head("Where the cycles went", $("live"));
    table({ columns: ["process", "firings", "first start", "last start", "starting", "between starts", "starved on", "blocked on", "resource", "draining", "done"], rows }, $("live"));
  }

  const duration = (ns) => (ns >= 1e6 ? `${+(ns / 1e6).toPrecision(5)} ms` : ns >= 1e4 ? `${+(ns / 1e3).toPrecision(5)} us` : `${+ns.toPrecision(6)} ns`);

  const placed = ({ name }) => (state.told.places[name] ? `${name} (${state.told.places[name]})` : name);

  function aboutProcess(i) {
    const process = state.model.processes[i], latency = Array.isArray(process.latency) ? "per firing" : process.latency;
    const counts = state.view.counts(i).filter((each) => each.cycles);
    const where = counts.map((each) => `${Looks.word(each.kind)}${each.cause ? " " + each.cause : ""}: ${each.cycles}`).join(", ");
    const numbers = process.places ? `scheduled, ${process.places[process.places.length - 1] + 1} steps` : `ii ${process.ii}, latency ${latency}`;
    return `${placed(process)}: ${process.style}, ${process.firings} firings, ${numbers}\ncycle ${state.cycle}: ${state.view.sentence(i, state.cycle)}\ncycles: ${where}`;
  }

  function aboutChannel(i) {
    const channel = state.model.channels[i], held = state.view.held[i];
    return `${placed(channel)}: ${channel.kind}, ${channel.tokens} tokens of ${channel.width} bits, depth ${channel.depth ?? "unbounded"}\ncycle ${state.cycle}: holds ${state.view.heldAt(i, state.cycle)}; at most ${held.most} at the end of a cycle`;
  }

  // -- the cycle that is looked at ----------------------------------------------------------------------------------

  function look(cycle, part = 0.5) {
    const last = Math.max(state.view.result.stopped - 1, 0);
    state.cycle = Math.max(0, Math.min(cycle, last));
    $("cycle").value = $("time").value = state.cycle;
    Graph.show(state.drawing, state.view, state.cycle, part);
    mark();
    const { model, view } = state;
    const stalled = model.processes.map((process, i) => [process.name, view.stateAt(i, state.cycle), i])
      .filter(([, { kind }]) => ["starved", "blocked", "resource"].includes(kind)).map(([name, , i]) => `${name} ${view.sentence(i, state.cycle)}`);
    $("now").textContent = `cycle ${state.cycle}: ${stalled.length ? stalled.slice(0, 6).join("; ") : "nobody waits"}${stalled.length > 6 ? " …" : ""}`;
    const [first, end] = state.range;
    if (state.cycle < first || state.cycle >= end) {
      const half = Math.floor((end - first) / 2), begin = Math.max(0, state.cycle - half);
      state.range = [begin, begin + (end - first)];
    }
    time();
  }

  function time() {
    const [first, last] = state.range;
    $("view").textContent = `cycles ${first}..${last - 1}`;
    Gantt.draw($("gantt"), state.view, state.range, state.cycle);
  }

  function fit() {
    state.range = [0, Math.max(state.view.result.stopped, 1)];
    look(state.cycle);
  }

  function zoom(factor, around = state.cycle) {
    const [first, last] = state.range, most = Math.max(state.view.result.stopped, 1);
    const wide = Math.max(4, Math.min(most, Math.round((last - first) * factor)));
    const begin = Math.round(around - ((around - first) / (last - first)) * wide);
    const from = Math.max(0, Math.min(begin, most - wide));
    state.range = [from, from + wide];
    time();
  }

  function play(on = !state.playing) {
    state.playing = on;
    $("run").innerHTML = on ? "&#x25A0; stop" : "&#x25B6; play";
    if (!on) return;
    if (state.cycle >= state.view.result.stopped - 1) look(0);
    let began = performance.now(), from = state.cycle;
    const frame = (now) => {
      if (!state.playing) return;
      const gone = ((now - began) / 1000) * Number($("speed").value), cycle = from + Math.floor(gone);
      look(cycle, gone % 1);
      if (cycle >= state.view.result.stopped) return play(false);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  // -- sliders ------------------------------------------------------------------------------------------------------

  function sliders() {
    const box = $("sliders");
    box.replaceChildren();
    box.classList.toggle("beside", Boolean(state.told.source));
    const parts = () => { const div = document.createElement("div"); box.append(div); return div; };
    let into = parts();
    const note = (text) => { const p = document.createElement("p"); p.className = "note"; p.textContent = text; into.append(p); };
    if (state.model.recorded) return note("This network shares resources, which the engine of this page does not simulate: it shows the run as recorded, and depths cannot be changed here.");
    note(`Every move simulates all ${state.model.processes.reduce((sum, each) => sum + each.firings, 0)} firings anew, in this page.`);
    const reset = document.createElement("button");
    reset.type = "button";
    reset.textContent = "as in the file";
    reset.id = "reset";
    reset.addEventListener("click", () => { state.model = structuredClone(state.told.model); simulate(); sliders(); fit(); });
    into.append(reset);
    const group = (title) => { const h = document.createElement("h3"); h.textContent = title; into = parts(); into.append(h); };
    if (state.model.channels.length) group("depths, tokens");
    if (state.model.channels.some(({ claims }) => claims === false)) note("Depths of convention sdf3 are credits where a firing can wait after its start (frozen pipelines, latencies that differ), or no rates: those cannot be changed here (ppnsim run --depth).");
    state.model.channels.forEach((channel, i) => {
      if (channel.claims === false) return;
      const low = Math.max(1, channel.initial), declared = state.told.model.channels[i].depth;
      slider(channel.name, channel.depth, declared, low, Math.max(8, 2 * (declared || 0), state.first ? state.first.held[i].most + 2 : 0, ((state.told.fix || {})[channel.name] || 0) + 2),
        (value) => { channel.depth = value; }, { channel: channel.name }, true);
    });
    const changeable = state.model.processes.filter((process) => !process.places);
    if (changeable.length) group("initiation intervals, cycles");
    state.model.processes.forEach((process, i) => {
      if (!process.places) slider(process.name, process.ii, state.told.model.processes[i].ii, process.style === "elastic" ? 0 : 1, Math.max(8, 2 * process.ii), (value) => { process.ii = value; }, { ii: process.name });
    });
    if (changeable.some((process) => !Array.isArray(process.latency))) group("latencies, cycles");
    state.model.processes.forEach((process, i) => {
      if (!process.places && !Array.isArray(process.latency)) slider(process.name, process.latency, state.told.model.processes[i].latency, 0, Math.max(16, 2 * process.latency), (value) => { setLatency(i, value); }, { latency: process.name });
    });
    if (changeable.length < state.model.processes.length) note("Scheduled processes keep their steps; the depths around them can be changed.");
  }

  // In convention sdf3 a channel holds its slots for as long as the firings at its ends take.
  function setLatency(number, latency) {
    const more = latency - state.model.processes[number].latency;
    state.model.processes[number].latency = latency;
    for (const channel of state.model.channels) {
      if (channel.claims && channel.source === number) channel.forward += more;
      if (channel.claims && channel.target === number) channel.release += more;
    }
  }

  function slider(name, value, declared, low, high, set, data, unbounded = false) {
    const label = document.createElement("label"), text = document.createElement("span");
    const range = document.createElement("input"), number = document.createElement("input");
    text.textContent = text.title = name;
    range.type = "range";
    number.type = "number";
    range.min = number.min = low;
    range.max = high + (unbounded ? 1 : 0);
    range.value = value ?? range.max;
    number.value = value ?? "";
    number.placeholder = unbounded ? "∞" : "";
    Object.assign(range.dataset, data);
    range.setAttribute("aria-label", `${Object.keys(data)[0]} of ${name}`);
    const apply = (given) => {
      set(given);
      label.className = given === declared ? "" : "changed";
      range.value = given ?? range.max;
      number.value = given ?? "";
      play(false);
      const whole = state.range[0] === 0 && state.range[1] === Math.max(state.view.result.stopped, 1);
      simulate();
      if (whole) fit(); else look(state.cycle);
    };
    range.addEventListener("input", () => { const given = Number(range.value); apply(unbounded && given > high ? null : given); });
    number.addEventListener("change", () => apply(number.value === "" && unbounded ? null : Math.max(low, Math.round(Number(number.value) || low))));
    label.className = value === declared ? "" : "changed";
    label.append(text, range, number);
    $("sliders").lastElementChild.append(label);
  }

  // -- words --------------------------------------------------------------------------------------------------------

  // A class that is nobody's fault by its colour; what is waited for by its own, those that cost most first.
  function legend(parent = $("legend")) {
    const plain = { starting: "a firing starts", ii: "between two starts", draining: "draining", done: "done" };
    const words = { starved: "starved on", blocked: "blocked on", resource: "waits for" }, totals = new Map();
    const model = (state.told.still || state).model, all = state.told.still ? Still.counts(state.told.still) : model.processes.map((_, i) => state.view.counts(i));
    for (const each of all.flat().filter(({ cycles }) => cycles)) {
      const key = JSON.stringify([each.kind, each.channel ?? each.resource]), known = totals.get(key);
      totals.set(key, { ...each, cycles: each.cycles + (known ? known.cycles : 0) });
    }
    const sign = (background, text) => {
      const span = document.createElement("span"), square = document.createElement("i");
      square.style.background = background;
      span.append(square, text);
      return span;
    };
    const waits = [...totals.values()].filter(({ kind }) => kind in words).sort((a, b) => b.cycles - a.cycles);
    const named = waits.slice(0, CAUSES).map((each) => sign(`url(${Looks.tile(model.colours, each).toDataURL()})`, `${words[each.kind]} ${Still.causeOf(model, each)} (${each.cycles.toLocaleString("en")})`));
    const rest = waits.slice(CAUSES).reduce((sum, each) => sum + each.cycles, 0);
    const quiet = Object.entries(plain).filter(([kind]) => [...totals.values()].some((each) => each.kind === kind));
    const box = parent.id === "legend" ? parent : document.createElement("div");
    box.classList.add("legend");
    box.replaceChildren(sign("var(--firing)", "a firing"), ...quiet.map(([kind, text]) => sign(`var(--${kind})`, text)), ...named, ...(rest ? [`${waits.length - CAUSES} further waits (${rest.toLocaleString("en")})`] : []), ...(state.view && state.view.path.length ? [sign("var(--alarm)", "critical path")] : []));
    if (box !== parent) parent.append(box);
  }

  function tables() {
    $("tables").replaceChildren();
    for (const each of state.told.sections) {
      head(each.title, $("tables"));
      for (const text of each.notes || []) { const p = document.createElement("p"); p.className = "note"; p.textContent = text; $("tables").append(p); }
      if (each.picture) { const figure = document.createElement("img"); figure.src = each.picture; figure.alt = each.title; figure.style.maxWidth = "100%"; $("tables").append(figure); }
      if (each.columns) table(each, $("tables"));
      if (each.steps) precomputed(each);
    }
  }

  function head(text, parent) {
    const made = document.createElement("h2");
    made.textContent = text;
    parent.append(made);
  }

  // A run too large for this page: the slider picks one of the runs that Python has made.
  function precomputed({ steps }) {
    const label = document.createElement("label"), range = document.createElement("input"), words = document.createElement("output");
    Object.assign(range, { type: "range", min: 0, max: steps.length - 1, value: steps.findIndex(([factor]) => factor === "as in the file") });
    range.id = "precomputed";
    const show = () => { const [depths, finish] = steps[Number(range.value)]; words.textContent = ` depths ${depths}: ${finish === null ? "deadlock" : `finish ${finish} cycles`}`; };
    range.addEventListener("input", show);
    label.append("computed before, not in this page: ", range, words);
    $("tables").append(label);
    show();
  }

  // A number, a range, a quantity with its unit, or a word in the place of one.
  const NUMERIC = /^(-?\d[\d.]*( [^ ]+)?|-|unbounded|never)?$/;

  function table({ columns, rows }, parent) {
    const box = document.createElement("div"), made = document.createElement("table");
    box.className = "wide";
    const right = columns.map((_, i) => rows.every((row) => NUMERIC.test(row[i] ?? "-")));
    const line = (cells, name) => {
      const tr = document.createElement("tr");
      cells.forEach((cell, i) => { const td = document.createElement(name); td.textContent = cell ?? "-"; td.className = right[i] && rows.length ? "n" : String(cell ?? "").length < 20 ? "s" : ""; tr.append(td); });
      return tr;
    };
    made.append(line(columns, "th"), ...rows.map((row) => line(row, "td")));
    box.append(made);
    parent.append(box);
  }

  // The source beside the picture: lines that became processes, coloured by what they do in the cycle looked at.
  function source() {
    const pre = $("source"), { told } = state, by = new Map();
    pre.hidden = !told.source;
    pre.replaceChildren();
    state.marked = [];
    if (!told.source) return;
    Object.entries(told.lines).forEach(([name, line]) => by.set(line, [...(by.get(line) || []), name]));
    told.source.split("\n").forEach((text, i) => {
      const number = document.createElement("span"), code = document.createElement("span"), names = by.get(i + 1);
      number.className = "ln";
      number.textContent = String(i + 1).padStart(4) + "  ";
      code.textContent = text + "\n";
      if (names) {
        code.title = names.join(", ");
        state.marked.push([code, names.map((name) => state.model.processes.findIndex((process) => process.name === name)).filter((k) => k >= 0)]);
      }
      pre.append(number, code);
    });
    if (state.marked.length) pre.scrollTop = state.marked[0][0].offsetTop - pre.offsetTop - 40;
  }

  function mark() {
    const order = ["starting", "blocked", "starved", "resource", "ii", "draining", "done", "stopped"];
    for (const [code, processes] of state.marked) {
      const kinds = processes.map((i) => state.view.stateAt(i, state.cycle).kind);
      const kind = order.find((each) => kinds.includes(each)) || "", states = processes.map((i) => state.view.stateAt(i, state.cycle));
      const [own] = (kind && Looks.paint(state.model.colours, states.find((each) => each.kind === kind))) || [null];
      code.className = `at ${kind}`;
      for (const [name, paint] of [["--own", own], ["--on", own && Looks.on(own)]]) code.style.setProperty(name, paint || "");
    }
  }

  // -- keys, pointers, theme ----------------------------------------------------------------------------------------

  const steps = { ArrowLeft: -1, ArrowRight: 1 };
  document.addEventListener("keydown", (event) => {
    if (event.key === "t" && !event.target.matches("input, select")) return theme();
    if (!state.view || event.target.matches("input, select") || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = {
      " ": () => play(), Home: () => look(0), End: () => look(state.view.result.stopped - 1), "+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2), 0: fit,
    }[event.key] || (event.key in steps ? () => { play(false); look(state.cycle + steps[event.key] * (event.shiftKey ? 10 : 1)); } : null);
    if (!act || (event.key === " " && event.target.matches("button"))) return;
    event.preventDefault();
    act();
  });
  function theme() {
    const root = document.documentElement;
    root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
    again();
  }
  $("theme").addEventListener("click", theme);
  $("run").addEventListener("click", () => play());
  const clicks = { home: () => look(0), back: () => look(state.cycle - 1), forth: () => look(state.cycle + 1), last: () => look(state.view.result.stopped - 1), in: () => zoom(0.5), out: () => zoom(2), fit };
  for (const [id, act] of Object.entries(clicks)) $(id).addEventListener("click", () => { play(false); act(); });
  for (const id of ["time", "cycle"]) $(id).addEventListener("input", () => { play(false); look(Number($(id).value) || 0); });
  $("gantt").addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.shiftKey && document.activeElement !== $("gantt")) return;
    event.preventDefault();
    zoom(event.deltaY > 0 ? 1.25 : 0.8, Gantt.at($("gantt"), state.range, event.offsetX, 0, state.view).cycle);
  }, { passive: false });
  let drag = null;
  $("gantt").addEventListener("pointerdown", (event) => { drag = { x: event.offsetX, range: state.range, moved: false }; });
  addEventListener("pointerup", () => { drag = null; });
  $("gantt").addEventListener("pointermove", (event) => {
    if (drag && Math.abs(event.offsetX - drag.x) > 3) {
      const wide = drag.range[1] - drag.range[0], most = Math.max(state.view.result.stopped, 1);
      const by = Math.round(((drag.x - event.offsetX) / ($("gantt").clientWidth - Gantt.LEFT - 10)) * wide);
      const first = Math.max(0, Math.min(drag.range[0] + by, most - wide));
      state.range = [first, first + wide];
      drag.moved = true;
      return time();
    }
    const at = Gantt.at($("gantt"), state.range, event.offsetX, event.offsetY, state.view), tip = $("tip");
    tip.hidden = !at.inside || (at.process === null && at.channel === null);
    if (tip.hidden) return;
    tip.textContent = at.process !== null ? `${state.model.processes[at.process].name}, cycle ${at.cycle}: ${state.view.sentence(at.process, at.cycle)}`
      : `${state.model.channels[at.channel].name}, cycle ${at.cycle}: holds ${state.view.heldAt(at.channel, at.cycle)}`;
    tip.style.left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8) + "px";
    tip.style.top = event.clientY + 16 + "px";
  });
  $("gantt").addEventListener("pointerleave", () => { $("tip").hidden = true; });
  $("gantt").addEventListener("click", (event) => {
    const at = Gantt.at($("gantt"), state.range, event.offsetX, event.offsetY, state.view);
    if (at.inside) look(at.cycle);
  });
  const again = () => { if (state.view) time(); if (state.still) state.still(); };
  for (const name of ["resize", "beforeprint"]) addEventListener(name, again);

  if (matchMedia("(prefers-color-scheme: dark)").matches) document.documentElement.dataset.theme = "dark";
  $("which").hidden = all.length < 2;
  all.forEach((told, i) => $("which").add(new Option(told.name, i)));
  $("which").addEventListener("change", () => open(Number($("which").value)));
  open(0);
  document.documentElement.dataset.ready = "yes";
})();

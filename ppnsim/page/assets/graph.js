// The network as SVG: where everything stands was computed in Python; states and tokens of a cycle are put on top.
"use strict";
const Graph = (() => {
  const NS = "http://www.w3.org/2000/svg";
  const make = (name, attributes, parent, text) => {
    const element = document.createElementNS(NS, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    if (parent) parent.append(element);
    return element;
  };
  const short = (text, most) => (text.length > most ? text.slice(0, most - 1) + "…" : text);
  const SHOWN = 10; // cells of a FIFO

  // Draw the network once; return what `show` changes with the cycle.
  function draw(svg, model, layout, tell) {
    svg.replaceChildren();
    svg.setAttribute("viewBox", `${layout.left - 10} ${layout.top - 10} ${layout.right - layout.left + 20} ${layout.bottom - layout.top + 20}`);
    // Small networks are drawn larger, large ones no smaller than can be read.
    const natural = layout.right - layout.left + 20;
    Object.assign(svg.style, { width: "100%", maxWidth: 1.5 * natural + "px", minWidth: Math.min(0.55 * natural, 1400) + "px" });
    const arrow = make("marker", { id: "head", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 9, markerHeight: 9, markerUnits: "userSpaceOnUse", orient: "auto" }, make("defs", {}, svg));
    make("path", { d: "M0 0L8 4L0 8z", fill: "context-stroke" }, arrow);
    const wires = model.channels.map((channel, i) => {
      const at = layout.channels[i];
      const group = make("g", { class: "wire", tabindex: 0, "data-channel": channel.name }, svg);
      group.style.setProperty("--own", Looks.line(model.colours, i));
      const path = make("path", { d: at.path, "marker-end": "url(#head)" }, group);
      const [x, y] = at.label;
      const text = make("text", { x, y: y - 13 }, group, short(channel.name, 24));
      const cells = make("g", {}, group), words = make("text", { x, y: y + 19 }, group);
      const tokens = make("g", {}, group);
      hover(group, () => tell.channel(i));
      return { group, path, length: path.getTotalLength(), cells, words, tokens, x, y, text, middle: middleOf(path, x, y) };
    });
    const nodes = model.processes.map((process, i) => {
      const { x, y, width, height } = layout.processes[i];
      const group = make("g", { class: "node", tabindex: 0, "data-process": process.name }, svg);
      make("rect", { x: x - width / 2, y: y - height / 2, width, height, rx: 6 }, group);
      make("text", { x, y: y - 6, class: "title" }, group, short(process.name, Math.floor(width / 7.5)));
      const state = make("text", { x, y: y + 13, class: "state" }, group);
      hover(group, () => tell.process(i));
      return { group, state, room: Math.floor(width / 6), style: process.style };
    });
    return { wires, nodes };
  }

  // The part of a path (0..1) that is nearest to the FIFO drawn on it.
  function middleOf(path, x, y) {
    const length = path.getTotalLength();
    let best = 0.5, near = Infinity;
    for (let part = 0.1; part < 0.91; part += 0.05) {
      const at = path.getPointAtLength(part * length), distance = (at.x - x) ** 2 + (at.y - y) ** 2;
      if (distance < near) { near = distance; best = part; }
    }
    return best;
  }

  function hover(element, text) {
    const tip = document.getElementById("tip");
    const show = (event) => {
      tip.textContent = text();
      tip.hidden = false;
      const box = element.getBoundingClientRect();
      const x = event.clientX ?? box.right, y = event.clientY ?? box.bottom;
      tip.style.left = Math.min(x + 14, innerWidth - tip.offsetWidth - 8) + "px";
      tip.style.top = Math.max(8, Math.min(y + 14, innerHeight - tip.offsetHeight - 8)) + "px";
    };
    for (const name of ["pointerenter", "pointermove", "focus"]) element.addEventListener(name, show);
    for (const name of ["pointerleave", "blur"]) element.addEventListener(name, () => { tip.hidden = true; });
  }

  function cells(wire, channel, held) {
    wire.cells.replaceChildren();
    const depth = channel.depth, count = Math.min(depth ?? Math.max(held, 3), SHOWN), size = 9;
    for (let i = 0; i < count; i++) {
      const x = wire.x + (count / 2 - i - 1) * (size + 1);
      const full = depth !== null && depth > SHOWN ? i < Math.ceil((held / depth) * SHOWN) : i < held;
      make("rect", { x, y: wire.y - size / 2, width: size, height: size, rx: 2, class: full ? "cell full" : "cell" }, wire.cells);
    }
    wire.words.textContent = `${held} / ${depth ?? "∞"}`;
  }

  // Put a cycle on the drawing; `part` (0..1) is how far it has gone, which places the tokens under way.
  function show(drawing, view, cycle, part) {
    drawing.nodes.forEach((node, i) => {
      const state = view.stateAt(i, cycle), { kind, cause } = state, [own] = Looks.paint(view.model.colours, state) || [null];
      node.group.setAttribute("class", `node ${node.style} ${kind}${view.stuck.has(i) ? " stuck" : ""}`);
      for (const [name, paint] of [["--own", own], ["--on", own && Looks.on(own)]]) node.group.style.setProperty(name, paint || "");
      node.state.textContent = short(cause ? `${kind}: ${cause}` : Looks.word(kind), node.room);
    });
    const causes = new Map();
    drawing.nodes.forEach((_, i) => {
      const { kind, channel } = view.stateAt(i, cycle);
      if (channel !== undefined) causes.set(channel, kind);
    });
    drawing.wires.forEach((wire, i) => {
      const kind = view.stuckChannels.has(i) && cycle >= view.result.stopped - 1 ? "stuck" : causes.get(i) || "";
      wire.group.setAttribute("class", `wire ${kind}`);
      cells(wire, view.model.channels[i], view.heldAt(i, cycle));
      wire.tokens.replaceChildren();
      const put = view.writtenAt(i, cycle), taken = view.readAt(i, cycle);
      for (const [count, from, to, what] of [[put, 0, wire.middle, "written"], [taken, wire.middle, 1, "read"]])
        for (let k = 0; k < Math.min(count, 4); k++) {
          const place = from + (to - from) * Math.max(0, Math.min(1, part - k * 0.08));
          const at = wire.path.getPointAtLength(place * wire.length);
          make("circle", { cx: at.x, cy: at.y, r: 5, class: "token", "data-what": what }, wire.tokens);
        }
    });
  }

  return { draw, show };
})();

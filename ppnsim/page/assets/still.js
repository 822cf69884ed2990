// A run that this page does not simulate, as Python counted it: all of it in columns, a part cycle by cycle.
"use strict";
const Still = (() => {
  const { LEFT, LANE, STRIP, CURVE, TOP } = Gantt;
  const unpacked = (packed) => packed.flatMap(([times, value]) => Array(times).fill(value));

  const causeOf = (model, label) => (label.channel !== undefined ? model.channels[label.channel].name : label.resource || "");

  // The cycles of the detail as a view of a run, which Gantt draws like any other.
  function viewOf({ model, detail, most, stopped }) {
    const classes = detail.processes.map(({ labels, classes: runs }) => ({ labels, codes: unpacked(runs.map(([code, cycles]) => [cycles, code])), base: detail.first }));
    return {
      model, classes, path: [], result: { stopped, processes: detail.processes.map(({ firings, start, end }) => ({ numbers: firings, start, end })) },
      held: detail.channels.map((each, i) => ({ ...each, most: model.channels[i].most })), parallel: { ...detail.parallel, most },
      causeOf: (i, code) => causeOf(model, classes[i].labels[code]),
    };
  }

  function columns(canvas, still) {
    const { model, columns: told, most } = still, { first, last, width: cycles } = told;
    const height = TOP + model.processes.length * LANE + CURVE + 14 + model.channels.length * CURVE + 8;
    const { context, width } = Gantt.paper(canvas, height), per = (width - LEFT - 10) / (last - first), ratio = canvas.width / width;
    // Columns are joined until each has a dot of its own, and begin with a dot: none is lost and none is mixed.
    const joined = Math.ceil(1 / (cycles * per * ratio));
    const wide = (column) => Math.min(cycles, last - first - column * cycles), x = (at) => LEFT + (at - first) * per;
    const left = (column) => Math.round(x(Math.min(first + column * joined * cycles, last)) * ratio) / ratio;
    const join = (packed, how) => {
      const all = unpacked(packed), found = [];
      for (let at = 0; at < all.length; at += joined) found.push(how(all.slice(at, at + joined), at));
      return found;
    };
    const means = (packed) => join(packed, (some, at) => some.reduce((sum, mean, i) => sum + mean * wide(at + i), 0) / some.reduce((sum, _, i) => sum + wide(at + i), 0));
    const largest = (packed) => join(packed, (some) => Math.max(...some)), smallest = (packed) => join(packed, (some) => Math.min(...some));
    const sums = (packed) => join(packed, (some) => some[0].map((_, code) => some.reduce((sum, counts) => sum + counts[code], 0)));
    const fill = Looks.fills(context, model.colours);
    context.font = "11px sans-serif";
    Gantt.axis(context, first, last, x, height, per);
    model.processes.forEach(({ name }, i) => {
      const y = TOP + i * LANE, { labels, spent, busy, most: executing } = told.processes[i];
      Gantt.label(context, name, y + LANE / 2 - 8);
      Gantt.label(context, `max ${executing}`, y + LANE / 2 + 6);
      Gantt.heights(context, means(busy), executing, left, y + 2, LANE - STRIP - 10);
      sums(spent).forEach((counts, column) => {
        const all = counts.reduce((sum, count) => sum + count, 0), some = counts.map((count, code) => [code, count]).filter(([, count]) => count);
        Gantt.shares(context, some, labels, all, left(column), y + LANE - STRIP - 6, left(column + 1) - left(column), fill);
      });
    });
    const base = TOP + model.processes.length * LANE;
    Gantt.label(context, `executes (max ${most})`, base + CURVE / 2);
    band(context, [[largest(told.parallel.most), 0.25], [means(told.parallel.mean), 1]], most, Looks.colour("firing"), left, base);
    model.channels.forEach((channel, i) => {
      const y = base + CURVE + 14 + i * CURVE, own = told.channels[i], top = Math.max(channel.depth ?? channel.most, channel.most, 1);
      Gantt.label(context, `${channel.name} ${channel.most}/${channel.depth ?? "∞"}`, y + CURVE / 2);
      band(context, [[largest(own.most), 0.45], [smallest(own.fewest), 1]], top, Looks.line(model.colours, i), left, y);
    });
  }

  // Curves in columns one upon the other, each with its opacity: the most of each column is paler than its mean or fewest.
  function band(context, curves, top, paint, left, y) {
    const tall = CURVE - 6;
    context.fillStyle = paint;
    for (const [values, opacity] of curves) {
      context.globalAlpha = opacity;
      values.forEach((value, column) => { const high = (tall * value) / top; if (high) context.fillRect(left(column), y + tall - high, left(column + 1) - left(column), high); });
    }
    context.globalAlpha = 1;
    context.strokeStyle = Looks.colour("line");
    context.strokeRect(LEFT, y, left(curves[0][0].length) - LEFT, tall);
  }

  // The network with the most that each channel ever held.
  function network(svg, { model, layout }, tell) {
    const drawing = Graph.draw(svg, model, layout, { process: (i) => `${model.processes[i].name}: ${model.processes[i].style}`, channel: (i) => tell(model.channels[i]) });
    const view = { model, stuck: new Set(), stuckChannels: new Set(), result: { stopped: 0 }, stateAt: () => ({ kind: "", cause: "" }), heldAt: (i) => model.channels[i].most, writtenAt: () => 0, readAt: () => 0 };
    Graph.show(drawing, view, 0, 0);
  }

  // Put the pictures into a section; return what draws the canvases again, for another width or theme.
  function show(parent, still, head) {
    const add = (name, title, words) => {
      head(title, parent);
      const p = document.createElement("p"), picture = name === "svg" ? document.createElementNS("http://www.w3.org/2000/svg", "svg") : document.createElement(name);
      p.className = "note";
      p.textContent = words;
      picture.setAttribute("role", "img");
      picture.setAttribute("aria-label", title);
      picture.setAttribute("class", "still");
      parent.append(p, picture);
      return picture;
    };
    network(add("svg", "Network", "The tokens are the most that each channel held."), still, (channel) => `${channel.name}: held at most ${channel.most} of ${channel.depth ?? "∞"}`);
    const draw = [], { columns: all, detail } = still;
    if (!detail) add("p", "Over time", "Too many firings for a picture that is made with the run: --window A:B of ppnsim export shows a part.");
    if (all) {
      const canvas = add("canvas", `Over time, cycles ${all.first}..${all.last - 1}`, `A column holds ${all.width} cycles: the mean of the firings that execute, the shares of the classes, the fewest and the most tokens.`);
      draw.push(() => columns(canvas, still));
    }
    if (detail) {
      const view = viewOf(still), canvas = add("canvas", `Cycles ${detail.first}..${detail.last - 1}`, all ? "Around the middle of the bottleneck's run, or before a deadlock; another part: --window A:B." : "");
      draw.push(() => Gantt.draw(canvas, view, [detail.first, detail.last], null));
    }
    return () => draw.forEach((each) => each());
  }

  // The cycles of each class of all processes together, for the legend.
  function counts({ columns: all, detail }) {
    if (!detail) return [];
    if (all) return all.processes.map(({ labels, spent }) => labels.map((label, code) => ({ ...label, cycles: spent.reduce((sum, [times, counted]) => sum + times * counted[code], 0) })));
    return detail.processes.map(({ labels, classes }) => labels.map((label, code) => ({ ...label, cycles: classes.reduce((sum, [own, cycles]) => sum + (own === code ? cycles : 0), 0) })));
  }

  return { show, counts, causeOf };
})();

// What things look like: a channel has its colour in all pictures of a network, those of matplotlib included.
"use strict";
const Looks = (() => {
  const OTHER = ["#6E6E6E", ""];
  const PATTERN = { blocked: "/", resource: "x" }, SIZE = 8;
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();

  // The colour of what is written or hatched on a colour: dark on light, light on dark.
  function on(paint) {
    const [red, green, blue] = [1, 3, 5].map((at) => parseInt(paint.slice(at, at + 2), 16) / 255);
    return 0.299 * red + 0.587 * green + 0.114 * blue > 0.45 ? "#1F2933" : "#FFFFFF";
  }

  // Colour and dots of a wait's cause, null for a class that is nobody's fault.
  function paint(colours, { kind, channel, resource }) {
    if (kind === "resource") return colours.resources[resource] || OTHER;
    return channel === undefined ? null : colours.channels[channel] || OTHER;
  }

  // A class in words, as the terminal has it.
  const word = (kind) => (kind === "ii" ? "between starts" : kind);
  const line = (colours, channel) => (colours.channels[channel] || OTHER)[0];

  // Draw what a class looks like, on a tile that is repeated: the colour is the cause, the hatch the kind of wait.
  function tile(colours, label) {
    const made = document.createElement("canvas"), pen = made.getContext("2d"), [ground, dots] = paint(colours, label) || [colour(label.kind), ""];
    made.width = made.height = SIZE;
    pen.fillStyle = ground;
    pen.fillRect(0, 0, SIZE, SIZE);
    pen.strokeStyle = pen.fillStyle = paint(colours, label) ? on(ground) : ground;
    pen.lineWidth = 0.9;
    pen.beginPath();
    if (PATTERN[label.kind]) { pen.moveTo(0, SIZE); pen.lineTo(SIZE, 0); }
    if (PATTERN[label.kind] === "x") { pen.moveTo(0, 0); pen.lineTo(SIZE, SIZE); }
    pen.stroke();
    if (dots) { pen.beginPath(); pen.arc(SIZE / 2, SIZE / 4, dots === ".." ? 1.1 : 1.6, 0, 7); if (dots === "..") pen.fill(); else pen.stroke(); }
    return made;
  }

  // What fills a class on a canvas, made once for each.
  function fills(context, colours) {
    const known = new Map();
    return (label) => {
      const key = `${label.kind} ${label.channel ?? ""} ${label.resource ?? ""}`;
      if (!known.has(key)) known.set(key, paint(colours, label) ? context.createPattern(tile(colours, label), "repeat") : colour(label.kind));
      return known.get(key);
    };
  }

  return { colour, on, paint, word, line, tile, fills };
})();

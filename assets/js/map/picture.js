// A picture of the map's current view, with the title above, and the legend, the map's notes and the source below. It
// is drawn again, large enough to print, whatever the screen.

const PAD = 16,
  HEAD = 48,
  LINE = 18; // CSS pixels
const WIDE = 1600; // pixels of a picture, at least
const FRAMES = 120; // the most frames to wait until the map is at rest

/** Returns a canvas with the picture, laid out as on the screen. */
export async function picture(map, from) {
  for (let n = 0; n < FRAMES && (map.motion.step() || map.draw()); n++) {
    await new Promise(requestAnimationFrame);
  }
  const { width, height, colours } = map;
  const ratio = Math.max(WIDE / width, map.ratio);
  const large = map.copy(ratio);
  const painting = document.createElement("canvas");
  painting.width = Math.ceil(width * ratio);
  painting.height = Math.ceil(height * ratio);
  while (large.paint(painting.getContext("2d"))) {}
  const panel = map.host.parentElement;
  const style = getComputedStyle(map.host);
  const canvas = document.createElement("canvas");
  const g = canvas.getContext("2d");
  const small = `12px ${map.font}`;
  g.font = small;
  const legend = flow(g, [...panel.querySelectorAll(".legend-item")], width);
  const notes = [...panel.querySelectorAll(".map-note > span, .legend-rings:not([hidden]) > span")].map(
    (e) => e.textContent,
  );
  const lines = [...notes, from].flatMap((text) => wrap(g, text, width - 2 * PAD));
  const foot = (legend.rows + lines.length) * LINE + 2.5 * PAD;

  canvas.width = painting.width;
  canvas.height = Math.round((HEAD + height + foot) * ratio);
  g.scale(ratio, ratio);
  g.fillStyle = colours.ground;
  g.fillRect(0, 0, width, HEAD + height + foot);
  g.drawImage(painting, 0, HEAD, painting.width / ratio, painting.height / ratio);
  g.fillStyle = colours.line;
  g.fillRect(0, HEAD - 1, width, 1);
  g.fillRect(0, HEAD + height, width, 1);

  // Lines begin on the left or right, depending on the language.
  g.direction = style.direction;
  const rtl = style.direction === "rtl";
  const start = (x) => (rtl ? width - x : x);
  g.textBaseline = "middle";
  g.fillStyle = colours.ink;
  g.font = `600 20px ${style.getPropertyValue("--font-display")}`;
  g.fillText(panel.querySelector("h2").textContent, start(PAD), HEAD / 2, width - 2 * PAD);
  g.font = small;
  const filtered = legend.items.some(({ e }) => e.ariaPressed === "true");
  for (const { e, x, row } of legend.items) {
    const y = HEAD + height + PAD + (row + 0.5) * LINE;
    g.globalAlpha = filtered && e.ariaPressed !== "true" ? 0.4 : 1;
    g.fillStyle = getComputedStyle(e.querySelector("svg")).fill;
    g.save();
    g.translate(start(x) - (rtl ? 10 : 0), y - 5);
    g.fill(new Path2D(e.querySelector("path").getAttribute("d"))); // in a square of 10 by 10
    g.restore();
    g.fillStyle = colours.ink;
    g.fillText(e.textContent.trim(), start(x + 14), y + 0.5);
  }
  g.globalAlpha = 1;
  g.fillStyle = colours.soft;
  lines.forEach((text, i) =>
    g.fillText(text, start(PAD), HEAD + height + 1.5 * PAD + (legend.rows + i + 0.5) * LINE, width - 2 * PAD),
  );
  if (map.current >= 0) {
    pointed(g, map);
  }
  return canvas;
}

/** Places the legend's items side by side, in as many rows as needed. */
function flow(g, elements, width) {
  let x = PAD,
    row = 0;
  const items = elements.map((e) => {
    const w = 14 + g.measureText(e.textContent.trim()).width;
    if (x > PAD && x + w > width - PAD) {
      x = PAD;
      row++;
    }
    x += w + 14;
    return { e, x: x - w - 14, row };
  });
  return { items, rows: items.length > 0 ? row + 1 : 0 };
}

/** Splits a text into lines of at most this width. A wider word has a line of its own. */
function wrap(g, text, width) {
  const lines = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && g.measureText(longer).width > width) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}

/** The name of the title that is pointed at or opened, which is above the map on the screen. */
function pointed(g, map) {
  const title = map.titles[map.current];
  const w = Math.min(g.measureText(title).width, map.width - 4 * PAD) + 16;
  const x = Math.min(Math.max(map.sx(map.current) - w / 2, 8), Math.max(map.width - w - 8, 8));
  const at = map.sy(map.current);
  if (map.sx(map.current) < 0 || map.sx(map.current) > map.width || at < 0 || at > map.height) {
    return;
  }
  const y = HEAD + (at < 40 ? at + 12 : at - 36);
  g.direction = "ltr";
  g.fillStyle = map.colours.ink;
  g.beginPath();
  g.roundRect(x, y, w, 24, 6);
  g.fill();
  g.fillStyle = map.colours.ground;
  g.fillText(title, x + 8, y + 12.5, w - 16);
}

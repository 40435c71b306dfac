// Names on the map, none over another: first what matters most, then the best known titles as far as there is room.
//
// A name may stand beside its point or, for the ten next titles and the likes, at the end of a short line, so that they
// are all named even where they crowd.

const ANGLES = 16;
const FAR = [0, 22, 40, 60, 84, 112]; // pixels between a point and its name

export function placeLabels(map, g) {
  const taken = [];
  const over = map.host.parentElement?.querySelector(".map-buttons"); // made after the map, and over it
  if (over) {
    const a = over.getBoundingClientRect();
    const b = map.host.getBoundingClientRect();
    taken.push(box(a.x - b.x, a.y - b.y, a.width, a.height));
  }
  const zoom = map.camera.k / map.whole().k;
  const liked = [];
  map.marks.forEach((m, i) => m === 1 && liked.push(i));
  const named = new Set([...map.top, ...liked, map.current]);
  for (const i of named) {
    if (i >= 0) {
      taken.push(box(map.sx(i) - 6, map.sy(i) - 6, 12, 12));
    }
  }
  if (!map.tip.hidden && map.current >= 0) {
    taken.push(tipBox(map));
  }
  for (const [x, y, text] of map.view === "distance" ? map.ringLabels : []) {
    ringLabel(map, g, x, y, text, taken);
  }
  g.textAlign = "left";
  g.textBaseline = "middle";
  g.lineJoin = "round";
  const strong = `600 12.5px ${map.font}`;
  const plain = `12px ${map.font}`;
  for (const i of map.top) {
    if (i !== map.current) {
      name(map, g, i, strong, map.colours.ink, taken, FAR);
    }
  }
  for (const i of liked.reverse()) {
    if (i !== map.current) {
      name(map, g, i, plain, map.colours.you, taken, FAR.slice(0, 3), 4);
    }
  }
  let room = Math.round(Math.min(14 + 14 * Math.log2(Math.max(zoom, 1)), 70));
  let tries = 600;
  for (const i of map.known) {
    if (room === 0 || tries-- === 0) {
      break;
    }
    if (!named.has(i) && !(map.dim && map.dim[i]) && name(map, g, i, plain, map.colours.soft, taken, FAR.slice(0, 1))) {
      room--;
    }
  }
}

/** Writes one name where there is room and tells whether there was. */
function name(map, g, i, font, colour, taken, far, ring = 0) {
  const x = map.sx(i);
  const y = map.sy(i);
  if (x < 4 || y < 4 || x > map.width - 4 || y > map.height - 4) {
    return false;
  }
  g.font = font;
  const text = short(map.titles[i]);
  const w = measure(g, font, text);
  const h = 16;
  for (const d of far) {
    for (let a = 0; a < (d === 0 ? 4 : ANGLES); a++) {
      const b = d === 0 ? beside(x, y, w, h, a, ring) : around(x, y, w, h, d, a);
      if (b.x < 4 || b.y < 4 || b.x + b.w > map.width - 4 || b.y + b.h > map.height - 4 || taken.some((t) => meets(t, b))) {
        continue;
      }
      taken.push(b);
      if (d > 0) {
        leader(g, map, x, y, b);
      }
      g.strokeStyle = map.colours.ground;
      g.globalAlpha = 0.85;
      g.lineWidth = 3.5;
      g.strokeText(text, b.x + 2, b.y + h / 2 + 0.5);
      g.globalAlpha = 1;
      g.fillStyle = colour;
      g.fillText(text, b.x + 2, b.y + h / 2 + 0.5);
      return true;
    }
  }
  return false;
}

const box = (x, y, w, h) => ({ x, y, w, h });
const meets = (a, b) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

/** To the right, to the left, above, below. */
function beside(x, y, w, h, side, ring) {
  switch (side) {
    case 0:
      return box(x + 8 + ring, y - h / 2, w + 4, h);
    case 1:
      return box(x - w - 12 - ring, y - h / 2, w + 4, h);
    case 2:
      return box(x - w / 2 - 2, y - h - 7 - ring, w + 4, h);
    default:
      return box(x - w / 2 - 2, y + 7 + ring, w + 4, h);
  }
}

/** At a distance, in one of sixteen directions, those to the sides first. */
function around(x, y, w, h, d, a) {
  const turn = ((a % 2 === 0 ? a : -a - 1) / ANGLES) * Math.PI;
  const angle = a % 4 < 2 ? turn : Math.PI - turn;
  const cx = x + d * Math.cos(angle);
  const cy = y + d * Math.sin(angle);
  return box(Math.cos(angle) >= 0 ? cx : cx - w - 4, cy - h / 2, w + 4, h);
}

function leader(g, map, x, y, b) {
  const ex = Math.min(Math.max(x, b.x), b.x + b.w);
  const ey = Math.min(Math.max(y, b.y + 3), b.y + b.h - 3);
  g.strokeStyle = map.colours.soft;
  g.globalAlpha = 0.6;
  g.lineWidth = 1;
  g.beginPath();
  g.moveTo(x, y);
  g.lineTo(ex, ey);
  g.stroke();
  g.globalAlpha = 1;
}

function ringLabel(map, g, x, y, text, taken) {
  g.font = `11px ${map.font}`;
  const w = measure(g, g.font, text);
  if (x < 0 || y < 0 || x > map.width || y > map.height) {
    return;
  }
  taken.push(box(x - w / 2 - 3, y - 8, w + 6, 16));
  g.fillStyle = map.colours.ground;
  g.fillRect(x - w / 2 - 3, y - 7, w + 6, 14);
  g.fillStyle = map.colours.soft;
  g.textAlign = "center";
  g.textBaseline = "middle";
  g.fillText(text, x, y);
}

function tipBox(map) {
  const i = map.current;
  const w = map.tip.offsetWidth;
  return box(map.sx(i) - w / 2, map.sy(i) - map.tip.offsetHeight - 14, w, map.tip.offsetHeight);
}

/** A name on the map goes without its year, its other name in brackets, and what is beyond 28 letters. */
function short(title) {
  const bare = title.replace(/, \d{4}$/, "").replace(/(.) \(.*\)$/, "$1");
  return bare.length > 28 ? bare.slice(0, 26).trimEnd() + "…" : bare;
}

const widths = new Map();

function measure(g, font, text) {
  const key = font + text;
  let w = widths.get(key);
  if (w === undefined) {
    if (widths.size > 5000) {
      widths.clear();
    }
    w = g.measureText(text).width;
    widths.set(key, w);
  }
  return w;
}

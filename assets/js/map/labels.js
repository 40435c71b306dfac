// Names on the map, without overlaps. The whole map has at most ten titles: the next ones and the latest likes in turn,
// then the best-known titles, far apart. Zooming in brings more.
//
// A title's name is next to its point, and to no other large one; for likes and next titles it may be at the end of a
// short line. A region's name is near its centre. Names are laid out when the zoom or their texts change, and at
// intervals while the map is dragged. In between they move with their points. The previous place is tried first, so
// that names stay put.

import { crowdOf } from "./dots.js";
import { LIKED } from "./marks.js";
import { lines } from "./regions.js";
import { HIGH, setting, Texts } from "./texts.js";

const SIDES = [0, 1, 2, 3],
  ANGLES = 16;
const FAR = [0, 22, 40, 60, 84, 112]; // pixels between a point and its name
const LIKES = 100; // the most names of likes that are tried: an import brings thousands
const ANCHORS = 10,
  MORE = 15, // names of titles on the whole map, and more for each doubling of the zoom
  MOST = 70;
const SPREAD = 64; // least distance in pixels between the points of well-known titles that are named
const NEXT = 12; // pixels at both ends of a name without other large points
const NARROW = 3; // pixels of a letter, at least
const WIDE = 48,
  COLUMNS = 1 << 16; // pixels of a cell; more cells than fit side by side
const ASTRAY = [0, 18, 36, 58, 80]; // pixels between a region's centre and the middle of its name
const ALIKE = 220; // least distance in pixels between regions with the same name, such as nested ones, to name both
const EVERY = 90; // ms between layouts while dragging

export class Names {
  #stood = new Map(); // item, or region → the last place of its name
  #laid = null; // the state that the layout was made for
  #since = 0;
  #texts = new Texts();
  #series = null; // found when first needed

  constructor(map) {
    this.map = map;
    // {item, region (−1: none), at (if it is not a title), text, lines, style, dx, dy, w, h, far}: the box is (dx, dy)
    // from the point
    this.placed = [];
  }

  /** The texts or their style have changed. */
  stale() {
    this.#laid = null;
  }

  /** Whether the next frame lays the names out for new texts: many of them may have to be drawn. */
  get due() {
    return this.#laid === null;
  }

  /** The same names for a copy of the map with another number of pixels. */
  copy(map) {
    const names = new Names(map);
    names.placed = this.placed;
    names.#laid = { ...map.camera };
    return names;
  }

  recolour() {
    this.#texts = new Texts();
    this.stale();
  }

  /** Draws the names and returns whether they should be laid out again soon. */
  draw(g) {
    const { map } = this;
    const { x, y, k } = map.camera;
    const at = this.#laid;
    let later = false;
    if (at === null || at.k !== k || map.motion.has("points")) {
      this.#layOut();
    } else if (at.x !== x || at.y !== y) {
      if (performance.now() - this.#since > EVERY) {
        this.#layOut();
      } else {
        later = true;
      }
    }
    const shown = this.placed.filter((n) => n.item < 0 || n.item !== map.current); // the tip names the current title
    for (const n of shown) {
      if (n.far) {
        leader(g, map, this.#box(n));
      }
    }
    for (const n of shown) {
      this.#draw(g, n);
    }
    return later;
  }

  /** Boxes of all names that are currently drawn: {item, region, text, x, y, w, h} in CSS pixels. */
  boxes() {
    return this.placed.map((n) => ({ item: n.item, region: n.region, text: n.text, ...this.#box(n) }));
  }

  /** The region whose name is within so many pixels of a place on the canvas, or −1. */
  region(x, y, within) {
    const at = (b) => x > b.x - within && y > b.y - within && x < b.x + b.w + within && y < b.y + b.h + within;
    return this.placed.find((n) => n.region >= 0 && at(this.#box(n)))?.region ?? -1;
  }

  #box(n) {
    const [x, y] = n.item < 0 ? this.map.place(...n.at) : [this.map.sx(n.item), this.map.sy(n.item)];
    return { x: x + n.dx, y: y + n.dy, w: n.w, h: n.h, px: x, py: y };
  }

  #draw(g, n) {
    const { map } = this;
    const b = this.#box(n);
    const pointed = n.region >= 0 && n.region === map.regions.pointed;
    const text = this.#texts.get(n.lines, pointed ? { ...n.style, colour: map.colours.you } : n.style, map);
    const snap = (v) => Math.round(v * map.ratio) / map.ratio;
    g.drawImage(text, snap(b.x - 2), snap(b.y - 2), text.width / map.ratio, text.height / map.ratio);
  }

  #layOut() {
    const { map } = this;
    this.#laid = { ...map.camera };
    this.#since = performance.now();
    this.placed = [];
    const taken = new Taken(covers(map));
    const zoom = map.camera.k / map.whole().k;
    const liked = map.marked.filter((i) => map.marks[i] === LIKED);
    const { known, sizes } = map.dots.ranked;
    const large = new Set([...map.top, ...(crowdOf(map, map.camera.k) === 0 ? liked : [])]);
    const dots = new Taken([]);
    for (const i of large) {
      taken.add(box(map.sx(i) - 6, map.sy(i) - 6, 12, 12), i);
      dots.add(box(map.sx(i) - 4, map.sy(i) - 4, 8, 8), i);
    }
    for (let r = 0; r < map.n && sizes[known[r]] === 2; r++) {
      const x = map.sx(known[r]),
        y = map.sy(known[r]);
      if (inView(map, x, y) && !large.has(known[r])) {
        dots.add(box(x - 2, y - 2, 4, 4), known[r]);
      }
    }
    let room = Math.round(Math.min(ANCHORS + MORE * Math.log2(Math.max(zoom, 1)), MOST));
    const { soft, ink, you } = map.colours;
    const plain = setting(`12px ${map.font}`, soft);
    for (const [at, text] of map.painter.people()) {
      this.#middle({ region: -1, at, text, style: setting(`600 11.5px ${map.font}`, you) }, taken, ASTRAY);
    }
    for (const [at, text] of map.painter.rings) {
      this.#middle({ region: -1, at, text, style: setting(`11px ${map.font}`, soft) }, taken, [0]);
    }
    const next = setting(`600 12.5px ${map.font}`, ink),
      own = { ...plain, colour: you };
    const latest = liked
      .filter((i) => inView(map, map.sx(i), map.sy(i)) && !map.top.includes(i))
      .slice(-LIKES)
      .reverse();
    for (let r = 0; r < Math.max(map.top.length, latest.length) && room > 0; r++) {
      if (r < map.top.length && this.#name(map.top[r], next, taken, dots, FAR)) {
        room--;
      }
      if (r < latest.length && room > 0 && this.#name(latest[r], own, taken, dots, FAR.slice(0, 3), 4)) {
        room--;
      }
    }
    for (const region of map.regions.shown()) {
      const [x, y] = map.place(...region.at);
      const alike = (n) => n.text === region.text && Math.hypot(this.#box(n).px - x, this.#box(n).py - y) < ALIKE;
      if (!this.placed.some(alike)) {
        this.#middle(region, taken, ASTRAY);
      }
    }
    let tries = 500;
    const named = this.placed.filter((n) => n.item >= 0).map((n) => [map.sx(n.item), map.sy(n.item)]);
    for (const i of known) {
      if (room === 0 || tries === 0) {
        break;
      }
      const x = map.sx(i),
        y = map.sy(i);
      if (!inView(map, x, y) || map.marks[i] !== 0 || large.has(i) || (map.dim && map.dim[i])) {
        continue;
      }
      tries--;
      if (named.some(([u, v]) => Math.hypot(u - x, v - y) < SPREAD)) {
        continue;
      }
      if (this.#name(i, plain, taken, dots, FAR.slice(0, 1))) {
        named.push([x, y]);
        room--;
      }
    }
    this.#stood = new Map(this.placed.map((n) => [key(n), n]));
  }

  /** Places a name in lines, with its middle at a place of the map or within so many pixels of it. */
  #middle({ region, at, text, style }, taken, astray) {
    const { map } = this;
    const width = (line) => this.#texts.width(line, style, map);
    const set = region < 0 ? [text] : lines(text, width);
    const w = Math.max(...set.map(width)) + 4,
      h = style.high * set.length;
    const [x, y] = map.place(...at);
    const stood = this.#stood.get(key({ item: -1, region }));
    const places = astray.flatMap((d) =>
      Array.from({ length: d === 0 ? 1 : ANGLES }, (_, a) => [
        d * Math.cos((2 * Math.PI * a) / ANGLES) - w / 2,
        d * Math.sin((2 * Math.PI * a) / ANGLES) - h / 2,
      ]),
    );
    if (region >= 0 && stood?.w === w) {
      places.unshift([stood.dx, stood.dy]);
    }
    for (const [dx, dy] of places) {
      const b = box(x + dx, y + dy, w, h);
      if (inside(map, b) && taken.leaves(b)) {
        taken.add(b);
        this.placed.push({ item: -1, region, at, text, lines: set, style, dx, dy, w, h });
        return;
      }
    }
  }

  /** Places one name, and returns whether there was room. */
  #name(i, style, taken, dots, far, ring = 0) {
    const { map } = this;
    const x = map.sx(i),
      y = map.sy(i);
    if (!inView(map, x, y)) {
      return false;
    }
    const text = short(map.titles[i], (this.#series ??= findSeries(map.titles)));
    const fits = (b) => inside(map, b) && taken.leaves(b, i);
    const alone = ({ x, y, w, h }) =>
      dots.leaves(box(x - NEXT, y + 2, NEXT, h - 4), i) && dots.leaves(box(x + w, y + 2, NEXT, h - 4), i);
    const free = (b) => fits(b) && alone(b);
    // Measuring a text is slower than finding that nothing fits, the usual case where titles crowd.
    const narrow = text.length * NARROW;
    if (far.length === 1 && !SIDES.some((side) => fits(boxNextTo(x, y, narrow, side, ring)))) {
      return false;
    }
    const w = this.#texts.width(text, style, map) + 4;
    const take = (b, d) => {
      taken.add(b);
      const [dx, dy] = [b.x - x, b.y - y];
      this.placed.push({ item: i, region: -1, text, lines: [text], style, dx, dy, w, h: HIGH, far: d > 0 });
      return true;
    };
    const stood = this.#stood.get(i);
    const again = stood?.w === w ? box(x + stood.dx, y + stood.dy, w, HIGH) : null;
    if (again !== null && !stood.far && free(again)) {
      return take(again, 0);
    }
    for (const d of far) {
      if (d > 0 && again !== null && stood.far && free(again)) {
        return take(again, d);
      }
      for (let a = 0; a < (d === 0 ? SIDES.length : ANGLES); a++) {
        const b = d === 0 ? boxNextTo(x, y, w, a, ring) : boxAtDistance(x, y, w, d, a);
        if (free(b)) {
          return take(b, d);
        }
      }
    }
    return false;
  }
}

const inView = (map, x, y) => x >= 4 && y >= 4 && x <= map.width - 4 && y <= map.height - 4;
const key = ({ item, region }) => (region < 0 ? item : -2 - region);
const box = (x, y, w, h) => ({ x, y, w, h });
const meets = (a, b) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
const inside = (map, b) => b.x >= 4 && b.y >= 4 && b.x + b.w <= map.width - 4 && b.y + b.h <= map.height - 4;

/** Taken boxes, by cells as high as a name, so that a box is compared with few others. */
class Taken {
  #cells = new Map();

  constructor(boxes) {
    boxes.forEach((b) => this.add(b));
  }

  /** Calls f with the number of each cell that the box touches until it returns true, and returns whether it did. */
  #over(b, f) {
    const row = (y) => Math.floor(y / HIGH),
      column = (x) => Math.floor(x / WIDE);
    for (let r = row(b.y); r <= row(b.y + b.h); r++) {
      for (let c = column(b.x); c <= column(b.x + b.w); c++) {
        if (f(r * COLUMNS + c)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Takes a box, for an item if it is not a name. */
  add(b, item = -1) {
    this.#over(b, (cell) => {
      if (!this.#cells.has(cell)) {
        this.#cells.set(cell, []);
      }
      this.#cells.get(cell).push({ ...b, item });
    });
  }

  /** Whether the box overlaps no taken box, except for those of its own item. */
  leaves(b, own = -2) {
    return !this.#over(b, (cell) => this.#cells.get(cell)?.some((t) => t.item !== own && meets(t, b)));
  }
}

/** Elements over the picture: buttons and the search. */
function covers(map) {
  const host = map.host.getBoundingClientRect();
  return [...(map.host.parentElement?.querySelectorAll(".map-over") ?? [])].map((e) => {
    const r = e.getBoundingClientRect();
    return box(r.x - host.x, r.y - host.y, r.width, r.height);
  });
}

/** The box of a name next to a point: right, left, above or below. */
function boxNextTo(x, y, w, side, ring) {
  switch (side) {
    case 0:
      return box(x + 8 + ring, y - HIGH / 2, w, HIGH);
    case 1:
      return box(x - w - 8 - ring, y - HIGH / 2, w, HIGH);
    case 2:
      return box(x - w / 2, y - HIGH - 7 - ring, w, HIGH);
    default:
      return box(x - w / 2, y + 7 + ring, w, HIGH);
  }
}

/** The box of a name at a distance from a point, in one of sixteen directions, sideways ones first. */
function boxAtDistance(x, y, w, d, a) {
  const turn = ((a % 2 === 0 ? a : -a - 1) / ANGLES) * Math.PI;
  const angle = a % 4 < 2 ? turn : Math.PI - turn;
  const cx = x + d * Math.cos(angle);
  const cy = y + d * Math.sin(angle);
  return box(Math.cos(angle) >= 0 ? cx : cx - w, cy - HIGH / 2, w, HIGH);
}

function leader(g, map, b) {
  g.strokeStyle = map.colours.soft;
  g.globalAlpha = 0.6;
  g.lineWidth = 1;
  g.beginPath();
  g.moveTo(b.px, b.py);
  g.lineTo(Math.min(Math.max(b.px, b.x), b.x + b.w), Math.min(Math.max(b.py, b.y + 3), b.y + b.h - 3));
  g.stroke();
  g.globalAlpha = 1;
}

const LONG = 28;
const part = (title) => title.indexOf(": ");

/** Beginnings of titles, up to a colon, that several titles share. */
function findSeries(titles) {
  const once = new Set(),
    series = new Set();
  for (const t of titles) {
    const at = part(t);
    if (at > 0) {
      const head = t.slice(0, at);
      (once.has(head) ? series : once).add(head);
    }
  }
  return series;
}

/**
 * A title's short name: without its year and its other name in brackets. A long title in a series becomes the part's
 * name.
 */
function short(title, series) {
  const bare = title.replace(/, \d{4}$/, "").replace(/(.) \(.*\)$/, "$1");
  const own =
    bare.length > LONG && part(bare) > 0 && series.has(bare.slice(0, part(bare))) ? bare.slice(part(bare) + 2) : bare;
  return own.length > LONG ? own.slice(0, LONG - 2).trimEnd() + "…" : own;
}

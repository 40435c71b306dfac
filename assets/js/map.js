// The painted taste map: a canvas that is fed once with all points and then with small updates. Panning, zooming,
// pointing and the arrow keys are answered here and never reach the program; it hears only which title was opened.
//
// Two ways of drawing: "map", where a point lies where the plane puts it, and "distance", where the visitor is the
// centre, the radius is the true distance and only the direction comes from the plane.
//
// World coordinates are the plane's own (y upwards); the camera {x, y, k} is the world point at the canvas's centre and
// how many CSS pixels a unit is.

import { placeLabels } from "./map-labels.js";
import { Sprites } from "./map-sprites.js";
import { listen } from "./map-input.js";

const LIKED = 1;
const NOT_FOR_ME = 2;
const SEEN = 3;

const still = matchMedia("(prefers-reduced-motion: reduce)");
const dark = matchMedia("(prefers-color-scheme: dark)");
const floats = (bytes) => new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
const ease = (t) => 1 - (1 - t) ** 3;
const clamp = (v, lo, hi) => Math.min(Math.max(v, lo), hi);

/**
 * Paints the map into host, which must stay empty of anything else.
 *
 * options: titles (a line each), points (float32 x, y), weights (float32), groups (colour | shape << 4, 15: none),
 * label, help, you (texts), describe(i) → {line, ellipses}, open(i), say(text).
 */
export function createMap(host, options) {
  return new TasteMap(host, options);
}

export class TasteMap {
  constructor(host, o) {
    this.host = host;
    this.o = o;
    this.titles = o.titles.split("\n");
    this.plane = floats(o.points);
    this.n = this.plane.length >> 1;
    this.extent = [spread(this.plane, 0), spread(this.plane, 1)];
    this.at = this.plane.slice(); // where points are drawn now
    this.to = this.plane; // where they are going
    this.groups = o.groups;
    const weights = floats(o.weights);
    this.known = Uint32Array.from(weights.keys()).sort((a, b) => weights[b] - weights[a]); // best known first
    this.sizes = new Uint8Array(this.n); // 0 to 2: little to well known
    this.known.forEach((item, rank) => (this.sizes[item] = rank < this.n * 0.05 ? 2 : rank < this.n * 0.3 ? 1 : 0));
    this.marks = new Uint8Array(this.n);
    this.dim = null;
    this.top = [];
    this.topEllipses = new Float32Array(0);
    this.taste = null; // as drawn now
    this.tasteTo = null;
    this.selected = -1;
    this.hover = -1;
    this.cursor = -1; // of the keyboard
    this.pointed = null; // what describe said of the title that is pointed at
    this.view = "map";
    this.reach = 1; // in the distance view: how far the outermost titles are
    this.camera = { x: 0, y: 0, k: 1 };
    this.moved = false; // the visitor chose what to look at
    this.motion = null;

    this.canvas = document.createElement("canvas");
    this.canvas.id = "map-canvas";
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "application");
    this.canvas.setAttribute("aria-label", `${o.label}. ${o.help}`);
    this.tip = document.createElement("div");
    this.tip.className = "map-tip";
    this.tip.hidden = true;
    this.tip.setAttribute("aria-hidden", "true");
    this.probe = document.createElement("div");
    this.probe.className = "map-probe";
    this.probe.hidden = true;
    host.replaceChildren(this.canvas, this.tip, this.probe);
    this.context = this.canvas.getContext("2d");
    this.sprites = new Sprites();
    this.recolour();

    this.ended = new AbortController();
    listen(this, this.ended.signal);
    dark.addEventListener("change", () => this.recolour(), { signal: this.ended.signal });
    this.watch = new ResizeObserver(() => this.resize());
    this.watch.observe(host);
    this.resize();
  }

  release() {
    this.ended.abort();
    this.watch.disconnect();
    cancelAnimationFrame(this.frame);
    this.host.replaceChildren();
  }

  /** Takes what has changed: any of marks, top, topEllipses, taste, selected, view, distances, dim, resize, recolour. */
  update(u) {
    if (u.marks) {
      this.marks = u.marks;
      this.top = u.top;
      this.topEllipses = floats(u.topEllipses);
      this.selected = u.selected;
      const taste = u.taste ? floats(u.taste) : null;
      this.animate("taste", this.taste ?? (taste && swollen(taste)), taste);
      this.frameTaste();
    }
    if (u.view) {
      this.setView(u.view, u.distances ? floats(u.distances) : null);
    }
    if ("dim" in u) {
      this.dim = u.dim;
    }
    if (u.recolour) {
      this.recolour();
    }
    if (u.resize) {
      this.resize();
    }
    this.describePointed();
    this.schedule();
  }

  // --- where things are ----------------------------------------------------------------------------------------------

  setView(view, distances) {
    const changed = view !== this.view;
    this.view = view;
    if (view === "map") {
      if (changed) {
        this.animate("points", this.at.slice(), this.plane);
      }
    } else if (distances && this.tasteTo) {
      const to = new Float32Array(2 * this.n);
      for (let i = 0; i < this.n; i++) {
        const angle = Math.atan2(this.plane[2 * i + 1] - this.tasteTo[1], this.plane[2 * i] - this.tasteTo[0]);
        to[2 * i] = distances[i] * Math.cos(angle);
        to[2 * i + 1] = distances[i] * Math.sin(angle);
      }
      this.distances = distances;
      this.reach = distances.slice().sort()[Math.floor(this.n * 0.97)] || 1;
      this.animate("points", this.at.slice(), to);
    }
    if (changed) {
      this.moved = false;
      this.home();
    }
  }

  /** The camera that shows everything. */
  whole() {
    const pad = Math.min(this.width, this.height) * 0.06 + 12;
    const w = Math.max(this.width - 2 * pad, 40);
    const h = Math.max(this.height - 2 * pad, 40);
    if (this.view === "distance") {
      return { x: 0, y: 0, k: Math.min(w, h) / 2 / this.reach };
    }
    const [[x0, x1], [y0, y1]] = this.extent;
    return { x: (x0 + x1) / 2, y: (y0 + y1) / 2, k: Math.min(w / (x1 - x0 || 1), h / (y1 - y0 || 1)) };
  }

  home() {
    this.moved = false;
    this.flyTo(this.whole());
  }

  /** As long as the visitor has not chosen what to look at, the map keeps their taste and their next titles in view. */
  frameTaste() {
    if (this.moved || this.view !== "map") {
      return;
    }
    const whole = this.whole();
    if (!this.tasteTo) {
      this.flyTo(whole);
      return;
    }
    const t = this.tasteTo;
    let x0 = t[10] - t[12], x1 = t[10] + t[12], y0 = t[11] - t[12], y1 = t[11] + t[12];
    for (const i of this.top) {
      x0 = Math.min(x0, this.plane[2 * i]);
      x1 = Math.max(x1, this.plane[2 * i]);
      y0 = Math.min(y0, this.plane[2 * i + 1]);
      y1 = Math.max(y1, this.plane[2 * i + 1]);
    }
    const k = 0.72 * Math.min(this.width / (x1 - x0 || 1), this.height / (y1 - y0 || 1));
    this.flyTo({ x: (x0 + x1) / 2, y: (y0 + y1) / 2, k: clamp(k, whole.k, whole.k * 3) });
  }

  zoom(factor, sx = this.width / 2, sy = this.height / 2, fly = true) {
    const c = this.cameraTo ?? this.camera;
    const whole = this.whole();
    const k = clamp(c.k * factor, whole.k * 0.5, whole.k * 40);
    const dx = (sx - this.width / 2) * (1 / c.k - 1 / k);
    const dy = -(sy - this.height / 2) * (1 / c.k - 1 / k);
    this.moved = true;
    this.flyTo({ x: c.x + dx, y: c.y + dy, k }, fly);
  }

  pan(dx, dy) {
    this.moved = true;
    this.cameraTo = null;
    this.camera.x -= dx / this.camera.k;
    this.camera.y += dy / this.camera.k;
    this.schedule();
  }

  flyTo(camera, fly = true) {
    if (!fly || this.width === 0) {
      this.cameraTo = null;
      this.camera = camera;
      this.schedule();
      return;
    }
    this.animate("camera", { ...this.camera }, camera);
  }

  sx(i) {
    return (this.at[2 * i] - this.camera.x) * this.camera.k + this.width / 2;
  }

  sy(i) {
    return (this.camera.y - this.at[2 * i + 1]) * this.camera.k + this.height / 2;
  }

  /** The title nearest to a place on the canvas, within so many pixels; −1: none. */
  nearest(x, y, within) {
    let best = -1;
    let bound = within * within;
    for (let i = 0; i < this.n; i++) {
      const dx = this.sx(i) - x;
      const dy = this.sy(i) - y;
      const d = dx * dx + dy * dy;
      if (d < bound) {
        bound = d;
        best = i;
      }
    }
    return best;
  }

  /** The nearest title in a direction (screen, unit length); −1: none. */
  neighbour(i, dx, dy) {
    let best = -1;
    let bound = Infinity;
    for (let j = 0; j < this.n; j++) {
      const x = this.sx(j) - this.sx(i);
      const y = this.sy(j) - this.sy(i);
      const along = x * dx + y * dy;
      const d = Math.hypot(x, y);
      if (j !== i && along > 0.6 * d && d > 0.5 && d / (along / d) < bound) {
        bound = d / (along / d);
        best = j;
      }
    }
    return best;
  }

  // --- motion --------------------------------------------------------------------------------------------------------

  /** Moves "camera", "points" or "taste" within 180 ms, or at once where less motion is asked for. */
  animate(what, from, to) {
    this[`${what}To`] = to;
    if (what === "points") {
      this.to = to;
    }
    const now = performance.now();
    this.motion ??= {};
    if (still.matches || from === null || to === null) {
      this.set(what, from, to, 1);
      delete this.motion[what];
    } else {
      this.motion[what] = { from, to, since: now };
    }
    this.schedule();
  }

  set(what, from, to, t) {
    if (what === "camera") {
      const k = from.k * (to.k / from.k) ** t;
      this.camera = { x: from.x + (to.x - from.x) * t, y: from.y + (to.y - from.y) * t, k };
    } else if (what === "taste") {
      this.taste = to === null || t >= 1 ? to : to.map((v, i) => (i % 5 === 4 ? v : from[i] + (v - from[i]) * t));
    } else {
      for (let i = 0; i < this.at.length; i++) {
        this.at[i] = from[i] + (to[i] - from[i]) * t;
      }
    }
  }

  step() {
    const now = performance.now();
    let going = false;
    for (const [what, m] of Object.entries(this.motion ?? {})) {
      const t = Math.min((now - m.since) / 180, 1);
      this.set(what, m.from, m.to, ease(t));
      if (t < 1) {
        going = true;
      } else {
        delete this.motion[what];
        if (what === "camera") {
          this.cameraTo = null;
        }
      }
    }
    return going;
  }

  schedule() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      const going = this.step();
      this.draw();
      if (going) {
        this.schedule();
      }
    });
  }

  // --- pointing ------------------------------------------------------------------------------------------------------

  point(i) {
    if (i === this.hover) {
      return;
    }
    this.hover = i;
    this.describePointed();
    this.schedule();
  }

  get current() {
    return this.hover >= 0 ? this.hover : this.cursor >= 0 ? this.cursor : this.selected;
  }

  describePointed() {
    const i = this.current;
    const d = i >= 0 ? this.o.describe(i) : null;
    this.pointed = d && { item: i, line: d.line, ellipses: floats(d.ellipses) };
  }

  moveCursor(i) {
    if (i < 0) {
      return;
    }
    this.cursor = i;
    this.hover = -1;
    this.describePointed();
    this.o.say([this.titles[i], this.pointed?.line].filter(Boolean).join(", "));
    const x = this.sx(i), y = this.sy(i), edge = 40;
    if (x < edge || y < edge || x > this.width - edge || y > this.height - edge) {
      this.moved = true;
      this.flyTo({ x: this.at[2 * i], y: this.at[2 * i + 1], k: this.camera.k });
    }
    this.schedule();
  }

  // --- drawing -------------------------------------------------------------------------------------------------------

  resize() {
    const { width, height } = this.host.getBoundingClientRect();
    if (width === 0 || height === 0) {
      return; // not shown now
    }
    const ratio = Math.min(devicePixelRatio || 1, 2);
    const first = this.width === undefined;
    const same = width === this.width && height === this.height && ratio === this.ratio;
    if (same) {
      return;
    }
    this.width = width;
    this.height = height;
    this.ratio = ratio;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    if (first || !this.moved) {
      this.flyTo(this.whole(), false);
      this.frameTaste();
    }
    this.draw();
  }

  recolour() {
    const read = (name) => {
      const e = document.createElement("i");
      e.className = name;
      this.probe.replaceChildren(e);
      return getComputedStyle(e).color;
    };
    const genre = (name) => read(`probe-genre ${name}`);
    this.colours = {
      genres: [..."012345678"].map((g) => genre(`g${g}`)).concat(genre("gx")),
      ink: read("probe-ink"),
      soft: read("probe-soft"),
      ground: read("probe-ground"),
      line: read("probe-line"),
      you: read("probe-accent"),
    };
    this.font = getComputedStyle(this.host).fontFamily;
    this.probe.replaceChildren();
    this.sprites.clear();
    this.schedule();
  }

  draw() {
    if (!this.width) {
      return;
    }
    const g = this.context;
    g.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    g.clearRect(0, 0, this.width, this.height);
    if (this.view === "distance") {
      this.drawRings(g);
    } else if (this.taste) {
      this.drawTaste(g);
    }
    this.drawPoints(g);
    if (this.view === "map" && this.taste) {
      this.strokeTaste(g);
    }
    this.drawMarks(g);
    placeLabels(this, g);
    this.placeTip();
  }

  ellipsePath(g, e, at = 0) {
    g.beginPath();
    g.ellipse(
      (e[at] - this.camera.x) * this.camera.k + this.width / 2,
      (this.camera.y - e[at + 1]) * this.camera.k + this.height / 2,
      Math.max(e[at + 2] * this.camera.k, 1), Math.max(e[at + 3] * this.camera.k, 1), -e[at + 4], 0, 2 * Math.PI,
    );
  }

  drawTaste(g) {
    g.fillStyle = this.colours.you;
    g.globalAlpha = 0.09;
    for (let r = 2; r >= 0; r--) {
      this.ellipsePath(g, this.taste, 5 * r);
      g.fill();
    }
    g.globalAlpha = 1;
  }

  strokeTaste(g) {
    g.strokeStyle = this.colours.you;
    for (let r = 2; r >= 0; r--) {
      this.ellipsePath(g, this.taste, 5 * r);
      g.lineWidth = r === 0 ? 1.75 : 1.25;
      g.globalAlpha = [0.95, 0.65, 0.45][r];
      g.stroke();
    }
    g.globalAlpha = 1;
  }

  drawRings(g) {
    const cx = (0 - this.camera.x) * this.camera.k + this.width / 2;
    const cy = this.camera.y * this.camera.k + this.height / 2;
    const step = niceStep(48 / this.camera.k);
    g.lineWidth = 1;
    g.strokeStyle = this.colours.line;
    g.fillStyle = this.colours.soft;
    g.font = `11px ${this.font}`;
    g.textAlign = "center";
    g.textBaseline = "middle";
    this.ringLabels = [];
    if (this.distances && this.top.length > 0) {
      // As far as the titles that are named: what lies within is nearer than the last of them.
      g.beginPath();
      g.arc(cx, cy, Math.max(...this.top.map((i) => this.distances[i])) * this.camera.k, 0, 2 * Math.PI);
      g.fillStyle = this.colours.you;
      g.globalAlpha = 0.08;
      g.fill();
      g.globalAlpha = 1;
    }
    for (let d = step; d < this.reach * 1.4 && d / step < 60; d += step) {
      g.beginPath();
      g.arc(cx, cy, d * this.camera.k, 0, 2 * Math.PI);
      g.stroke();
      this.ringLabels.push([cx, cy - d * this.camera.k, String(Number(d.toFixed(6)))]);
    }
    g.fillStyle = this.colours.you;
    g.beginPath();
    g.arc(cx, cy, 4, 0, 2 * Math.PI);
    g.fill();
  }

  drawPoints(g) {
    const zoom = this.camera.k / this.whole().k;
    const crowd = clamp(Math.sqrt(2000 / this.n), 0.65, 1); // the more there are, the smaller
    const radius = clamp(2.3 * crowd * Math.sqrt(zoom), 1.5, 5.5);
    const sprites = this.sprites.get(radius, this.ratio, this.colours.genres);
    const { width, height, groups, dim, sizes } = this;
    for (let pass = dim ? -1 : 0; pass < 3; pass++) {
      // What the filters leave out first, then the little known, the known, the well known: each above the one before.
      g.globalAlpha = pass < 0 ? 0.1 : [0.42, 0.6, 0.85][pass];
      for (let i = 0; i < this.n; i++) {
        if (pass < 0 ? !dim[i] : sizes[i] !== pass || (dim && dim[i])) {
          continue;
        }
        const x = this.sx(i);
        const y = this.sy(i);
        if (x < -8 || y < -8 || x > width + 8 || y > height + 8) {
          continue;
        }
        const s = sprites.of(groups[i], sizes[i]);
        g.drawImage(s.canvas, x - s.half, y - s.half, 2 * s.half, 2 * s.half);
      }
    }
    g.globalAlpha = 1;
  }

  drawMarks(g) {
    const { colours } = this;
    const colour = (i) => colours.genres[this.groups[i] & 15] ?? colours.genres[9];
    if (this.view === "map") {
      g.lineWidth = 1;
      this.top.forEach((i, k) => {
        this.ellipsePath(g, this.topEllipses, 5 * k);
        g.strokeStyle = g.fillStyle = colour(i);
        g.globalAlpha = 0.05;
        g.fill();
        g.globalAlpha = 0.4;
        g.stroke();
      });
    }
    if (this.pointed && this.view === "map") {
      g.strokeStyle = g.fillStyle = colour(this.pointed.item);
      for (let r = 2; r >= 0; r--) {
        this.ellipsePath(g, this.pointed.ellipses, 5 * r);
        g.globalAlpha = 0.08;
        g.fill();
        g.globalAlpha = 0.7;
        g.stroke();
      }
    }
    g.globalAlpha = 1;
    const dot = (i, r, ring) => {
      const x = this.sx(i), y = this.sy(i);
      g.beginPath();
      g.arc(x, y, r, 0, 2 * Math.PI);
      g.fillStyle = colour(i);
      g.fill();
      g.lineWidth = 1.5;
      g.strokeStyle = colours.ground;
      g.stroke();
      if (ring) {
        g.beginPath();
        g.arc(x, y, r + 3, 0, 2 * Math.PI);
        g.strokeStyle = ring;
        g.lineWidth = 1.75;
        g.stroke();
      }
    };
    for (const i of this.top) {
      dot(i, 4.5);
    }
    for (let i = 0; i < this.n; i++) {
      if (this.marks[i] === LIKED) {
        dot(i, 5, colours.you);
      } else if (this.marks[i] === NOT_FOR_ME || this.marks[i] === SEEN) {
        this.cross(g, i, this.marks[i] === SEEN);
      }
    }
    const i = this.current;
    if (i >= 0) {
      dot(i, 5.5, colours.ink);
    }
  }

  /** Not for me: a small cross; seen: a small open circle. */
  cross(g, i, open) {
    const x = this.sx(i), y = this.sy(i), r = 3.5;
    g.strokeStyle = this.colours.soft;
    g.lineWidth = 1.5;
    g.beginPath();
    if (open) {
      g.arc(x, y, r, 0, 2 * Math.PI);
    } else {
      g.moveTo(x - r, y - r);
      g.lineTo(x + r, y + r);
      g.moveTo(x + r, y - r);
      g.lineTo(x - r, y + r);
    }
    g.stroke();
  }

  placeTip() {
    const i = this.current;
    if (i < 0 || !this.pointed) {
      this.tip.hidden = true;
      return;
    }
    if (this.tipOf !== this.pointed) {
      this.tipOf = this.pointed;
      const title = document.createElement("b");
      title.textContent = this.titles[i];
      const line = document.createElement("span");
      line.textContent = this.pointed.line;
      this.tip.replaceChildren(title, line);
    }
    this.tip.hidden = false;
    const x = this.sx(i), y = this.sy(i);
    const w = this.tip.offsetWidth, h = this.tip.offsetHeight;
    const left = clamp(x - w / 2, 8, Math.max(this.width - w - 8, 8));
    const top = y - h - 14 < 8 ? y + 14 : y - h - 14;
    this.tip.hidden = x < 0 || y < 0 || x > this.width || y > this.height;
    this.tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }
}

/** The first taste comes out of the wide: it begins twice as large as it is. */
function swollen(taste) {
  return taste.map((v, i) => (i % 5 === 2 || i % 5 === 3 ? v * 2 : v));
}

/** The range of one coordinate without its outermost thousandth. */
function spread(points, axis) {
  const v = points.filter((_, i) => i % 2 === axis).sort();
  const cut = Math.floor(v.length * 0.001);
  return [v[cut] ?? 0, v[v.length - 1 - cut] ?? 1];
}

/** The round number at or above v: 1, 2 or 5 times a power of ten. */
function niceStep(v) {
  const p = 10 ** Math.floor(Math.log10(v));
  return [1, 2, 5, 10].map((m) => m * p).find((s) => s >= v * 0.999);
}

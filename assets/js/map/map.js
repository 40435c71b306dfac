// The taste map: a canvas that receives all points once, and then small updates. It handles panning, zooming, pointing
// and arrow keys itself. It tells the program which title was opened, and asks it to describe the one pointed at.
//
// There are two views. In "map", points are at their places on the model's map. In "distance", the visitor is the
// centre, the radius is a title's distance (Engine.Radii, ascending in the list's order), and only the direction comes
// from the map, as seen from the middle of the visitor's tastes.
//
// Expensive parts are computed when first drawn: on a phone the map is behind a tab.
//
// This file holds the state. view.js is the camera; dots.js draws the points, marks.js the signs of likes and dislikes,
// paint.js everything under and over them with tastes.js and glow.js, labels.js the names, regions.js the regions'
// names; grid.js finds the nearest point, input.js handles events, find.js searches, picture.js saves a picture.

import { download } from "../page/device.js";
import { Dots, FEW } from "./dots.js";
import { Find } from "./find.js";
import { Glow } from "./glow.js";
import { Grid } from "./grid.js";
import { listen } from "./input.js";
import { Names } from "./labels.js";
import { LIKED } from "./marks.js";
import { painted } from "./motion.js";
import { Painter } from "./paint.js";
import { picture } from "./picture.js";
import { Regions } from "./regions.js";
import { corners, middle, tastes, towards, turn } from "./tastes.js";
import { Tip } from "./tip.js";
import { View } from "./view.js";
import { address } from "../page/share.js";

const GENRES = 6; // colours; one more is for no genre
const MOST = 2; // the most device pixels drawn per CSS pixel: more are invisible and slow
const FRESH = 5; // the most likes that light up together
const NEAR = 3; // least zoom on a title that was searched for, relative to the whole map

const BEYOND = 0.7; // least zoom at home, relative to the whole map: rings of few likes reach far beyond it
const TURNS = 1.1; // the map turns by a right angle if it is then larger by this factor

const colourings = ["(prefers-color-scheme: dark)", "(forced-colors: active)"].map((query) => matchMedia(query));
const floats = (bytes) => new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);

/**
 * Paints the map into host, which must stay empty otherwise, and becomes host.map.
 *
 * options: titles (one a line), points (float32 x, y), weights (float32), groups (colour | shape << 4, 15: none),
 * regions (float32 level, x, y), bell (standard deviation of a title's glow); label, help, you, end, wheel, find,
 * found, regionsLabel (texts), regionNames and regionLinks (one a line), point (the decimal point), describe(i) → a
 * line, search(text, answer({items, told})), open(i), say(text), fail() (it cannot be drawn); from, site, unpainted
 * (texts for a saved picture).
 */
export function createMap(host, options) {
  return (host.map = new TasteMap(host, options));
}

class TasteMap extends View {
  constructor(host, o) {
    super();
    this.host = host;
    this.o = o;
    this.titles = o.titles.split("\n");
    this.plane = floats(o.points);
    this.n = this.plane.length >> 1;
    this.at = this.plane.slice(); // where points are drawn now
    this.groups = o.groups;
    this.marks = new Uint8Array(this.n);
    this.turned = false; // the plane is turned by a right angle, to fill the window
    this.marked = []; // items with a mark
    this.landed = []; // latest likes, while they light up
    this.because = new Map(); // by title: the likes that led to it
    this.dim = null; // 1 for items outside of the filters; null: none
    this.top = [];
    this.tastes = null; // as drawn now (tastes.js)
    this.tastesTo = null; // as they will be
    this.middle = [0, 0]; // of the tastes
    this.second = null; // the second person's tastes, in a list for both
    this.selected = -1;
    this.hover = -1;
    this.cursor = -1; // the keyboard's
    this.carded = -1; // the title of the card with the pointer or the focus
    this.pointed = null; // the description of the title pointed at
    this.view = "map";
    this.radii = null; // for the distance view
    this.ordered = false; // the list is in the order of the radii
    // the last question whose complete answer is shown; equals the page's data-turn if map and list show the same
    this.turn = 0;
    this.reach = 1; // distance of the outermost titles in the distance view

    this.canvas = document.createElement("canvas");
    this.canvas.id = "map-canvas";
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "application");
    this.tip = new Tip(this);
    this.probe = document.createElement("div");
    this.probe.className = "map-probe";
    this.probe.hidden = true;
    this.find = new Find(this);
    this.glow = new Glow(this);
    this.regions = new Regions(this, floats(o.regions));
    this.speak(o);
    host.replaceChildren(this.canvas, this.regions.element, ...this.tip.elements, this.find.element, this.probe);
    this.context = this.canvas.getContext("2d");
    this.dots = new Dots(this, floats(o.weights));
    this.painter = new Painter(this);
    this.names = new Names(this);
    this.colours = null; // read again for the next drawing

    this.ended = new AbortController();
    listen(this, this.ended.signal);
    for (const colouring of colourings) {
      colouring.addEventListener("change", () => this.recolour(), { signal: this.ended.signal });
    }
    this.watch = new ResizeObserver(() => this.resize());
    this.watch.observe(host); // reports the current size in the next frame
  }

  release() {
    this.ended.abort();
    this.watch.disconnect();
    cancelAnimationFrame(this.frame);
    this.host.replaceChildren();
  }

  /** Switches to the texts of another language. */
  speak(words) {
    Object.assign(this.o, words);
    this.canvas.setAttribute("aria-label", `${this.o.label}. ${this.o.help}`);
    this.tip.hint.textContent = this.o.wheel;
    this.find.speak();
    this.regions.speak();
  }

  /**
   * Applies changes, and shows them once the page around the map is on the screen. Any of: marks (with top, and
   * because: each title, the number of likes that led to it, and they), tastes (with labels, their owner's name,
   * second, and glow: the titles that glow), selected, view (with radii, and ordered: the list is in their order), dim
   * (with groups), words, resize, recolour. turn is always there.
   */
  update(u) {
    const waits = this.late !== undefined;
    this.late = { ...this.late, ...u };
    if (!waits) {
      painted(() => {
        const { late } = this;
        this.late = undefined;
        if (!this.ended.signal.aborted) {
          this.take(late);
        }
      });
    }
  }

  take(u) {
    if (u.marks) {
      const before = this.marks;
      this.marks = u.marks;
      this.marked = [];
      for (let i = 0; i < this.n; i++) {
        if (u.marks[i] !== 0) {
          this.marked.push(i);
        }
      }
      this.dots.marked(before);
      this.top = u.top;
      this.because.clear();
      for (let at = 0; at < u.because.length; at += 2 + u.because[at + 1]) {
        this.because.set(u.because[at], u.because.slice(at + 2, at + 2 + u.because[at + 1]));
      }
      this.#land(this.marked.filter((i) => u.marks[i] === LIKED && before[i] !== LIKED));
    }
    if (u.tastes) {
      this.o.you = u.name;
      this.told = u;
      this.second = this.#tastesOf(u.second);
      this.glow.set(u.glow);
      this.setTastes(this.#tastesOf(u));
    }
    if ("selected" in u) {
      this.selected = u.selected;
    }
    this.ordered = u.ordered ?? this.ordered;
    if (u.view) {
      this.setView(u.view, u.radii ? floats(u.radii) : null);
    }
    if ("dim" in u) {
      this.dim = u.dim;
      this.groups = u.groups;
      this.dots.stale();
    }
    if (u.words) {
      this.speak(u.words);
    }
    if (u.recolour) {
      this.recolour();
    }
    if (u.resize) {
      this.resize();
    }
    this.turn = u.turn;
    this.names.stale();
    this.describePointed();
    this.schedule();
  }

  // --- contents ------------------------------------------------------------------------------------------------------

  /** One person's tastes in an update; null: none. */
  #tastesOf(u) {
    return u && tastes(u.tastes, u.labels, this.turned);
  }

  /** Lights up new likes. An import brings too many. */
  #land(items) {
    if (items.length > 0 && items.length <= FRESH) {
      this.landed = items;
      this.motion.start("land", (t) => (this.landing = t));
    }
  }

  /** Turns the plane if the map then fills the window better. */
  #orient() {
    const [[x0, x1], [y0, y1]] = this.extent;
    const w = x1 - x0 || 1,
      h = y1 - y0 || 1;
    const fits = (w, h) => Math.min(this.width / w, this.height / h);
    if (fits(h, w) < TURNS * fits(w, h)) {
      return;
    }
    this.turned = !this.turned;
    this.plane = floats(this.o.points).slice();
    for (let at = 0; this.turned && at < this.plane.length; at += 2) {
      turn(this.plane, at);
    }
    this.ranges = undefined;
    this.regions.orient(this.turned);
    this.glow.stale();
    if (this.told) {
      this.second = this.#tastesOf(this.told.second);
      this.motion.stop("tastes");
      this.tastes = this.tastesTo = this.#tastesOf(this.told);
      this.middle = middle(this.tastes);
    }
    if (this.view === "map") {
      this.at = this.plane.slice();
      this.grid = null;
      this.moved = false;
    }
  }

  /** Morphs the visitor's ellipses into the new ones. */
  setTastes(to) {
    const between = towards(this.tastes, to);
    this.tastesTo = to;
    this.middle = middle(to);
    this.motion.start("tastes", (t) => (this.tastes = between(t)));
    this.begin();
  }

  setView(view, radii) {
    const changed = view !== this.view;
    this.view = view;
    this.radii = view === "distance" ? radii : null;
    if (view === "distance") {
      const to = new Float32Array(2 * this.n);
      for (let i = 0; i < this.n; i++) {
        const [x, y] = this.placeOf(i);
        to[2 * i] = x;
        to[2 * i + 1] = y;
      }
      this.reach = radii.slice().sort()[Math.floor(this.n * 0.97)] || 1;
      this.movePoints(to);
    } else if (changed) {
      this.movePoints(this.plane);
    }
    if (changed) {
      this.home();
    }
  }

  movePoints(to) {
    const from = this.at.slice();
    const set = (t) => {
      for (let i = 0; i < to.length; i++) {
        this.at[i] = t === 1 ? to[i] : from[i] + (to[i] - from[i]) * t;
      }
    };
    if (this.n <= FEW) {
      this.motion.start("points", set);
    } else {
      set(1); // too many points to redraw in each frame
    }
    this.grid = null;
    this.dots.stale(true);
  }

  // --- camera --------------------------------------------------------------------------------------------------------

  /** The range of the plane's coordinates. */
  get extent() {
    return (this.ranges ??= [spread(this.plane, 0), spread(this.plane, 1)]);
  }

  /** The camera for the whole map. */
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

  /** The camera for the whole map with the rings in it. */
  start() {
    const whole = this.whole();
    if (this.view !== "map") {
      return whole;
    }
    const rings = [...corners(this.tastesTo), ...corners(this.second)];
    const range = (axis) => {
      const all = [...this.extent[axis], ...rings.map((place) => place[axis])];
      return [Math.min(...all), Math.max(...all)];
    };
    const [[x0, x1], [y0, y1]] = [range(0), range(1)];
    const k = 0.96 * Math.min(this.width / (x1 - x0 || 1), this.height / (y1 - y0 || 1));
    return k < whole.k ? { x: (x0 + x1) / 2, y: (y0 + y1) / 2, k: Math.max(k, whole.k * BEYOND) } : whole;
  }

  /** Keeps everything in view until the visitor moves the map. */
  begin() {
    if (!this.moved && this.view === "map" && this.width) {
      this.flyTo(this.start());
    }
  }

  /** Opens a title and flies close enough to tell it from its neighbours. */
  show(i) {
    const [x, y] = this.placeOf(i);
    this.moved = true;
    this.o.open(i);
    this.pointTo(i);
    this.flyTo({ x, y, k: Math.max(this.camera.k, this.whole().k * NEAR) });
  }

  /** A title's place in the world once nothing moves any more. */
  placeOf(i) {
    if (this.view === "map") {
      return [this.plane[2 * i], this.plane[2 * i + 1]];
    }
    const [x, y] = this.middle;
    const dx = this.plane[2 * i] - x,
      dy = this.plane[2 * i + 1] - y;
    const far = Math.sqrt(dx * dx + dy * dy);
    return far === 0 ? [this.radii[i], 0] : [(this.radii[i] * dx) / far, (this.radii[i] * dy) / far];
  }

  // --- pointing ------------------------------------------------------------------------------------------------------

  /** The grid of titles at their current places. */
  get near() {
    if (this.motion.has("points")) {
      return new Grid(this.at);
    }
    return (this.grid ??= new Grid(this.at));
  }

  /** Titles outside of the filters cannot be pointed at, unless they are drawn large. */
  passes = (i) => this.dim === null || this.dim[i] === 0 || this.marks[i] !== 0 || this.top.includes(i);

  /** The title nearest to a place on the canvas within so many pixels, or −1. Titles drawn large come first. */
  hit(x, y, within) {
    const named = [...this.top, ...this.marked].find((i) => Math.hypot(this.sx(i) - x, this.sy(i) - y) < 7);
    const { x: cx, y: cy, k } = this.camera;
    return (
      named ?? this.near.nearest((x - this.width / 2) / k + cx, cy - (y - this.height / 2) / k, within / k, this.passes)
    );
  }

  point(i) {
    if (i !== this.hover) {
      this.hover = i;
      this.#trace();
      this.describePointed();
      this.schedule();
    }
  }

  get current() {
    const walks = this.cursor >= 0 && document.activeElement === this.canvas;
    return [this.hover, walks ? this.cursor : -1, this.carded, this.selected].find((i) => i >= 0) ?? -1;
  }

  describePointed() {
    const i = this.current;
    this.pointed = i >= 0 ? { line: this.o.describe(i) } : null;
  }

  /** Points to the title of the list's card with the pointer or the focus; -1: none. */
  pointToCard(i) {
    if (i !== this.carded) {
      this.carded = i;
      this.#trace();
      this.describePointed();
      this.schedule();
    }
  }

  /** Draws the paths from likes to the current title anew. */
  #trace() {
    if (this.because.has(this.current)) {
      this.motion.start("path", (t) => (this.traced = t));
    }
  }

  /** One step of the keyboard, (dx, dy) on the canvas. The first step goes to the first of the next titles. */
  walk(dx, dy) {
    const from = this.cursor >= 0 ? this.cursor : this.selected;
    const to =
      from >= 0
        ? this.near.toward(from, dx, -dy, this.passes)
        : (this.top[0] ?? this.hit(this.width / 2, this.height / 2, Infinity));
    if (to < 0) {
      this.o.say(this.o.end);
      return;
    }
    this.pointTo(to);
    const x = this.sx(to),
      y = this.sy(to),
      edge = 40;
    if (x < edge || y < edge || x > this.width - edge || y > this.height - edge) {
      this.moved = true;
      this.flyTo({ x: this.at[2 * to], y: this.at[2 * to + 1], k: this.camera.k });
    }
  }

  /** Moves the keyboard's cursor to a title and announces it. */
  pointTo(i) {
    this.cursor = i;
    this.hover = -1;
    this.#trace();
    this.describePointed();
    this.o.say([this.titles[i], this.pointed?.line].filter(Boolean).join(", "));
    this.schedule();
  }

  // --- drawing -------------------------------------------------------------------------------------------------------

  resize() {
    const { width, height } = this.host.getBoundingClientRect();
    const ratio = Math.min(devicePixelRatio, MOST);
    if (width === 0 || height === 0 || (width === this.width && height === this.height && ratio === this.ratio)) {
      return; // hidden, or unchanged
    }
    if (ratio !== this.ratio) {
      // Another screen, or the page was zoomed. The host may keep its size, so only this tells.
      matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener("change", () => this.resize(), {
        once: true,
        signal: this.ended.signal,
      });
    }
    const first = this.width === undefined;
    this.width = width;
    this.height = height;
    this.#orient();
    this.ratio = ratio;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.dots.stale(true);
    this.names.stale();
    if (first || !this.moved) {
      this.flyTo(this.start(), false);
    }
    if (first) {
      void this.dots.ranked; // ranking very many points fills a frame
      this.schedule();
    } else if (this.draw()) {
      this.schedule();
    }
  }

  recolour() {
    this.colours = null;
    this.dots.recolour();
    this.glow.stale();
    this.names.recolour();
    this.schedule();
  }

  #readColours() {
    const read = (name) => {
      const e = document.createElement("i");
      e.className = name;
      this.probe.replaceChildren(e);
      return getComputedStyle(e).color;
    };
    this.colours = {
      genres: Array.from({ length: GENRES }, (_, g) => read(`probe-genre g${g}`)).concat(read("probe-genre gx")),
      ink: read("probe-ink"),
      soft: read("probe-soft"),
      ground: read("probe-ground"),
      line: read("probe-line"),
      you: read("probe-accent"),
    };
    const style = getComputedStyle(this.host);
    this.font = style.fontFamily;
    this.display = style.getPropertyValue("--font-display");
    this.probe.replaceChildren();
  }

  /** Shows the map's panel alone on the screen, or in the page again. */
  fullScreen() {
    if (document.fullscreenElement) {
      document.exitFullscreen();
    } else {
      this.host.parentElement.requestFullscreen?.().catch(() => {});
    }
  }

  /** Draws everything and returns whether there is more to draw. After an error it says so, and does not try again. */
  draw() {
    if (!this.width || this.failed) {
      return false;
    }
    try {
      const more = this.paint(this.context);
      this.regions.place(this.names.boxes().filter((b) => b.region >= 0));
      this.tip.place();
      return more;
    } catch (error) {
      console.error(error);
      this.failed = true;
      this.canvas.hidden = true;
      this.o.fail();
      return false;
    }
  }

  /** Draws everything on a canvas of width by height CSS pixels and returns whether there is more to draw. */
  paint(g) {
    if (this.colours === null) {
      this.#readColours();
    }
    g.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    g.clearRect(0, 0, this.width, this.height);
    this.painter.under(g);
    const dots = this.dots.draw(g, this.names.due);
    this.painter.over(g);
    const names = this.names.draw(g);
    return dots || names;
  }

  /**
   * A copy of the map at rest, for a canvas with this many pixels per CSS pixel. Call paint until there is no more to
   * draw.
   */
  copy(ratio) {
    const copy = Object.create(this, { ratio: { value: ratio } });
    copy.dots = new Dots(copy, floats(this.o.weights));
    copy.painter = new Painter(copy);
    copy.names = this.names.copy(copy);
    return copy;
  }

  /** Saves the current view as a picture. */
  async picture() {
    const { from, site, unpainted, say } = this.o;
    const now = new Date();
    const day = new Intl.DateTimeFormat(document.documentElement.lang || "en", { dateStyle: "long" }).format(now);
    const canvas = await picture(this, `${from} · ${day} · ${address()}`);
    canvas.toBlob((blob) => {
      if (blob === null) {
        say(unpainted);
      } else {
        download(`${site.toLowerCase()}-map-${now.toISOString().slice(0, 10)}.png`, blob.type, blob);
      }
    });
  }
}

/**
 * The range of one coordinate without its outermost thousandth. For many points, ten to twenty thousand are sampled.
 */
function spread(points, axis) {
  const step = Math.max(Math.floor(points.length / 2e4), 1);
  const v = new Float32Array(Math.floor(points.length / 2 / step));
  for (let i = 0; i < v.length; i++) {
    v[i] = points[2 * i * step + axis];
  }
  v.sort();
  const cut = Math.floor(v.length * 0.001);
  return [v[cut] ?? 0, v[v.length - 1 - cut] ?? 1];
}

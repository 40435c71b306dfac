// All the points of the map. Drawing ten thousand of them anew takes longer than a frame may, so they are drawn into a
// layer somewhat larger than the map, a few thousand a frame, and a frame copies that layer to where the camera is now.
// While a new layer is in the making (the old one is of another zoom, or its edge comes near) the old one stands in,
// stretched where need be.

import { Sprites } from "./map-sprites.js";

const MARGIN = 0.3; // of the map's size, on each side of the layer
const SLICE = 1500; // points drawn in one frame: a dozen milliseconds where the browser draws in software
export const FEW = 4000; // as many are drawn in one frame where there is nothing to show meanwhile, or while they move
const LEAST = 1.2, MOST = 5.5; // radii in CSS pixels

export class Dots {
  #sprites = new Sprites();
  #shown = null;
  #making = null;
  #spare = null; // a canvas that can be drawn on again
  #version = 0;
  #weights;
  #ranked = null;

  /** weights: how well known each point is. The best known are drawn last, so above the others, and larger. */
  constructor(map, weights) {
    this.map = map;
    this.#weights = weights;
  }

  /** The points in order: known, the best known first; order, the other way round; sizes of each, 0 to 2: little to well known. */
  get ranked() {
    if (this.#ranked === null) {
      const { n } = this.map;
      const known = descending(this.#weights);
      const sizes = new Uint8Array(n);
      known.forEach((item, rank) => (sizes[item] = rank < n * 0.05 ? 2 : rank < n * 0.3 ? 1 : 0));
      this.#ranked = { known, order: known.slice().reverse(), sizes };
    }
    return this.#ranked;
  }

  /** What is drawn no longer holds: other colours, another filter, other places. With now, not even for a moment. */
  stale(now = false) {
    this.#version++;
    this.#making = null;
    if (now) {
      this.#shown = null;
    }
  }

  recolour() {
    this.#sprites.clear();
    this.stale();
  }

  /** Draws the points and tells whether there is more to draw in the next frame. */
  draw(g) {
    const { map } = this;
    if (map.motion.has("points")) {
      this.#shown = this.#making = null;
      this.#points(g, { camera: map.camera, width: map.width, height: map.height, at: 0 }, Infinity);
      return false;
    }
    let next = this.#making;
    if (next === null && !this.#serves(this.#shown)) {
      next = this.#making = this.#begin();
    }
    if (next !== null && this.#points(next.g, next, this.#shown === null && map.n <= FEW ? FEW : SLICE)) {
      this.#spare = this.#shown?.canvas;
      this.#shown = next;
      this.#making = null;
    }
    this.#copy(g, this.#shown ?? next);
    return this.#making !== null || !this.#serves(this.#shown);
  }

  #begin() {
    const { map } = this;
    const width = Math.ceil(map.width * (1 + 2 * MARGIN));
    const height = Math.ceil(map.height * (1 + 2 * MARGIN));
    const canvas = this.#spare ?? document.createElement("canvas");
    this.#spare = null;
    const w = Math.round(width * map.ratio), h = Math.round(height * map.ratio);
    const g = canvas.getContext("2d");
    if (canvas.width !== w || canvas.height !== h) {
      canvas.width = w;
      canvas.height = h;
    } else {
      g.setTransform(1, 0, 0, 1, 0, 0);
      g.clearRect(0, 0, w, h);
    }
    g.setTransform(map.ratio, 0, 0, map.ratio, 0, 0);
    return { canvas, g, width, height, camera: { ...map.camera }, version: this.#version, at: 0 };
  }

  /** Whether the layer will do: sharp, and its edge not near. */
  #serves(layer) {
    const { map } = this;
    if (layer === null || layer.version !== this.#version || layer.camera.k !== map.camera.k) {
      return false;
    }
    const dx = Math.abs(layer.camera.x - map.camera.x) * map.camera.k, dy = Math.abs(layer.camera.y - map.camera.y) * map.camera.k;
    return dx < 0.6 * MARGIN * map.width && dy < 0.6 * MARGIN * map.height;
  }

  #copy(g, layer) {
    const { map } = this;
    const s = map.camera.k / layer.camera.k;
    const snap = (v) => (s === 1 ? Math.round(v * map.ratio) / map.ratio : v);
    const x = (layer.camera.x - map.camera.x) * map.camera.k + (map.width - layer.width * s) / 2;
    const y = (map.camera.y - layer.camera.y) * map.camera.k + (map.height - layer.height * s) / 2;
    g.drawImage(layer.canvas, snap(x), snap(y), (layer.canvas.width / map.ratio) * s, (layer.canvas.height / map.ratio) * s);
  }

  /** Draws up to so many of a layer's points, from where it stands, and tells whether that were all. */
  #points(g, layer, most) {
    const { map, ranked: { sizes, order } } = this;
    const { camera: { x, y, k }, width, height } = layer;
    const crowd = Math.min(Math.max(Math.sqrt(2000 / map.n), 0.65), 1); // the more there are, the smaller
    const radius = Math.min(Math.max(2.3 * crowd * Math.sqrt(k / map.whole().k), LEAST), MOST);
    const sprites = this.#sprites.get(radius, map.ratio, map.colours.genres);
    const { at, dim, groups } = map;
    const ox = width / 2 - x * k, oy = height / 2 + y * k;
    // What the filters leave out comes first, under everything else.
    const all = dim ? 2 * map.n : map.n;
    for (let drawn = 0; layer.at < all && drawn < most; layer.at++) {
      const i = order[layer.at % map.n];
      const out = dim !== null && dim[i] === 1;
      if (dim !== null && out !== layer.at < map.n) {
        continue;
      }
      const px = at[2 * i] * k + ox, py = oy - at[2 * i + 1] * k;
      if (px < -8 || py < -8 || px > width + 8 || py > height + 8) {
        continue;
      }
      const s = sprites.of(groups[i], sizes[i], out);
      g.drawImage(s.canvas, px - s.half, py - s.half, 2 * s.half, 2 * s.half);
      drawn++;
    }
    return layer.at === all;
  }
}

/** The places of the values, the largest first, of equals the first. Values are whole numbers below 2³¹; they are sorted by eleven
 *  bits after another, the lowest first, which takes a fraction of the time of comparing. */
function descending(values) {
  let from = new Uint32Array(values.length).map((_, i) => i);
  for (const shift of [0, 11, 22]) {
    const digit = (i) => 2047 - ((values[i] >>> shift) & 2047);
    const next = new Uint32Array(2048); // where those of a digit go
    for (const i of from) {
      next[digit(i)]++;
    }
    let before = 0;
    for (let d = 0; d < 2048; d++) {
      const count = next[d];
      next[d] = before;
      before += count;
    }
    const to = new Uint32Array(from.length);
    for (const i of from) {
      to[next[digit(i)]++] = i;
    }
    from = to;
  }
  return from;
}

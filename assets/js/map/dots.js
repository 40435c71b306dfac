// All the points of the map. Drawing them all takes longer than a frame, so they are drawn into a layer somewhat larger
// than the map, some thousands a frame, and each frame copies the layer to where the camera is. While a new layer is
// being drawn (after a zoom, or near the edge) the old one is shown, scaled. Above the points the layer has the signs
// of likes, dislikes and seen titles.

import { sign, Signs } from "./marks.js";
import { Raster } from "./raster.js";
import { Sprites } from "./sprites.js";

const MARGIN = 0.3; // of the map's size, on each side of the layer
const SLICE = 8_000; // points drawn in one frame: a few milliseconds
const SIGNS = 800; // signs, which are larger, in place of points
const BAND = 1 << 19; // pixels that are copied to the layer in one frame: as long
export const FEW = 4000; // as many are drawn in one frame where there is nothing to show meanwhile, or while they move
const NEW = 200; // signs that are added to a layer that stands, at most; for more it is made anew
const LEAST = 1.2,
  MOST = 5.5; // radii in CSS pixels

export class Dots {
  #sprites = new Sprites();
  #signs = new Signs();
  #raster = null; // of the layer in the making
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

  /**
   * The points in order: known, the best known first; order, the other way round; sizes of each, 0 to 2: little to well
   * known.
   */
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
    this.#signs.clear();
    this.stale();
  }

  /** The visitor said something else of some items. before: what they had said, by item. */
  marked(before) {
    const { marks, groups, at, n, colours, ratio } = this.map;
    const added = [];
    for (let i = 0; i < n; i++) {
      if (marks[i] !== before[i]) {
        if (before[i] !== 0 || added.length === NEW) {
          this.stale();
          return;
        }
        added.push(i);
      }
    }
    if (added.length > 0) {
      this.#making = null;
    }
    if (this.#shown !== null && colours !== null) {
      const {
        g,
        camera: { x, y, k },
        width,
        height,
      } = this.#shown;
      g.setTransform(ratio, 0, 0, ratio, 0, 0);
      for (const i of added) {
        sign(g, (at[2 * i] - x) * k + width / 2, (y - at[2 * i + 1]) * k + height / 2, marks[i], groups[i], colours);
      }
    }
  }

  /**
   * Draws the points and tells whether there is more to draw in the next frame. busy: this frame has much else to do,
   * so the work on a layer waits for the next where there is one to show.
   */
  draw(g, busy) {
    const { map } = this;
    const moving = map.motion.has("points");
    if (this.#making === null && !this.#serves(this.#shown)) {
      this.#making = this.#begin();
    }
    const layer = this.#making;
    if (layer !== null && !(busy && this.#shown !== null && !moving)) {
      const whole = moving || (this.#shown === null && map.n <= FEW);
      while (!this.#work(layer) && whole) {}
      if (layer.row === layer.canvas.height) {
        this.#spare = this.#shown?.canvas;
        this.#shown = layer;
        this.#making = null;
      }
    }
    if (this.#shown !== null) {
      this.#copy(g, this.#shown);
    }
    if (moving) {
      this.stale();
    }
    return this.#making !== null || !this.#serves(this.#shown);
  }

  #begin() {
    const { map } = this;
    const width = Math.ceil(map.width * (1 + 2 * MARGIN));
    const height = Math.ceil(map.height * (1 + 2 * MARGIN));
    const canvas = this.#spare ?? document.createElement("canvas");
    this.#spare = null;
    const w = Math.round(width * map.ratio),
      h = Math.round(height * map.ratio);
    if (canvas.width !== w || canvas.height !== h) {
      canvas.width = w;
      canvas.height = h;
    }
    if (this.#raster?.width === w && this.#raster.height === h) {
      this.#raster.clear();
    } else {
      this.#raster = new Raster(w, h);
    }
    return {
      canvas,
      g: canvas.getContext("2d"),
      width,
      height,
      camera: { ...map.camera },
      version: this.#version,
      at: 0,
      row: 0,
    };
  }

  /**
   * Does the next piece of work on a layer, and tells whether it was the last: its points, or else some rows of its
   * pixels.
   */
  #work(layer) {
    if (this.#points(layer)) {
      return false;
    }
    const rows = Math.min(Math.ceil(BAND / layer.canvas.width), layer.canvas.height - layer.row);
    this.#raster.copy(layer.g, layer.row, rows);
    layer.row += rows;
    return layer.row === layer.canvas.height;
  }

  /** Whether the layer will do: sharp, and its edge not near. */
  #serves(layer) {
    const { map } = this;
    if (layer === null || layer.version !== this.#version || layer.camera.k !== map.camera.k) {
      return false;
    }
    const dx = Math.abs(layer.camera.x - map.camera.x) * map.camera.k,
      dy = Math.abs(layer.camera.y - map.camera.y) * map.camera.k;
    return dx < 0.6 * MARGIN * map.width && dy < 0.6 * MARGIN * map.height;
  }

  #copy(g, layer) {
    const { map } = this;
    const s = map.camera.k / layer.camera.k;
    const snap = (v) => (s === 1 ? Math.round(v * map.ratio) / map.ratio : v);
    const x = (layer.camera.x - map.camera.x) * map.camera.k + (map.width - layer.width * s) / 2;
    const y = (map.camera.y - layer.camera.y) * map.camera.k + (map.height - layer.height * s) / 2;
    g.drawImage(
      layer.canvas,
      snap(x),
      snap(y),
      (layer.canvas.width / map.ratio) * s,
      (layer.canvas.height / map.ratio) * s,
    );
  }

  /** Draws the next of a layer's points and signs, and tells whether there were any left. */
  #points(layer) {
    const {
      map,
      ranked: { sizes, order },
    } = this;
    const { at, dim, groups, marked, marks, n, ratio } = map;
    // What the filters leave out comes first, under everything else.
    const points = dim ? 2 * n : n,
      all = points + marked.length;
    if (layer.at === all) {
      return false;
    }
    const {
      camera: { x, y, k },
    } = layer;
    const raster = this.#raster,
      sprites = this.#sprites,
      signs = this.#signs;
    const { width, height } = raster;
    const crowd = Math.min(Math.max(Math.sqrt(2000 / n), 0.65), 1); // the more there are, the smaller
    const radius = Math.min(Math.max(2.3 * crowd * Math.sqrt(k / map.whole().k), LEAST), MOST);
    sprites.prepare(radius, ratio, map.colours.genres, width);
    signs.prepare(ratio, map.colours, width);
    const ox = (layer.width / 2 - x * k) * ratio,
      oy = (layer.height / 2 + y * k) * ratio,
      scale = k * ratio;
    const end = layer.at < points ? Math.min(layer.at + SLICE, points) : Math.min(layer.at + SIGNS, all);
    for (; layer.at < end; layer.at++) {
      const signed = layer.at >= points;
      const i = signed ? marked[layer.at - points] : order[layer.at % n];
      const out = !signed && dim !== null && dim[i] === 1;
      if (!signed && dim !== null && out !== layer.at < n) {
        continue;
      }
      const px = at[2 * i] * scale + ox,
        py = oy - at[2 * i + 1] * scale;
      const half = signed ? signs.half : sprites.half;
      // What would cross the layer's edge is left out: that is never seen but for moments.
      if (px >= half && py >= half && px < width - half && py < height - half) {
        const picture = signed ? signs.of(marks[i], groups[i], px, py) : sprites.of(groups[i], sizes[i], out, px, py);
        raster.blend(picture, Math.floor(px) + width * Math.floor(py));
      }
    }
    return true;
  }
}

/**
 * The indices of the values, the largest first, ties in order. Values are whole numbers below 2³¹. A radix sort by
 * eleven bits at a time, in a fraction of the time of a comparison sort.
 */
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

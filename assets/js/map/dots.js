// The points of the map. Drawing all takes longer than a frame, so they are drawn into a layer somewhat larger than the
// map, some thousands a frame, and each frame copies the layer to the camera's place. While a new layer is drawn (after
// a zoom, or near the edge) the old one is shown, scaled. On top, the layer has the signs of likes, dislikes and seen
// titles.

import { LIKED, sign, Signs } from "./marks.js";
import { Raster } from "./raster.js";
import { Sprites } from "./sprites.js";

const MARGIN = 0.3; // as a share of the map's size, on each side of the layer
const SLICE = 8_000; // points drawn in a frame: a few milliseconds
const SIGNS = 800; // signs drawn in a frame instead of points; they are larger
const BAND = 1 << 19; // pixels copied to the layer in a frame, for as long
export const FEW = 4000; // points drawn in a frame if there is nothing else to show, or while they move
const NEW = 200; // the most signs added to an existing layer; with more it is redrawn
const LEAST = 1.2,
  MOST = 5.5; // radii in CSS pixels

export class Dots {
  #sprites = new Sprites();
  #signs = new Signs();
  #raster = null; // of the layer being drawn
  #shown = null;
  #making = null;
  #spare = null; // a canvas to reuse
  #version = 0;
  #weights;
  #ranked = null;

  /** weights: how well known each title is. The best-known points are larger and drawn last, on top. */
  constructor(map, weights) {
    this.map = map;
    this.#weights = weights;
  }

  /** known: points from the best known to the least; order: the reverse; sizes: 0 (little known) to 2 (well known). */
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

  /** Discards the layer: colours, filters or places have changed. With now, it is not shown even for a moment. */
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

  /** Some marks have changed. before: the previous marks, by item. */
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
        crowd,
        width,
        height,
      } = this.#shown;
      if (crowd !== crowdOf(this.map, k)) {
        this.stale();
        return;
      }
      g.setTransform(ratio, 0, 0, ratio, 0, 0);
      for (const i of added) {
        sign(
          g,
          (at[2 * i] - x) * k + width / 2,
          (y - at[2 * i + 1]) * k + height / 2,
          marks[i],
          groups[i],
          colours,
          crowd,
        );
      }
    }
  }

  /**
   * Draws the points and returns whether there is more to draw in the next frame. busy: this frame has much else to do,
   * so a layer in progress waits if there is one to show.
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
      crowd: crowdOf(map, map.camera.k),
      version: this.#version,
      at: 0,
      row: 0,
    };
  }

  /**
   * Does the next piece of work on a layer, points first and then rows of pixels, and returns whether it was the last.
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

  /** Whether the layer is sharp, and its edge far enough away. */
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

  /** Draws a layer's next points and signs, and returns whether there were any left. */
  #points(layer) {
    const {
      map,
      ranked: { sizes, order },
    } = this;
    const { at, dim, groups, marked, marks, n, ratio } = map;
    // Points outside of the filters come first, below all others.
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
    const crowd = Math.min(Math.max(Math.sqrt(2000 / n), 0.65), 1); // the more points, the smaller
    const radius = Math.min(Math.max(2.3 * crowd * Math.sqrt(k / map.whole().k), LEAST), MOST);
    sprites.prepare(radius, ratio, map.colours.genres, width);
    signs.prepare(ratio, map.colours, width, layer.crowd);
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
      // Points across the layer's edge are left out: they are hardly ever visible.
      if (px >= half && py >= half && px < width - half && py < height - half) {
        const picture = signed ? signs.of(marks[i], groups[i], px, py) : sprites.of(groups[i], sizes[i], out, px, py);
        raster.blend(picture, Math.floor(px) + width * Math.floor(py));
      }
    }
    return true;
  }
}

/** How crowded the likes are at a zoom (marks.js). */
export function crowdOf(map, k) {
  const likes = map.marked.filter((i) => map.marks[i] === LIKED).length;
  const inView = likes / Math.max(k / map.whole().k, 1) ** 2;
  return inView <= 40 ? 0 : inView <= 400 ? 1 : 2;
}

/**
 * The indices of the values in descending order, with ties in their original order. Values are integers below 2³¹. It
 * is a radix sort by eleven bits at a time, much faster than a comparison sort.
 */
function descending(values) {
  let from = new Uint32Array(values.length).map((_, i) => i);
  for (const shift of [0, 11, 22]) {
    const digit = (i) => 2047 - ((values[i] >>> shift) & 2047);
    const next = new Uint32Array(2048); // the next place for each digit
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

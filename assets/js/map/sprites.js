// Pictures of the map's points for each colour, shape, size and subpixel position: lists of pixels ready for blending
// (raster.js).

import { picture } from "./raster.js";

const SIZES = [0.75, 1, 1.4]; // relative radius of little-known, known and well-known titles
const ALPHA = [0.42, 0.6, 0.85];
const FILTERED = 0.1; // alpha of points outside of the filters
const SHAPES = 4;
const PARTS = 4; // subpixel positions in each direction

export class Sprites {
  #made = [];
  #masks = []; // for each shape and size, the coverage of each sixteenth of a pixel, 0 to 255
  #colours = []; // 0xBBGGRR
  #key = "";

  clear() {
    this.#key = "";
  }

  /**
   * Prepares for a radius in CSS pixels, device pixels per CSS pixel, CSS colours and the raster's width in pixels.
   * Pictures are remade only after a change. half: the farthest reach of a picture from its point, in pixels.
   */
  prepare(radius, ratio, colours, width) {
    const r = (Math.round(radius * 4) / 4) * ratio;
    const key = `${r} ${width}`;
    if (this.#key === key) {
      return;
    }
    if (this.#key === "") {
      this.#colours = read(colours);
    }
    this.#key = key;
    this.#made = [];
    this.half = Math.ceil(r * SIZES.at(-1) * 1.4) + 1;
    this.#masks = masks(r, this.half);
    this.width = width;
  }

  /**
   * The picture of a point, for its pixel. group: the colour in the low four bits (15: none), the shape above; size: 0
   * to 2; x and y: the point's place.
   */
  of(group, size, filtered, x, y) {
    const fx = Math.floor((x - Math.floor(x)) * PARTS),
      fy = Math.floor((y - Math.floor(y)) * PARTS);
    const key = group | (size << 8) | ((filtered ? 1 : 0) << 10) | (fx << 11) | (fy << 13);
    return (this.#made[key] ??= this.#make(group, size, filtered, fx, fy));
  }

  #make(group, size, filtered, fx, fy) {
    const { half, width } = this;
    const mask = this.#masks[shapeOf(group) * SIZES.length + size];
    const opacity = (filtered ? FILTERED : ALPHA[size]) / (PARTS * PARTS);
    const colour = colourOf(this.#colours, group);
    const side = PARTS * (2 * half + 1); // of the mask
    return picture(width, half, (x, y) => {
      let covered = 0;
      for (let v = Math.max((y + half) * PARTS - fy, 0), to = (y + half + 1) * PARTS - fy; v < to; v++) {
        for (let u = Math.max((x + half) * PARTS - fx, 0), end = (x + half + 1) * PARTS - fx; u < end; u++) {
          covered += mask[u + side * v];
        }
      }
      return (Math.round(covered * opacity) << 24) | colour;
    });
  }
}

/**
 * The masks of all shapes and sizes for a radius in pixels, by shape and then size. A pixel takes PARTS by PARTS cells
 * of a mask; the shape's centre is in the middle of the pixel's first part.
 */
function masks(radius, half) {
  const side = PARTS * (2 * half + 1),
    many = SHAPES * SIZES.length;
  const g = paper(side, side * many);
  for (let m = 0; m < many; m++) {
    g.setTransform(PARTS, 0, 0, PARTS, half * PARTS + 0.5, half * PARTS + 0.5 + m * side);
    shape(g, Math.floor(m / SIZES.length), radius * SIZES[m % SIZES.length]);
    g.fill();
  }
  const { data } = g.getImageData(0, 0, side, side * many);
  return Array.from({ length: many }, (_, m) => {
    const mask = new Uint8Array(side * side);
    for (let p = 0, from = 4 * mask.length * m + 3; p < mask.length; p++) {
      mask[p] = data[from + 4 * p]; // alpha
    }
    return mask;
  });
}

/** The browser's values of CSS colours. */
function read(colours) {
  const g = paper(colours.length, 1);
  colours.forEach((colour, x) => {
    g.fillStyle = colour;
    g.fillRect(x, 0, 1, 1);
  });
  const { data } = g.getImageData(0, 0, colours.length, 1);
  return colours.map((_, x) => data[4 * x] | (data[4 * x + 1] << 8) | (data[4 * x + 2] << 16));
}

/** A canvas for reading. */
export function paper(width, height) {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  return canvas.getContext("2d", { willReadFrequently: true });
}

/** The colour of a group; the last one is for no genre. */
export function colourOf(colours, group) {
  return colours[group & 15] ?? colours.at(-1);
}

/** The shape of a group. */
export function shapeOf(group) {
  return (group & 15) === 15 ? 0 : group >> 4;
}

/** A path around the origin: 0 circle, 1 diamond, 2 triangle, 3 square, all of about the same area. */
export function shape(g, kind, r) {
  g.beginPath();
  if (kind === 0) {
    g.arc(0, 0, r, 0, 2 * Math.PI);
  } else if (kind === 1) {
    const d = r * 1.3;
    g.moveTo(0, -d);
    g.lineTo(d, 0);
    g.lineTo(0, d);
    g.lineTo(-d, 0);
  } else if (kind === 2) {
    const d = r * 1.35;
    g.moveTo(0, -d);
    g.lineTo(d * 0.95, d * 0.7);
    g.lineTo(-d * 0.95, d * 0.7);
  } else {
    const d = r * 0.9;
    g.rect(-d, -d, 2 * d, 2 * d);
  }
  g.closePath();
}

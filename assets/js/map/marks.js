// The signs on the map: a like is a large dot in a ring, a dislike a small cross, a seen title a small open circle. An
// import brings thousands, so they are part of the layer of points (dots.js).

import { picture } from "./raster.js";
import { colourOf, paper, shape, shapeOf } from "./sprites.js";

export const LIKED = 1,
  NOT_FOR_ME = 2,
  SEEN = 3;
const REACH = 11; // CSS pixels: the farthest reach of a sign from its point
const PARTS = 2; // subpixel positions in each direction

/** A title's dot: its colour and shape, set off from the background, with a coloured ring. */
export function dot(g, x, y, r, group, colours, ring) {
  g.save();
  g.translate(x, y);
  shape(g, shapeOf(group), r);
  g.fillStyle = colourOf(colours.genres, group);
  g.fill();
  g.lineWidth = 1.5;
  g.strokeStyle = colours.ground;
  g.stroke();
  if (ring) {
    g.beginPath();
    g.arc(0, 0, r + 3.5, 0, 2 * Math.PI);
    g.strokeStyle = ring;
    g.lineWidth = 1.75;
    g.stroke();
  }
  g.restore();
}

/**
 * The sign of a mark, at a place in CSS pixels. crowd: 0 for few likes, 1 for many, 2 for so many that rings would
 * cover the map.
 */
export function sign(g, x, y, mark, group, colours, crowd) {
  if (mark === LIKED && crowd === 0) {
    dot(g, x, y, 5, group, colours, colours.you);
    return;
  }
  if (mark === LIKED) {
    g.beginPath();
    g.arc(x, y, crowd === 1 ? 3.2 : 2, 0, 2 * Math.PI);
    g.fillStyle = colours.you;
    g.fill();
    return;
  }
  const r = 3.5;
  g.strokeStyle = colours.soft;
  g.lineWidth = 1.5;
  g.beginPath();
  if (mark === SEEN) {
    g.arc(x, y, r, 0, 2 * Math.PI);
  } else {
    g.moveTo(x - r, y - r);
    g.lineTo(x + r, y + r);
    g.moveTo(x + r, y - r);
    g.lineTo(x - r, y + r);
  }
  g.stroke();
}

/** The signs as pictures ready for blending. */
export class Signs {
  #made = new Map();
  #key = "";

  clear() {
    this.#key = "";
  }

  /**
   * Prepares for a number of device pixels per CSS pixel, the map's colours, the raster's width in pixels and the crowd
   * of likes. half: as in Sprites.
   */
  prepare(ratio, colours, width, crowd) {
    const key = `${ratio} ${width} ${crowd}`;
    if (this.#key === key) {
      return;
    }
    this.#key = key;
    this.#made.clear();
    this.half = Math.ceil(REACH * ratio);
    Object.assign(this, { ratio, colours, width, crowd });
    this.paper = paper(2 * this.half + 1, 2 * this.half + 1);
  }

  /** The picture of a mark, for the pixel of the point (x, y). */
  of(mark, group, x, y) {
    const fx = Math.floor((x - Math.floor(x)) * PARTS),
      fy = Math.floor((y - Math.floor(y)) * PARTS);
    const key = mark | ((mark === LIKED ? group : 0) << 2) | (fx << 10) | (fy << 12);
    let p = this.#made.get(key);
    if (p === undefined) {
      const { half, ratio, paper: g, width } = this;
      const side = 2 * half + 1;
      g.setTransform(1, 0, 0, 1, 0, 0);
      g.clearRect(0, 0, side, side);
      g.setTransform(ratio, 0, 0, ratio, half + (fx + 0.5) / PARTS, half + (fy + 0.5) / PARTS);
      sign(g, 0, 0, mark, group, this.colours, this.crowd);
      const pixels = new Int32Array(g.getImageData(0, 0, side, side).data.buffer);
      p = picture(width, half, (x, y) => pixels[x + half + side * (y + half)]);
      this.#made.set(key, p);
    }
    return p;
  }
}

// Small pictures of the map's points, one for each colour, shape and size: copying a picture is several times faster
// than drawing a path.

const SCALE = [0.75, 1, 1.4]; // little known, known, well known
const ALPHA = [0.42, 0.6, 0.85];
const FILTERED = 0.1; // alpha of what the filters leave out

export class Sprites {
  #made = new Map();
  #key = "";

  clear() {
    this.#key = "";
  }

  /** Returns the pictures for a radius in CSS pixels; they are made anew only when something has changed. */
  get(radius, ratio, colours) {
    const key = `${Math.round(radius * 4)} ${ratio}`;
    if (this.#key !== key) {
      this.#key = key;
      this.#made.clear();
      this.radius = Math.round(radius * 4) / 4;
      this.ratio = ratio;
      this.colours = colours;
    }
    return this;
  }

  /** group: the colour in the low four bits, the shape above, colour 15 being none; size: 0 to 2. */
  of(group, size, filtered) {
    const key = group | (size << 8) | (filtered ? 1 << 10 : 0);
    let s = this.#made.get(key);
    if (s === undefined) {
      s = this.#draw(group, this.radius * SCALE[size], filtered ? FILTERED : ALPHA[size]);
      this.#made.set(key, s);
    }
    return s;
  }

  #draw(group, r, alpha) {
    const half = Math.ceil(r * 1.4) + 1;
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = Math.ceil(2 * half * this.ratio);
    const g = canvas.getContext("2d");
    g.scale(canvas.width / (2 * half), canvas.height / (2 * half));
    g.translate(half, half);
    g.globalAlpha = alpha;
    g.fillStyle = colourOf(this.colours, group);
    shape(g, shapeOf(group), r);
    g.fill();
    return { canvas, half };
  }
}

/** The colour of a group; the last one is for what has no genre. */
export function colourOf(colours, group) {
  return colours[group & 15] ?? colours.at(-1);
}

/** The shape of a group. */
export function shapeOf(group) {
  return (group & 15) === 15 ? 0 : group >> 4;
}

/** A path around the origin. 0: circle, 1: diamond, 2: triangle, 3: square, of about the same area. */
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

// A soft glow around the visitor's next titles: a sum of Gaussian bells. It is computed once as a small picture of the
// area that it covers, and stretched to the camera's view in each frame.

const SIDE = 256; // pixels of the picture's longer side
const REACH = 3; // reach of a bell, in standard deviations
const MOST = 0.28; // alpha at the brightest place, about
const SEED = 0.6; // size from which a new glow blooms
const STEEP = 3; // how fast alpha approaches that

export class Glow {
  #items = [];
  #before = null; // the earlier picture, while it fades
  #bloom = 1; // of the new one, from 0 to 1
  #picture = null; // {canvas, x, y, w, h} in units of the map; null: to be made

  constructor(map) {
    this.map = map;
  }

  /** Sets the titles that glow. The new glow blooms out of its middle while the earlier one fades. */
  set(items) {
    this.#before = this.#picture;
    this.#items = items;
    this.#picture = null;
    this.map.motion.start("glow", (t) => (this.#bloom = t));
  }

  stale() {
    this.#picture = this.#before = null;
  }

  draw(g) {
    if (this.#bloom < 1 && this.#before) {
      this.#draw(g, this.#before, 1 - this.#bloom, 1);
    }
    if (this.#items.length > 0) {
      this.#draw(g, (this.#picture ??= this.#make()), this.#bloom, SEED + (1 - SEED) * this.#bloom);
    }
  }

  #draw(g, { canvas, x, y, w, h }, alpha, size) {
    const { map } = this;
    const { k } = map.camera;
    const [left, top] = map.place(x + (w * (1 - size)) / 2, y + (h * (1 + size)) / 2);
    g.globalAlpha = alpha;
    g.drawImage(canvas, left, top, w * k * size, h * k * size);
    g.globalAlpha = 1;
  }

  #make() {
    const {
      plane,
      colours,
      o: { bell },
    } = this.map;
    const range = (axis) => {
      const all = this.#items.map((i) => plane[2 * i + axis]);
      const from = Math.min(...all) - REACH * bell;
      return [from, Math.max(...all) + REACH * bell - from];
    };
    const [[x, w], [y, h]] = [range(0), range(1)];
    const scale = SIDE / Math.max(w, h);
    const canvas = document.createElement("canvas");
    const columns = (canvas.width = Math.ceil(w * scale)),
      rows = (canvas.height = Math.ceil(h * scale));
    const heat = new Float32Array(columns * rows);
    const s = bell * scale;
    const along = (centre, many) => {
      const from = Math.max(Math.floor(centre - REACH * s), 0),
        to = Math.min(Math.ceil(centre + REACH * s), many);
      const bells = Array.from({ length: to - from }, (_, n) => Math.exp(-(((from + n + 0.5 - centre) / s) ** 2) / 2));
      return { from, bells };
    };
    for (const i of this.#items) {
      const across = along((plane[2 * i] - x) * scale, columns);
      const down = along((y + h - plane[2 * i + 1]) * scale, rows);
      down.bells.forEach((v, r) => {
        const row = (down.from + r) * columns + across.from;
        across.bells.forEach((u, c) => (heat[row + c] += u * v));
      });
    }
    const most = heat.reduce((a, b) => Math.max(a, b), 0);
    const g = canvas.getContext("2d");
    const image = new ImageData(columns, rows);
    heat.forEach((v, p) => (image.data[4 * p + 3] = 255 * MOST * (1 - Math.exp((-STEEP * v) / most))));
    g.putImageData(image, 0, 0);
    g.globalCompositeOperation = "source-in";
    g.fillStyle = colours.you;
    g.fillRect(0, 0, columns, rows);
    return { canvas, x, y, w, h };
  }
}

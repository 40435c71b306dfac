// Small pictures of the map's points, one for each colour, shape and size: copying a picture is several times faster
// than drawing a path, and ten thousand points are drawn anew in every frame of a pan.

const SCALE = [0.75, 1, 1.4]; // little known, known, well known

export class Sprites {
  clear() {
    this.made = null;
  }

  /** Returns the pictures for a radius in CSS pixels; they are made anew only when something has changed. */
  get(radius, ratio, colours) {
    const key = `${Math.round(radius * 4)} ${ratio}`;
    if (this.made && this.key === key) {
      return this;
    }
    this.key = key;
    this.made = new Map();
    this.radius = Math.round(radius * 4) / 4;
    this.ratio = ratio;
    this.colours = colours;
    return this;
  }

  of(group, size) {
    const key = group | (size << 8);
    let s = this.made.get(key);
    if (s === undefined) {
      s = this.draw(group & 15, group === 15 ? 0 : group >> 4, this.radius * SCALE[size]);
      this.made.set(key, s);
    }
    return s;
  }

  draw(colour, shape, r) {
    const half = Math.ceil(r * 1.4) + 1;
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = Math.ceil(2 * half * this.ratio);
    const g = canvas.getContext("2d");
    g.scale(canvas.width / (2 * half), canvas.height / (2 * half));
    g.translate(half, half);
    g.fillStyle = this.colours[colour] ?? this.colours[9];
    outline(g, shape, r);
    g.fill();
    return { canvas, half };
  }
}

/** 0: circle, 1: diamond, 2: triangle, of about the same area. */
function outline(g, shape, r) {
  g.beginPath();
  if (shape === 0) {
    g.arc(0, 0, r, 0, 2 * Math.PI);
  } else if (shape === 1) {
    const d = r * 1.3;
    g.moveTo(0, -d);
    g.lineTo(d, 0);
    g.lineTo(0, d);
    g.lineTo(-d, 0);
  } else {
    const d = r * 1.35;
    g.moveTo(0, -d);
    g.lineTo(d * 0.95, d * 0.7);
    g.lineTo(-d * 0.95, d * 0.7);
  }
  g.closePath();
}

// The parts of the map that are drawn in every frame, under and over the points: the visitor, the next titles, the
// title pointed at, and the rings of the distance view.

import { dot } from "./marks.js";
import { nests, top } from "./tastes.js";

const BOW = 0.18; // bend of a path, as a share of its length
const WAVE = 22; // pixels by which the ring around a new like widens

export class Painter {
  constructor(map) {
    this.map = map;
    this.rings = []; // of the distance view: [[x, y] of the text, text]
  }

  /** Under the points. */
  under(g) {
    const { map } = this;
    this.rings = [];
    if (map.view === "distance") {
      this.#rings(g);
    } else {
      map.glow.draw(g);
      g.fillStyle = map.colours.you;
      for (const of of [map.tastes, map.second]) {
        nests(of).forEach((nest, t) => {
          g.globalAlpha = 0.045 * strength(of.weights[t]);
          for (let r = 2; r >= 0; r--) {
            this.#ellipse(g, nest, 5 * r);
            g.fill();
          }
        });
      }
      g.globalAlpha = 1;
    }
  }

  /** Over the points. */
  over(g) {
    const { map } = this;
    if (map.view === "map") {
      nests(map.tastes).forEach((nest, t) => this.#rim(g, nest, map.tastes.weights[t]));
      g.setLineDash([5, 4]); // distinguishable without colour
      nests(map.second).forEach((nest, t) => this.#rim(g, nest, map.second.weights[t]));
      g.setLineDash([]);
    }
    this.#paths(g);
    for (const { item } of map.names.placed) {
      if (item >= 0 && map.marks[item] === 0) {
        this.#dot(g, item, 3.5);
      }
    }
    for (const i of map.top) {
      this.#dot(g, i, 4.5);
    }
    this.#landing(g);
    if (map.current >= 0) {
      this.#dot(g, map.current, 5.5, map.colours.ink);
    }
  }

  /** The labels of the tastes, on their middle rings: [[x, y], text]. */
  people() {
    const { map } = this;
    if (map.view === "distance") {
      return [[[0, -14 / map.camera.k], map.o.you]];
    }
    return [map.tastesTo, map.second].flatMap((of) => nests(of).map((nest, t) => [top(nest), of.labels[t]]));
  }

  /** Paths from the likes that led to the current title, as far as they are traced. */
  #paths(g) {
    const { map } = this;
    const to = map.current,
      t = map.traced ?? 1;
    const mix = (a, b) => a + (b - a) * t;
    g.strokeStyle = map.colours.you;
    g.lineWidth = 1.75;
    for (const from of map.because.get(to) ?? []) {
      const [x, y] = [map.sx(to), map.sy(to)],
        [u, v] = [map.sx(from), map.sy(from)];
      const [cx, cy] = [(x + u) / 2 + (v - y) * BOW, (y + v) / 2 + (x - u) * BOW];
      g.beginPath();
      g.moveTo(u, v);
      g.quadraticCurveTo(mix(u, cx), mix(v, cy), mix(mix(u, cx), mix(cx, x)), mix(mix(v, cy), mix(cy, y)));
      g.stroke();
    }
  }

  /** Rings that widen and fade around likes that were just given. */
  #landing(g) {
    const { map } = this;
    const { landing: t, colours } = map;
    if (map.landed.length === 0 || t === 1) {
      return;
    }
    g.strokeStyle = colours.you;
    g.lineWidth = 2;
    g.globalAlpha = 1 - t;
    for (const i of map.landed) {
      g.beginPath();
      g.arc(map.sx(i), map.sy(i), 8 + WAVE * t, 0, 2 * Math.PI);
      g.stroke();
    }
    g.globalAlpha = 1;
  }

  #ellipse(g, e, at = 0) {
    const { k } = this.map.camera;
    const [x, y] = this.map.place(e[at], e[at + 1]);
    g.beginPath();
    g.ellipse(x, y, Math.max(e[at + 2] * k, 1), Math.max(e[at + 3] * k, 1), -e[at + 4], 0, 2 * Math.PI);
  }

  #rim(g, nest, share) {
    g.strokeStyle = this.map.colours.you;
    for (let r = 2; r >= 0; r--) {
      this.#ellipse(g, nest, 5 * r);
      g.lineWidth = [1.75, 1.25, 1][r];
      g.globalAlpha = [0.9, 0.5, 0.25][r] * strength(share);
      g.stroke();
    }
    g.globalAlpha = 1;
  }

  #rings(g) {
    const { map } = this;
    const { k } = map.camera;
    const [cx, cy] = map.place(0, 0);
    const circle = (r) => {
      g.beginPath();
      g.arc(cx, cy, r, 0, 2 * Math.PI);
    };
    if (map.ordered && map.top.length > 0) {
      // As far as the named titles: everything inside is ahead of the last of them.
      circle(Math.max(...map.top.map((i) => map.radii[i])) * k);
      g.fillStyle = map.colours.you;
      g.globalAlpha = 0.08;
      g.fill();
      g.globalAlpha = 1;
    }
    g.lineWidth = 1;
    g.strokeStyle = map.colours.line;
    const step = niceStep(48 / k);
    for (let d = step; d < map.reach * 1.4 && this.rings.length < 60; d += step) {
      circle(d * k);
      g.stroke();
      this.rings.push([[0, d], String(Number(d.toFixed(6))).replace(".", map.o.point)]);
    }
    circle(4);
    g.fillStyle = map.colours.you;
    g.fill();
  }

  #dot(g, i, r, ring) {
    const { map } = this;
    const x = map.sx(i),
      y = map.sy(i);
    if (x > -20 && y > -20 && x < map.width + 20 && y < map.height + 20) {
      dot(g, x, y, r, map.groups[i], map.colours, ring);
    }
  }
}

/** How strongly a taste is drawn, by its share. */
const strength = (share) => 0.5 + 0.5 * share;

/** The round number at or above v: 1, 2 or 5 times a power of ten. */
function niceStep(v) {
  const p = 10 ** Math.floor(Math.log10(v));
  return [1, 2, 5, 10].map((m) => m * p).find((s) => s >= v * 0.999);
}

// The parts of the map that are drawn in every frame, under and over the points: the visitor, the next titles, the
// title pointed at, and the rings of the distance view.

import { dot } from "./marks.js";
import { nests } from "./tastes.js";

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
      g.globalAlpha = 0.04;
      for (const nest of [...nests(map.tastes), ...nests(map.second?.tastes)]) {
        for (let r = 2; r >= 0; r--) {
          this.#ellipse(g, nest, 5 * r);
          g.fill();
        }
      }
      g.globalAlpha = 1;
    }
  }

  /** Over the points. */
  over(g) {
    const { map } = this;
    if (map.view === "map") {
      nests(map.tastes).forEach((nest) => this.#rim(g, nest));
      g.setLineDash([5, 4]); // distinguishable without colour
      nests(map.second?.tastes).forEach((nest) => this.#rim(g, nest));
      g.setLineDash([]);
    }
    for (const i of map.top) {
      this.#dot(g, i, 4.5);
    }
    if (map.current >= 0) {
      this.#dot(g, map.current, 5.5, map.colours.ink);
    }
  }

  /** The names and shares of the tastes: [[x, y], text]. */
  people() {
    const { map } = this;
    if (map.view === "distance") {
      return [[[0, -14 / map.camera.k], map.o.you]];
    }
    // The largest taste has its owner's name. With two people, all tastes have it.
    const named = (of, name) =>
      nests(of).map((nest, t) => [
        [nest[0], nest[1]],
        of.weights.length === 1 ? name : t === 0 || map.second ? `${name} · ${of.shares[t]}` : of.shares[t],
      ]);
    return [...named(map.tastesTo, map.o.you), ...named(map.second?.tastes, map.second?.name)];
  }

  #ellipse(g, e, at = 0) {
    const { k } = this.map.camera;
    const [x, y] = this.map.place(e[at], e[at + 1]);
    g.beginPath();
    g.ellipse(x, y, Math.max(e[at + 2] * k, 1), Math.max(e[at + 3] * k, 1), -e[at + 4], 0, 2 * Math.PI);
  }

  #rim(g, nest) {
    g.strokeStyle = this.map.colours.you;
    g.lineWidth = 1.25;
    for (let r = 2; r >= 0; r--) {
      this.#ellipse(g, nest, 5 * r);
      g.globalAlpha = [0.9, 0.6, 0.4][r];
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

/** The round number at or above v: 1, 2 or 5 times a power of ten. */
function niceStep(v) {
  const p = 10 ** Math.floor(Math.log10(v));
  return [1, 2, 5, 10].map((m) => m * p).find((s) => s >= v * 0.999);
}

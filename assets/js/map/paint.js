// What is drawn on the map anew in every frame, under and over its points: the visitor, the next titles, what is
// pointed at, and the rings of the distance view.

import { dot } from "./marks.js";
import { colourOf } from "./sprites.js";

export class Painter {
  constructor(map) {
    this.map = map;
    this.rings = []; // of the distance view: [radius, text]
  }

  /** Under the points. */
  under(g) {
    const { map } = this;
    if (map.view === "distance") {
      this.#rings(g);
    } else if (map.taste) {
      g.fillStyle = map.colours.you;
      g.globalAlpha = 0.09;
      for (let r = 2; r >= 0; r--) {
        this.#ellipse(g, map.taste, 5 * r);
        g.fill();
      }
      g.globalAlpha = 1;
    }
  }

  /** Over the points. */
  over(g) {
    const { map } = this;
    if (map.view === "map") {
      if (map.taste) {
        this.#taste(g, map.taste);
      }
      if (map.second) {
        g.setLineDash([5, 4]); // told apart without colour
        this.#taste(g, map.second.ellipses);
        g.setLineDash([]);
      }
      map.top.forEach((i, k) => this.#around(g, i, map.topEllipses, 5 * k, 0.05, 0.4));
      if (map.pointed) {
        for (let r = 2; r >= 0; r--) {
          this.#around(g, map.pointed.item, map.pointed.ellipses, 5 * r, 0.08, 0.7);
        }
      }
    }
    for (const i of map.top) {
      this.#dot(g, i, 4.5);
    }
    if (map.current >= 0) {
      this.#dot(g, map.current, 5.5, map.colours.ink);
    }
  }

  /** The texts that stand at places of the map and not at titles: [[x, y], text, "you" or "soft"]. */
  fixed() {
    const { map } = this;
    if (map.view === "distance") {
      const away = 14 / map.camera.k;
      return [[[0, -away], map.o.you, "you"], ...this.rings.map(([d, text]) => [[0, d], text, "soft"])];
    }
    const at = (ellipses, name) => [[ellipses[0], ellipses[1]], name, "you"];
    return [
      ...(map.tasteTo ? [at(map.tasteTo, map.o.you)] : []),
      ...(map.second ? [at(map.second.ellipses, map.second.name)] : []),
    ];
  }

  #ellipse(g, e, at = 0) {
    const { k } = this.map.camera;
    const [x, y] = this.map.place(e[at], e[at + 1]);
    g.beginPath();
    g.ellipse(x, y, Math.max(e[at + 2] * k, 1), Math.max(e[at + 3] * k, 1), -e[at + 4], 0, 2 * Math.PI);
  }

  #taste(g, ellipses) {
    g.strokeStyle = this.map.colours.you;
    for (let r = 2; r >= 0; r--) {
      this.#ellipse(g, ellipses, 5 * r);
      g.lineWidth = r === 0 ? 1.75 : 1.25;
      g.globalAlpha = [0.95, 0.65, 0.45][r];
      g.stroke();
    }
    g.globalAlpha = 1;
  }

  /** One ellipse of a title, in its colour. */
  #around(g, i, ellipses, at, fill, stroke) {
    g.fillStyle = g.strokeStyle = colourOf(this.map.colours.genres, this.map.groups[i]);
    g.lineWidth = 1;
    this.#ellipse(g, ellipses, at);
    g.globalAlpha = fill;
    g.fill();
    g.globalAlpha = stroke;
    g.stroke();
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
      // As far as the titles that are named: what lies within comes before the last of them.
      circle(Math.max(...map.top.map((i) => map.radii[i])) * k);
      g.fillStyle = map.colours.you;
      g.globalAlpha = 0.08;
      g.fill();
      g.globalAlpha = 1;
    }
    g.lineWidth = 1;
    g.strokeStyle = map.colours.line;
    const step = niceStep(48 / k);
    this.rings = [];
    for (let d = step; d < map.reach * 1.4 && this.rings.length < 60; d += step) {
      circle(d * k);
      g.stroke();
      this.rings.push([d, String(Number(d.toFixed(6))).replace(".", map.o.point)]);
    }
    circle(4);
    g.fillStyle = map.colours.you;
    g.fill();
  }

  #dot(g, i, r, ring) {
    const { map } = this;
    const x = map.sx(i), y = map.sy(i);
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

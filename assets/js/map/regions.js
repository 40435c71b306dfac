// The regions of the map: their names, set as in an atlas (labels.js finds room for them). Each visible name has a link
// at its place, for the keyboard and screen readers. A click on a name follows its link.
//
// There are up to three levels, from coarse to fine. The coarse one is always shown, a finer one if its names are far
// enough apart.

import { turn } from "./tastes.js";

const APART = 150; // average distance in pixels between names from which a level is shown
const SIZES = [15.5, 14, 13]; // of letters, by level, in CSS pixels
const SPACING = 0.4; // between letters
const WRAP = 124; // width in pixels from which a name gets two lines
const TARGET = 44; // least width and height of a link, in pixels

export class Regions {
  #places; // level, x and y of each region
  #told; // the same before the plane was turned
  #names = [];
  #links = new Map(); // by region
  pointed = -1; // the region whose name is hovered or focused

  constructor(map, places) {
    this.map = map;
    this.#places = this.#told = places;
    this.element = document.createElement("nav");
    this.element.className = "map-regions";
    for (const type of ["focusin", "focusout"]) {
      this.element.addEventListener(type, () => {
        const link = document.activeElement;
        this.point(type === "focusin" ? [...this.#links].find(([, e]) => e === link)[0] : -1);
      });
    }
  }

  /** Labels itself in the map's language: the regions' names and addresses, one a line. */
  speak() {
    const { regionsLabel, regionNames, regionLinks } = this.map.o;
    this.element.ariaLabel = regionsLabel;
    this.#names = regionNames.split("\n");
    const addresses = regionLinks.split("\n");
    this.address = (r) => addresses[r];
    for (const [r, link] of this.#links) {
      this.#say(link, r);
    }
  }

  #say(link, r) {
    link.href = this.address(r);
    link.ariaLabel = this.#names[r];
  }

  /** Follows the plane. */
  orient(turned) {
    this.#places = this.#told.slice();
    for (let at = 1; turned && at < this.#places.length; at += 3) {
      turn(this.#places, at);
    }
  }

  /** A region's name and centre. */
  at(r) {
    return { name: this.#names[r], x: this.#places[3 * r + 1], y: this.#places[3 * r + 2] };
  }

  /** The regions named at this zoom, coarse ones first: {region, at, text, style}. */
  shown() {
    const { map } = this;
    if (map.view !== "map" || map.motion.has("points")) {
      return [];
    }
    const { x, y, k } = map.camera;
    const [[x0, x1], [y0, y1]] = map.extent;
    const area = (x1 - x0) * (y1 - y0) * k * k;
    return SIZES.flatMap((size, level) => {
      const named = [...this.#names.keys()].filter((r) => this.#names[r] && this.#places[3 * r] === level);
      if (level > 0 && Math.sqrt(area / named.length) < APART) {
        return [];
      }
      const { display, colours } = map;
      const style = {
        font: `italic ${size}px ${display}`,
        colour: colours.soft,
        spacing: SPACING,
        high: Math.round(size * 1.3),
      };
      const far = ({ at }) => Math.hypot(at[0] - x, at[1] - y);
      return named
        .map((r) => [r, this.at(r)])
        .map(([region, { name, x, y }]) => ({ region, at: [x, y], text: name, style }))
        .sort((a, b) => far(a) - far(b)); // from the middle outwards
    });
  }

  /** Sets the region whose name is hovered or focused; −1: none. */
  point(r) {
    if (r !== this.pointed) {
      this.pointed = r;
      this.map.schedule();
    }
  }

  open(r) {
    this.#links.get(r)?.click();
  }

  /** Moves the links to the places of their names: boxes of labels.js. */
  place(boxes) {
    const gone = new Set(this.#links.keys());
    for (const b of boxes) {
      gone.delete(b.region);
      let link = this.#links.get(b.region);
      if (link === undefined) {
        link = document.createElement("a");
        this.#say(link, b.region);
        this.#links.set(b.region, link);
        this.element.append(link);
      }
      const w = Math.max(b.w, TARGET),
        h = Math.max(b.h, TARGET);
      const { style } = link;
      style.width = `${w}px`;
      style.height = `${h}px`;
      style.outlineOffset = `${(b.h - h) / 2}px`;
      style.transform = `translate(${Math.round(b.x + (b.w - w) / 2)}px, ${Math.round(b.y + (b.h - h) / 2)}px)`;
    }
    for (const r of gone) {
      const link = this.#links.get(r);
      if (link === document.activeElement) {
        this.map.canvas.focus();
      }
      link.remove();
      this.#links.delete(r);
    }
  }
}

/** A name in one line, or a long one in two of about the same length. */
export function lines(text, width) {
  if (width(text) <= WRAP) {
    return [text];
  }
  let best = [text],
    least = Infinity;
  for (let at = text.indexOf(" "); at > 0; at = text.indexOf(" ", at + 1)) {
    const both = [text.slice(0, at), text.slice(at + 1)];
    const longer = Math.max(...both.map(width));
    if (longer < least) {
      [best, least] = [both, longer];
    }
  }
  return best;
}

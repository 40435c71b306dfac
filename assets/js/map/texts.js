// Texts as small pictures, with a halo of the ground's colour: drawing text in each frame takes too long.

export const HIGH = 16; // of a text's box, in CSS pixels

const letter = /\p{L}/u;
const leftward = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** The direction of a text: that of its first letter. */
const direction = (text) => (leftward.test(letter.exec(text)?.[0] ?? "") ? "rtl" : "ltr");

export class Texts {
  #made = new Map();
  #widths = new Map();

  width(text, font, map) {
    const key = font + text;
    let w = this.#widths.get(key);
    if (w === undefined) {
      if (this.#widths.size > 5000) {
        this.#widths.clear();
      }
      map.context.font = font;
      w = map.context.measureText(text).width;
      this.#widths.set(key, w);
    }
    return w;
  }

  get(text, font, colour, map) {
    const key = `${map.ratio} ${font} ${colour} ${text}`;
    let canvas = this.#made.get(key);
    if (canvas === undefined) {
      if (this.#made.size > 400) {
        this.#made.clear();
      }
      canvas = document.createElement("canvas");
      canvas.width = Math.ceil((this.width(text, font, map) + 8) * map.ratio);
      canvas.height = Math.ceil((HIGH + 4) * map.ratio);
      const g = canvas.getContext("2d");
      g.scale(map.ratio, map.ratio);
      g.font = font;
      g.textBaseline = "middle";
      g.textAlign = "left"; // whatever the page's direction
      g.direction = direction(text);
      g.lineJoin = "round";
      g.strokeStyle = map.colours.ground;
      g.globalAlpha = 0.85;
      g.lineWidth = 3.5;
      g.strokeText(text, 4, HIGH / 2 + 2.5);
      g.globalAlpha = 1;
      g.fillStyle = colour;
      g.fillText(text, 4, HIGH / 2 + 2.5);
      this.#made.set(key, canvas);
    }
    return canvas;
  }
}

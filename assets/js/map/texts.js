// Texts as small pictures with a halo in the background's colour: drawing text in each frame is too slow.

export const HIGH = 16; // height of a title's line, in CSS pixels

const letter = /\p{L}/u;
const leftward = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** The direction of a text, by its first letter. */
const direction = (text) => (leftward.test(letter.exec(text)?.[0] ?? "") ? "rtl" : "ltr");

/** The style of a text: {font, colour, high (of a line, in CSS pixels), spacing (between letters, in CSS pixels)}. */
export const setting = (font, colour) => ({ font, colour, high: HIGH, spacing: 0 });

export class Texts {
  #made = new Map();
  #widths = new Map();

  /** The width of a line. */
  width(text, { font, spacing }, map) {
    const key = font + text;
    let w = this.#widths.get(key);
    if (w === undefined) {
      if (this.#widths.size > 5000) {
        this.#widths.clear();
      }
      map.context.font = font;
      w = map.context.measureText(text).width + spacing * text.length;
      this.#widths.set(key, w);
    }
    return w;
  }

  /** Centred lines of text. */
  get(lines, { font, colour, high, spacing }, map) {
    const key = `${map.ratio} ${font} ${colour} ${lines.join("\n")}`;
    let canvas = this.#made.get(key);
    if (canvas === undefined) {
      if (this.#made.size > 400) {
        this.#made.clear();
      }
      const widths = lines.map((line) => this.width(line, { font, spacing }, map));
      const w = Math.max(...widths);
      canvas = document.createElement("canvas");
      canvas.width = Math.ceil((w + 8) * map.ratio);
      canvas.height = Math.ceil((high * lines.length + 4) * map.ratio);
      const g = canvas.getContext("2d");
      g.scale(map.ratio, map.ratio);
      g.font = font;
      g.letterSpacing = `${spacing}px`; // ignored by browsers that cannot space letters
      g.textBaseline = "middle";
      g.textAlign = "left"; // whatever the page's direction
      g.lineJoin = "round";
      const each = (write) =>
        lines.forEach((line, n) => {
          g.direction = direction(line);
          write(line, 4 + (w - widths[n]) / 2, high * (n + 0.5) + 2.5);
        });
      g.strokeStyle = map.colours.ground;
      g.globalAlpha = 0.85;
      g.lineWidth = 3.5;
      each((...at) => g.strokeText(...at));
      g.globalAlpha = 1;
      g.fillStyle = colour;
      each((...at) => g.fillText(...at));
      this.#made.set(key, canvas);
    }
    return canvas;
  }
}

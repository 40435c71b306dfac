// A picture that is blended pixel by pixel: where the browser draws in software, one drawImage of a small picture takes
// as long as writing the few pixels of a hundred.
//
// Pixels are signed 32-bit numbers 0xAABBGGRR, as bytes in memory red first (all machines that browsers run on are
// little-endian), premultiplied by their alpha while they are blended, as they have to be: out = source + target · (1 −
// alpha of the source).

// 255/alpha in 16.16 fixed point: turns a premultiplied channel, which is at most alpha, into a plain one.
const plain = Int32Array.from({ length: 256 }, (_, a) => (a === 0 ? 0 : Math.round((255 * 65536) / a)));

export class Raster {
  #image;
  #pixels;

  /** An empty one, of whole pixels. */
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.#image = new ImageData(width, height);
    this.#pixels = new Int32Array(this.#image.data.buffer);
  }

  clear() {
    this.#pixels.fill(0);
  }

  /** Blends a picture over what is there, its middle over the pixel numbered base: x + width · y. */
  blend({ at, colours, rest }, base) {
    const pixels = this.#pixels;
    for (let k = 0; k < at.length; k++) {
      const p = base + at[k];
      const under = pixels[p];
      if (under === 0) {
        pixels[p] = colours[k];
      } else {
        // Two channels at a time, each with room for the product above it.
        const rb = (Math.imul(under & 0xff00ff, rest[k]) >>> 8) & 0xff00ff;
        const ga = Math.imul((under >>> 8) & 0xff00ff, rest[k]) & 0xff00ff00;
        pixels[p] = (colours[k] + rb + ga) | 0;
      }
    }
  }

  /** Copies some rows to a canvas of the same size. They cannot be blended on after that. */
  copy(g, row, rows) {
    const pixels = this.#pixels;
    for (let p = row * this.width, end = p + rows * this.width; p < end; p++) {
      const v = pixels[p];
      if (v !== 0) {
        const by = plain[v >>> 24];
        const channel = (shift) => ((((v >>> shift) & 255) * by + 32768) >>> 16) << shift;
        pixels[p] = (v & 0xff000000) | channel(16) | channel(8) | channel(0);
      }
    }
    g.putImageData(this.#image, 0, 0, 0, row, this.width, rows);
  }
}

/**
 * A picture to be blended into rasters of a width: the numbers of its pixels from its middle, their colours,
 * premultiplied, and what they leave of what is under them, in 256ths. pixel(x, y) is the colour, not premultiplied, at
 * up to half pixels from the middle.
 */
export function picture(width, half, pixel) {
  const at = [],
    colours = [],
    rest = [];
  for (let y = -half; y <= half; y++) {
    for (let x = -half; x <= half; x++) {
      const colour = pixel(x, y),
        a = colour >>> 24;
      if (a > 0) {
        const channel = (shift) => Math.round((((colour >>> shift) & 255) * a) / 255) << shift;
        at.push(x + width * y);
        colours.push((a << 24) | channel(16) | channel(8) | channel(0));
        rest.push(256 - a - (a >> 7)); // so that 255 leaves nothing
      }
    }
  }
  return { at: Int32Array.from(at), colours: Int32Array.from(colours), rest: Uint16Array.from(rest) };
}

// A picture that is blended pixel by pixel. In browsers that draw in software, one drawImage of a small picture takes
// as long as blending a hundred of them here.
//
// Pixels are signed 32-bit numbers 0xAABBGGRR, in memory red first (browsers run on little-endian machines only). They
// are premultiplied by alpha, as blending requires: out = source + target · (1 − alpha of the source).

// 255/alpha as 16.16 fixed point: turns a premultiplied channel, which is at most alpha, into a plain one.
const plain = Int32Array.from({ length: 256 }, (_, a) => (a === 0 ? 0 : Math.round((255 * 65536) / a)));

export class Raster {
  #image;
  #pixels;

  /** Creates an empty raster, in whole pixels. */
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.#image = new ImageData(width, height);
    this.#pixels = new Int32Array(this.#image.data.buffer);
  }

  clear() {
    this.#pixels.fill(0);
  }

  /** Blends a picture over the raster, with its middle at pixel number base: x + width · y. */
  blend({ at, colours, rest }, base) {
    const pixels = this.#pixels;
    for (let k = 0; k < at.length; k++) {
      const p = base + at[k];
      const under = pixels[p];
      if (under === 0) {
        pixels[p] = colours[k];
      } else {
        // Two channels at a time, each with room for its product.
        const rb = (Math.imul(under & 0xff00ff, rest[k]) >>> 8) & 0xff00ff;
        const ga = Math.imul((under >>> 8) & 0xff00ff, rest[k]) & 0xff00ff00;
        pixels[p] = (colours[k] + rb + ga) | 0;
      }
    }
  }

  /** Copies rows to a canvas of the same size. Afterwards they cannot be blended. */
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
 * A picture for blending into rasters of a width: its pixels' offsets from the middle, their premultiplied colours, and
 * the weight of the colour below them in 256ths. pixel(x, y) is the plain colour at up to half pixels from the middle.
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
        rest.push(256 - a - (a >> 7)); // so that 255 is opaque
      }
    }
  }
  return { at: Int32Array.from(at), colours: Int32Array.from(colours), rest: Uint16Array.from(rest) };
}

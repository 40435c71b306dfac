// Motion on the map. It takes 180 ms, or no time for visitors who prefer reduced motion.

const LASTS = 180;
const still = matchMedia("(prefers-reduced-motion: reduce)");
const ease = (t) => 1 - (1 - t) ** 3;

export class Motion {
  #running = new Map();

  /** Calls set with 0 now and with values up to 1 in the next frames. An earlier motion of the same name stops. */
  start(what, set) {
    this.#running.delete(what);
    if (still.matches) {
      set(1);
      return;
    }
    set(0);
    this.#running.set(what, { set, since: performance.now() });
  }

  stop(what) {
    this.#running.delete(what);
  }

  has(what) {
    return this.#running.has(what);
  }

  /** Advances all motions and returns whether there is more to come. */
  step() {
    const now = performance.now();
    for (const [what, { set, since }] of this.#running) {
      const t = Math.min((now - since) / LASTS, 1);
      set(ease(t));
      if (t === 1) {
        this.#running.delete(what);
      }
    }
    return this.#running.size > 0;
  }
}

/** Calls f once the screen shows the current page, or soon if the page is hidden. */
export function painted(f) {
  const once = () => {
    clearTimeout(timer);
    f();
    f = () => {};
  };
  const timer = setTimeout(once, 200);
  // when the second frame begins, the first has been shown
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(once)));
}

let waits = false;

/** Keeps maps still in the next frame, which shows the changed page: drawing would delay it. */
export function giveWay() {
  if (!waits) {
    waits = true;
    requestAnimationFrame(() => setTimeout(() => (waits = false)));
  }
}

/** Whether maps keep still. */
export const givesWay = () => waits;

/** A camera between two others. Places are interpolated by 1/k, so that a zoom keeps its centre all the way. */
export function blend(a, b, t) {
  const k = a.k * (b.k / a.k) ** t;
  const s = Math.abs(b.k / a.k - 1) < 1e-3 ? t : (1 / a.k - 1 / k) / (1 / a.k - 1 / b.k);
  return { x: a.x + (b.x - a.x) * s, y: a.y + (b.y - a.y) * s, k };
}

/** Rows of ellipses between two others, five numbers each. Ellipses turn the shorter way. */
export function morph(a, b, t) {
  return b.map((v, i) => {
    let way = v - a[i];
    if (i % 5 === 4) {
      way -= Math.PI * Math.round(way / Math.PI);
    }
    return t === 1 ? v : a[i] + way * t;
  });
}

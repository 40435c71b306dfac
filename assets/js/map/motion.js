// Motion on the map: it takes 180 ms, and none where the visitor prefers reduced motion.

const LASTS = 180;
const still = matchMedia("(prefers-reduced-motion: reduce)");
const ease = (t) => 1 - (1 - t) ** 3;

export class Motion {
  #running = new Map();

  /** Has set called with 0 now and with up to 1 in the frames to come; what moved under that name before stops. */
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

  /** Moves everything on and tells whether there is more to come. */
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

/** Calls f once the screen shows what the page is now, or soon where the page is not looked at. */
export function painted(f) {
  const once = () => {
    clearTimeout(timer);
    f();
    f = () => {};
  };
  const timer = setTimeout(once, 200);
  // the first frame is not shown before the second begins
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(once)));
}

let waits = false;

/** Has maps keep still in the next frame, which shows what the page has become: what they draw would hold that up. */
export function giveWay() {
  if (!waits) {
    waits = true;
    requestAnimationFrame(() => setTimeout(() => (waits = false)));
  }
}

/** Whether maps keep still. */
export const givesWay = () => waits;

/** A camera between two others. Places go with 1/k, so that a zoom stays about its point all the way. */
export function blend(a, b, t) {
  const k = a.k * (b.k / a.k) ** t;
  const s = Math.abs(b.k / a.k - 1) < 1e-3 ? t : (1 / a.k - 1 / k) / (1 / a.k - 1 / b.k);
  return { x: a.x + (b.x - a.x) * s, y: a.y + (b.y - a.y) * s, k };
}

/** Between two rows of ellipses, five numbers each; an ellipse turns the shorter way. */
export function morph(a, b, t) {
  return b.map((v, i) => {
    let way = v - a[i];
    if (i % 5 === 4) {
      way -= Math.PI * Math.round(way / Math.PI);
    }
    return t === 1 ? v : a[i] + way * t;
  });
}

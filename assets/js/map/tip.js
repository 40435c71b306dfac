// The tip next to the title pointed at, and the hint how to zoom with the wheel. Both are visual; screen readers hear
// announcements instead.

const clamp = (v, lo, hi) => Math.min(Math.max(v, lo), hi);

export class Tip {
  #of = null; // the current text

  constructor(map) {
    this.map = map;
    this.tip = bubble("map-tip");
    this.hint = bubble("map-hint");
    this.elements = [this.tip, this.hint];
  }

  /** Shows for a moment how to zoom with the wheel. */
  explainWheel() {
    this.hint.hidden = false;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.hint.hidden = true), 1600);
  }

  /** Moves the tip to its title's current place. */
  place() {
    const { map, tip } = this;
    const i = map.current;
    if (i < 0 || !map.pointed) {
      tip.hidden = true;
      return;
    }
    const x = map.sx(i),
      y = map.sy(i);
    tip.hidden = x < 0 || y < 0 || x > map.width || y > map.height;
    if (tip.hidden) {
      return;
    }
    if (this.#of !== map.pointed) {
      this.#of = map.pointed;
      const title = document.createElement("b");
      title.dir = "auto";
      title.textContent = map.titles[i];
      const line = document.createElement("span");
      line.textContent = map.pointed.line;
      tip.replaceChildren(title, line);
      this.w = tip.offsetWidth;
      this.h = tip.offsetHeight;
    }
    const left = clamp(x - this.w / 2, 8, Math.max(map.width - this.w - 8, 8));
    const top = y - this.h - 14 < 8 ? y + 14 : y - this.h - 14;
    tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }
}

function bubble(name) {
  const e = document.createElement("div");
  e.className = name;
  e.hidden = true;
  e.setAttribute("aria-hidden", "true");
  return e;
}

// Mouse, touch and keys on the map. Dragging pans, the wheel and two fingers zoom, hovering names a title, a tap opens
// it; arrow keys walk from neighbour to neighbour. A card of the list points to its title.
//
// The wheel zooms while the map has the focus (as after a click) or with Ctrl, which a pinch on a touchpad sends too.
// Otherwise it scrolls the page.

const TAP = 6; // pixels that a tap may move
const MOUSE = 14,
  FINGER = 24; // pixels within which a tap hits a title
const MARGIN = 8; // pixels around a region's name that still hit it with a finger

export function listen(map, signal) {
  const { canvas } = map;
  const on = (type, f, options) => canvas.addEventListener(type, f, { signal, ...options });
  const fingers = new Map();
  let wandered = 0;
  let apart = 0;
  let tapped = null; // where a finger or button was lifted without moving, until the following click

  const place = (event) => {
    const r = canvas.getBoundingClientRect();
    return { x: event.clientX - r.left, y: event.clientY - r.top };
  };
  const span = () => {
    const [a, b] = fingers.values();
    return { d: Math.hypot(a.x - b.x, a.y - b.y), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  };

  on("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, place(event));
    wandered = fingers.size > 1 ? Infinity : 0;
    if (fingers.size === 2) {
      apart = span().d;
    }
  });

  on("pointermove", (event) => {
    const p = place(event);
    const before = fingers.get(event.pointerId);
    if (before === undefined) {
      if (event.pointerType !== "touch") {
        const region = map.names.region(p.x, p.y, 0);
        const i = region < 0 ? map.hit(p.x, p.y, MOUSE) : -1;
        map.regions.point(region);
        map.point(i);
        canvas.classList.toggle("pointing", i >= 0 || region >= 0);
      }
      return;
    }
    fingers.set(event.pointerId, p);
    if (fingers.size === 1) {
      wandered += Math.hypot(p.x - before.x, p.y - before.y);
      if (wandered > TAP) {
        map.point(-1);
        map.pan(p.x - before.x, p.y - before.y);
      }
    } else if (fingers.size === 2) {
      const s = span();
      if (apart > 0 && s.d > 0) {
        map.zoom(s.d / apart, s.x, s.y, false);
      }
      map.pan((p.x - before.x) / 2, (p.y - before.y) / 2);
      apart = s.d;
    }
  });

  for (const type of ["pointerover", "focusin"]) {
    const of = (event) => map.pointToCard(Number(event.target.closest?.(".card[data-key]")?.dataset.key ?? -1));
    document.addEventListener(type, of, { signal, passive: true });
  }

  const lift = (event) => {
    const p = fingers.get(event.pointerId);
    fingers.delete(event.pointerId);
    const tap = p !== undefined && event.type === "pointerup" && wandered <= TAP && fingers.size === 0;
    tapped = tap ? { ...p, touch: event.pointerType === "touch" } : null;
  };
  on("pointerup", lift);
  on("pointercancel", lift);
  // Wait for the click instead of acting when the finger is lifted: a tap's click comes later, and would hit the page's
  // new content.
  on("click", () => {
    if (tapped === null) {
      return;
    }
    const { touch, ...p } = tapped;
    tapped = null;
    map.cursor = -1;
    const region = map.names.region(p.x, p.y, touch ? MARGIN : 0);
    if (region >= 0) {
      map.regions.open(region);
    } else {
      map.o.open(map.hit(p.x, p.y, touch ? FINGER : MOUSE));
    }
  });
  on("pointerleave", () => {
    map.point(-1);
    map.regions.point(-1);
  });

  on(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey && document.activeElement !== canvas) {
        map.tip.explainWheel();
        return;
      }
      event.preventDefault();
      const p = place(event);
      const lines = event.deltaMode === 1 ? 16 : 1;
      const fast = event.ctrlKey ? 0.01 : 0.004; // a pinch sends small steps
      map.zoom(Math.exp(-Math.max(-60, Math.min(60, event.deltaY * lines)) * fast), p.x, p.y, false);
    },
    { passive: false },
  );

  on("dblclick", (event) => {
    const p = place(event);
    map.zoom(2, p.x, p.y);
  });

  for (const type of ["focus", "blur"]) {
    on(type, () => {
      map.describePointed();
      map.schedule();
    });
  }

  const arrows = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
  on("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (event.key in arrows) {
      map.walk(...arrows[event.key]);
    } else if (event.key === "+" || event.key === "=") {
      map.zoom(1.4);
    } else if (event.key === "-" || event.key === "_") {
      map.zoom(1 / 1.4);
    } else if (event.key === "Home" || event.key === "0") {
      map.home();
    } else if ((event.key === "Enter" || event.key === " ") && map.cursor >= 0) {
      map.o.open(map.cursor);
      requestAnimationFrame(() => document.querySelector('.map-open [data-act="like"]')?.focus());
    } else if (event.key === "Escape" && map.selected >= 0) {
      map.o.open(-1);
    } else {
      return;
    }
    event.preventDefault();
  });
}

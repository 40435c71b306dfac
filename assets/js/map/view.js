// A window on a plane: its camera, and how it moves.
//
// World coordinates have y upwards. The camera {x, y, k} is the world point at the window's centre, and the CSS pixels
// per unit. A subclass has width and height in CSS pixels; at (x and y of each point); whole(), the camera that shows
// everything; start(), the visitor's first camera; and draw(), which returns whether there is more to draw.

import { blend, givesWay, Motion } from "./motion.js";

const LEAST = 0.35,
  MOST = 40; // zoom relative to the whole
const clamp = (v, lo, hi) => Math.min(Math.max(v, lo), hi);

export class View {
  camera = { x: 0, y: 0, k: 1 };
  cameraTo = null; // the destination of the current flight
  moved = false; // the visitor has moved the camera
  motion = new Motion();

  home() {
    this.moved = false;
    this.flyTo(this.start());
  }

  zoom(factor, sx = this.width / 2, sy = this.height / 2, fly = true) {
    const c = this.cameraTo ?? this.camera;
    const whole = this.whole().k;
    const k = clamp(c.k * factor, whole * LEAST, whole * MOST);
    const dx = (sx - this.width / 2) * (1 / c.k - 1 / k);
    const dy = -(sy - this.height / 2) * (1 / c.k - 1 / k);
    this.moved = true;
    this.flyTo({ x: c.x + dx, y: c.y + dy, k }, fly);
  }

  pan(dx, dy) {
    this.moved = true;
    this.flyTo(
      { x: this.camera.x - dx / this.camera.k, y: this.camera.y + dy / this.camera.k, k: this.camera.k },
      false,
    );
  }

  flyTo(camera, fly = true) {
    if (!fly || !this.width) {
      this.motion.stop("camera");
      this.cameraTo = null;
      this.camera = camera;
    } else {
      const from = this.camera;
      this.cameraTo = camera;
      this.motion.start("camera", (t) => {
        this.camera = t === 1 ? camera : blend(from, camera, t);
        this.cameraTo = t === 1 ? null : camera;
      });
    }
    this.schedule();
  }

  /** A world point's place on the canvas. */
  place(x, y) {
    return [
      (x - this.camera.x) * this.camera.k + this.width / 2,
      (this.camera.y - y) * this.camera.k + this.height / 2,
    ];
  }

  sx(i) {
    return (this.at[2 * i] - this.camera.x) * this.camera.k + this.width / 2;
  }

  sy(i) {
    return (this.camera.y - this.at[2 * i + 1]) * this.camera.k + this.height / 2;
  }

  schedule() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      if (givesWay()) {
        this.schedule();
        return;
      }
      const going = this.motion.step();
      if (this.draw() || going) {
        this.schedule();
      }
    });
  }
}

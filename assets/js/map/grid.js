// Finds the nearest point with a grid of cells, about two points in each, so that a search looks at few points.

const PER_CELL = 2;

export class Grid {
  /** points: x and y of each point. O(n). */
  constructor(points) {
    const n = points.length >> 1;
    let x0 = Infinity,
      y0 = Infinity,
      x1 = -Infinity,
      y1 = -Infinity;
    for (let i = 0; i < n; i++) {
      x0 = Math.min(x0, points[2 * i]);
      x1 = Math.max(x1, points[2 * i]);
      y0 = Math.min(y0, points[2 * i + 1]);
      y1 = Math.max(y1, points[2 * i + 1]);
    }
    this.points = points;
    this.x0 = x0;
    this.y0 = y0;
    // If the points are almost on a line, square cells of two points each would take too much memory.
    this.side = Math.max(Math.sqrt(((x1 - x0) * (y1 - y0) * PER_CELL) / n), Math.max(x1 - x0, y1 - y0) / n) || 1;
    this.columns = n && Math.floor((x1 - x0) / this.side) + 1;
    this.rows = n && Math.floor((y1 - y0) / this.side) + 1;
    const cells = new Uint32Array(n);
    this.starts = new Uint32Array(this.columns * this.rows + 1);
    for (let i = 0; i < n; i++) {
      cells[i] = this.column(points[2 * i]) + this.columns * this.row(points[2 * i + 1]);
      this.starts[cells[i] + 1]++;
    }
    for (let c = 1; c < this.starts.length; c++) {
      this.starts[c] += this.starts[c - 1];
    }
    this.items = new Uint32Array(n); // sorted by cell
    const next = this.starts.slice();
    for (let i = 0; i < n; i++) {
      this.items[next[cells[i]]++] = i;
    }
  }

  column(x) {
    return Math.min(Math.max(Math.floor((x - this.x0) / this.side), 0), this.columns - 1);
  }

  row(y) {
    return Math.min(Math.max(Math.floor((y - this.y0) / this.side), 0), this.rows - 1);
  }

  /**
   * The item with the lowest cost below limit, or −1. cost(dx, dy, item) must be at least the distance √(dx² + dy²)
   * from (x, y), or Infinity to exclude an item. The search goes outwards in rings of cells, as long as a cell could
   * hold a better item.
   */
  best(x, y, limit, cost) {
    let best = -1;
    const column = this.column(x),
      row = this.row(y);
    const rings = Math.max(column, row, this.columns - 1 - column, this.rows - 1 - row);
    for (let ring = 0; ring <= rings && (ring - 1) * this.side <= limit; ring++) {
      for (let r = Math.max(row - ring, 0); r <= Math.min(row + ring, this.rows - 1); r++) {
        const whole = r === row - ring || r === row + ring;
        for (let c = column - ring; c <= column + ring; c += whole || ring === 0 ? 1 : 2 * ring) {
          if (c < 0 || c >= this.columns) {
            continue;
          }
          const cell = c + this.columns * r;
          for (let at = this.starts[cell]; at < this.starts[cell + 1]; at++) {
            const i = this.items[at];
            const price = cost(this.points[2 * i] - x, this.points[2 * i + 1] - y, i);
            if (price < limit) {
              limit = price;
              best = i;
            }
          }
        }
      }
    }
    return best;
  }

  /** The nearest item to (x, y) within a distance, or −1. passes(item) says which ones count. */
  nearest(x, y, within, passes) {
    return this.best(x, y, within, (dx, dy, i) => (passes(i) ? Math.hypot(dx, dy) : Infinity));
  }

  /**
   * The nearest item from item i in the direction (ux, uy), a unit vector, or −1: within 53° of it, with sideways
   * distance counting more.
   */
  toward(i, ux, uy, passes) {
    return this.best(this.points[2 * i], this.points[2 * i + 1], Infinity, (dx, dy, j) => {
      const d = Math.hypot(dx, dy),
        along = dx * ux + dy * uy;
      return j !== i && d > 0 && along > 0.6 * d && passes(j) ? (d * d) / along : Infinity;
    });
  }
}

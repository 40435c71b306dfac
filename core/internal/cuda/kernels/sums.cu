// The gradient of the rows, and the step along it. Every row has one owner.
//
// A row may have many slots, so they are summed in runs: pieces of the sorted list within 32 places. The owner of the
// row then sums its runs.
#include "math.h"

// runs: a warp per 32 places of the sorted slots and 32 dimensions. The sum of each run is stored at its first place.
KERNEL(runs) {
  int parts = (2 * w.h + 31) / 32, d = (int)(warp % parts) * 32;
  int first = (int)(warp / parts) * RUN, count = least(w.start[w.users + w.items] - first, (int)RUN);
  if (count <= 0) return;
  Lanes<int> key, src;
  Lanes<float> coef, self;
  EACH(l) {
    int s = w.slots[first + least(l, count - 1)];
    key[l] = w.rows[s];
    src[l] = w.src[s];
    coef[l] = w.coef[s];
    self[l] = w.self[s];
  }
  add_runs(w, first, count, d, key, src, coef, w.dense, 2 * w.h);
  if (d > 0) return;
  float own = 0;
  int open = first;
  for (int k = 0; k < count; k++) {
    own += at(self, k);
    if (k + 1 < count && at(key, k + 1) == at(key, k)) continue;
    EACH(l) {
      if (l == 0) w.partial_self[open] = own;
    }
    own = 0;
    open = first + k + 1;
  }
}

// into returns the destination of the current step's gradient.
DEVICE float *into(const Work &w) {
  float *grad = w.grad, *v = w.v; // loading both keeps the compiler from copying w to choose an address
  return w.into ? v : grad;
}

// rows sums the gradient of row `warp`: to grad, with the proxy, or in the outer step to v.
KERNEL(rows) {
  if (warp >= w.n) return;
  int entity = (int)warp + w.shift, width = 2 * w.h, first = w.start[entity], end = w.start[entity + 1];
  if (end == first) return;
  float self = 0, *out = into(w);
  bool proxy = !w.into && w.margin_net && !w.unit_proxy;
  for (int k = first; k < end; k = next_run(k)) self += w.partial_self[k];
  EACH(l) {
    for (int d = l; d < width; d += 32) {
      float sum = 0;
      for (int k = first; k < end; k = next_run(k)) sum += w.partial[(i64)k * width + d]; // one or two, almost always
      sum += self * value(w, w.x, warp, d);
      i64 at = warp * width + d;
      out[at] = sum;
      if (proxy) w.proxy[at] = value(w, w.x, warp, d) - w.alpha * sum;
    }
    if (l == 0 && !w.into) w.seen[warp] = w.number;
  }
}

// The proxy of unit length, Θ̃ = Θ − αG/‖G‖, and v less its component along G: sums over all rows, in tiles of TILE
// rows (sort.cu).

// unit_products: ‖G‖² of a row, or in the outer step v·G: a warp per row.
KERNEL(unit_products) {
  if (warp >= w.n || !named(w, warp)) return;
  const float *x = into(w);
  Lanes<float> product;
  EACH(l) {
    product[l] = 0;
    for (int d = l; d < 2 * w.h; d += 32) {
      i64 at = warp * 2 * w.h + d;
      product[l] = fma_(x[at], w.grad[at], product[l]);
    }
  }
  float all = total(product);
  EACH(l) {
    if (l == 0) w.products[warp] = all;
  }
}

// unit_tiles: a warp per tile of rows.
KERNEL(unit_tiles) {
  i64 first = warp * TILE, end = least(first + TILE, (i64)w.n);
  if (first >= end) return;
  Lanes<double> sum;
  EACH(l) {
    sum[l] = 0;
    for (i64 r = first + l; r < end; r += 32)
      if (named(w, r)) sum[l] += w.products[r];
  }
  double all = total(sum);
  EACH(l) {
    if (l == 0) w.tiles[warp] = all;
  }
}

// unit_length sums the tiles: one warp.
KERNEL(unit_length) {
  if (warp > 0) return;
  i64 tiles = ((i64)w.n + TILE - 1) / TILE;
  Lanes<double> sum;
  EACH(l) {
    sum[l] = 0;
    for (i64 k = l; k < tiles; k += 32) sum[l] += w.tiles[k];
  }
  double all = total(sum);
  EACH(l) {
    if (l == 0 && w.into == 0) {
      w.unit[0] = all;
      w.unit[1] = all > 0 ? w.alpha / precise_root(all) : 0;
    } else if (l == 0) {
      w.unit[2] = w.unit[0] > 0 ? all / w.unit[0] : 0;
    }
  }
}

// unit_rows writes the proxy, or removes from v its component along G: a warp per row.
KERNEL(unit_rows) {
  if (warp >= w.n || !named(w, warp)) return;
  float step = proxy_step(w), along = w.into ? (float)w.unit[2] : 0; // only known in the outer step
  EACH(l) {
    for (int d = l; d < 2 * w.h; d += 32) {
      i64 at = warp * 2 * w.h + d;
      if (w.into == 0)
        w.proxy[at] = value(w, w.x, warp, d) - step * w.grad[at];
      else
        w.v[at] -= along * w.grad[at];
    }
  }
}

// unseen sets the proxy to Θ for rows of the outer batch without G: a warp per row.
KERNEL(unseen) {
  if (warp >= w.n || !named(w, warp) || w.seen[warp] == w.number) return;
  EACH(l) {
    for (int d = l; d < 2 * w.h; d += 32) w.proxy[warp * 2 * w.h + d] = value(w, w.theta, warp, d);
  }
}

// moved returns whether the step moves row r of theta, and sets a bit in seen for each task with a gradient of it.
DEVICE bool moved(const Tasks &tasks, i64 r, u32 &seen) {
  const Work &w = tasks.of[0];
  seen = w.shrunk ? 0 : seen_by(tasks, r);
  return w.shrunk ? w.moved[r] == w.number : seen != 0;
}

// update moves row `warp` along the sum of the tasks' gradients by Adam and brings it within its bounds. The previous
// row is kept in the first task's grad.
KERNEL_OF_ALL(update) {
  const Work &w = tasks.of[0];
  if (warp >= w.n) return;
  u32 seen;
  if (!moved(tasks, warp, seen)) return;
  int width = 2 * w.h;
  float *x = w.theta + warp * width;
  float *m = w.moment + warp * width, *v = w.variance + warp * width;
  Lanes<float> norm, spread;
  bool bounded = warp + w.shift >= w.users || !w.composed;
  EACH(l) {
    norm[l] = spread[l] = 0;
    for (int d = l; d < width; d += 32) {
      float old = x[d], g = w.shrunk ? w.shrunk[warp * width + d] : gradient_of(tasks, seen, warp * width + d);
      float y = adam(old, g, m[d], v[d], w.step, w.epsilon);
      if (d >= w.h && bounded && !w.is_signed && y < MIN_STDDEV) y = MIN_STDDEV;
      if (d < w.h || w.bound == JOINT)
        norm[l] = fma_(y, y, norm[l]);
      else
        spread[l] += w.bound == STDDEV ? y * y : (y * y) * (y * y);
      w.grad[warp * width + d] = old;
      x[d] = y;
    }
  }
  float size = total(norm), area = total(spread);
  float most_size = w.radius * w.radius, shrink = size <= most_size ? 1 : w.radius / root(size), narrow = shrink;
  if (w.bound == SIGMA) narrow = area > 1 ? root(root(1 / area)) : 1;
  if (w.bound == STDDEV) narrow = area <= most_size ? 1 : w.radius / root(area);
  Lanes<int> wrong;
  EACH(l) {
    wrong[l] = 0;
    for (int d = l; d < width; d += 32) {
      if (bounded && d < w.h && shrink != 1) x[d] *= shrink;
      if (bounded && d >= w.h && narrow != 1) x[d] = w.is_signed ? x[d] * narrow : most(x[d] * narrow, MIN_STDDEV);
      wrong[l] |= broken(x[d]);
    }
  }
  if (which(wrong)) {
    EACH(l) {
      if (l == 0) min_to(w.bad, (u32)warp);
    }
  }
}

// undo restores row `warp` to its state before the step.
KERNEL_OF_ALL(undo) {
  const Work &w = tasks.of[0];
  u32 seen;
  if (warp >= w.n || !moved(tasks, warp, seen)) return;
  EACH(l) {
    for (int d = l; d < 2 * w.h; d += 32) w.theta[warp * 2 * w.h + d] = w.grad[warp * 2 * w.h + d];
  }
}

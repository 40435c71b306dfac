// The gradient by the rows, and the step along it. Every row has one owner.
//
// The slots of a row may be many, so they are added up in runs, pieces of the sorted list that lie within 32 places,
// and the owner of the row adds up its runs.
#include "math.h"

enum { RUN = 32 };

// runs: a warp 32 places of the sorted slots. The sum of each run stands at its first place.
KERNEL(runs) {
  int first = (int)warp * RUN, count = least(w.start[w.users + w.items] - first, (int)RUN), width = 2 * w.h;
  if (count <= 0) return;
  Lanes<int> key, src;
  Lanes<float> coef, self;
  EACH(l) {
    key[l] = -1;
    src[l] = 0;
    coef[l] = self[l] = 0;
    if (l < count) {
      int s = w.slots[first + l];
      key[l] = w.rows[s];
      src[l] = w.src[s];
      coef[l] = w.coef[s];
      self[l] = w.self[s];
    }
  }
  for (int d = 0; d < width; d += 32) {
    Lanes<float> sum;
    float own = 0;
    int open = 0;
    EACH(l) sum[l] = 0;
    for (int k = 0; k < count; k++) {
      float c = at(coef, k);
      const float *x = w.dense + (i64)at(src, k) * width + d;
      own += at(self, k);
      EACH(l) {
        if (c != 0 && d + l < width) sum[l] += c * x[l];
      }
      if (k + 1 == count || at(key, k + 1) != at(key, k)) {
        EACH(l) {
          if (d + l < width) w.partial[(i64)(first + open) * width + d + l] = sum[l];
          if (d == 0 && l == 0) w.partial_self[first + open] = own;
          sum[l] = 0;
        }
        own = 0;
        open = k + 1;
      }
    }
  }
}

// run_sum adds up element d of the runs of an entity.
DEVICE float run_sum(const Work &w, int entity, int d) {
  float sum = 0;
  for (int k = w.start[entity]; k < w.start[entity + 1]; k = (k + RUN) / RUN * RUN)
    sum += w.partial[(i64)k * 2 * w.h + d];
  return sum;
}

// rows adds up the gradient by row `warp`: into grad, with what stands there of this step, and the proxy; or, in the
// outer step, into v.
KERNEL(rows) {
  if (warp >= w.n) return;
  int entity = (int)warp + w.shift, width = 2 * w.h, first = w.start[entity], end = w.start[entity + 1];
  bool again = w.seen[warp] == w.number;
  if (end == first) return;
  float self = 0;
  for (int k = first; k < end; k = (k + RUN) / RUN * RUN) self += w.partial_self[k];
  EACH(l) {
    for (int d = l; d < width; d += 32) {
      float sum = run_sum(w, entity, d) + self * value(w, w.x, warp, d);
      i64 at = warp * width + d;
      if (!w.accumulate) {
        w.v[at] = sum;
      } else {
        w.grad[at] = again ? w.grad[at] + sum : sum;
        if (w.unit_proxy)
          w.task_grad[at] = sum;
        else if (w.margin_net)
          w.proxy[at] = value(w, w.x, warp, d) - w.alpha * sum;
      }
    }
  }
  sync(); // all lanes have looked at seen
  EACH(l) {
    if (l == 0 && w.accumulate) w.seen[warp] = w.number;
  }
}

// The proxy of unit length, Θ̃ = Θ − αG/‖G‖, and v less what lies along G: sums over all rows, by tiles of TILE rows
// (sort.cu).

// named reports whether the task under way names row r.
DEVICE bool named(const Work &w, i64 r) { return w.start[r + w.shift] != w.start[r + w.shift + 1]; }

// unit_products: ‖G‖² of a row, in the outer step v·G: a warp a row.
KERNEL(unit_products) {
  if (warp >= w.n || !named(w, warp)) return;
  Lanes<float> product;
  EACH(l) {
    product[l] = 0;
    for (int d = l; d < 2 * w.h; d += 32) {
      i64 at = warp * 2 * w.h + d;
      product[l] = fma_(w.into == 0 ? w.task_grad[at] : w.v[at], w.task_grad[at], product[l]);
    }
  }
  float all = total(product);
  EACH(l) {
    if (l == 0) w.products[warp] = all;
  }
}

// unit_tiles: a warp a tile of rows.
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

// unit_length adds the tiles up: one warp.
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

// unit_rows writes the proxy, or takes out of v what lies along G: a warp a row.
KERNEL(unit_rows) {
  if (warp >= w.n || !named(w, warp)) return;
  float step = proxy_step(w), along = (float)w.unit[2];
  EACH(l) {
    for (int d = l; d < 2 * w.h; d += 32) {
      i64 at = warp * 2 * w.h + d;
      if (w.into == 0)
        w.proxy[at] = value(w, w.x, warp, d) - step * w.task_grad[at];
      else
        w.v[at] -= along * w.task_grad[at];
    }
  }
}

// unseen lets the proxy be Θ where the outer batch names a row that has no G: a warp a row. Only user-item pairs have
// such a batch, and their task is a step's first, so that who was seen has a G of theirs.
KERNEL(unseen) {
  if (warp >= w.n || !named(w, warp) || w.seen[warp] == w.number) return;
  EACH(l) {
    for (int d = l; d < 2 * w.h; d += 32) w.proxy[warp * 2 * w.h + d] = value(w, w.theta, warp, d);
  }
}

// update moves row `warp` along its gradient by Adam and pulls it back into its bounds. The row as it was stays in
// grad.
KERNEL(update) {
  if (warp >= w.n || w.seen[warp] != w.number) return;
  int width = 2 * w.h;
  float *x = w.theta + warp * width, *g = w.grad + warp * width;
  float *m = w.moment + warp * width, *v = w.variance + warp * width;
  Lanes<float> norm, spread;
  bool bounded = warp + w.shift >= w.users || !w.composed;
  EACH(l) {
    norm[l] = spread[l] = 0;
    for (int d = l; d < width; d += 32) {
      float old = x[d], y = adam(old, g[d], m[d], v[d], w.step, w.epsilon);
      if (d >= w.h && bounded && !w.is_signed && y < MIN_STDDEV) y = MIN_STDDEV;
      if (d < w.h || w.bound == JOINT)
        norm[l] = fma_(y, y, norm[l]);
      else
        spread[l] += w.bound == STDDEV ? y * y : (y * y) * (y * y);
      g[d] = old;
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

// undo takes row `warp` back to before the step.
KERNEL(undo) {
  if (warp >= w.n || w.seen[warp] != w.number) return;
  EACH(l) {
    for (int d = l; d < 2 * w.h; d += 32) w.theta[warp * 2 * w.h + d] = w.grad[warp * 2 * w.h + d];
  }
}

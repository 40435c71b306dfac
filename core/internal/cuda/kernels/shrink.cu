// Rows composed from learned ones, θ = Sφ, which draws items with few likes towards their neighbours (shrinkage.go of
// package pmlam). All losses are functions of θ, and ∂L/∂φ = Sᵀ·∂L/∂θ. Here theta holds φ, and shrunk holds θ.
#include "math.h"

// shrink composes the rows of θ that a task names: a warp per row.
KERNEL_OF_ALL(shrink) {
  const Work &w = tasks.of[0];
  if (warp >= w.n) return;
  bool any = false;
  for (int k = 0; k < tasks.count; k++) any |= named(tasks.of[k], warp);
  if (!any) return;
  int width = 2 * w.h, first = w.sources[warp], end = w.sources[warp + 1];
  EACH(l) {
    for (int d = l; d < width; d += 32) {
      float sum = 0;
      for (int k = first; k < end; k++) sum += w.source_weight[k] * w.theta[(i64)w.source[k] * width + d];
      w.shrunk[warp * width + d] = sum;
    }
  }
}

// shrunk_gradient overwrites θ, which this step no longer needs, with ∂L/∂φ, for the rows behind those that a task has
// seen: a warp per row and 32 dimensions. An item may be a neighbour of thousands, of which a step sees few: the lanes
// search for them, 32 at once.
KERNEL_OF_ALL(shrunk_gradient) {
  const Work &w = tasks.of[0];
  int width = 2 * w.h, parts = (width + 31) / 32, d = (int)(warp % parts) * 32;
  i64 row = warp / parts;
  if (row >= w.n) return;
  int end = w.targets[row + 1];
  u32 any = 0;
  Lanes<float> sum;
  EACH(l) sum[l] = 0;
  for (int from = w.targets[row]; from < end; from += 32) {
    Lanes<int> target, seen;
    Lanes<float> weight;
    EACH(l) {
      int k = least(from + l, end - 1);
      target[l] = w.target[k];
      weight[l] = w.target_weight[k];
      seen[l] = from + l < end ? (int)seen_by(tasks, target[l]) : 0;
    }
    u32 those = which(seen);
    any |= those;
    for (; those; those &= those - 1) {
      int k = lowest(those);
      i64 r = at(target, k);
      u32 by = (u32)at(seen, k);
      float c = at(weight, k);
      EACH(l) {
        if (d + l < width) sum[l] += c * gradient_of(tasks, by, r * width + d + l);
      }
    }
  }
  if (!any) return;
  EACH(l) {
    if (d + l < width) w.shrunk[row * width + d + l] = sum[l];
    if (d == 0 && l == 0) w.moved[row] = w.number;
  }
}

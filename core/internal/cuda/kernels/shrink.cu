// Rows that are composed of those that are learned, θ = Sφ, where items that few like are drawn towards their neighbours
// (shrinkage.go of package pmlam): all losses are of θ, and ∂L/∂φ = Sᵀ·∂L/∂θ. Here theta holds φ, and shrunk θ.
#include "math.h"

// shrink composes θ: a warp a row.
KERNEL_OF_ALL(shrink) {
  const Work &w = tasks.of[0];
  if (warp >= w.n) return;
  int width = 2 * w.h, first = w.sources[warp], end = w.sources[warp + 1];
  EACH(l) {
    for (int d = l; d < width; d += 32) {
      float sum = 0;
      for (int k = first; k < end; k++) sum += w.source_weight[k] * w.theta[(i64)w.source[k] * width + d];
      w.shrunk[warp * width + d] = sum;
    }
  }
}

// shrunk_gradient writes ∂L/∂φ in place of θ, which is not looked at any more in this step, for the rows behind those
// that a task has seen: a warp a row.
KERNEL_OF_ALL(shrunk_gradient) {
  const Work &w = tasks.of[0];
  if (warp >= w.n) return;
  int width = 2 * w.h, first = w.targets[warp], end = w.targets[warp + 1];
  u32 any = 0;
  for (int k = first; k < end; k++) any |= seen_by(tasks, w.target[k]);
  if (!any) return;
  EACH(l) {
    for (int d = l; d < width; d += 32) {
      float sum = 0;
      for (int k = first; k < end; k++) {
        i64 r = w.target[k];
        u32 seen = seen_by(tasks, r);
        if (seen) sum += w.target_weight[k] * gradient_of(tasks, seen, r * width + d);
      }
      w.shrunk[warp * width + d] = sum;
    }
    if (l == 0) w.moved[warp] = w.number;
  }
}

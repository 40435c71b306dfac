// Anchors that are composed of what the user likes, with the pair's own positive left out:
//
//	θ_a = Π(free + w/(n−1) · (Σ_{j liked} θ_j − θ_p))
//
// The pairs of a user share the sum. The first of them, by its slot, leads: it adds up for all, and what its user's
// items get of the gradient stands in its place.
#include "math.h"

DEVICE i64 leader(const Work &w, int u) { return w.slots[w.start[u]] / w.per; }

DEVICE float factor(const Work &w, int u) {
  int n = (int)(w.likes[u + 1] - w.likes[u]);
  return n > 1 ? w.user_weight / (float)(n - 1) : 0;
}

// compose_sums: a warp a pair.
KERNEL(compose_sums) {
  if (warp >= w.b) return;
  int u = w.rows[warp * w.per], width = 2 * w.h;
  if (leader(w, u) != warp) return;
  EACH(l) {
    for (int d = l; d < width; d += 32) {
      float sum = 0;
      for (i64 k = w.likes[u]; k < w.likes[u + 1]; k++) sum += value(w, w.x, (i64)w.users + w.liked[k] - w.shift, d);
      w.sums[warp * width + d] = sum;
    }
  }
}

// compose writes the anchors: a warp a pair.
KERNEL(compose) {
  if (warp >= w.b) return;
  i64 slot = warp * w.per, p = row_of(w, slot + 1), first = leader(w, w.rows[slot]);
  int width = 2 * w.h;
  float c = factor(w, w.rows[slot]), *anchor = w.dense + warp * width;
  Lanes<float> sum;
  EACH(l) {
    sum[l] = 0;
    for (int d = l; d < width; d += 32) {
      float x = w.free_users ? value(w, w.x, row_of(w, slot), d) : 0;
      x += c * (w.sums[first * width + d] - value(w, w.x, p, d));
      if (d < w.h)
        sum[l] = fma_(x, x, sum[l]);
      else
        x = w.points ? 0 : most(x, MIN_STDDEV);
      anchor[d] = x;
    }
  }
  float norm = total(sum), scale = norm <= w.radius * w.radius ? 1 : w.radius / root(norm);
  EACH(l) {
    for (int d = l; d < w.h; d += 32)
      if (scale != 1) anchor[d] *= scale;
    if (l == 0) w.scales[warp] = scale;
  }
}

// compose_back turns the gradients by the anchors into those by what Π was applied to, in place: a warp a pair.
KERNEL(compose_back) {
  if (warp >= w.b) return;
  i64 slot = warp * w.per;
  float *g = w.dense + (w.b + warp) * 2 * w.h, scale = w.scales[warp];
  const float *anchor = w.dense + warp * 2 * w.h;
  Lanes<float> sum;
  EACH(l) {
    sum[l] = 0;
    for (int d = l; d < w.h; d += 32) sum[l] = fma_(g[d], anchor[d], sum[l]);
  }
  float along = total(sum) / (w.radius * w.radius);
  EACH(l) {
    for (int d = l; d < 2 * w.h; d += 32)
      if (d >= w.h) {
        if (anchor[d] <= MIN_STDDEV) g[d] = 0;
      } else if (scale != 1)
        g[d] = scale * (g[d] - along * anchor[d]);
    if (l == 0) term(w, slot + 2 + w.own, w.b + warp, -factor(w, w.rows[slot]), 0);
  }
}

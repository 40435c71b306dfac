// The adaptive margins. Package margin computes them in tiles; here all triplets of the batch are computed at once. Its
// comments have the formulas. r and z are the inputs of the network's first layer for a pair and for a negative, folded
// like margin.Folded.
#include "product.h"

// inputs writes the network's inputs and the distances: a warp per pair.
KERNEL(inputs) {
  if (warp >= w.b || w.rows[warp * w.per] < 0) return;
  float *pair_in = w.pair_in + warp * w.wp;
  const float *anchor = w.dense + warp * 2 * w.h;
  EACH(l) {
    for (int d = l; d < w.h; d += 32) {
      float xa = drawn(w, anchor, anchor[w.h + d], noise_of(w, warp, 0), d), xp = sample_of(w, w.x, warp, 1, d);
      if (w.input == DIFFERENCE)
        pair_in[d] = xa - xp;
      else if (w.input == ADD)
        pair_in[d] = xa + xp;
      else {
        pair_in[d] = xa;
        pair_in[w.hp + d] = xp;
      }
      for (int from = 0; from < w.own; from += AT_ONCE) {
        float xq[AT_ONCE];
        UNROLL for (int k = 0; k < AT_ONCE; k++) xq[k] = sample_of(w, w.x, warp, 2 + least(from + k, w.own - 1), d);
        UNROLL for (int k = 0; k < AT_ONCE; k++)
          if (from + k < w.own)
            w.in[(warp * w.own + from + k) * w.hp + d] = w.input == DIFFERENCE ? xa - xq[k] : xq[k];
      }
    }
  }
  float dp = distance(w, anchor, row_of(w, warp * w.per + 1));
  EACH(l) {
    if (l == 0) w.dp[warp] = dp;
  }
  distances(w, warp, anchor, LAMBDA(int k, float d) {
    EACH(l) {
      if (l == 0) w.dq[warp * w.own + k] = d;
    }
  });
}

// hidden_pairs: pre = b₁ + P·r. hidden: g = tanh(pre + Q·z).
KERNEL(hidden_pairs) {
  auto alive = LAMBDA(i64 i) { return w.rows[i * w.per] >= 0; };
  auto out = LAMBDA(i64 i, int j, float sum) { w.pre[i * w.Hp + j] = sum + w.small[j]; };
  if (w.input == DIFFERENCE)
    product<1, true>(warp, w.pair_in, w.b, w.wp, w.wp, w.pt, w.Hp, alive, out);
  else
    product<1, false>(warp, w.pair_in, w.b, w.wp, w.wp, w.pt, w.Hp, alive, out);
}
KERNEL(hidden) {
  const float *pre = w.pre; // not through w in the second lambda, which would make the compiler copy it
  float *g = w.g;
  int own = w.own, Hp = w.Hp;
  auto alive = LAMBDA(i64 t) { return w.rows[t / own * w.per] >= 0; };
  auto out = LAMBDA(i64 t, int j, float sum) { g[t * Hp + j] = hyperbolic(pre[t / own * Hp + j] + sum); };
  if (w.input == DIFFERENCE)
    product<2, true>(warp, w.in, (i64)w.b * own, w.hp, w.h, w.qt, Hp, alive, out);
  else
    product<2, false>(warp, w.in, (i64)w.b * own, w.hp, w.h, w.qt, Hp, alive, out);
}

// margins: the margins, the hinge, and e = weight·σ·w₂⊙(1−g²) of every active triplet, with its sum over the pair: a
// warp per pair. With the smooth hinge, margins are constants of the inner gradient, and e is not used.
KERNEL(margins) {
  if (warp >= w.b) return;
  bool alive = w.rows[warp * w.per] >= 0;
  float value = 0, count = 0, b2 = w.phi[w.H * ((w.input == ADD ? 1 : 3) * w.h + 2)];
  const float *w2 = w.small + w.Hp;
  int units = w.smooth > 0 ? 0 : w.Hp; // with e
  EACH(l) {
    for (int j = l; j < units; j += 32) w.sum_e[warp * w.Hp + j] = 0;
  }
  for (int k = 0; k < w.own; k++) {
    i64 t = warp * w.own + k;
    float margin = 0, sigma = 0, slope = 0; // slope: ∂L/∂δ of the smooth hinge
    bool active = false;
    if (alive) {
      Lanes<float> sum;
      EACH(l) {
        sum[l] = 0;
        for (int j = l; j < w.Hp; j += 32) sum[l] = fma_(w2[j], w.g[t * w.Hp + j], sum[l]);
      }
      margin = softplus(total(sum) + b2, sigma);
      float v = w.dp[warp] - w.dq[t] + margin;
      active = v > 0 && w.smooth == 0;
      if (w.smooth > 0) {
        value += smooth_hinge(w, v, slope);
        count += slope;
      } else if (active) {
        value += v;
        count += 1;
      } else if (v != v) {
        value = v; // a NaN margin must not pass as kept
      }
    }
    EACH(l) {
      for (int j = l; j < units; j += 32) {
        float g = w.g[t * w.Hp + j], e = active ? w.weight * sigma * w2[j] * (1 - g * g) : 0;
        w.e[t * w.Hp + j] = e;
        w.sum_e[warp * w.Hp + j] += e;
      }
      if (l == 0) {
        w.margins[t] = margin;
        w.sigma[t] = sigma;
        w.active[t] = w.smooth > 0 ? -slope * w.weight : active ? -w.weight : 0;
      }
    }
  }
  sync();
  EACH(l) {
    if (l == 0) {
      w.values[warp] = value * w.weight;
      w.dp[warp] = count * w.weight;
    }
  }
}

// back: β = Qᵀe; back_pairs: γ = PᵀΣe.
KERNEL(back) {
  product<1, false>(warp, w.e, (i64)w.b * w.own, w.Hp, w.H, w.q, w.hp, LAMBDA(i64 t) { return w.active[t] != 0; },
                 LAMBDA(i64 t, int d, float sum) { w.out[t * w.hp + d] = sum; });
}
KERNEL(back_pairs) {
  product<1, false>(warp, w.sum_e, w.b, w.Hp, w.H, w.p, w.wp, LAMBDA(i64 i) { return w.rows[i * w.per] >= 0; },
                 LAMBDA(i64 i, int d, float sum) { w.pair_out[i * w.wp + d] = sum; });
}

// lift_constant writes the edges of pair `warp`, whose margins are constants.
KERNEL(lift_constant) {
  if (warp < w.b && w.rows[warp * w.per] >= 0) edges(w, warp, w.dp[warp], w.active + warp * w.own);
}

// lift writes the gradients of the rows of pair `warp`: from its distances, and from its margins by the network's
// inputs.
KERNEL(lift) {
  i64 slot = warp * w.per;
  if (warp >= w.b || w.rows[slot] < 0) return;
  float cp = w.dp[warp];
  i64 own = 2 * (i64)w.b + slot; // the row of dense for the pair's slot 0
  EACH(l) {
    if (l == 0) {
      term(w, slot, w.b + warp, cp == 0 ? 0 : 1, 0);
      term(w, slot + 1, own + 1, cp == 0 ? 0 : 1, 0);
    }
    for (int k = l; k < w.own; k += 32) term(w, slot + 2 + k, own + 2 + k, w.active[warp * w.own + k] == 0 ? 0 : 1, 0);
  }
  if (cp == 0) return; // no triplet is active
  int h = w.h, width = 2 * h;
  const float *anchor = w.dense + warp * width, *pair_in = w.pair_in + warp * w.wp, *gamma = w.pair_out + warp * w.wp;
  const float *in = w.in + warp * w.own * w.hp, *out = w.out + warp * w.own * w.hp;
  bool difference = w.input == DIFFERENCE;
  int second = w.input == CAT ? w.hp : 0; // the part of γ for the positive
  EACH(l) {
    for (int d = l; d < h; d += 32) {
      // gradients of the anchor: of the distances by μ and s, of the margins by x
      float mean = 0, deviation = 0, sample = 0;
      float am = anchor[d], as = anchor[h + d];
      for (int from = 0; from <= w.own; from += AT_ONCE) { // the negatives, then the positive
        float c[AT_ONCE], xm[AT_ONCE], xs[AT_ONCE], seen[AT_ONCE], by[AT_ONCE], eps[AT_ONCE];
        UNROLL for (int k = 0; k < AT_ONCE; k++) {
          int n = least(from + k, w.own);
          bool positive = n == w.own;
          c[k] = from + k > w.own ? 0 : positive ? cp : w.active[warp * w.own + n];
          i64 r = row_of(w, slot + (positive ? 1 : 2 + n));
          bool on = c[k] != 0;
          xm[k] = on ? value(w, w.x, r, d) : 0;
          xs[k] = on ? value(w, w.x, r, h + d) : 0;
          seen[k] = on && difference ? positive ? pair_in[d] : in[n * w.hp + d] : 0;
          by[k] = on ? positive ? gamma[second + d] : out[n * w.hp + d] : 0;
          eps[k] = on && !w.points ? noise_of(w, warp, positive ? 1 : 2 + n)[d] : 0;
        }
        UNROLL for (int k = 0; k < AT_ONCE; k++) {
          if (c[k] == 0) continue;
          float em = 2 * c[k] * (xm[k] - am), es = 2 * c[k] * (xs[k] - as), dx = by[k];
          if (difference) sample -= dx = -2 * (seen[k] * by[k]);
          mean -= em;
          deviation -= es;
          float *grad = w.dense + (from + k == w.own ? own + 1 : own + 2 + from + k) * width;
          grad[d] = em + dx;
          grad[h + d] = es + (w.points ? 0 : dx * eps[k]);
        }
      }
      if (w.input != DIFFERENCE) sample += gamma[d];
      float *grad = w.dense + (w.b + warp) * width;
      grad[d] = mean + sample;
      grad[h + d] = deviation + (w.points ? 0 : sample * noise_of(w, warp, 0)[d]);
    }
  }
}

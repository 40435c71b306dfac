// Anchors, and the losses that depend only on distances: the hinge with a fixed margin and the softmax. The outer loss
// can be either.
#include "math.h"

// anchors lays the rows of the anchors side by side: a warp per pair.
KERNEL(anchors) {
  if (warp >= w.b || w.rows[warp * w.per] < 0) return;
  i64 r = row_of(w, warp * w.per);
  EACH(l) {
    for (int d = l; d < 2 * w.h; d += 32) w.dense[warp * 2 * w.h + d] = value(w, w.x, r, d);
  }
}

// smooth_hinge returns τ·softplus(x/τ), and its derivative in slope.
DEVICE float smooth_hinge(const Work &w, float x, float &slope) { return w.smooth * softplus(x / w.smooth, slope); }

// hinge replaces d_q in dq of the pair by ∂J/∂d_q, and returns ∂J/∂d_p and the loss, both without the weight.
DEVICE float hinge(const Work &w, float *dq, float dp, float &loss) {
  Lanes<float> sum, active;
  EACH(l) {
    sum[l] = active[l] = 0;
    for (int k = l; k < w.own; k += 32) {
      float v = dp - dq[k] + w.margin;
      dq[k] = 0;
      if (w.smooth > 0 && w.into == 0) {
        float slope;
        sum[l] += smooth_hinge(w, v, slope);
        active[l] += slope;
        dq[k] = -slope;
      } else if (v > 0) {
        sum[l] += v;
        active[l] += 1;
        dq[k] = -1;
      }
    }
  }
  loss = total(sum);
  return total(active);
}

// softmax does the same for log(1 + Σ_q exp((d_p − d_q)/τ)).
DEVICE float softmax(const Work &w, float *dq, float dp, float &loss) {
  Lanes<float> top, sum, shares;
  EACH(l) {
    top[l] = 0; // the positive's own logit
    for (int k = l; k < w.own; k += 32) top[l] = most(top[l], (dp - dq[k]) * w.inverse);
  }
  float highest = largest(top);
  EACH(l) {
    sum[l] = 0;
    for (int k = l; k < w.own; k += 32) sum[l] += dq[k] = exponential((dp - dq[k]) * w.inverse - highest);
  }
  float all = total(sum) + exponential(-highest), scale = w.inverse / all;
  EACH(l) {
    shares[l] = 0;
    for (int k = l; k < w.own; k += 32) {
      float c = dq[k] * scale;
      shares[l] += c;
      dq[k] = -c;
    }
  }
  loss = highest + (float)logarithm(all);
  return total(shares);
}

// edges writes the terms of the distances of pair i, with the coefficients c_p and the pair's own c_q, and the gradient
// of its anchor a,
//
//	2(c_p + Σc_q)·a − 2c_p·x_p − 2Σ c_q·x_q
DEVICE void edges(const Work &w, i64 i, float cp, const float *cq) {
  i64 slot = i * w.per, p = row_of(w, slot + 1);
  const float *anchor = w.dense + i * 2 * w.h;
  Lanes<float> sum;
  EACH(l) {
    sum[l] = 0;
    for (int k = l; k < w.own; k += 32) {
      float c = cq[k];
      sum[l] += c;
      term(w, slot + 2 + k, i, -2 * c, 2 * c);
    }
    if (l == 0) {
      term(w, slot, w.b + i, 1, 0);
      term(w, slot + 1, i, -2 * cp, 2 * cp);
    }
  }
  float all = total(sum) + cp;
  EACH(l) {
    for (int d = l; d < 2 * w.h; d += 32) {
      float g = 0;
      for (int k = 0; k < w.own; k++) {
        float c = cq[k];
        if (c != 0) g += -2 * c * value(w, w.x, row_of(w, slot + 2 + k), d);
      }
      g += -2 * cp * value(w, w.x, p, d);
      w.dense[(w.b + i) * 2 * w.h + d] = g + 2 * all * anchor[d];
    }
  }
}

// pairs computes the loss of a pair with its own negatives: its value and its edges.
KERNEL(pairs) {
  if (warp >= w.b) return;
  i64 slot = warp * w.per;
  if (w.rows[slot] < 0) {
    EACH(l) {
      if (l == 0) w.values[warp] = 0;
    }
    return;
  }
  const float *anchor = w.dense + warp * 2 * w.h;
  i64 p = row_of(w, slot + 1);
  float *dq = w.dq + warp * w.own, dp = distance(w, anchor, p), loss;
  distances(w, warp, anchor, LAMBDA(int k, float d) {
    EACH(l) {
      if (l == k % 32) dq[k] = d; // in the lane that needs it
    }
  });
  sync();
  float cp = w.softmax ? softmax(w, dq, dp, loss) : hinge(w, dq, dp, loss);
  EACH(l) {
    for (int k = l; k < w.own; k += 32) dq[k] *= w.weight;
    if (l == 0) w.values[warp] = loss * w.weight;
  }
  sync();
  edges(w, warp, cp * w.weight, dq);
}

// tally sums the losses, the pairs and the margins of 32 pairs, and totals them for the task, in a fixed order: a lane
// per pair, and one warp.
KERNEL(tally) {
  if (warp * 32 >= w.b) return;
  Lanes<double> loss, alive, margins;
  EACH(l) {
    i64 i = warp * 32 + l;
    loss[l] = alive[l] = margins[l] = 0;
    if (i < w.b && w.rows[i * w.per + 1] >= 0) {
      loss[l] = w.values[i];
      alive[l] = 1;
      for (int k = 0; w.margin_net && k < w.own; k++) margins[l] += w.margins[i * w.own + k];
    }
  }
  double sums[3] = {total(loss), total(alive), total(margins)};
  EACH(l) {
    if (l < 3) w.tallies[warp * 3 + l] = l == 0 ? sums[0] : l == 1 ? sums[1] : sums[2];
  }
}
KERNEL(totals) {
  if (warp > 0) return;
  Lanes<double> loss, alive, margins;
  EACH(l) {
    loss[l] = alive[l] = margins[l] = 0;
    for (i64 n = l; n < (w.b + 31) / 32; n += 32) {
      loss[l] += w.tallies[n * 3];
      alive[l] += w.tallies[n * 3 + 1];
      margins[l] += w.tallies[n * 3 + 2];
    }
  }
  double sums[3] = {total(loss), total(alive), total(margins)};
  EACH(l) {
    if (l == 0) {
      w.report[4 * w.task + w.into] = sums[0];
      w.report[4 * w.task + 2] = sums[1];
      w.report[4 * w.task + 3] = sums[2];
    }
  }
}

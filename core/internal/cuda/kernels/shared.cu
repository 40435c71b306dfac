// The softmax loss with negatives that blocks of anchors share. If each pair has its own anchor:
//
//	L_i = log(1 + Σ_k exp((d_p − d_k)/τ))   over the negatives k of the block that user i does not like
//
// With n_ik = −∂L_i/∂d_k ≥ 0 and c_p = Σ_k n_ik, the gradients are ∂a_i = −2c_p·x_p + 2Σ_k n_ik x_k and ∂x_k = Σ_i
// 2n_ik(a_i − x_k). If an anchor has the pairs of a part P, with S = Σ_k exp(−d_k/τ), as in parts.go of package pmlam:
//
//	L = |P|^−β Σ_{p∈P} log(1 + exp(d_p/τ)·S)   w_p = |P|^−β/(exp(−d_p/τ) + S)
//	c_p = S·w_p/τ   n_ik = exp(−d_k/τ)·Σ_p w_p/τ
//
// dq holds d_k, then 2·n_ik: A×Q.
#include "math.h"

enum { TOGETHER = 8 }; // anchors or negatives per lane at once

DEVICE i64 shared_slot(const Work &w, i64 block, int k) { return (i64)w.b * w.per + block * w.negatives + k; }

// anchors_of returns the anchors [first,end), at most 8, of group number `group`, and their block; false if the group
// has none.
DEVICE bool anchors_of(const Work &w, i64 group, i64 &block, i64 &first, i64 &end) {
  int groups = (w.size + TOGETHER - 1) / TOGETHER;
  block = group / groups;
  first = block * w.size + group % groups * TOGETHER;
  end = least<i64>(least<i64>((block + 1) * w.size, w.anchors), first + TOGETHER);
  return block < w.blocks && first < end;
}

// shared_gather transposes the negatives' rows, so that lanes can be negatives: a warp per 32 negatives of a block.
KERNEL(shared_gather) {
  int parts = (w.negatives + 31) / 32, width = 2 * w.h;
  i64 block = warp / parts;
  if (block >= w.blocks) return;
  EACH(l) {
    int k = (int)(warp % parts) * 32 + l;
    if (k < w.negatives) {
      i64 r = row_of(w, shared_slot(w, block, k));
      for (int d = 0; d < width; d++) w.across[(block * width + d) * w.negatives + k] = value(w, w.x, r, d);
    }
  }
}

// shared_distances: a warp per 8 anchors and 32 negatives.
KERNEL(shared_distances) {
  int parts = (w.negatives + 31) / 32, width = 2 * w.h;
  i64 block, first, end;
  if (!anchors_of(w, warp / parts, block, first, end)) return;
  EACH(l) {
    int k = (int)(warp % parts) * 32 + l;
    if (k < w.negatives) {
      float sum[TOGETHER] = {0};
      for (int from = 0; from < width; from += AT_ONCE) {
        float x[AT_ONCE];
        UNROLL for (int i = 0; i < AT_ONCE; i++)
          x[i] = w.across[(block * width + least(from + i, width - 1)) * w.negatives + k];
        UNROLL for (int r = 0; r < TOGETHER; r++) {
          const float *anchor = w.dense + least(first + r, end - 1) * width;
          UNROLL for (int i = 0; i < AT_ONCE; i++) { // no branch, so that all loads are issued before the first wait
            float difference = from + i < width ? anchor[least(from + i, width - 1)] - x[i] : 0;
            sum[r] = fma_(difference, difference, sum[r]);
          }
        }
      }
      UNROLL for (int r = 0; r < TOGETHER; r++)
        if (first + r < end) w.dq[(first + r) * w.negatives + k] = sum[r];
    }
  }
}

// exponentials turns d_k in dq into e^((base − d_k)/τ − highest), or 0 for items that user u likes, and returns their
// sum. It raises highest to the largest logit.
DEVICE float exponentials(const Work &w, i64 block, int u, float base, float *dq, float &highest) {
  const int *row = w.liked + w.likes[u];
  int length = (int)(w.likes[u + 1] - w.likes[u]);
  Lanes<float> top, sum;
  EACH(l) {
    top[l] = highest;
    for (int k = l; k < w.negatives; k += 32) {
      float logit = (base - dq[k]) * w.inverse;
      if (contains(row, length, w.rows[shared_slot(w, block, k)] - w.users)) logit = -real(0x7f800000u);
      dq[k] = logit;
      top[l] = most(top[l], logit);
    }
  }
  highest = largest(top);
  EACH(l) {
    sum[l] = 0;
    for (int k = l; k < w.negatives; k += 32) sum[l] += dq[k] = exponential(dq[k] - highest);
  }
  return total(sum);
}

// shared_softmax: a warp per pair.
KERNEL(shared_softmax) {
  if (warp >= w.b) return;
  float dp = distance(w, w.dense + warp * 2 * w.h, row_of(w, warp * w.per + 1)), *dq = w.dq + warp * w.negatives;
  float highest = 0; // the positive's own logit
  float negatives = exponentials(w, warp / w.size, w.rows[warp * w.per], dp, dq, highest);
  Lanes<float> shares;
  float all = negatives + exponential(-highest), scale = w.inverse / all * w.weight;
  EACH(l) {
    shares[l] = 0;
    for (int k = l; k < w.negatives; k += 32) {
      float c = dq[k] * scale;
      shares[l] += c;
      dq[k] = 2 * c;
    }
  }
  float cp = total(shares);
  EACH(l) {
    if (l == 0) {
      w.values[warp] = (highest + (float)logarithm(all)) * w.weight;
      w.dp[warp] = cp;
      term(w, warp * w.per, w.b + warp, 1, 0);
      term(w, warp * w.per + 1, warp, -2 * cp, 2 * cp);
    }
  }
}

// shared_positives: the distances of pairs that share the anchor of a part: a warp per pair.
KERNEL(shared_positives) {
  if (warp >= w.b) return;
  float d = distance(w, w.dense + anchor_of(w, warp) * 2 * w.h, row_of(w, warp * w.per + 1));
  EACH(l) {
    if (l == 0) w.dp[warp] = d;
  }
}

// shared_softmax_of_parts: a warp per anchor. Logits are relative to the first positive's, and to the largest of the
// negatives', so S is at least 1, and no positive overflows at any distance.
KERNEL(shared_softmax_of_parts) {
  if (warp >= w.anchors) return;
  int first = first_pair(w, warp), end = first_pair(w, warp + 1);
  float base = w.dp[first], *dq = w.dq + warp * w.negatives, highest = -3.402823466e38f;
  float all = exponentials(w, warp / w.size, w.rows[(i64)first * w.per], base, dq, highest);
  float weight = w.part_weights[end - first];
  Lanes<float> shares;
  sync(); // all lanes have read dp
  EACH(l) {
    shares[l] = 0;
    for (int p = first + l; p < end; p += 32) {
      float own = (base - w.dp[p]) * w.inverse - highest; // the positive's logit
      float loss, share;                                   // log(1 + S·e^−own), 1/(e^own + S)
      if (own > 0) {
        float e = exponential(-own);
        loss = (float)logarithm(1 + (double)(all * e));
        share = e / (1 + all * e);
      } else {
        float whole = exponential(own) + all;
        loss = (float)logarithm(whole) - own;
        share = 1 / whole;
      }
      share *= w.inverse * weight;
      if (w.power > 0) { // the generalised cross-entropy
        float tail = exponential(-w.power * loss);
        share *= tail;
        loss = (1 - tail) / w.power;
      }
      float cp = all * share;
      shares[l] += 2 * share;
      w.values[p] = loss * weight;
      w.dp[p] = cp;
      term(w, (i64)p * w.per + 1, warp, -2 * cp, 2 * cp);
    }
    if (l == 0) term(w, (i64)first * w.per, w.b + warp, 1, 0);
  }
  float scale = total(shares);
  EACH(l) {
    for (int k = l; k < w.negatives; k += 32) dq[k] *= scale;
  }
}

// shared_anchors writes the gradients of the anchors: a warp per 8 anchors and 32 dimensions.
KERNEL(shared_anchors) {
  int width = 2 * w.h, parts = (width + 31) / 32;
  i64 block, first, end;
  if (!anchors_of(w, warp / parts, block, first, end)) return;
  EACH(l) {
    int d = (int)(warp % parts) * 32 + l;
    if (d < width) {
      float sum[TOGETHER] = {0};
      for (int from = 0; from < w.negatives; from += AT_ONCE) {
        float x[AT_ONCE];
        UNROLL for (int i = 0; i < AT_ONCE; i++)
          x[i] = value(w, w.x, row_of(w, shared_slot(w, block, least(from + i, w.negatives - 1))), d);
        UNROLL for (int r = 0; r < TOGETHER; r++) {
          const float *dq = w.dq + least(first + r, end - 1) * w.negatives;
          UNROLL for (int i = 0; i < AT_ONCE; i++) // likewise
            sum[r] = fma_(from + i < w.negatives ? dq[least(from + i, w.negatives - 1)] : 0, x[i], sum[r]);
        }
      }
      UNROLL for (int r = 0; r < TOGETHER; r++)
        if (first + r < end) {
          i64 a = first + r;
          float own = w.starts ? run_sum(w, first_pair(w, a), first_pair(w, a + 1), d)
                               : -2 * w.dp[a] * value(w, w.x, row_of(w, a * w.per + 1), d);
          w.dense[(w.b + a) * width + d] = sum[r] + own;
        }
    }
  }
}

// shared_own writes the negatives' gradients from their block: a warp per 8 negatives and 32 dimensions.
KERNEL(shared_own) {
  int width = 2 * w.h, parts = (width + 31) / 32, groups = (w.negatives + TOGETHER - 1) / TOGETHER;
  i64 block = warp / (parts * groups);
  if (block >= w.blocks) return;
  int k = (int)(warp / parts) % groups * TOGETHER;
  i64 first = block * w.size, end = least<i64>(first + w.size, w.anchors);
  EACH(l) {
    int d = (int)(warp % parts) * 32 + l;
    if (d < width) {
      float sum[TOGETHER] = {0}, shares[TOGETHER] = {0};
      for (i64 i = first; i < end; i++) {
        float a = w.dense[i * width + d];
        UNROLL for (int r = 0; r < TOGETHER; r++) {
          float c = w.dq[i * w.negatives + least(k + r, w.negatives - 1)];
          sum[r] = fma_(c, a, sum[r]);
          shares[r] += c;
        }
      }
      UNROLL for (int r = 0; r < TOGETHER; r++)
        if (k + r < w.negatives) {
          i64 s = shared_slot(w, block, k + r), own = 2 * (i64)w.b + s;
          w.dense[own * width + d] = sum[r];
          if (d == 0) term(w, s, own, 1, -shares[r]);
        }
    }
  }
}

// The elementary functions of package vec in float32, operation by operation: equal arguments give the same bits.
#pragma once
#include "work.h"

#if defined(__CUDA__)
#define LAMBDA [&] __attribute__((device))
#else
#define LAMBDA [&]
#endif

DEVICE u32 word(float x) {
  u32 b;
  __builtin_memcpy(&b, &x, 4);
  return b;
}
DEVICE float real(u32 b) {
  float x;
  __builtin_memcpy(&x, &b, 4);
  return x;
}

// reduced returns e^r − 1, and 2^k in scale, for e^a = 2^k·e^r, |a| ≤ 88.
DEVICE float reduced(float a, float &scale) {
  const float magic = 12582912.0f;
  float t = a * 1.44269504088896f + magic, k = t - magic;
  float r = a - k * 0.693359375f;
  r -= k * -2.12194440e-4f;
  float p = 0.00138825201f * r + 0.0083665289f;
  p = p * r + 0.0416672006f;
  p = p * r + 0.166665435f;
  p = p * r + 0.49999997f;
  scale = real((word(t) << 23) + (127u << 23));
  return p * (r * r) + r;
}

DEVICE float exponential(float x) {
  float s, em = reduced(least(most(x, -87.0f), 88.0f), s), y = s * em + s;
  if (x > 88) y = real(0x7f800000u);
  if (x < -87) y = 0;
  return x == x ? y : x;
}

DEVICE float hyperbolic(float x) { // tanh
  float s, em = reduced(least(2 * real(word(x) & 0x7fffffffu), 20.0f), s);
  em = s * em + (s - 1);
  float y = em / (em + 2);
  return x == x ? real(word(y) | (word(x) & 0x80000000u)) : x;
}

DEVICE float softplus(float x, float &sigmoid) {
  float s, e = reduced(most(real(word(x) | 0x80000000u), -87.0f), s);
  e = s * e + s;
  float p = 0.00536482316f * e + -0.030065788f;
  p = p * e + 0.0792045295f;
  p = p * e + -0.137538016f;
  p = p * e + 0.191536546f;
  p = p * e + -0.248571634f;
  p = p * e + 0.33321324f;
  p = p * e + -0.499996483f;
  sigmoid = (word(x) & 0x80000000u ? e : 1.0f) / (1 + e);
  float y = (0 > x ? 0 : x) + (p * (e * e) + e);
  if (x != x) sigmoid = y = x;
  return y;
}

// logarithm of a finite x > 0, as vec.Log.
DEVICE double logarithm(double x) {
  u64 b;
  __builtin_memcpy(&b, &x, 8);
  int e = (int)(b >> 52) - 1022;
  b = (b & ((1ull << 52) - 1)) | 1022ull << 52;
  double m;
  __builtin_memcpy(&m, &b, 8);
  if (m < 1.41421356237309504880 / 2) {
    m *= 2;
    e--;
  }
  double s = (m - 1) / (m + 1), s2 = s * s, sum = 0;
  for (int k = 23; k >= 1; k -= 2) sum = sum * s2 + 1.0 / k;
  return e * 0.693147180559945309417 + 2 * s * sum;
}

// Adam's step for one value, as vec.Adam.
DEVICE float adam(float x, float g, float &m, float &v, float step, float epsilon) {
  m = 0.9f * m + 0.1f * g;
  v = 0.999f * v + (0.001f * g) * g;
  return x - step * m / (root(v) + epsilon);
}

// broken reports whether x is NaN or infinite.
DEVICE bool broken(float x) { return x - x != 0; }

// value returns element d of row r of a table, or 0 for the standard deviations of points.
DEVICE float value(const Work &w, const float *x, i64 r, int d) {
  return w.points && d >= w.h ? 0 : x[r * 2 * w.h + d];
}

// row_of returns the row of the table that slot s names; negative if it has none.
DEVICE i64 row_of(const Work &w, i64 s) { return (i64)w.rows[s] - w.shift; }

// distance returns ‖anchor − x_r‖².
DEVICE float distance(const Work &w, const float *anchor, i64 r) {
  Lanes<float> sum;
  EACH(l) {
    sum[l] = 0;
    for (int d = l; d < 2 * w.h; d += 32) {
      float difference = anchor[d] - value(w, w.x, r, d);
      sum[l] = fma_(difference, difference, sum[l]);
    }
  }
  return total(sum);
}

// distances passes ‖anchor − x‖² of each negative k of pair i to out(k, distance). It handles AT_ONCE negatives at a
// time, so that their rows are loaded together.
enum { AT_ONCE = 4 };
template <class Out> DEVICE void distances(const Work &w, i64 i, const float *anchor, Out out) {
  for (int from = 0; from < w.own; from += AT_ONCE) {
    Lanes<float> sum[AT_ONCE];
    i64 r[AT_ONCE];
    UNROLL for (int k = 0; k < AT_ONCE; k++) r[k] = row_of(w, i * w.per + 2 + least(from + k, w.own - 1));
    EACH(l) {
      UNROLL for (int k = 0; k < AT_ONCE; k++) sum[k][l] = 0;
      for (int d = l; d < 2 * w.h; d += 32)
        UNROLL for (int k = 0; k < AT_ONCE; k++) {
          float difference = anchor[d] - value(w, w.x, r[k], d);
          sum[k][l] = fma_(difference, difference, sum[k][l]);
        }
    }
    UNROLL for (int k = 0; k < AT_ONCE; k++) {
      float d = total(sum[k]);
      if (from + k < w.own) out(from + k, d);
    }
  }
}

// proxy_step returns the factor of G in the proxy.
DEVICE float proxy_step(const Work &w) { return w.unit_proxy ? (float)w.unit[1] : w.alpha; }

// first_pair returns the first pair of anchor a, or the number of pairs for a = A; anchor_of returns the anchor of pair
// i.
DEVICE int first_pair(const Work &w, i64 a) { return w.starts ? w.starts[a] : (int)a; }
DEVICE i64 anchor_of(const Work &w, i64 i) { return w.starts ? w.part[i] : i; }

// named reports whether a slot of the task names row r.
DEVICE bool named(const Work &w, i64 r) { return w.start[r + w.shift] != w.start[r + w.shift + 1]; }

// seen_by returns a bit for each task with a gradient of row r in this step, and gradient_of the sum of element `at` of
// these.
DEVICE u32 seen_by(const Tasks &tasks, i64 r) {
  u32 bits = 0;
  for (int k = 0; k < tasks.count; k++) bits |= (u32)(tasks.of[k].seen[r] == tasks.of[k].number) << k;
  return bits;
}
DEVICE float gradient_of(const Tasks &tasks, u32 seen, i64 at) {
  float sum = 0;
  for (int k = 0; k < tasks.count; k++)
    if (seen >> k & 1) {
      float part = tasks.of[k].grad[at];
      sum = seen & ((1u << k) - 1) ? sum + part : part;
    }
  return sum;
}

// A run is the part of a list of terms within RUN aligned places that has one owner.
enum { RUN = 32, AHEAD = 8 };
DEVICE int next_run(int place) { return (place + RUN) / RUN * RUN; }

// add_runs sums the runs of the terms coef·table[src] at places first to first+count, elements d to d+31, and stores
// each sum in partial, at its first place. Equal keys have one owner; table has `columns` non-zero columns.
DEVICE void add_runs(const Work &w, int first, int count, int d, Lanes<int> key, Lanes<int> src, Lanes<float> coef,
                     const float *table, int columns) {
  int width = 2 * w.h, open = first;
  Lanes<float> sum;
  EACH(l) sum[l] = 0;
  for (int from = 0; from < count; from += AHEAD) {
    Lanes<float> x[AHEAD]; // all loads are issued before the first wait
    UNROLL for (int i = 0; i < AHEAD; i++) {
      int k = least(from + i, count - 1);
      float c = at(coef, k);
      const float *row = table + (i64)at(src, k) * width + d;
      EACH(l) x[i][l] = c != 0 && d + l < columns ? row[l] : 0;
    }
    UNROLL for (int i = 0; i < AHEAD; i++) {
      int k = from + i;
      if (k >= count) break;
      float c = at(coef, k);
      bool last = k + 1 == count || at(key, least(k + 1, RUN - 1)) != at(key, k);
      EACH(l) {
        if (c != 0) sum[l] += c * x[i][l];
        if (last) {
          if (d + l < width) w.partial[(i64)open * width + d + l] = sum[l];
          sum[l] = 0;
        }
      }
      if (last) open = first + k + 1;
    }
  }
}

// run_sum sums element d of the runs of the places from first to end, of which there may be hundreds.
DEVICE float run_sum(const Work &w, int first, int end, int d) {
  float sum = 0;
  for (int from = first; from < end;) {
    float x[AHEAD];
    int next = from;
    UNROLL for (int i = 0; i < AHEAD; i++) {
      x[i] = next < end ? w.partial[(i64)next * 2 * w.h + d] : 0;
      next = next_run(next);
    }
    UNROLL for (int i = 0; i < AHEAD; i++) sum += x[i];
    from = next;
  }
  return sum;
}

// term writes the term of slot s.
DEVICE void term(const Work &w, i64 s, i64 src, float coef, float self) {
  w.src[s] = (int)src;
  w.coef[s] = coef;
  w.self[s] = self;
}

// The elementary functions of package vec in float32, operation by operation: the same bits, where their arguments
// are the same.
#pragma once
#include "work.h"

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

// Not a number or infinite.
DEVICE bool broken(float x) { return x - x != 0; }

// value returns element d of row r of a table, 0 for the standard deviations of points.
DEVICE float value(const Work &w, const float *x, i64 r, int d) {
  return w.points && d >= w.h ? 0 : x[r * 2 * w.h + d];
}

// row_of returns the row of the table that slot s names; negative where it has none.
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

// proxy_step returns by what G is multiplied for the proxy.
DEVICE float proxy_step(const Work &w) { return w.unit_proxy ? (float)w.unit[1] : w.alpha; }

// term writes the term of slot s.
DEVICE void term(const Work &w, i64 s, i64 src, float coef, float self) {
  w.src[s] = (int)src;
  w.coef[s] = coef;
  w.self[s] = self;
}

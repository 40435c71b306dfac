// What the inner and the outer step of the margins share: products of matrices of many rows and few columns, and draws.
#pragma once
#include "math.h"

enum { ABREAST = 8, PAIR = 2 }; // rows and columns of a product that a lane works on at once

// Four values that are read at once, where all lanes read the same. Padded rows begin at multiples of 32 bytes.
struct alignas(16) Quad {
  float x[4];
};
DEVICE Quad quad(const float *p) { return *(const Quad *)p; }

// product computes 8 rows by 64 columns of in·weights, a lane two columns: out(row, column, sum) takes the elements. in
// has `stride` values a row, weights `inner`×columns. SQUARE takes the squares of in. wanted(row) says whether a row
// matters.
template <bool SQUARE, class Wanted, class Out>
DEVICE void product(i64 warp, const float *in, i64 rows, int stride, int inner, const float *weights,
                    int columns, Wanted wanted, Out out) {
  int parts = (columns + 32 * PAIR - 1) / (32 * PAIR);
  i64 first = warp / parts * ABREAST;
  if (first >= rows) return;
  bool any = false;
  UNROLL for (int r = 0; r < ABREAST; r++) any |= first + r < rows && wanted(first + r);
  if (!any) return;
  EACH(l) {
    int column = (int)(warp % parts) * 32 * PAIR + l, other = least(column + 32, columns - 1);
    if (column < columns) {
      float sum[ABREAST][PAIR] = {{0}};
      const float *from[ABREAST];
      UNROLL for (int r = 0; r < ABREAST; r++) from[r] = in + least(first + r, rows - 1) * stride;
      for (int k = 0; k < inner; k += 4) { // behind the last one there are zeros
        float c[4][PAIR];
        UNROLL for (int i = 0; i < 4; i++) {
          c[i][0] = weights[(i64)(k + i) * columns + column];
          c[i][1] = weights[(i64)(k + i) * columns + other];
        }
        UNROLL for (int r = 0; r < ABREAST; r++) {
          Quad x = quad(from[r] + k);
          UNROLL for (int i = 0; i < 4; i++) {
            float value = SQUARE ? x.x[i] * x.x[i] : x.x[i];
            UNROLL for (int j = 0; j < PAIR; j++) sum[r][j] = fma_(value, c[i][j], sum[r][j]);
          }
        }
      }
      UNROLL for (int r = 0; r < ABREAST; r++)
        if (first + r < rows) {
          out(first + r, column, sum[r][0]);
          if (column + 32 < columns) out(first + r, column + 32, sum[r][1]);
        }
    }
  }
}

// drawn returns element d of the sample x = μ + s⊙ε of a row [μ; s].
DEVICE float drawn(const Work &w, const float *mean, float deviation, const float *eps, int d) {
  return w.points ? mean[d] : mean[d] + deviation * eps[d];
}

// noise_of returns ε of entity k of pair i: 0 the anchor, 1 the positive, 2… the negatives.
DEVICE const float *noise_of(const Work &w, i64 i, int k) { return w.eps + (i * (2 + w.own) + k) * w.half; }

// sample_of returns element d of the draw of entity k of pair i, of rows of x.
DEVICE float sample_of(const Work &w, const float *x, i64 i, int k, int d) {
  const float *row = x + row_of(w, i * w.per + k) * 2 * w.h;
  return drawn(w, row, row[w.h + d], noise_of(w, i, k), d);
}

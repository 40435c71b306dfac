// Shared by the inner and the outer step of the margins: products of matrices of many rows and few columns, and draws.
#pragma once
#include "math.h"

enum { ABREAST = 8 }; // rows of a product per lane at once

// Four values that are loaded at once, the same ones by all lanes. Padded rows begin at multiples of 32 bytes.
struct alignas(16) Quad {
  float x[4];
};
DEVICE Quad quad(const float *p) { return *(const Quad *)p; }

// product computes 8 rows by 32·COLUMNS columns of in·weights, COLUMNS of them per lane, and passes the elements to
// out(row, column, sum). in has `stride` values per row, weights is `inner`×columns. SQUARE squares in. wanted(row)
// returns whether to compute a row. Two columns per lane need fewer loads but twice the registers: on an H200 `hidden`
// takes 143 µs instead of 181, but `back` 118 instead of 89.
template <int COLUMNS, bool SQUARE, class Wanted, class Out>
DEVICE void product(i64 warp, const float *in, i64 rows, int stride, int inner, const float *weights,
                    int columns, Wanted wanted, Out out) {
  int parts = (columns + 32 * COLUMNS - 1) / (32 * COLUMNS);
  i64 first = warp / parts * ABREAST;
  if (first >= rows) return;
  bool any = false;
  UNROLL for (int r = 0; r < ABREAST; r++) any |= first + r < rows && wanted(first + r);
  if (!any) return;
  EACH(l) {
    int column = (int)(warp % parts) * 32 * COLUMNS + l;
    if (column < columns) {
      float sum[ABREAST][COLUMNS] = {{0}};
      int from_column[COLUMNS];
      UNROLL for (int j = 0; j < COLUMNS; j++) from_column[j] = least(column + 32 * j, columns - 1);
      const float *from[ABREAST];
      UNROLL for (int r = 0; r < ABREAST; r++) from[r] = in + least(first + r, rows - 1) * stride;
      for (int k = 0; k < inner; k += 4) { // followed by zeros
        float c[4][COLUMNS];
        UNROLL for (int i = 0; i < 4; i++)
          UNROLL for (int j = 0; j < COLUMNS; j++)
            c[i][j] = weights[(i64)(k + i) * columns + from_column[j]];
        UNROLL for (int r = 0; r < ABREAST; r++) {
          Quad x = quad(from[r] + k);
          UNROLL for (int i = 0; i < 4; i++) {
            float value = SQUARE ? x.x[i] * x.x[i] : x.x[i];
            UNROLL for (int j = 0; j < COLUMNS; j++) sum[r][j] = fma_(value, c[i][j], sum[r][j]);
          }
        }
      }
      UNROLL for (int r = 0; r < ABREAST; r++) {
        if (first + r >= rows) break;
        UNROLL for (int j = 0; j < COLUMNS; j++)
          if (column + 32 * j < columns) out(first + r, column + 32 * j, sum[r][j]);
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

// sample_of returns element d of the draw of entity k of pair i, from rows of x.
DEVICE float sample_of(const Work &w, const float *x, i64 i, int k, int d) {
  const float *row = x + row_of(w, i * w.per + k) * 2 * w.h;
  return drawn(w, row, row[w.h + d], noise_of(w, i, k), d);
}

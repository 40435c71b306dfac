// The outer step: ∇_Φ J_outer = −α Σ ∇_Φ(∇_Θ m · v), the mixed second derivative of package margin, in closed form over
// all triplets of the batch at once, and the step of Φ. It reuses the results of margin.cu for the inner loss.
#include "product.h"

// directions writes ṙ and ż, the derivatives of the network's inputs as the rows move along v: a warp per pair.
KERNEL(directions) {
  if (warp >= w.b || w.rows[warp * w.per] < 0) return;
  EACH(l) {
    for (int d = l; d < w.h; d += 32) {
      float va = sample_of(w, w.v, warp, 0, d), vp = sample_of(w, w.v, warp, 1, d), *out = w.pair_out + warp * w.wp;
      if (w.input == DIFFERENCE)
        out[d] = 2 * w.pair_in[warp * w.wp + d] * (va - vp);
      else if (w.input == ADD)
        out[d] = va + vp;
      else {
        out[d] = va;
        out[w.hp + d] = vp;
      }
      for (int from = 0; from < w.own; from += AT_ONCE) {
        float moved[AT_ONCE];
        UNROLL for (int k = 0; k < AT_ONCE; k++) {
          int n = least(from + k, w.own - 1);
          float vq = sample_of(w, w.v, warp, 2 + n, d);
          moved[k] = w.input == DIFFERENCE ? 2 * w.in[(warp * w.own + n) * w.hp + d] * (va - vq) : vq;
        }
        UNROLL for (int k = 0; k < AT_ONCE; k++)
          if (from + k < w.own && w.active[warp * w.own + from + k] != 0)
            w.out[(warp * w.own + from + k) * w.hp + d] = moved[k];
      }
    }
  }
}

// along_pairs: pre = P·ṙ. along: t = pre + Q·ż, to d.
KERNEL(along_pairs) {
  product<1, false>(warp, w.pair_out, w.b, w.wp, w.wp, w.pt, w.Hp, LAMBDA(i64 i) { return w.rows[i * w.per] >= 0; },
                 LAMBDA(i64 i, int j, float sum) { w.pre[i * w.Hp + j] = sum; });
}
KERNEL(along) {
  product<1, false>(warp, w.out, (i64)w.b * w.own, w.hp, w.h, w.qt, w.Hp, LAMBDA(i64 t) { return w.active[t] != 0; },
                 LAMBDA(i64 t, int j, float sum) { w.d[t * w.Hp + j] = w.pre[t / w.own * w.Hp + j] + sum; });
}

// second: the mixed second derivative at the hidden units (vec.SecondOrder), with weight −proxy_step·∂J/∂m: a warp per
// pair.
KERNEL(second) {
  if (warp >= w.b) return;
  const float *w2 = w.small + w.Hp;
  i64 at = warp * w.Hp;
  float rhos = 0;
  EACH(l) {
    for (int j = l; j < w.Hp; j += 32) w.sum_e[at + j] = w.sum_d[at + j] = w.pair_w2[at + j] = 0;
  }
  for (int k = 0; k < w.own; k++) {
    i64 t = warp * w.own + k;
    if (w.active[t] == 0) continue;
    Lanes<float> sum;
    EACH(l) {
      sum[l] = 0;
      for (int j = l; j < w.Hp; j += 32) {
        float g = w.g[t * w.Hp + j];
        sum[l] = fma_(w2[j] * (1 - g * g), w.d[t * w.Hp + j], sum[l]);
      }
    }
    float sigma = w.sigma[t], ws = proxy_step(w) * w.active[t] * sigma, rho = ws * (1 - sigma) * total(sum);
    rhos += rho;
    EACH(l) {
      for (int j = l; j < w.Hp; j += 32) {
        float g = w.g[t * w.Hp + j], slope = 1 - g * g, by_t = ws * w2[j] * slope, moved = w.d[t * w.Hp + j];
        float by_a = rho * w2[j] * slope - 2 * ws * g * (w2[j] * slope * moved);
        w.pair_w2[at + j] += rho * g + ws * slope * moved;
        w.sum_e[at + j] += by_a;
        w.sum_d[at + j] += by_t;
        w.e[t * w.Hp + j] = by_a;
        w.d[t * w.Hp + j] = by_t;
      }
    }
  }
  EACH(l) {
    if (l == 0) w.pair_b2[warp] = rhos;
  }
}

// weigh: the first derivative of the margins at the hidden units, for the smooth hinge, whose weights c alone depend on
// Φ; its weight is −proxy_step/τ·c(1−c)·(∂_Θδ·v): a warp per pair. d, ṙ and ż are not written then and stay 0, and so
// does sum_d here.
KERNEL(weigh) {
  if (warp >= w.b) return;
  const float *w2 = w.small + w.Hp;
  i64 at = warp * w.Hp, slot = warp * w.per, a = row_of(w, slot), p = row_of(w, slot + 1);
  bool alive = w.rows[slot] >= 0;
  float weights = 0, scale = -w.weight / w.smooth * proxy_step(w);
  EACH(l) {
    for (int j = l; j < w.Hp; j += 32) w.sum_e[at + j] = w.sum_d[at + j] = w.pair_w2[at + j] = 0;
  }
  for (int k = 0; alive && k < w.own; k++) {
    i64 t = warp * w.own + k, q = row_of(w, slot + 2 + k);
    float c = -w.active[t] / w.weight;
    Lanes<float> sum; // ∂_Θδ·v/2
    EACH(l) {
      sum[l] = 0;
      for (int d = l; d < 2 * w.h; d += 32) {
        float xa = value(w, w.theta, a, d), va = value(w, w.v, a, d);
        sum[l] = fma_(xa - value(w, w.theta, p, d), va - value(w, w.v, p, d), sum[l]);
        sum[l] = fma_(value(w, w.theta, q, d) - xa, va - value(w, w.v, q, d), sum[l]);
      }
    }
    float s = 2 * scale * (c * (1 - c)) * total(sum) * w.sigma[t];
    weights += s;
    EACH(l) {
      for (int j = l; j < w.Hp; j += 32) {
        float g = w.g[t * w.Hp + j], e = s * w2[j] * (1 - g * g);
        w.e[t * w.Hp + j] = e;
        w.sum_e[at + j] += e;
        w.pair_w2[at + j] += s * g;
      }
    }
  }
  EACH(l) {
    if (l == 0) w.pair_b2[warp] = weights;
  }
}

// chunk_of returns the first of n elements in chunk number `chunk` of CHUNKS.
DEVICE i64 chunk_of(i64 chunk, i64 n) { return chunk * n / CHUNKS; }

// outer_products computes a chunk of Σ_n e_n z_nᵀ + d_n ż_nᵀ: a warp per 8 units and 64 of `width` dimensions. z and ż
// are the rows of in, or their squares, and of out; e and d have H′ values per row. wanted(n) returns whether to
// include a row.
enum { COLUMNS = 2 }; // per lane at once
template <class Wanted>
DEVICE void outer_products(const Work &w, i64 warp, i64 rows, int width, const float *in, const float *out,
                           const float *e, const float *d, float *part, Wanted wanted) {
  int parts = (width + 32 * COLUMNS - 1) / (32 * COLUMNS), groups = w.Hp / ABREAST;
  i64 chunk = warp / ((i64)parts * groups);
  if (chunk >= CHUNKS) return;
  int unit = (int)(warp / parts % groups) * ABREAST;
  i64 first = chunk_of(chunk, rows), end = chunk_of(chunk + 1, rows);
  bool square = w.input == DIFFERENCE;
  EACH(l) {
    int column = (int)(warp % parts) * 32 * COLUMNS + l, other = least(column + 32, width - 1);
    if (column < width) {
      float sum[ABREAST][COLUMNS] = {{0}};
      for (i64 from = first; from < end; from += AT_ONCE) {
        bool on[AT_ONCE], any = false;
        UNROLL for (int k = 0; k < AT_ONCE; k++) any |= on[k] = from + k < end && wanted(from + k);
        if (!any) continue;
        float z[AT_ONCE][COLUMNS], moved[AT_ONCE][COLUMNS];
        Quad by_z[AT_ONCE][ABREAST / 4], by_moved[AT_ONCE][ABREAST / 4];
        UNROLL for (int k = 0; k < AT_ONCE; k++) {
          i64 n = least(from + k, end - 1);
          z[k][0] = in[n * width + column];
          z[k][1] = in[n * width + other];
          moved[k][0] = out[n * width + column];
          moved[k][1] = out[n * width + other];
          UNROLL for (int i = 0; i < ABREAST / 4; i++) {
            by_z[k][i] = quad(e + n * w.Hp + unit + 4 * i);
            by_moved[k][i] = quad(d + n * w.Hp + unit + 4 * i);
          }
        }
        UNROLL for (int k = 0; k < AT_ONCE; k++) {
          if (!on[k]) continue;
          UNROLL for (int j = 0; j < COLUMNS; j++) {
            float x = square ? z[k][j] * z[k][j] : z[k][j];
            UNROLL for (int r = 0; r < ABREAST; r++)
              sum[r][j] = fma_(by_moved[k][r / 4].x[r % 4], moved[k][j],
                               fma_(by_z[k][r / 4].x[r % 4], x, sum[r][j]));
          }
        }
      }
      UNROLL for (int r = 0; r < ABREAST; r++) {
        float *row = part + (chunk * w.Hp + unit + r) * width;
        row[column] = sum[r][0];
        if (column + 32 < width) row[column + 32] = sum[r][1];
      }
    }
  }
}

// gradient_q: ∇_Q = Σ_t ∂a zᵀ + ∂t żᵀ. gradient_p: ∇_P = Σ_i (Σ∂a) rᵀ + (Σ∂t) ṙᵀ.
KERNEL(gradient_q) {
  outer_products(w, warp, (i64)w.b * w.own, w.hp, w.in, w.out, w.e, w.d, w.part_q,
                 LAMBDA(i64 t) { return w.active[t] != 0; });
}
KERNEL(gradient_p) {
  outer_products(w, warp, w.b, w.wp, w.pair_in, w.pair_out, w.sum_e, w.sum_d, w.part_p,
                 LAMBDA(i64 i) { return w.rows[i * w.per] >= 0; });
}

// gradient_small: a chunk of the gradients by b₁, w₂ and b₂.
KERNEL(gradient_small) {
  int parts = (w.Hp + 31) / 32, chunk = (int)(warp / parts);
  if (chunk >= CHUNKS) return;
  i64 first = chunk_of(chunk, w.b), end = chunk_of(chunk + 1, w.b);
  float *part = w.part_small + (i64)chunk * (2 * w.Hp + 1);
  EACH(l) {
    int j = (int)(warp % parts) * 32 + l;
    if (j < w.Hp) {
      float b1 = 0, w2 = 0, b2 = 0;
      for (i64 i = first; i < end; i++) {
        b1 += w.sum_e[i * w.Hp + j];
        w2 += w.pair_w2[i * w.Hp + j];
        if (j == 0) b2 += w.pair_b2[i];
      }
      part[j] = b1;
      part[w.Hp + j] = w2;
      if (j == 0) part[2 * w.Hp] = b2;
    }
  }
}

// gradient_sums adds GROUP chunks into the first of them: a lane per group of an element.
KERNEL(gradient_sums) {
  i64 p = (i64)w.Hp * w.wp, q = (i64)w.Hp * w.hp, small = 2 * w.Hp + 1, all = p + q + small;
  EACH(l) {
    i64 n = warp * 32 + l, at = n % all, group = n / all;
    if (group < CHUNKS / GROUP) {
      float *parts = at < p ? w.part_p + at : at < p + q ? w.part_q + at - p : w.part_small + at - p - q;
      i64 size = at < p ? p : at < p + q ? q : small;
      parts += group * GROUP * size;
      float sum = 0;
      UNROLL for (int c = 0; c < GROUP; c++) sum += parts[c * size];
      *parts = sum;
    }
  }
}

// chunked sums element `at` of the groups of chunks of a gradient.
DEVICE float chunked(const float *parts, i64 size, i64 at) {
  float sum = 0;
  UNROLL for (int c = 0; c < CHUNKS; c += GROUP) sum += parts[c * size + at];
  return sum;
}

// learn moves Φ one step of Adam: a lane per parameter.
KERNEL(learn) {
  if (w.report[4 * w.task + 2] == 0) return; // no pair took part
  int s = (w.input == ADD ? 1 : 3) * w.h, h = w.h;
  i64 first = (i64)w.H * s, all = first + 2 * w.H + 1, p = (i64)w.Hp * w.wp, q = (i64)w.Hp * w.hp, small = 2 * w.Hp + 1;
  EACH(l) {
    i64 n = warp * 32 + l;
    if (n < all) {
      float g;
      int tensor = 0;
      if (n < first) {
        i64 j = n / s;
        int i = (int)(n % s);
        g = 0;
        switch (w.input) {
        case DIFFERENCE: // W₁ = [A|B|C], P = A − C, Q = B + C
          if (i >= h) g = chunked(w.part_q, q, j * w.hp + i % h);
          if (i < h) g = chunked(w.part_p, p, j * w.wp + i);
          if (i >= 2 * h) g -= chunked(w.part_p, p, j * w.wp + i - 2 * h);
          break;
        case CAT: // P = [A|B], Q = C
          g = i >= 2 * h ? chunked(w.part_q, q, j * w.hp + i - 2 * h)
                         : chunked(w.part_p, p, j * w.wp + (i >= h ? i - h + w.hp : i));
          break;
        default: // P = Q = A
          g = chunked(w.part_p, p, j * w.wp + i) + chunked(w.part_q, q, j * w.hp + i);
        }
      } else {
        i64 j = n - first;
        tensor = j < w.H ? 1 : j < 2 * w.H ? 2 : 3;
        g = chunked(w.part_small, small, tensor == 1 ? j : tensor == 2 ? w.Hp + j - w.H : 2 * w.Hp);
      }
      float old = w.phi[n], x = adam(old, g + w.lambda * old, w.phi_m[n], w.phi_v[n], w.phi_step, w.phi_epsilon);
      w.phi_old[n] = old;
      w.phi[n] = x;
      if (broken(x)) or_to(w.bad + 1, 1u << (4 * w.task + tensor));
    }
  }
}

// fold lays out Φ for the products, like margin.Kernel.Load: a lane per element of P or Q.
KERNEL(fold) {
  int s = (w.input == ADD ? 1 : 3) * w.h, h = w.h;
  i64 p = (i64)w.H * w.wp, q = (i64)w.H * w.hp;
  EACH(l) {
    i64 n = warp * 32 + l;
    if (n < p) {
      i64 j = n / w.wp;
      int c = (int)(n % w.wp), i = c >= w.hp ? c - w.hp : c;
      if (i < h) {
        const float *row = w.phi + j * s;
        float x = w.input == DIFFERENCE ? row[i] - row[2 * h + i] : row[c >= w.hp ? h + i : i];
        w.p[n] = w.pt[c * w.Hp + j] = x;
      }
    } else if (n < p + q) {
      i64 j = (n - p) / w.hp;
      int i = (int)((n - p) % w.hp);
      if (i < h) {
        const float *row = w.phi + j * s;
        float x = w.input == DIFFERENCE ? row[h + i] + row[2 * h + i] : row[w.input == CAT ? 2 * h + i : i];
        w.q[n - p] = w.qt[(i64)i * w.Hp + j] = x;
      }
    } else if (n < p + q + 2 * w.H) {
      i64 j = n - p - q;
      w.small[j < w.H ? j : w.Hp + j - w.H] = w.phi[(i64)w.H * s + j];
    }
  }
}

// undo_network restores Φ to its state before the step.
KERNEL(undo_network) {
  i64 all = (i64)w.H * ((w.input == ADD ? 1 : 3) * w.h + 2) + 1;
  EACH(l) {
    i64 n = warp * 32 + l;
    if (n < all) w.phi[n] = w.phi_old[n];
  }
}

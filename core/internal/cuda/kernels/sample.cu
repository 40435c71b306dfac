// Drawing of pairs, negatives and noise. Every number has the same bits as on a CPU, from package training and
// vec.Normals: it is a function of the seed, its purpose and a counter.
#include "math.h"

// SplitMix64, as in package training.
#define GAMMA 0x9e3779b97f4a7c15ull
DEVICE u64 mix(u64 z) {
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return z ^ z >> 31;
}
DEVICE u64 begin_at(u64 seed, u64 stream, u64 counter) {
  return mix(mix(mix(seed + GAMMA) ^ stream * GAMMA) + counter * GAMMA);
}
DEVICE int below(u64 &state, int n) {
  state += GAMMA;
  return (int)(u64)(((unsigned __int128)mix(state) * (u64)n) >> 64);
}

// The streams of package pmlam.
enum { STREAM_CANDIDATES = 3, STREAM_PAIR = 4, STREAM_USERS = 10, STREAM_OUTER = 11 };

// contains reports whether c is among the n ascending values of row.
DEVICE bool contains(const int *row, int n, int c) {
  int low = 0, high = n;
  while (low < high) {
    int mid = (low + high) >> 1;
    if (row[mid] < c)
      low = mid + 1;
    else
      high = mid;
  }
  return low < n && row[low] == c;
}

// missing_at returns the rank-th index that is not in row.
DEVICE int missing_at(const int *row, int n, int rank) {
  int low = 0, high = n;
  while (low < high) {
    int mid = (low + high) >> 1;
    if (row[mid] - mid > rank)
      high = mid;
    else
      low = mid + 1;
  }
  return rank + low;
}

// outside draws an index in [0,n) that is not in row, which must leave some out.
DEVICE int outside(const int *row, int length, int n, u64 &state) {
  for (int i = 0; i < 8; i++) {
    int c = below(state, n);
    if (!contains(row, length, c)) return c;
  }
  return missing_at(row, length, below(state, n - length));
}

// candidate draws one of the user's candidates.
DEVICE int candidate(const Work &w, int u, const int *row, int length, u64 &state) {
  int missing = w.items - length;
  if (missing <= w.candidates) return missing_at(row, length, below(state, missing));
  u64 k = (u64)below(state, w.candidates);
  u64 own = begin_at(w.seed, STREAM_CANDIDATES + (w.round << 8), (u64)u << 32 | k);
  return outside(row, length, w.items, own);
}

// sample fills the slots of pair i, except for shared negatives: a lane per pair.
KERNEL(sample) {
  EACH(l) {
    i64 i = warp * 32 + l;
    if (i < w.b) {
      int place = w.from + (int)i;
      int u = w.pairs[2 * (i64)w.order[place]], item = w.pairs[2 * (i64)w.order[place] + 1];
      int *rows = w.rows + i * w.per;
      u64 state = begin_at(w.seed, STREAM_PAIR + w.task, w.epoch | (u64)place);
      if (w.task == USER_ITEM) {
        if (w.user_negatives) // the same stream for all of the user's pairs in this batch
          state = begin_at(w.seed, STREAM_USERS + ((u64)u << 8), w.epoch | (u64)w.from);
        const int *row = w.liked + w.likes[u];
        int length = (int)(w.likes[u + 1] - w.likes[u]);
        rows[0] = first_pair(w, anchor_of(w, i)) == i ? u : -1;
        rows[1] = w.users + item;
        for (int k = 0; k < w.own; k++)
          rows[2 + k] = w.users + (w.candidates > 0 ? candidate(w, u, row, length, state)
                                                    : outside(row, length, w.items, state));
        if (w.composed) rows[2 + w.own] = rows[1];
      } else {
        // A neighbour of the pair's user or item, and entities outside the neighbours.
        int users = w.users, items = w.items; // not w.items : w.users, which would make the compiler copy w
        int a = w.task == ITEM_ITEM ? item : u, all = w.task == ITEM_ITEM ? items : users;
        int first = w.task == ITEM_ITEM ? users : 0;
        const int *row = w.neighbour + w.near[a];
        int length = (int)(w.near[a + 1] - w.near[a]);
        bool alive = length > 0 && length + 1 < all && place % w.apart == 0;
        rows[0] = alive ? first + a : -1;
        rows[1] = alive ? first + row[below(state, length)] : -1;
        for (int k = 0; k < w.own; k++) {
          int c = -1;
          if (alive) {
            do c = outside(row, length, all, state);
            while (c == a);
            c += first;
          }
          rows[2 + k] = c;
        }
      }
    }
  }
}

// sample_outer fills the slots of pair i for the outer loss: another positive, or the next pair's negatives, except for
// items that the user likes: a lane per pair.
KERNEL(sample_outer) {
  EACH(l) {
    i64 i = warp * 32 + l;
    if (i < w.b) {
      const int *rows = w.rows + i * w.per, *next = w.rows + (i + 1 < w.b ? i + 1 : 0) * w.per;
      int *out = w.outer_rows + i * w.per, u = rows[0];
      for (int k = 0; k < w.per; k++) out[k] = rows[k];
      if (w.outer_batch == HELD_OUT) {
        u64 state = begin_at(w.seed, STREAM_OUTER, w.epoch | (u64)(w.from + i));
        int length = (int)(w.judged_at[u + 1] - w.judged_at[u]);
        if (length > 0) out[1] = w.users + w.judged[w.judged_at[u] + below(state, length)];
      } else {
        const int *row = w.liked + w.likes[u];
        int length = (int)(w.likes[u + 1] - w.likes[u]);
        for (int k = 2; k < 2 + w.own; k++)
          if (!contains(row, length, next[k] - w.users)) out[k] = next[k];
      }
    }
  }
}

// sample_shared draws the Q different negatives of block n, one after the other: a warp per block. The lanes draw the
// next 32 at once, which are accepted up to the first duplicate. A duplicate is drawn up to seven more times, and then
// replaced by the next free item.
KERNEL(sample_shared) {
  if (warp >= w.blocks) return;
  int *list = w.rows + (i64)w.b * w.per + warp * w.negatives;
  u64 state = begin_at(w.seed, STREAM_PAIR + USER_ITEM, w.epoch | (u64)(w.from + warp * w.size));
  for (int k = 0; k < w.negatives;) {
    Lanes<int> draw, same;
    EACH(l) {
      u64 own = state + GAMMA * (u64)l;
      draw[l] = w.users + below(own, w.items);
      same[l] = 0;
      UNROLL for (int j = 0; j < k; j++) same[l] |= list[j] == draw[l];
    }
    for (int j = 0; j < 31; j++) {
      int before_it = at(draw, j);
      EACH(l) same[l] |= l > j && draw[l] == before_it;
    }
    u32 taken = which(same);
    int fresh = least(taken ? lowest(taken) : 32, w.negatives - k);
    EACH(l) {
      if (l < fresh) list[k + l] = draw[l];
    }
    sync();
    state += GAMMA * (u64)fresh;
    k += fresh;
    if (fresh == 32 || k == w.negatives) continue;
    int c = 0;
    for (int tries = 0;; tries++) {
      c = tries <= 8 ? below(state, w.items) : (c + 1) % w.items;
      EACH(l) {
        same[l] = 0;
        for (int j = l; j < k; j += 32) same[l] |= list[j] == w.users + c;
      }
      if (!which(same)) break;
    }
    EACH(l) {
      if (l == 0) list[k] = w.users + c;
    }
    sync();
    k++;
  }
}

// Philox4x32-10 and the Box-Muller method, as in package vec.
DEVICE void philox(u64 block, u64 stream, u64 key, u32 *out) {
  u32 w0 = (u32)block, w1 = (u32)(block >> 32), w2 = (u32)stream, w3 = (u32)(stream >> 32);
  u32 k0 = (u32)key, k1 = (u32)(key >> 32);
  for (int round = 0; round < 10; round++) {
    u64 a = (u64)0xD2511F53u * w0, b = (u64)0xCD9E8D57u * w2;
    u32 x0 = (u32)(b >> 32) ^ w1 ^ k0, x2 = (u32)(a >> 32) ^ w3 ^ k1;
    w0 = x0;
    w1 = (u32)b;
    w2 = x2;
    w3 = (u32)a;
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  out[0] = w0;
  out[1] = w1;
  out[2] = w2;
  out[3] = w3;
}

DEVICE void box_muller(u32 a, u32 b, float &x, float &y) {
  const u32 root_half = 0x3f3504f3u, mantissa = (1u << 23) - 1;
  int t = (int)(word((float)(int)(a >> 1) + 0.5f) - (root_half + (31u << 23)));
  float e = (float)(t >> 23);
  float f = real(((u32)t & mantissa) + root_half) - 1;
  float s = 0.202137962f * f + -0.324451685f;
  s = s * f + 0.345016599f;
  s = s * f + -0.39800331f;
  s = s * f + 0.499398172f;
  s = s * f + -0.666701198f;
  s = s * f + 1.00000727f;
  s = s * f + -1.99999988f;
  float r = root(s * f + e * -1.38629436111989f);

  float v = (float)(int)(b << 1) * (float)(3.14159265358979323846 / 2 / 2147483648.0);
  float z = v * v;
  s = 2.60005459e-06f * z + -0.000198066147f;
  s = s * z + 0.00833301712f;
  s = s * z + -0.166666567f;
  s = s * (z * v) + v;
  float c = 2.3194385e-05f * z + -0.00138559274f;
  c = c * z + 0.0416639894f;
  c = c * z + -0.499999315f;
  c = c * z + 1;
  r = real(word(r) ^ (b & 0x80000000u));
  x = r * c;
  y = r * s;
}

// noise draws the same values as vec.Normals for every pair: a lane per block of the generator, four draws.
KERNEL(noise) {
  int length = (2 + w.own) * w.half, blocks = (length + 31) / 32 * 8;
  EACH(l) {
    i64 n = warp * 32 + l, i = n / blocks;
    if (i < w.b && w.rows[i * w.per] >= 0) {
      int block = (int)(n % blocks), at = block / 8 * 32 + block % 8;
      u32 words[4];
      philox((u64)block, w.epoch | (u64)(w.from + i), w.noise_key, words);
      float x[4];
      box_muller(words[0], words[1], x[0], x[1]);
      box_muller(words[2], words[3], x[2], x[3]);
      for (int k = 0; k < 4; k++)
        if (at + 8 * k < length) w.eps[i * length + at + 8 * k] = x[k];
    }
  }
}

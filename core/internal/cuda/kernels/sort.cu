// The slots of each entity: a stable order of the slots by entity, so that every row has one owner, which adds up its
// terms in the order of the batch.
//
// Counting assigns each entity its places, and each slot a ticket within them that depends on the order of execution.
// `rank` then puts every slot where its number belongs, which removes that dependence. O(slots · slots of the same
// entity), and these lists are short.
#include "work.h"

KERNEL(count) {
  EACH(l) {
    i64 s = warp * 32 + l;
    if (s < w.slot_count && w.rows[s] >= 0) w.ticket[s] = add_to(w.count + w.rows[s], 1);
  }
}

// The running sum of E+1 counts, TILE per warp.
enum { TILE = 1024 };

KERNEL(scan_tiles) {
  i64 from = warp * TILE, end = least<i64>(from + TILE, w.users + (i64)w.items + 1);
  if (from >= end) return;
  Lanes<int> sum;
  EACH(l) {
    sum[l] = 0;
    UNROLL for (int k = l; k < TILE; k += 32) sum[l] += from + k < end ? w.count[from + k] : 0;
  }
  int all = total(sum);
  EACH(l) {
    if (l == 0) w.tops[warp] = all;
  }
}

// running replaces n values by the sum of those before each: one warp.
DEVICE void running(int *values, int n) {
  int carry = 0;
  for (int from = 0; from < n; from += 32) {
    Lanes<int> x;
    EACH(l) x[l] = from + l < n ? values[from + l] : 0;
    Lanes<int> sum = before(x);
    EACH(l) {
      if (from + l < n) values[from + l] = carry + sum[l];
    }
    carry += total(x);
  }
}

// One warp, for all tiles.
KERNEL(scan_tops) {
  if (warp == 0) running(w.tops, (int)((w.users + (i64)w.items + TILE) / TILE));
}

// It resets the counts to 0 for the next sort.
KERNEL(scan_write) {
  i64 from = warp * TILE, end = least<i64>(from + TILE, w.users + (i64)w.items + 1);
  if (from >= end) return;
  Lanes<int> x[TILE / 32];
  EACH(l) {
    UNROLL for (int k = 0; k < TILE / 32; k++) x[k][l] = from + k * 32 + l < end ? w.count[from + k * 32 + l] : 0;
  }
  int carry = w.tops[warp];
  UNROLL for (int k = 0; k < TILE / 32; k++) {
    Lanes<int> sum = before(x[k]);
    EACH(l) {
      i64 n = from + k * 32 + l;
      if (n < end) {
        w.start[n] = carry + sum[l];
        w.count[n] = 0;
      }
    }
    carry += total(x[k]);
  }
}

KERNEL(place) {
  EACH(l) {
    i64 s = warp * 32 + l;
    if (s < w.slot_count && w.rows[s] >= 0) w.unsorted[w.start[w.rows[s]] + w.ticket[s]] = (int)s;
  }
}

KERNEL(rank) {
  EACH(l) {
    i64 s = warp * 32 + l;
    if (s < w.slot_count && w.rows[s] >= 0) {
      int from = w.start[w.rows[s]], to = w.start[w.rows[s] + 1], at = from;
      for (int k = from; k < to; k++) at += w.unsorted[k] < s;
      w.slots[at] = (int)s;
    }
  }
}

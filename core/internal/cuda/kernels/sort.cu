// Which slots name which entity: a stable order of the slots by entity, so that every row has one owner who adds up
// its terms in the order of the batch.
//
// Counting gives each entity its places, and each slot a ticket within them that depends on who came first; `rank`
// then puts every slot where its number says, so that nothing is left of the race. O(slots · slots of the same
// entity), which is short lists.
#include "work.h"

KERNEL(count) {
  EACH(l) {
    i64 s = warp * 32 + l;
    if (s < w.slot_count && w.rows[s] >= 0) w.ticket[s] = add_to(w.count + w.rows[s], 1);
  }
}

// The running sum of E+1 counts, 1024 a warp.
enum { TILE = 1024 };

DEVICE Lanes<int> tile_sums(const Work &w, i64 warp) {
  Lanes<int> sum;
  EACH(l) {
    sum[l] = 0;
    i64 from = warp * TILE + l * 32;
    for (int k = 0; k < 32; k++)
      if (from + k <= w.users + (i64)w.items) sum[l] += w.count[from + k];
  }
  return sum;
}

KERNEL(scan_tiles) {
  if (warp * TILE > w.users + (i64)w.items) return;
  int sum = total(tile_sums(w, warp));
  EACH(l) {
    if (l == 0) w.tops[warp] = sum;
  }
}

// One warp, for all tiles.
KERNEL(scan_tops) {
  if (warp > 0) return;
  int tiles = (int)((w.users + (i64)w.items + TILE) / TILE), carry = 0;
  for (int from = 0; from < tiles; from += 32) {
    Lanes<int> x;
    EACH(l) x[l] = from + l < tiles ? w.tops[from + l] : 0;
    Lanes<int> sum = before(x);
    EACH(l) {
      if (from + l < tiles) w.tops[from + l] = carry + sum[l];
    }
    carry += total(x);
  }
}

KERNEL(scan_write) {
  if (warp * TILE > w.users + (i64)w.items) return;
  Lanes<int> sum = before(tile_sums(w, warp));
  EACH(l) {
    i64 from = warp * TILE + l * 32;
    int at = w.tops[warp] + sum[l];
    for (int k = 0; k < 32; k++)
      if (from + k <= w.users + (i64)w.items) {
        w.start[from + k] = at;
        at += w.count[from + k];
      }
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

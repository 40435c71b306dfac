// The lists of the nearest items. The distances have the same bits as vec.SquaredDistance: eight partial sums, products
// rounded before they are added, folded in the same order. So the lists have the same order, including ties, and need
// no second pass.
#include "math.h"

enum { FEW = 4, LANES = 8 }; // users at once; partial sums of a distance

// transpose transposes the items, so that lanes can be items: a lane per value.
KERNEL(transpose) {
  EACH(l) {
    i64 n = warp * 32 + l;
    int width = 2 * w.h;
    if (n < (i64)w.items * width) w.across[n] = w.x[n % w.items * width + n / w.items];
  }
}

// distances: a warp per 4 users and 32 items.
KERNEL(distances) {
  int width = 2 * w.h;
  i64 parts = ((i64)w.items + 31) / 32, first = warp / parts * FEW;
  if (first >= w.rank_users) return;
  EACH(l) {
    i64 item = warp % parts * 32 + l;
    if (item < w.items) {
      float sum[FEW][LANES] = {{0}};
      for (int from = 0; from < width; from += LANES)
        UNROLL for (int k = 0; k < LANES; k++)
          if (from + k < width) {
            float x = w.items_at[(i64)(from + k) * w.items + item];
            UNROLL for (int u = 0; u < FEW; u++) {
              i64 user = least<i64>(first + u, w.rank_users - 1);
              float difference = w.users_at[user * width + from + k] - x;
              sum[u][k] += difference * difference;
            }
          }
      UNROLL for (int u = 0; u < FEW; u++)
        if (first + u < w.rank_users) {
          const float *s = sum[u];
          float d = ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
          w.distances[(first + u) * w.items + item] = d;
          if (d != d) min_to(w.nan + first + u, (u32)item);
        }
    }
  }
}

// exclude removes the items that the users have: a warp per user. Distances are never negative.
KERNEL(exclude) {
  if (warp >= w.rank_users) return;
  int u = w.order[warp];
  EACH(l) {
    for (i64 k = w.likes[u] + l; k < w.likes[u + 1]; k += 32) w.distances[warp * w.items + w.liked[k]] = -1;
  }
}

// lists finds the nearest `depth` items of a user, nearest first; ties go to the lower number. A warp per user, which
// scans the distances once for each place. Places without an item hold −1.
KERNEL(lists) {
  if (warp >= w.rank_users) return;
  const float *distance = w.distances + warp * w.items;
  float last = -1;
  int last_item = w.items;
  for (int place = 0; place < w.depth; place++) {
    Lanes<float> near;
    Lanes<int> who;
    EACH(l) {
      near[l] = 0;
      who[l] = -1;
      for (int i = l; i < w.items; i += 32) {
        float d = distance[i];
        if ((d > last || (d == last && i > last_item)) && (who[l] < 0 || d < near[l])) {
          near[l] = d;
          who[l] = i;
        }
      }
    }
    int best = -1;
    float nearest = 0;
    for (int l = 0; l < 32; l++) {
      int i = at(who, l);
      float d = at(near, l);
      if (i >= 0 && (best < 0 || d < nearest || (d == nearest && i < best))) {
        best = i;
        nearest = d;
      }
    }
    EACH(l) {
      if (l == 0) w.lists[warp * w.depth + place] = best;
    }
    if (best >= 0) {
      last = nearest;
      last_item = best;
    } else
      last_item = w.items, last = real(0x7f800000u);
  }
}

// layout reports whether both sides agree on the layout of Tasks.
KERNEL_OF_ALL(layout) {
  EACH(l) {
    if (warp == 0 && l == 0)
      tasks.of[0].bad[0] = tasks.of[0].check == LAYOUT && tasks.count == 1 ? (u32)sizeof(Tasks) : 0;
  }
}

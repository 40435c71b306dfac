// Anchors composed of the user's items, without the positives P of the anchor's own pairs:
//
//	θ_a = Π(free + w/(n−|P|) · (Σ_{j liked} θ_j − Σ_{p∈P} θ_p))
//
// The anchors of a user share the sum. The first of them is the leader: it computes the sum, and holds one slot for
// each of the user's items, whose term is the user's part of the gradient.
#include "math.h"

DEVICE int user_of(const Work &w, i64 anchor) { return w.rows[(i64)first_pair(w, anchor) * w.per]; }

DEVICE i64 leader(const Work &w, int u) { return (int)w.leads[u]; }

DEVICE int likes(const Work &w, int u) { return (int)(w.likes[u + 1] - w.likes[u]); }

// factor returns w/(n−|P|) of an anchor of user u; 0 if the user likes nothing else.
DEVICE float factor(const Work &w, int u, i64 anchor) {
  int n = likes(w, u) - (first_pair(w, anchor + 1) - first_pair(w, anchor));
  return n > 0 ? w.user_weight / (float)n : 0;
}

// forget and lead find the first anchor of every user: a lane per anchor.
KERNEL(forget) {
  EACH(l) {
    i64 a = warp * 32 + l;
    if (a < w.anchors) w.leads[user_of(w, a)] = ~0u;
  }
}
KERNEL(lead) {
  EACH(l) {
    i64 a = warp * 32 + l;
    if (a < w.anchors) min_to(w.leads + user_of(w, a), (u32)a);
  }
}

// member_sums, member_tops and member_starts compute the start of each leader's list of members: a lane per anchor, one
// warp, and a lane per anchor.
DEVICE Lanes<int> led(const Work &w, i64 warp) {
  Lanes<int> n;
  EACH(l) {
    i64 a = warp * 32 + l;
    int u = a < w.anchors ? user_of(w, a) : 0;
    n[l] = a < w.anchors && leader(w, u) == a ? likes(w, u) : 0;
  }
  return n;
}
KERNEL(member_sums) {
  if (warp * 32 >= w.anchors) return;
  int sum = total(led(w, warp));
  EACH(l) {
    if (l == 0) w.member_tops[warp] = sum;
  }
}
KERNEL(member_tops) {
  if (warp == 0) running(w.member_tops, (w.anchors + 31) / 32);
}
KERNEL(member_starts) {
  if (warp * 32 >= w.anchors) return;
  Lanes<int> sum = before(led(w, warp));
  EACH(l) {
    i64 a = warp * 32 + l;
    if (a < w.anchors) w.members[a] = w.member_tops[warp] + sum[l];
  }
}

// members writes the slots of a user's items: a warp per anchor, of which only the leaders work.
KERNEL(members) {
  if (warp >= w.anchors) return;
  int u = user_of(w, warp), n = likes(w, u);
  if (leader(w, u) != warp) return;
  const int *liked = w.liked + w.likes[u];
  i64 first = (i64)w.members_at + w.members[warp];
  EACH(l) {
    for (int from = l; from < n; from += 32 * AHEAD) {
      int item[AHEAD];
      UNROLL for (int k = 0; k < AHEAD; k++) item[k] = liked[least(from + 32 * k, n - 1)];
      UNROLL for (int k = 0; k < AHEAD; k++)
        if (from + 32 * k < n) {
          w.rows[first + from + 32 * k] = w.users + item[k];
          term(w, first + from + 32 * k, w.group_row + warp, 1, 0);
        }
    }
  }
}

// compose_parts sums the users' items in runs, like `runs` does for terms: a warp per 32 members, of one user or
// several, and 32 dimensions.
KERNEL(compose_parts) {
  int parts = (2 * w.h + 31) / 32, all = w.slot_count - w.members_at;
  int first = (int)(warp / parts) * RUN, count = least(all - first, (int)RUN);
  if (count <= 0) return;
  Lanes<int> row, owner;
  Lanes<float> once;
  EACH(l) {
    i64 s = (i64)w.members_at + first + least(l, count - 1);
    row[l] = (int)row_of(w, s);
    owner[l] = w.src[s];
    once[l] = 1;
  }
  add_runs(w, first, count, (int)(warp % parts) * 32, owner, row, once, w.x, w.points ? w.h : 2 * w.h);
}

// compose_sums sums the runs: a warp per anchor and 32 dimensions.
KERNEL(compose_sums) {
  int width = 2 * w.h, parts = (width + 31) / 32;
  i64 anchor = warp / parts;
  if (anchor >= w.anchors) return;
  int u = user_of(w, anchor);
  if (leader(w, u) != anchor) return;
  int first = w.members[anchor], end = first + likes(w, u);
  EACH(l) {
    int d = (int)(warp % parts) * 32 + l;
    if (d < width) w.sums[anchor * width + d] = run_sum(w, first, end, d);
  }
}

// positive_runs sums the positives of anchors in runs, for the inner gradient times −2c_p: a warp per 32 pairs and 32
// dimensions. The sum of each run is stored in partial, at its first pair.
DEVICE void positive_runs(const Work &w, i64 warp, bool gradient) {
  int parts = (2 * w.h + 31) / 32, first = (int)(warp / parts) * RUN, count = least(w.b - first, (int)RUN);
  if (count <= 0) return;
  Lanes<int> row, owner;
  Lanes<float> coef;
  EACH(l) {
    i64 i = first + least(l, count - 1);
    row[l] = (int)row_of(w, i * w.per + 1);
    owner[l] = (int)anchor_of(w, i);
    coef[l] = gradient ? -2 * w.dp[i] : 1;
  }
  add_runs(w, first, count, (int)(warp % parts) * 32, owner, row, coef, w.x, w.points ? w.h : 2 * w.h);
}
KERNEL(part_sums) { positive_runs(w, warp, false); }
KERNEL(part_gradients) { positive_runs(w, warp, true); }

// compose writes the anchors: a warp per anchor.
KERNEL(compose) {
  if (warp >= w.anchors) return;
  int from = first_pair(w, warp), end = first_pair(w, warp + 1), width = 2 * w.h;
  i64 slot = (i64)from * w.per, p = row_of(w, slot + 1), first = leader(w, w.rows[slot]);
  float c = factor(w, w.rows[slot], warp), *anchor = w.dense + warp * width;
  Lanes<float> sum;
  EACH(l) {
    sum[l] = 0;
    for (int d = l; d < width; d += 32) {
      float x = w.free_users ? value(w, w.x, row_of(w, slot), d) : 0;
      float own = w.starts ? run_sum(w, from, end, d) : value(w, w.x, p, d);
      x += c * (w.sums[first * width + d] - own);
      if (d < w.h)
        sum[l] = fma_(x, x, sum[l]);
      else
        x = w.points ? 0 : most(x, MIN_STDDEV);
      anchor[d] = x;
    }
  }
  float norm = total(sum), scale = norm <= w.radius * w.radius ? 1 : w.radius / root(norm);
  EACH(l) {
    for (int d = l; d < w.h; d += 32)
      if (scale != 1) anchor[d] *= scale;
    if (l == 0) w.scales[warp] = scale;
  }
}

// compose_back converts the gradients of the anchors to gradients of the arguments of Π, in place: a warp per anchor.
KERNEL(compose_back) {
  if (warp >= w.anchors) return;
  float *g = w.dense + (w.b + warp) * 2 * w.h, scale = w.scales[warp];
  const float *anchor = w.dense + warp * 2 * w.h;
  Lanes<float> sum;
  EACH(l) {
    sum[l] = 0;
    for (int d = l; d < w.h; d += 32) sum[l] = fma_(g[d], anchor[d], sum[l]);
  }
  float along = total(sum) / (w.radius * w.radius), c = factor(w, user_of(w, warp), warp);
  int from = first_pair(w, warp), end = first_pair(w, warp + 1);
  EACH(l) {
    for (int d = l; d < 2 * w.h; d += 32)
      if (d >= w.h) {
        if (anchor[d] <= MIN_STDDEV) g[d] = 0;
      } else if (scale != 1)
        g[d] = scale * (g[d] - along * anchor[d]);
    for (int i = from + l; i < end; i += 32) term(w, (i64)i * w.per + 2 + w.own, w.b + warp, -c, 0);
  }
}

// groups writes each item's share of the gradients of the user's anchors: a warp per anchor, of which only the leaders
// work, and 32 dimensions.
KERNEL(groups) {
  int width = 2 * w.h, parts = (width + 31) / 32;
  i64 anchor = warp / parts;
  if (anchor >= w.anchors) return;
  int u = user_of(w, anchor);
  if (leader(w, u) != anchor) return;
  EACH(l) {
    int d = (int)(warp % parts) * 32 + l;
    if (d < width) {
      float sum = 0;
      for (int k = w.start[u]; k < w.start[u + 1]; k++) {
        i64 a = anchor_of(w, w.slots[k] / w.per);
        sum += factor(w, u, a) * w.dense[(w.b + a) * width + d];
      }
      w.dense[(w.group_row + anchor) * width + d] = sum;
    }
  }
}

// Anchors that are composed of what the user likes, with the pair's own positive left out:
//
//	θ_a = Π(free + w/(n−1) · (Σ_{j liked} θ_j − θ_p))
//
// The pairs of a user share the sum. The first of them leads: it adds up for all, and in its name each item that the
// user likes has a slot, whose term is the user's part of the gradient.
#include "math.h"

DEVICE i64 leader(const Work &w, int u) { return (int)w.leads[u]; }

DEVICE int likes(const Work &w, int u) { return (int)(w.likes[u + 1] - w.likes[u]); }

DEVICE float factor(const Work &w, int u) {
  int n = likes(w, u);
  return n > 1 ? w.user_weight / (float)(n - 1) : 0;
}

// forget and lead find the first pair of every user: a lane a pair.
KERNEL(forget) {
  EACH(l) {
    i64 i = warp * 32 + l;
    if (i < w.b) w.leads[w.rows[i * w.per]] = ~0u;
  }
}
KERNEL(lead) {
  EACH(l) {
    i64 i = warp * 32 + l;
    if (i < w.b) min_to(w.leads + w.rows[i * w.per], (u32)i);
  }
}

// member_sums, member_tops and member_starts tell the leaders where their users' lists begin: a lane a pair, one warp,
// and a lane a pair.
DEVICE Lanes<int> led(const Work &w, i64 warp) {
  Lanes<int> n;
  EACH(l) {
    i64 i = warp * 32 + l;
    int u = i < w.b ? w.rows[i * w.per] : 0;
    n[l] = i < w.b && leader(w, u) == i ? likes(w, u) : 0;
  }
  return n;
}
KERNEL(member_sums) {
  if (warp * 32 >= w.b) return;
  int sum = total(led(w, warp));
  EACH(l) {
    if (l == 0) w.member_tops[warp] = sum;
  }
}
KERNEL(member_tops) {
  if (warp == 0) running(w.member_tops, (w.b + 31) / 32);
}
KERNEL(member_starts) {
  if (warp * 32 >= w.b) return;
  Lanes<int> sum = before(led(w, warp));
  EACH(l) {
    i64 i = warp * 32 + l;
    if (i < w.b) w.members[i] = w.member_tops[warp] + sum[l];
  }
}

// members writes the slots of what a user likes: a warp a pair, of which the leaders work.
KERNEL(members) {
  if (warp >= w.b) return;
  int u = w.rows[warp * w.per], n = likes(w, u);
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

// compose_parts adds up what users like in runs, as `runs` does the terms: a warp 32 members, of one user or several,
// and 32 dimensions.
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

// run_sum adds up element d of the runs of the places from first to end: a user may have thousands of likes.
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

// compose_sums adds the runs up: a warp a pair and 32 dimensions.
KERNEL(compose_sums) {
  int width = 2 * w.h, parts = (width + 31) / 32;
  i64 pair = warp / parts;
  if (pair >= w.b) return;
  int u = w.rows[pair * w.per];
  if (leader(w, u) != pair) return;
  int first = w.members[pair], end = first + likes(w, u);
  EACH(l) {
    int d = (int)(warp % parts) * 32 + l;
    if (d < width) w.sums[pair * width + d] = run_sum(w, first, end, d);
  }
}

// compose writes the anchors: a warp a pair.
KERNEL(compose) {
  if (warp >= w.b) return;
  i64 slot = warp * w.per, p = row_of(w, slot + 1), first = leader(w, w.rows[slot]);
  int width = 2 * w.h;
  float c = factor(w, w.rows[slot]), *anchor = w.dense + warp * width;
  Lanes<float> sum;
  EACH(l) {
    sum[l] = 0;
    for (int d = l; d < width; d += 32) {
      float x = w.free_users ? value(w, w.x, row_of(w, slot), d) : 0;
      x += c * (w.sums[first * width + d] - value(w, w.x, p, d));
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

// compose_back turns the gradients by the anchors into those by what Π was applied to, in place: a warp a pair.
KERNEL(compose_back) {
  if (warp >= w.b) return;
  i64 slot = warp * w.per;
  float *g = w.dense + (w.b + warp) * 2 * w.h, scale = w.scales[warp];
  const float *anchor = w.dense + warp * 2 * w.h;
  Lanes<float> sum;
  EACH(l) {
    sum[l] = 0;
    for (int d = l; d < w.h; d += 32) sum[l] = fma_(g[d], anchor[d], sum[l]);
  }
  float along = total(sum) / (w.radius * w.radius);
  EACH(l) {
    for (int d = l; d < 2 * w.h; d += 32)
      if (d >= w.h) {
        if (anchor[d] <= MIN_STDDEV) g[d] = 0;
      } else if (scale != 1)
        g[d] = scale * (g[d] - along * anchor[d]);
    if (l == 0) term(w, slot + 2 + w.own, w.b + warp, -factor(w, w.rows[slot]), 0);
  }
}

// groups writes what each item of a user gets of the gradients by the user's anchors: a warp a pair, of which the
// leaders work, and 32 dimensions.
KERNEL(groups) {
  int width = 2 * w.h, parts = (width + 31) / 32;
  i64 pair = warp / parts;
  if (pair >= w.b) return;
  int u = w.rows[pair * w.per];
  if (leader(w, u) != pair) return;
  float c = factor(w, u);
  EACH(l) {
    int d = (int)(warp % parts) * 32 + l;
    if (d < width) {
      float sum = 0;
      for (int k = w.start[u]; k < w.start[u + 1]; k++)
        sum += c * w.dense[(w.b + w.slots[k] / w.per) * (i64)width + d];
      w.dense[(w.group_row + pair) * width + d] = sum;
    }
  }
}

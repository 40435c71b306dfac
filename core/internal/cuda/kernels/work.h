// Work is all that a kernel knows of a task, and Tasks, its one parameter, those of the tasks that a launch is for. The
// Go twins in ../work.go have the same fields in the same order.
//
// Shapes: U users, I items, E = U+I entities (users first), N rows of the table (row = entity − shift: users have
// rows only where they are learned), h dimension, 2h a row [μ; s], H hidden units; h′, w′, H′ are padded with zeros
// to multiples of 8. B pairs in the batch, Q negatives a pair (shared: Q a block of anchors), T = B·Q triplets. A anchors:
// B, one a pair, but where likes are learned in parts: then the pairs of a part, which stand side by side, have one.
//
// A slot is a place in the batch that names an entity: `per` of them a pair, in the order anchor (of a part its first
// pair alone), positive, own negatives, and where anchors are composed once more the positive; behind those of the pairs
// Q a block where negatives are shared, and last the items that composed anchors are composed of, a list for each user.
// Each slot is a term of the gradient by its row r, coef·dense[src] + self·x_r.
#pragma once
#include "warp.h"

// The state: N×2h each. Each task has grad, proxy, v and seen of its own, and so the batch and the networks.
struct State {
  float *theta, *moment, *variance;
  float *grad;   // G, the task's gradient; after update the first task's holds the rows as they were before
  float *proxy;  // Θ̃ = Θ − αG
  float *v;      // ∇_Θ̃ J_outer
  int *seen;     // N: the last step that touched the row
  const float *x; // the rows that anchors, distances and sums look at: theta, or shrunk; proxy in the outer step
};

// Where items' rows are composed, θ = Sφ; theta is φ then. All 0 where they are not.
struct Shrinkage {
  float *shrunk; // N×2h: θ, later ∂L/∂φ
  int *moved;    // N: the last step that moved the row of φ
  const int *sources, *source; // S by rows, N+1 and the rows of φ that a row of θ is composed of
  const float *source_weight;
  const int *targets, *target;  // S by columns
  const float *target_weight;
};

// What is learned from.
struct Data {
  const int *pairs; // user and item of every positive pair
  const int *order; // of the epoch; in ranking the users
  const i64 *likes; // U+1: where a user's items begin in liked
  const int *liked;
  const i64 *judged_at; // what only the outer loss sees, likewise
  const int *judged;
  const i64 *near; // neighbours of the task's users or items, likewise
  const int *neighbour;
};

// The slots of the batch, and what they contribute.
struct Terms {
  int *rows;                           // the entity of each slot, −1: none
  int *outer_rows;                     // the same in the outer step, where its batch is another
  int *count, *start, *tops;           // E+1, E+1: how many slots name an entity, and where its begin in slots
  int *ticket, *unsorted, *slots;      // slots, by entity and then number
  int *src;                            // of each slot: row of dense
  float *coef, *self;                  // of each slot
  float *dense;                        // rows of 2h: B anchors, B gradients by anchors, and what slots contribute
  float *partial, *partial_self;       // by place in slots: sums of runs
};

// Losses and distances of the batch.
struct Losses {
  float *values, *dp, *dq; // B, B, T or A×Q: loss; d_p and then ∂J/∂d_p; d_q and then ∂J/∂d_q
};

// The margin network, and what it sees and gives for the batch.
struct Network {
  float *eps;                          // B×(2+Q)×h′
  float *pair_in, *in;                 // B×w′, T×h′: what the network sees: y and z before squaring, or r and z
  float *pre, *g;                      // B×H′, T×H′: b₁ + P·r, and tanh a₁
  float *margins, *sigma, *active;     // T; active: ∂J/∂d_q of the inner loss
  float *e, *d;                        // T×H′: ∂/∂a₁ and ∂/∂t
  float *sum_e, *sum_d;                // B×H′
  float *pair_out, *out;               // B×w′, T×h′: γ and β, later ṙ and ż
  float *pair_w2, *pair_b2;            // B×H′, B
  float *part_p, *part_q, *part_small; // CHUNKS parts of ∇_P, ∇_Q, and ∇ of b₁, w₂ (H′ each) and b₂
  float *phi, *phi_m, *phi_v, *phi_old; // W₁, b₁, w₂, b₂ one after the other
  float *p, *pt, *q, *qt, *small;      // P, Q and their transposes, padded; b₁ and w₂, padded
};

// Composed anchors.
struct Composition {
  float *sums, *scales;                // A×2h, A: of composed anchors
  const int *starts, *part;            // A+1, B: the first pair of an anchor, a pair's anchor; 0: one anchor a pair
  const float *part_weights;           // of parts of so many pairs
  u32 *leads;                          // U: a user's first anchor in the batch
  int *members;                        // A: where the members of the anchor's user begin among all
  int *member_tops;                    // ⌈A/32⌉: how many members the leaders of 32 anchors have; then those before
};

// Negatives that anchors share.
struct Sharing {
  float *across; // blocks×2h×Q: the shared negatives, transposed
};

// A proxy of unit length.
struct UnitLength {
  float *products;                     // N: of the task's rows ‖G‖², then v·G
  double *tiles;                       // their sums by tiles of rows
  double *unit;                        // ‖G‖²; by what G is multiplied for the proxy; by what it is taken out of v
};

// Where figures go.
struct Figures {
  double *tallies; // ⌈B/32⌉×3: losses, pairs and margins of 32 pairs
  double *report; // four a task: inner, outer, pairs, margins
  u32 *bad;       // the first row that is not finite; a bit for each tensor of a network that is not
};

// Ranking.
struct Ranking {
  const float *users_at, *items_at; // users×2h, and 2h×I: the items, transposed
  float *distances;                 // users×I
  int *lists;                       // users×depth
  u32 *nan;                         // users: the first item whose distance is not a number
};

// What is drawn from; the epoch stands in the upper 32 bits.
struct Seeds {
  u64 seed, epoch, round, noise_key;
};

// Of the table.
struct Sizes {
  int users, items, n, shift, h;
};

// Of the batch.
struct BatchSizes {
  int b, from, per, own, slot_count; // own: negatives of each pair's own
  int anchors, apart;                // A; one in so many pairs has a relation's pair
  int negatives, size, blocks;       // Q; anchors that share, 1: none do
  int members_at, group_row; // the first slot of a member, and the first row of dense that holds what members get
};

// Which task, and what is done for it.
struct Kind {
  int task, softmax, margin_net, points, free_users, composed;
};

// Of rows, padded and not.
struct Widths {
  int half, hp, wp, Hp, H, input; // half: the noise of one entity
};

// Where the training is.
struct Progress {
  int number, candidates, into; // into: 0 the inner step, 1 the outer
};

// How rows are kept and triplets drawn.
struct Rules {
  int bound, is_signed, unit_proxy;         // bound: SIGMA, STDDEV or JOINT
  int user_negatives, outer_batch;          // all pairs of a user in the batch have the same; SAME, HELD_OUT or ROTATED
};

// Of a ranking.
struct RankingSizes {
  int rank_users, depth;
};

// Weights and rates.
struct Rates {
  float weight, margin, inverse, alpha, radius, user_weight;
  float step, epsilon, phi_step, phi_epsilon, lambda;
  float smooth; // τ of the smooth hinge; 0: the hinge as printed, or softmax
};

// All that a kernel knows of a task.
struct Work : State, Shrinkage, Data, Terms, Losses, Network, Composition, Sharing, UnitLength, Figures, Ranking,
              Seeds, Sizes, BatchSizes, Kind, Widths, Progress, Rules, RankingSizes, Rates {
  int check; // LAYOUT
};

struct Tasks {
  Work of[3];
  int count; // of those that a launch is for
};
static_assert(sizeof(Tasks) <= 4096, "a kernel takes 4 KB of parameters at most");

enum { LAYOUT = 0x504d4c41 };
enum { DIFFERENCE, CAT, ADD };
enum { SIGMA, STDDEV, JOINT };
enum { SAME, HELD_OUT, ROTATED };
enum { USER_ITEM, USER_USER, ITEM_ITEM };
enum { CHUNKS = 512, GROUP = 32 }; // of a network's gradient, and how many are added up at once
#define MIN_STDDEV 1e-3f

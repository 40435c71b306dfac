// Work is the input of a kernel for one task. Tasks, its only parameter, holds the Work of all tasks of a launch.
// ../work.go has equal Go structs, with the same fields in the same order.
//
// Shapes: U users, I items, E = U+I entities (users first), N rows of the table (row = entity − shift: users have rows
// only if they are learned), h dimension, 2h a row [μ; s], H hidden units; h′, w′, H′ are padded with zeros to
// multiples of 8. B pairs in the batch, Q negatives per pair (shared: Q per block of anchors), T = B·Q triplets. A
// anchors: B, one per pair, or if likes are learned in parts, one per part, whose pairs are adjacent.
//
// A slot is a place in the batch that names an entity. Each pair has `per` slots, in the order anchor (only the first
// pair of a part), positive, own negatives, and with composed anchors the positive once more. They are followed by Q
// slots per block if negatives are shared, and then by the items of composed anchors, one list per user. Each slot is a
// term of the gradient of its row r, coef·dense[src] + self·x_r.
#pragma once
#include "warp.h"

// The state: N×2h each. Each task has its own grad, proxy, v and seen, and its own batch and networks.
struct State {
  float *theta, *moment, *variance;
  float *grad;   // G, the task's gradient; after update the first task's holds the previous rows
  float *proxy;  // Θ̃ = Θ − αG
  float *v;      // ∇_Θ̃ J_outer
  int *seen;     // N: the last step that touched the row
  const float *x; // the rows of anchors, distances and sums: theta, or shrunk; proxy in the outer step
};

// If items' rows are composed, θ = Sφ; theta then holds φ. Otherwise all are 0.
struct Shrinkage {
  float *shrunk; // N×2h: θ, later ∂L/∂φ
  int *moved;    // N: the last step that moved the row of φ
  const int *sources, *source; // S by rows, N+1 and the rows of φ that a row of θ is composed of
  const float *source_weight;
  const int *targets, *target;  // S by columns
  const float *target_weight;
};

// The training data.
struct Data {
  const int *pairs; // user and item of every positive pair
  const int *order; // of the epoch; in ranking the users
  const i64 *likes; // U+1: start of a user's items in liked
  const int *liked;
  const i64 *judged_at; // pairs for the outer loss only, likewise
  const int *judged;
  const i64 *near; // neighbours of the task's users or items, likewise
  const int *neighbour;
};

// The slots of the batch and their contributions.
struct Terms {
  int *rows;                           // the entity of each slot, −1: none
  int *outer_rows;                     // the same for the outer step, if it has another batch
  int *count, *start, *tops;           // E+1, E+1: number of slots of an entity, and their start in slots
  int *ticket, *unsorted, *slots;      // slots, by entity and then number
  int *src;                            // of each slot: row of dense
  float *coef, *self;                  // of each slot
  float *dense;                        // rows of 2h: B anchors, B gradients of anchors, and the contributions of slots
  float *partial, *partial_self;       // by place in slots: sums of runs
};

// Losses and distances of the batch.
struct Losses {
  float *values, *dp, *dq; // B, B, T or A×Q: loss; d_p and then ∂J/∂d_p; d_q and then ∂J/∂d_q
};

// The margin network, with its inputs and outputs for the batch.
struct Network {
  float *eps;                          // B×(2+Q)×h′
  float *pair_in, *in;                 // B×w′, T×h′: inputs: y and z before squaring, or r and z
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
  const int *starts, *part;            // A+1, B: the first pair of an anchor, a pair's anchor; 0: one anchor per pair
  const float *part_weights;           // of parts, by their number of pairs
  u32 *leads;                          // U: a user's first anchor in the batch
  int *members;                        // A: start of the members of the anchor's user
  int *member_tops;                    // ⌈A/32⌉: members of the leaders of 32 anchors, then the sum of those before
};

// Negatives that anchors share.
struct Sharing {
  float *across; // blocks×2h×Q: the shared negatives, transposed
};

// A proxy of unit length.
struct UnitLength {
  float *products;                     // N: of the task's rows ‖G‖², then v·G
  double *tiles;                       // their sums by tiles of rows
  double *unit;                        // ‖G‖²; the factor of G in the proxy; its factor in v
};

// The figures of the step.
struct Figures {
  double *tallies; // ⌈B/32⌉×3: losses, pairs and margins of 32 pairs
  double *report; // four per task: inner, outer, pairs, margins
  u32 *bad;       // the first non-finite row; a bit for each non-finite tensor of a network
};

// Ranking.
struct Ranking {
  const float *users_at, *items_at; // users×2h, and 2h×I: the items, transposed
  float *distances;                 // users×I
  int *lists;                       // users×depth
  u32 *nan;                         // users: the first item whose distance is NaN
};

// The random seeds; the epoch is in the upper 32 bits.
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
  int anchors, apart;                // A; one pair in this many also gets a pair of each relation
  int negatives, size, blocks;       // Q; anchors that share negatives, 1: none
  int members_at, group_row; // the first slot of a member, and the first row of dense with gradients of members
};

// The task, and its variants.
struct Kind {
  int task, softmax, margin_net, points, free_users, composed;
};

// Of rows, padded and not.
struct Widths {
  int half, hp, wp, Hp, H, input; // half: the noise of one entity
};

// The position of the training.
struct Progress {
  int number, candidates, into; // into: 0 the inner step, 1 the outer
};

// Bounds of rows and drawing of triplets.
struct Rules {
  int bound, is_signed, unit_proxy;         // bound: SIGMA, STDDEV or JOINT
  int user_negatives, outer_batch;          // a user's pairs in the batch share negatives; SAME, HELD_OUT or ROTATED
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
  float power;  // q of parts
};

// The input of a kernel for one task.
struct Work : State, Shrinkage, Data, Terms, Losses, Network, Composition, Sharing, UnitLength, Figures, Ranking,
              Seeds, Sizes, BatchSizes, Kind, Widths, Progress, Rules, RankingSizes, Rates {
  int check; // LAYOUT
};

struct Tasks {
  Work of[3];
  int count; // tasks in the launch
};
static_assert(sizeof(Tasks) <= 4096, "a kernel takes 4 KB of parameters at most");

enum { LAYOUT = 0x504d4c41 };
enum { DIFFERENCE, CAT, ADD };
enum { SIGMA, STDDEV, JOINT };
enum { SAME, HELD_OUT, ROTATED };
enum { USER_ITEM, USER_USER, ITEM_ITEM };
enum { CHUNKS = 512, GROUP = 32 }; // of a network's gradient; chunks summed at once
#define MIN_STDDEV 1e-3f

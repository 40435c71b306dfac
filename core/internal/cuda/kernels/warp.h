// The language of all kernels: the work of one warp, 32 lanes in step.
//
// The same source is compiled twice. On a GPU a lane is a thread, and EACH(l) runs once in each. On a CPU (the stand-in
// driver of the tests) a warp is one call, and EACH(l) is a loop over the lanes: all lanes finish one EACH before the
// next begins. On a GPU, memory written in one EACH is visible to other lanes only after sync(), and the stand-in
// cannot detect where that is missing. A value that a lane keeps from one EACH to the next is a Lanes<T>. Sums over the
// lanes add in the order of a butterfly in both.
//
// Rules that make every result independent of the order in which warps run: each value is written by one warp (except
// in `forget`, where several write the same value), no kernel reads data that another warp of it writes, and sums have
// a fixed order. The only atomics are counts, minima and ors of integers, whose results do not depend on order.
// Barriers are only used within a warp, and shared memory is not used.
#pragma once

typedef long long i64;
typedef unsigned long long u64;
typedef unsigned int u32;

// UNROLL is for loops over values that a lane keeps in registers.
#if defined(__clang__)
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif

#if defined(__CUDA__)

#define DEVICE static inline __attribute__((device, always_inline))
#define MEMBER __attribute__((device, always_inline)) inline
#define EACH(l) for (int l = (int)(__nvvm_read_ptx_sreg_tid_x() & 31), once_ = 1; once_; once_ = 0)
#define ALL 0xffffffffu

template <class T> struct Lanes {
  T v;
  MEMBER T &operator[](int) { return v; }
};

DEVICE void sync() { __nvvm_bar_warp_sync(ALL); }
DEVICE int across(int v, int mask) { return __nvvm_shfl_sync_bfly_i32(ALL, v, mask, 31); }
DEVICE float across(float v, int mask) { return __nvvm_shfl_sync_bfly_f32(ALL, v, mask, 31); }
DEVICE double across(double v, int mask) {
  u64 b;
  __builtin_memcpy(&b, &v, 8);
  u32 low = (u32)across((int)(u32)b, mask), high = (u32)across((int)(b >> 32), mask);
  b = (u64)high << 32 | low;
  __builtin_memcpy(&v, &b, 8);
  return v;
}

template <class T> DEVICE T total(Lanes<T> x) {
  for (int mask = 16; mask; mask >>= 1) x.v += across(x.v, mask);
  return x.v;
}
template <class T> DEVICE T largest(Lanes<T> x) {
  for (int mask = 16; mask; mask >>= 1) {
    T other = across(x.v, mask);
    x.v = other > x.v ? other : x.v;
  }
  return x.v;
}
// at returns the value of lane l.
DEVICE int at(Lanes<int> x, int l) { return __nvvm_shfl_sync_idx_i32(ALL, x.v, l, 31); }
DEVICE float at(Lanes<float> x, int l) { return __nvvm_shfl_sync_idx_f32(ALL, x.v, l, 31); }
// which returns a bit for each lane whose value is not 0.
DEVICE u32 which(Lanes<int> x) { return __nvvm_vote_ballot_sync(ALL, x.v != 0); }

DEVICE int add_to(int *p, int n) { return __nvvm_atom_add_gen_i(p, n); }
DEVICE void min_to(u32 *p, u32 n) { __nvvm_atom_min_gen_ui(p, n); }
DEVICE void or_to(u32 *p, u32 n) { __nvvm_atom_or_gen_i((int *)p, (int)n); }
DEVICE float root(float x) { return __nvvm_sqrt_rn_f(x); }
DEVICE double precise_root(double x) { return __nvvm_sqrt_rn_d(x); }
DEVICE int lowest(u32 x) { return __builtin_ctz(x); }

// A kernel runs in blocks of 128 threads: warps 4·block … 4·block+3 of the task that the grid's second dimension
// selects.
#define KERNEL(name)                                                                                                   \
  DEVICE void name##_warp(const Work &w, i64 warp);                                                                    \
  extern "C" __attribute__((global)) void __launch_bounds_ name(const Tasks tasks) {                                   \
    name##_warp(tasks.of[__nvvm_read_ptx_sreg_ctaid_y()], block_warp());                                               \
  }                                                                                                                    \
  DEVICE void name##_warp(const Work &w, i64 warp)
// A kernel that processes all tasks at once.
#define KERNEL_OF_ALL(name)                                                                                            \
  DEVICE void name##_warp(const Tasks &tasks, i64 warp);                                                               \
  extern "C" __attribute__((global)) void __launch_bounds_ name(const Tasks tasks) {                                   \
    name##_warp(tasks, block_warp());                                                                                  \
  }                                                                                                                    \
  DEVICE void name##_warp(const Tasks &tasks, i64 warp)
DEVICE i64 block_warp() { return (i64)__nvvm_read_ptx_sreg_ctaid_x() * 4 + (__nvvm_read_ptx_sreg_tid_x() >> 5); }
#define __launch_bounds_ __attribute__((launch_bounds(128)))

#else

#define DEVICE static inline
#define MEMBER inline
#define EACH(l) for (int l = 0; l < 32; l++)

template <class T> struct Lanes {
  T v[32];
  T &operator[](int l) { return v[l]; }
};

DEVICE void sync() {}
template <class T> DEVICE T total(const Lanes<T> &x) {
  Lanes<T> a = x, b;
  for (int mask = 16; mask; mask >>= 1) {
    EACH(l) b.v[l] = a.v[l] + a.v[l ^ mask];
    a = b;
  }
  return a.v[0];
}
template <class T> DEVICE T largest(const Lanes<T> &x) {
  T top = x.v[0];
  EACH(l) top = x.v[l] > top ? x.v[l] : top;
  return top;
}
template <class T> DEVICE T at(const Lanes<T> &x, int l) { return x.v[l]; }
DEVICE u32 which(const Lanes<int> &x) {
  u32 bits = 0;
  EACH(l) bits |= (u32)(x.v[l] != 0) << l;
  return bits;
}

DEVICE int add_to(int *p, int n) {
  int old = *p;
  *p += n;
  return old;
}
DEVICE void min_to(u32 *p, u32 n) { *p = n < *p ? n : *p; }
DEVICE void or_to(u32 *p, u32 n) { *p |= n; }
DEVICE float root(float x) { return __builtin_sqrtf(x); }
DEVICE double precise_root(double x) { return __builtin_sqrt(x); }
DEVICE int lowest(u32 x) { return __builtin_ctz(x); }

#define KERNEL(name)                                                                                                   \
  static void name##_warp(const Work &w, i64 warp);                                                                    \
  extern "C" void name(const Tasks *tasks, int task, i64 warp) { name##_warp(tasks->of[task], warp); }                 \
  static void name##_warp(const Work &w, i64 warp)
#define KERNEL_OF_ALL(name)                                                                                            \
  static void name##_warp(const Tasks &tasks, i64 warp);                                                               \
  extern "C" void name(const Tasks *tasks, int, i64 warp) { name##_warp(*tasks, warp); }                               \
  static void name##_warp(const Tasks &tasks, i64 warp)

#endif

DEVICE float fma_(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
template <class T> DEVICE T least(T a, T b) { return a < b ? a : b; }
template <class T> DEVICE T most(T a, T b) { return a > b ? a : b; }

// before returns, for each lane, the sum of the lanes before it.
DEVICE Lanes<int> before(Lanes<int> x) {
  Lanes<int> sum;
#if defined(__CUDA__)
  int v = x.v, l = (int)(__nvvm_read_ptx_sreg_tid_x() & 31);
  for (int step = 1; step < 32; step <<= 1) {
    int other = __nvvm_shfl_sync_up_i32(ALL, v, step, 0);
    if (l >= step) v += other;
  }
  sum.v = v - x.v;
#else
  int v = 0;
  EACH(l) {
    sum.v[l] = v;
    v += x.v[l];
  }
#endif
  return sum;
}

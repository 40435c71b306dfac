//go:build ignore

// The browser's scan: squared distances from one query to many rows, in WebAssembly SIMD.
//
// It works in place on the Go program's memory, which the module imports. Nothing here may own memory: no data segment,
// no table, no stack. kernel_test.go checks the compiled module for all three.
//
// The order of additions is the one of core/internal/vec, so the sums have the same bits as Go's. Sums run in eight
// lanes, kept in two vectors: lane l takes the elements l, l+8, l+16, and so on; the last, incomplete block is padded
// with zeros; products are rounded before they are added; the lanes fold as ((l0+l4)+(l2+l6)) + ((l1+l5)+(l3+l7)).
//
// `go generate ./wasm/kernel` rebuilds the module. The first line keeps Go from compiling this file.

#include <wasm_simd128.h>

typedef unsigned int u32;

// tail loads r floats, 0 <= r <= 3, followed by zeros. It reads no byte after the r floats.
static inline v128_t tail(const float *p, u32 r) {
    switch (r) {
    case 1:
        return wasm_v128_load32_zero(p);
    case 2:
        return wasm_v128_load64_zero(p);
    case 3:
        return wasm_v128_load32_lane(p + 2, wasm_v128_load64_zero(p), 2);
    }
    return wasm_f32x4_const_splat(0);
}

static inline v128_t add_square(v128_t sum, v128_t a, v128_t b) {
    v128_t d = wasm_f32x4_sub(a, b);
    return wasm_f32x4_add(sum, wasm_f32x4_mul(d, d));
}

// fold returns ((l0+l4)+(l2+l6)) + ((l1+l5)+(l3+l7)) of the lanes lo = l0..l3, hi = l4..l7.
static inline float fold(v128_t lo, v128_t hi) {
    v128_t s = wasm_f32x4_add(lo, hi);                                     // l0+l4, l1+l5, l2+l6, l3+l7
    v128_t t = wasm_f32x4_add(s, wasm_i32x4_shuffle(s, s, 2, 3, 2, 3));    // (l0+l4)+(l2+l6), (l1+l5)+(l3+l7)
    return wasm_f32x4_extract_lane(t, 0) + wasm_f32x4_extract_lane(t, 1);
}

// scan writes |query - row_i|^2 into dst[i] for n consecutive rows of width w.
__attribute__((export_name("scan")))
void scan(float *dst, const float *query, const float *rows, u32 n, u32 w) {
    const u32 whole = w & ~7u;   // elements in complete blocks
    const u32 rest = w & 7u;     // remaining elements
    const u32 half = rest & 4u;  // 4 if the incomplete block fills its low vector
    const float *end = query + whole;
    // The query's part of the last block is the same for every row.
    const v128_t qlo = half ? wasm_v128_load(end) : tail(end, rest);
    const v128_t qhi = half ? tail(end + 4, rest - 4) : wasm_f32x4_const_splat(0);
    for (u32 i = 0; i < n; i++, rows += w) {
        v128_t lo = wasm_f32x4_const_splat(0), hi = lo;
        for (u32 j = 0; j < whole; j += 8) {
            lo = add_square(lo, wasm_v128_load(query + j), wasm_v128_load(rows + j));
            hi = add_square(hi, wasm_v128_load(query + j + 4), wasm_v128_load(rows + j + 4));
        }
        const float *p = rows + whole;
        if (half) {
            lo = add_square(lo, qlo, wasm_v128_load(p));
            if (rest > 4) {
                hi = add_square(hi, qhi, tail(p + 4, rest - 4));
            }
        } else if (rest) {
            lo = add_square(lo, qlo, tail(p, rest));
        }
        dst[i] = fold(lo, hi);
    }
}

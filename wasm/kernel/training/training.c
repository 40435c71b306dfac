//go:build ignore

// The kernels of the training in WebAssembly SIMD: those of core/internal/vec that the studio's training spends its time
// in. vec_wasm.go of that package imports them and says what each computes; its Go functions are their oracles.
//
// As in kernel.c, the module works in place on Go's memory and owns nothing: no data segment, no table, no stack. The
// order of additions is that of core/internal/vec: sums in eight lanes, products rounded before they are added, and only
// gemm fuses.
//
// WebAssembly's fused multiply-add is "relaxed": an engine may also round the product. With -DFUSED this file is compiled
// to the module that uses it, and `fused` says whether the machine really fuses. Without, gemm computes in float64, where
// a product of two float32 is exact, and repairs the rare results that are rounded twice.

#include <wasm_simd128.h>

typedef unsigned int u32;
typedef int i32;
typedef unsigned long long u64;
typedef long long i64;

#define EXPORT(name) __attribute__((export_name(#name)))

typedef v128_t f32x4;

static inline f32x4 load(const float *p) { return wasm_v128_load(p); }
static inline void store(float *p, f32x4 v) { wasm_v128_store(p, v); }
static inline f32x4 splat(float x) { return wasm_f32x4_splat(x); }
static inline f32x4 add(f32x4 a, f32x4 b) { return wasm_f32x4_add(a, b); }
static inline f32x4 sub(f32x4 a, f32x4 b) { return wasm_f32x4_sub(a, b); }
static inline f32x4 mul(f32x4 a, f32x4 b) { return wasm_f32x4_mul(a, b); }
static inline f32x4 quot(f32x4 a, f32x4 b) { return wasm_f32x4_div(a, b); }

// some loads r floats, 0 <= r <= 4, followed by zeros. It reads no byte after the r floats.
static inline f32x4 some(const float *p, u32 r) {
    switch (r) {
    case 1:
        return wasm_v128_load32_zero(p);
    case 2:
        return wasm_v128_load64_zero(p);
    case 3:
        return wasm_v128_load32_lane(p + 2, wasm_v128_load64_zero(p), 2);
    case 4:
        return load(p);
    }
    return splat(0);
}

// put stores the first r floats of v, 0 <= r <= 4.
static inline void put(float *p, f32x4 v, u32 r) {
    switch (r) {
    case 1:
        wasm_v128_store32_lane(p, v, 0);
        return;
    case 2:
        wasm_v128_store64_lane(p, v, 0);
        return;
    case 3:
        wasm_v128_store64_lane(p, v, 0);
        wasm_v128_store32_lane(p + 2, v, 2);
        return;
    case 4:
        store(p, v);
    }
}

// fold returns ((l0+l4)+(l2+l6)) + ((l1+l5)+(l3+l7)) of the lanes lo = l0..l3, hi = l4..l7.
static inline float fold(f32x4 lo, f32x4 hi) {
    f32x4 s = add(lo, hi);
    f32x4 t = add(s, wasm_i32x4_shuffle(s, s, 2, 3, 2, 3));
    return wasm_f32x4_extract_lane(t, 0) + wasm_f32x4_extract_lane(t, 1);
}

EXPORT(available) u32 available(void) { return 1; }

EXPORT(dot) float dot(const float *x, const float *y, u32 n) {
    f32x4 lo = splat(0), hi = lo;
    for (; n >= 8; n -= 8, x += 8, y += 8) {
        lo = add(lo, mul(load(x), load(y)));
        hi = add(hi, mul(load(x + 4), load(y + 4)));
    }
    u32 half = n < 4 ? n : 4;
    lo = add(lo, mul(some(x, half), some(y, half)));
    if (n > 4) {
        hi = add(hi, mul(some(x + 4, n - 4), some(y + 4, n - 4)));
    }
    return fold(lo, hi);
}

static inline f32x4 square(f32x4 d) { return mul(d, d); }

EXPORT(squared_distance) float squared_distance(const float *x, const float *y, u32 n) {
    f32x4 lo = splat(0), hi = lo;
    for (; n >= 8; n -= 8, x += 8, y += 8) {
        lo = add(lo, square(sub(load(x), load(y))));
        hi = add(hi, square(sub(load(x + 4), load(y + 4))));
    }
    u32 half = n < 4 ? n : 4;
    lo = add(lo, square(sub(some(x, half), some(y, half))));
    if (n > 4) {
        hi = add(hi, square(sub(some(x + 4, n - 4), some(y + 4, n - 4))));
    }
    return fold(lo, hi);
}

EXPORT(squared_distances) void squared_distances(float *dst, const float *query, const float *rows, u32 n, u32 w) {
    for (u32 i = 0; i < n; i++, rows += w) {
        dst[i] = squared_distance(query, rows, w);
    }
}

EXPORT(dots) void dots(float *dst, const float *x, const float *rows, u32 n, u32 w) {
    for (u32 i = 0; i < n; i++, rows += w) {
        dst[i] = dot(x, rows, w);
    }
}

EXPORT(axpy) void axpy(float alpha, const float *x, float *y, u32 n) {
    f32x4 a = splat(alpha);
    for (; n >= 4; n -= 4, x += 4, y += 4) {
        store(y, add(load(y), mul(a, load(x))));
    }
    put(y, add(some(y, n), mul(a, some(x, n))), n);
}

EXPORT(axpy_into) void axpy_into(float *dst, float alpha, const float *x, const float *y, u32 n) {
    f32x4 a = splat(alpha);
    for (; n >= 4; n -= 4, x += 4, y += 4, dst += 4) {
        store(dst, add(load(y), mul(a, load(x))));
    }
    put(dst, add(some(y, n), mul(a, some(x, n))), n);
}

// floored returns v, or least where v is less. NaN stays.
static inline f32x4 floored(f32x4 v, f32x4 least) { return wasm_f32x4_pmax(v, least); }

EXPORT(scale_floor) void scale_floor(float c, float *x, float least, u32 n) {
    f32x4 a = splat(c), l = splat(least);
    for (; n >= 4; n -= 4, x += 4) {
        store(x, floored(mul(a, load(x)), l));
    }
    put(x, floored(mul(a, some(x, n)), l), n);
}

// Columns of y that stay in registers while all rows are added: eight vectors.
#define WIDE 32

EXPORT(accumulate_rows)
void accumulate_rows(float *y, u32 n, const float *c, const float *x, const i32 *rows, u32 m, u32 keep) {
    u32 j = 0;
    for (; j + WIDE <= n; j += WIDE) {
        f32x4 s[WIDE / 4];
#pragma unroll
        for (u32 v = 0; v < WIDE / 4; v++) {
            s[v] = keep ? load(y + j + 4 * v) : splat(0);
        }
        for (u32 i = 0; i < m; i++) {
            const float *row = x + (u32)rows[i] * n + j;
            f32x4 a = splat(c[i]);
#pragma unroll
            for (u32 v = 0; v < WIDE / 4; v++) {
                s[v] = add(s[v], mul(a, load(row + 4 * v)));
            }
        }
#pragma unroll
        for (u32 v = 0; v < WIDE / 4; v++) {
            store(y + j + 4 * v, s[v]);
        }
    }
    for (; j < n; j += 4) {
        u32 r = n - j < 4 ? n - j : 4;
        f32x4 s = keep ? some(y + j, r) : splat(0);
        if (r == 4) {
            for (u32 i = 0; i < m; i++) {
                s = add(s, mul(splat(c[i]), load(x + (u32)rows[i] * n + j)));
            }
        } else {
            for (u32 i = 0; i < m; i++) {
                s = add(s, mul(splat(c[i]), some(x + (u32)rows[i] * n + j, r)));
            }
        }
        put(y + j, s, r);
    }
}

EXPORT(adam) void adam(float *x, const float *g, float *m, float *v, u32 n, float step, float eps) {
    const f32x4 b1 = splat(0.9f), c1 = splat((float)(1 - 0.9)), b2 = splat(0.999f), c2 = splat((float)(1 - 0.999));
    const f32x4 s = splat(step), e = splat(eps);
    for (u32 j = 0; j < n; j += 4) {
        u32 r = n - j < 4 ? n - j : 4;
        f32x4 d = some(g + j, r);
        f32x4 first = add(mul(b1, some(m + j, r)), mul(c1, d));
        f32x4 second = add(mul(b2, some(v + j, r)), mul(mul(c2, d), d));
        put(m + j, first, r);
        put(v + j, second, r);
        put(x + j, sub(some(x + j, r), quot(mul(s, first), add(wasm_f32x4_sqrt(second), e))), r);
    }
}

// --- the exponential and what follows from it: activate.go --------------------------------------------------------

// reduced returns e^r - 1 and, in *s, 2^k for e^a = 2^k * e^r.
static inline f32x4 reduced(f32x4 a, f32x4 *s) {
    const f32x4 magic = splat(12582912.0f);
    f32x4 t = add(mul(a, splat(1.44269504088896f)), magic);
    f32x4 k = sub(t, magic);
    f32x4 r = sub(a, mul(k, splat(0.693359375f)));
    r = sub(r, mul(k, splat(-2.12194440e-4f)));
    f32x4 p = add(mul(splat(0.00138825201f), r), splat(0.0083665289f));
    p = add(mul(p, r), splat(0.0416672006f));
    p = add(mul(p, r), splat(0.166665435f));
    p = add(mul(p, r), splat(0.49999997f));
    f32x4 q = mul(r, r);
    *s = wasm_i32x4_add(wasm_i32x4_shl(t, 23), wasm_i32x4_splat(127 << 23));
    return add(mul(p, q), r);
}

static inline f32x4 choose(f32x4 mask, f32x4 yes, f32x4 no) { return wasm_v128_bitselect(yes, no, mask); }

// exp4 is Exps for four values.
static inline f32x4 exp4(f32x4 x) {
    const f32x4 top = splat(88), bottom = splat(-87);
    f32x4 over = wasm_f32x4_gt(x, top), under = wasm_f32x4_lt(x, bottom);
    f32x4 s, a = choose(under, bottom, choose(over, top, x));
    f32x4 em = reduced(a, &s);
    f32x4 y = add(mul(s, em), s);
    y = choose(over, splat(__builtin_inff()), y);
    return choose(under, splat(0), y);
}

EXPORT(exps) void exps(float *dst, const float *x, u32 n) {
    for (; n >= 4; n -= 4, x += 4, dst += 4) {
        store(dst, exp4(load(x)));
    }
    put(dst, exp4(some(x, n)), n);
}

static inline f32x4 tanh4(f32x4 x) {
    const f32x4 sign = wasm_i32x4_splat(1u << 31), one = splat(1), top = splat(20);
    f32x4 a = wasm_v128_andnot(x, sign);
    a = add(a, a);
    a = choose(wasm_f32x4_gt(a, top), top, a);
    f32x4 s, em = reduced(a, &s);
    em = add(mul(s, em), sub(s, one));
    f32x4 y = quot(em, add(em, splat(2)));
    return wasm_v128_or(y, wasm_v128_and(x, sign));
}

EXPORT(tanhs) void tanhs(float *dst, const float *x, u32 n) {
    for (; n >= 4; n -= 4, x += 4, dst += 4) {
        store(dst, tanh4(load(x)));
    }
    put(dst, tanh4(some(x, n)), n);
}

static inline f32x4 softplus_sigmoid4(f32x4 x, f32x4 *softplus) {
    const f32x4 sign = wasm_i32x4_splat(1u << 31), one = splat(1), bottom = splat(-87);
    f32x4 a = wasm_v128_or(x, sign);
    a = choose(wasm_f32x4_lt(a, bottom), bottom, a);
    f32x4 s, e = reduced(a, &s);
    e = add(mul(s, e), s);
    f32x4 num = choose(wasm_i32x4_shr(x, 31), e, one);
    f32x4 p = add(mul(splat(0.00536482316f), e), splat(-0.030065788f));
    p = add(mul(p, e), splat(0.0792045295f));
    p = add(mul(p, e), splat(-0.137538016f));
    p = add(mul(p, e), splat(0.191536546f));
    p = add(mul(p, e), splat(-0.248571634f));
    p = add(mul(p, e), splat(0.33321324f));
    p = add(mul(p, e), splat(-0.499996483f));
    f32x4 l = add(mul(p, mul(e, e)), e);
    f32x4 v = choose(wasm_f32x4_lt(x, splat(0)), splat(0), x);
    *softplus = add(v, l);
    return quot(num, add(one, e));
}

EXPORT(softplus_sigmoids) void softplus_sigmoids(float *softplus, float *sigmoid, const float *x, u32 n) {
    for (u32 j = 0; j < n; j += 4) {
        u32 r = n - j < 4 ? n - j : 4;
        f32x4 sp, sg = softplus_sigmoid4(some(x + j, r), &sp);
        put(sigmoid + j, sg, r);
        put(softplus + j, sp, r);
    }
}

// --- products of matrices: gemm.go ----------------------------------------------------------------------------------

#ifdef FUSED

static inline f32x4 madd(f32x4 a, f32x4 b, f32x4 c) { return wasm_f32x4_relaxed_madd(a, b, c); }

// fused reports whether this machine's relaxed multiply-add rounds once: x*x - 1 with x = 1 + 2^-12 is 2^-11 + 2^-24
// exactly, of which rounding the product loses the second term. The operands come from memory, so that no compiler
// computes it in advance.
EXPORT(fused) u32 fused(const float *x, const float *minus_one, float *got) {
    *got = wasm_f32x4_extract_lane(madd(splat(*x), splat(*x), splat(*minus_one)), 0);
    return *got == 0x1.0008p-11f;
}

#define ROWS 4

// tile adds to a tile of C, 4 rows and 2 vectors.
static inline void tile(float *c, u32 ldc, const float *a, u32 am, u32 ak, const float *b, u32 ldb, u32 k) {
    f32x4 s00 = load(c), s01 = load(c + 4);
    f32x4 s10 = load(c + ldc), s11 = load(c + ldc + 4);
    f32x4 s20 = load(c + 2 * ldc), s21 = load(c + 2 * ldc + 4);
    f32x4 s30 = load(c + 3 * ldc), s31 = load(c + 3 * ldc + 4);
    const float *a1 = a + am, *a2 = a1 + am, *a3 = a2 + am;
    for (u32 p = 0; p < k; p++, b += ldb, a += ak, a1 += ak, a2 += ak, a3 += ak) {
        f32x4 b0 = load(b), b1 = load(b + 4), x;
        x = wasm_v128_load32_splat(a);
        s00 = madd(x, b0, s00), s01 = madd(x, b1, s01);
        x = wasm_v128_load32_splat(a1);
        s10 = madd(x, b0, s10), s11 = madd(x, b1, s11);
        x = wasm_v128_load32_splat(a2);
        s20 = madd(x, b0, s20), s21 = madd(x, b1, s21);
        x = wasm_v128_load32_splat(a3);
        s30 = madd(x, b0, s30), s31 = madd(x, b1, s31);
    }
    store(c, s00), store(c + 4, s01);
    store(c + ldc, s10), store(c + ldc + 4, s11);
    store(c + 2 * ldc, s20), store(c + 2 * ldc + 4, s21);
    store(c + 3 * ldc, s30), store(c + 3 * ldc + 4, s31);
}

// strip adds to at most one vector of one row of C.
static inline void strip(float *c, const float *a, u32 ak, const float *b, u32 ldb, u32 k, u32 r) {
    f32x4 s = some(c, r);
    if (r == 4) {
        for (u32 p = 0; p < k; p++, b += ldb, a += ak) {
            s = madd(wasm_v128_load32_splat(a), load(b), s);
        }
    } else {
        for (u32 p = 0; p < k; p++, b += ldb, a += ak) {
            s = madd(wasm_v128_load32_splat(a), some(b, r), s);
        }
    }
    put(c, s, r);
}

// column adds to one vector of four rows of C.
static inline void column(float *c, u32 ldc, const float *a, u32 am, u32 ak, const float *b, u32 ldb, u32 k) {
    f32x4 s0 = load(c), s1 = load(c + ldc), s2 = load(c + 2 * ldc), s3 = load(c + 3 * ldc);
    for (u32 p = 0; p < k; p++, b += ldb, a += ak) {
        f32x4 v = load(b);
        s0 = madd(wasm_v128_load32_splat(a), v, s0);
        s1 = madd(wasm_v128_load32_splat(a + am), v, s1);
        s2 = madd(wasm_v128_load32_splat(a + 2 * am), v, s2);
        s3 = madd(wasm_v128_load32_splat(a + 3 * am), v, s3);
    }
    store(c, s0), store(c + ldc, s1), store(c + 2 * ldc, s2), store(c + 3 * ldc, s3);
}

#else

// The bits of 2^-126, the smallest normal float32, in float64.
#define NORMAL 0x3810000000000000ull

// fma1 is vec.FMA.
static float fma1(float x, float y, float z) {
    double p = (double)x * (double)y, c = (double)z, s = p + c;
    u64 bits;
    __builtin_memcpy(&bits, &s, 8);
    if (((bits & 0x1fffffff) == 0x10000000 || bits << 1 < NORMAL << 1) && !(bits & 1) && s - s == 0) {
        double t = s - p, e = (p - (s - t)) + (c - t);
        if (e != 0) {
            bits += (e > 0) == (s > 0) ? 1 : -1;
            __builtin_memcpy(&s, &bits, 8);
        }
    }
    return (float)s;
}

// Two values of float64 that are float32, and what was seen of the sums on the way to them.
typedef v128_t f64x2;

// doubtful is not zero if the float64 sum s may be rounded wrongly to float32: halfway between two, or subnormal.
static inline f64x2 doubtful(f64x2 s) {
    const f64x2 low = wasm_i64x2_splat(0x1fffffff), half = wasm_i64x2_splat(0x10000000);
    f64x2 size = wasm_f64x2_abs(s);
    f64x2 small = wasm_v128_and(wasm_f64x2_lt(size, wasm_f64x2_splat(0x1p-126)),
                                wasm_f64x2_gt(size, wasm_f64x2_splat(0)));
    return wasm_v128_or(wasm_i64x2_eq(wasm_v128_and(s, low), half), small);
}

static inline f64x2 low2(f32x4 v) { return wasm_f64x2_promote_low_f32x4(v); }
static inline f64x2 high2(f32x4 v) { return wasm_f64x2_promote_low_f32x4(wasm_i32x4_shuffle(v, v, 2, 3, 2, 3)); }
static inline f64x2 rounded(f64x2 s) { return low2(wasm_f32x4_demote_f64x2_zero(s)); }
static inline f32x4 joined(f64x2 lo, f64x2 hi) {
    return wasm_i32x4_shuffle(wasm_f32x4_demote_f64x2_zero(lo), wasm_f32x4_demote_f64x2_zero(hi), 0, 1, 4, 5);
}

// strip adds to at most one vector of one row of C.
static inline void strip(float *c, const float *a, u32 ak, const float *b, u32 ldb, u32 k, u32 r) {
    f32x4 was = some(c, r);
    f64x2 lo = low2(was), hi = high2(was), doubt = wasm_i64x2_splat(0);
    const float *x = a, *y = b;
    for (u32 p = 0; p < k; p++, y += ldb, x += ak) {
        f64x2 f = wasm_f64x2_splat((double)*x);
        f32x4 v = some(y, r);
        f64x2 s = wasm_f64x2_add(wasm_f64x2_mul(f, low2(v)), lo), t = wasm_f64x2_add(wasm_f64x2_mul(f, high2(v)), hi);
        doubt = wasm_v128_or(doubt, wasm_v128_or(doubtful(s), doubtful(t)));
        lo = rounded(s), hi = rounded(t);
    }
    if (!wasm_v128_any_true(doubt)) {
        put(c, joined(lo, hi), r);
        return;
    }
    for (u32 j = 0; j < r; j++) {
        float s = c[j];
        for (u32 p = 0; p < k; p++) {
            s = fma1(a[p * ak], b[p * ldb + j], s);
        }
        c[j] = s;
    }
}

#endif

// Rows of B in a panel: with 8 columns they fit the first-level cache.
#define DEEP 256

EXPORT(gemm)
void gemm(float *c, u32 ldc, const float *a, u32 am, u32 ak, const float *b, u32 ldb, u32 m, u32 n, u32 k) {
    for (u32 p = 0; p < k; p += DEEP) {
        u32 deep = k - p < DEEP ? k - p : DEEP;
        const float *ap = a + p * ak, *bp = b + p * ldb;
        u32 j = 0;
#ifdef FUSED
        for (; j + 8 <= n; j += 8) {
            u32 i = 0;
            for (; i + ROWS <= m; i += ROWS) {
                tile(c + i * ldc + j, ldc, ap + i * am, am, ak, bp + j, ldb, deep);
            }
            for (; i < m; i++) {
                strip(c + i * ldc + j, ap + i * am, ak, bp + j, ldb, deep, 4);
                strip(c + i * ldc + j + 4, ap + i * am, ak, bp + j + 4, ldb, deep, 4);
            }
        }
        if (j + 4 <= n) {
            u32 i = 0;
            for (; i + ROWS <= m; i += ROWS) {
                column(c + i * ldc + j, ldc, ap + i * am, am, ak, bp + j, ldb, deep);
            }
            for (; i < m; i++) {
                strip(c + i * ldc + j, ap + i * am, ak, bp + j, ldb, deep, 4);
            }
            j += 4;
        }
#endif
        for (; j < n; j += 4) {
            u32 r = n - j < 4 ? n - j : 4;
            for (u32 i = 0; i < m; i++) {
                strip(c + i * ldc + j, ap + i * am, ak, bp + j, ldb, deep, r);
            }
        }
    }
}

// --- equations: core/train/itemlinks/equations.go, core/train/calibrate/logistic.go ----------------------------------

typedef double f64;

// Columns of the equations: MaxPool of core/train/itemlinks.
#define POOL 64

// solve solves the first m equations by Cholesky's factorisation, as Equations.solve does.
EXPORT(solve) void solve(f64 *gram, f64 *x, u32 m) {
    for (u32 k = 0; k < m; k++) {
        f64 *row = gram + POOL * k, pivot = __builtin_sqrt(row[k]);
        for (u32 j = k; j < m; j++) {
            row[j] /= pivot;
        }
        for (u32 i = k + 1; i < m; i++) {
            f64 *to = gram + POOL * i, f = row[i];
            for (u32 j = i; j < m; j++) {
                to[j] -= f * row[j];
            }
        }
    }
    for (u32 k = 0; k < m; k++) {
        const f64 *row = gram + POOL * k;
        x[k] /= row[k];
        for (u32 j = k + 1; j < m; j++) {
            x[j] -= row[j] * x[k];
        }
    }
    for (u32 k = m; k-- > 0;) {
        const f64 *row = gram + POOL * k;
        for (u32 j = k + 1; j < m; j++) {
            x[k] -= row[j] * x[j];
        }
        x[k] /= row[k];
    }
}

// products writes b*phi_i to x_i for n rows phi_i of k values, summed in order.
EXPORT(products) void products(f64 *x, const f64 *b, const f64 *phi, u32 n, u32 k) {
    for (u32 i = 0; i < n; i++, phi += k) {
        f64 sum = 0;
        for (u32 j = 0; j < k; j++) {
            sum += b[j] * phi[j];
        }
        x[i] = sum;
    }
}

// moments adds e_i*phi_i to gradient, and the lower triangle of v_i*phi_i*phi_i' to h, of k rows, for n rows phi_i.
EXPORT(moments)
void moments(f64 *restrict gradient, f64 *restrict h, const f64 *phi, const f64 *e, const f64 *v, u32 n, u32 k) {
    for (u32 i = 0; i < n; i++, phi += k) {
        for (u32 j = 0; j < k; j++) {
            gradient[j] += e[i] * phi[j];
            f64 w = v[i] * phi[j], *row = h + k * j;
            for (u32 l = 0; l <= j; l++) {
                row[l] += w * phi[l];
            }
        }
    }
}

// --- the map: core/tastemap/tsne.go ---------------------------------------------------------------------------------

// cell is core/tastemap's.
typedef struct {
    f64 x, y, mass, size;
    i32 from, to, skip;
    _Bool leaf;
} cell;

// pair_sum returns the sum of both lanes.
static inline f64 pair_sum(v128_t v) { return wasm_f64x2_extract_lane(v, 0) + wasm_f64x2_extract_lane(v, 1); }

// repulsions writes the repulsion of the points order[from:to] to push and returns the sum of their weights, less 1 for
// each, as tree.repulsions does. opening is squared.
EXPORT(repulsions)
f64 repulsions(f64 *push, const cell *cells, i32 count, const i32 *order, const f64 *xs, const f64 *ys, i32 from, i32 to,
               f64 opening) {
    const v128_t one = wasm_f64x2_splat(1);
    f64 sum = 0;
    for (i32 i = from; i < to; i++) {
        const v128_t point = wasm_f64x2_make(xs[i], ys[i]);
        const v128_t x2 = wasm_f64x2_splat(xs[i]), y2 = wasm_f64x2_splat(ys[i]);
        v128_t force = wasm_f64x2_splat(0);
        f64 weights = 0;
        for (i32 at = 0; at < count;) {
            const cell *c = cells + at;
            v128_t d = wasm_f64x2_sub(point, wasm_v128_load(&c->x));
            f64 square = pair_sum(wasm_f64x2_mul(d, d));
            if (c->size < opening * square) {
                f64 w = 1 / (1 + square);
                f64 m = c->mass * w;
                weights += m;
                m *= w;
                force = wasm_f64x2_add(force, wasm_f64x2_mul(wasm_f64x2_splat(m), d));
                at = c->skip;
                continue;
            }
            if (!c->leaf) {
                at++;
                continue;
            }
            i32 j = c->from;
            for (; j + 2 <= c->to; j += 2) { // the weights of two points at once, and the sums in order
                v128_t dx = wasm_f64x2_sub(x2, wasm_v128_load(xs + j)), dy = wasm_f64x2_sub(y2, wasm_v128_load(ys + j));
                v128_t w = wasm_f64x2_div(
                    one, wasm_f64x2_add(one, wasm_f64x2_add(wasm_f64x2_mul(dx, dx), wasm_f64x2_mul(dy, dy))));
                weights += wasm_f64x2_extract_lane(w, 0);
                weights += wasm_f64x2_extract_lane(w, 1);
                w = wasm_f64x2_mul(w, w);
                v128_t fx = wasm_f64x2_mul(w, dx), fy = wasm_f64x2_mul(w, dy);
                force = wasm_f64x2_add(force, wasm_i64x2_shuffle(fx, fy, 0, 2));
                force = wasm_f64x2_add(force, wasm_i64x2_shuffle(fx, fy, 1, 3));
            }
            if (j < c->to) {
                v128_t e = wasm_f64x2_sub(point, wasm_f64x2_make(xs[j], ys[j]));
                f64 w = 1 / (1 + pair_sum(wasm_f64x2_mul(e, e)));
                weights += w;
                w *= w;
                force = wasm_f64x2_add(force, wasm_f64x2_mul(wasm_f64x2_splat(w), e));
            }
            at = c->skip;
        }
        wasm_v128_store(push + 2 * order[i], force);
        sum += weights - 1;
    }
    return sum;
}

// slopes writes the gradient of the points [from, to) to slope, as descent.slopes does.
EXPORT(slopes)
void slopes(f64 *slope, const f64 *xy, const f64 *push, const i64 *start, const i32 *column, const f64 *p, i32 from,
            i32 to, f64 exaggeration, f64 total) {
    const v128_t four = wasm_f64x2_splat(4), more = wasm_f64x2_splat(exaggeration), all = wasm_f64x2_splat(total);
    for (i32 i = from; i < to; i++) {
        const v128_t point = wasm_v128_load(xy + 2 * i);
        v128_t force = wasm_f64x2_splat(0);
        for (i32 at = (i32)start[i], end = (i32)start[i + 1]; at < end; at++) {
            v128_t d = wasm_f64x2_sub(point, wasm_v128_load(xy + 2 * column[at]));
            f64 w = p[at] / (1 + pair_sum(wasm_f64x2_mul(d, d)));
            force = wasm_f64x2_add(force, wasm_f64x2_mul(wasm_f64x2_splat(w), d));
        }
        v128_t pushed = wasm_f64x2_div(wasm_v128_load(push + 2 * i), all);
        wasm_v128_store(slope + 2 * i, wasm_f64x2_mul(four, wasm_f64x2_sub(wasm_f64x2_mul(more, force), pushed)));
    }
}

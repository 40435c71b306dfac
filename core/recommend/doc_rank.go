// Package rank finds what lies near a visitor: exact nearest neighbours by W2, with filters, diversity, exploration,
// reasons and chances.
//
// It promises the same answer on every engine, down to the order. The scan over the catalogue runs in float32 by
// whichever kernel is at hand (assembly, WebAssembly SIMD, plain Go); it only shortlists, by a bound on its rounding
// error, and the shortlist is scored again in float64 in one fixed order of operations. Nothing here calls a function
// of package math that has assembly on some machines, except Sqrt, which is exact everywhere. Ties go to the lower
// item index.
//
// In the flow: model gives the table, profile the visitor's Gaussian, recommender asks. The package holds no state
// but working memory, and is safe for concurrent use.
package recommend

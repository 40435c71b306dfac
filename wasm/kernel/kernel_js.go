//go:build js && wasm

package kernel

import (
	"fmt"
	"unsafe"
)

// Available reports whether the SIMD module was loaded. It costs a call into JavaScript.
func Available() bool { return available() != 0 }

// Fastest returns the fastest scan of this engine and its name: Scan and "simd", or nil and "go" without the SIMD
// module, so that core scans in Go (recommend.Options).
func Fastest() (scan func(dst, query, rows []float32), name string) {
	if Available() {
		return Scan, "simd"
	}
	return nil, "go"
}

// Scan writes ‖query − row_i‖² into dst[i] for consecutive rows, len(dst)×len(query). It must only be called if
// Available reports true. It panics with ShapeError if rows is too short.
// O(len(dst)·len(query)), no allocation.
func Scan(dst, query, rows []float32) {
	if len(rows) < len(dst)*len(query) {
		panic(ShapeError{Dst: len(dst), Query: len(query), Rows: len(rows)})
	}
	if len(dst) == 0 {
		return
	}
	// The program has one thread and the garbage collector does not run during the call, so the addresses stay valid.
	scan(unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(query)),
		unsafe.Pointer(unsafe.SliceData(rows)), uint32(len(dst)), uint32(len(query)))
}

// ShapeError is the panic value of Scan if the lengths do not fit.
type ShapeError struct {
	Dst, Query, Rows int // lengths of the slices
}

func (e ShapeError) Error() string {
	return fmt.Sprintf("kernel: %d rows of %d values need %d values, but there are %d",
		e.Dst, e.Query, e.Dst*e.Query, e.Rows)
}

//go:wasmimport kernel available
func available() uint32

//go:wasmimport kernel scan
//go:noescape
func scan(dst, query, rows unsafe.Pointer, n, w uint32)

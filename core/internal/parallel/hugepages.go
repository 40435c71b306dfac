package parallel

import "unsafe"

// page is the size of a huge page; arrays smaller than a few pages are left alone.
const (
	page  = 2 << 20
	least = 2 * page
)

// AdviseHuge asks the operating system for huge pages under the whole capacity of x. With pages of 4 KB, almost every
// random read of a row of a large array costs a walk through the page tables. It affects only speed, and does nothing
// if the system has no huge pages. O(1).
func AdviseHuge(x []float32) {
	x = x[:cap(x)]
	if len(x)*4 < least {
		return
	}
	from := uintptr(unsafe.Pointer(&x[0]))
	skip := (page - from%page) % page
	if size := (uintptr(len(x))*4 - skip) / page * page; size > 0 {
		advise(unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(&x[0]), skip)), size))
	}
}

// Zeros returns n zeros in huge pages.
func Zeros(n int) []float32 {
	x := make([]float32, n)
	AdviseHuge(x)
	return x
}

package parallel

import "unsafe"

// page is the size of a huge page; what is smaller than a few of them is left alone.
const (
	page  = 2 << 20
	least = 2 * page
)

// AdviseHuge asks the operating system for huge pages under what x may grow to, its whole capacity: with pages of 4 KB
// nearly every row of a large array that is read at random costs a walk through the page tables. It changes speed and
// nothing else, and does nothing where the system has no such pages. O(1).
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

//go:build gpu && linux

package cuda

import (
	"fmt"
	"strings"
)

// Codes of the driver.
const (
	success     = 0
	outOfMemory = 2
)

// Error is a failure of the driver, or of the device, which the next call reports, whichever it is.
type Error struct {
	Device string // "cuda:0 (NVIDIA H100)"; "" before there is one
	Call   string // "cuMemAlloc"
	Code   int
	Name   string // "CUDA_ERROR_OUT_OF_MEMORY"
	Text   string // "out of memory"
	Detail string // what more is known
}

func (e *Error) Error() string {
	var b strings.Builder
	if e.Device != "" {
		fmt.Fprintf(&b, "%s failed: ", e.Device)
	}
	fmt.Fprintf(&b, "%s: %s", e.Call, e.Name)
	if e.Text != "" {
		fmt.Fprintf(&b, " (%s)", e.Text)
	}
	if e.Detail != "" {
		fmt.Fprintf(&b, ": %s", e.Detail)
	}
	return b.String()
}

// Lost reports whether the device can no longer be used by this process. All that it held is gone.
func (e *Error) Lost() bool { return e.Code != outOfMemory }

// trim takes the version of the interface off a function's name.
func trim(name string) string { return strings.TrimSuffix(name, "_v2") }

// size writes a number of bytes for people.
func size(n uint64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%d bytes", n)
}

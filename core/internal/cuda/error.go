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

// Error is a failure of the driver, or of the device, which any later call may report.
type Error struct {
	Device string // "cuda:0 (NVIDIA H100)"; "" before it is open
	Call   string // "cuMemAlloc"
	Code   int
	Name   string // "CUDA_ERROR_OUT_OF_MEMORY"
	Text   string // "out of memory"
	Detail string // further details
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

// Lost reports whether the device has become unusable for this process. Its content is lost then.
func (e *Error) Lost() bool { return e.Code != outOfMemory }

// trim removes the interface version from a function's name.
func trim(name string) string { return strings.TrimSuffix(name, "_v2") }

// size formats a number of bytes.
func size(n uint64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%d bytes", n)
}

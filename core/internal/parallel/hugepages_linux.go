package parallel

import "golang.org/x/sys/unix"

// advise is madvise(2). Errors, for example of kernels without huge pages, only cost speed and are ignored.
func advise(b []byte) { _ = unix.Madvise(b, unix.MADV_HUGEPAGE) }

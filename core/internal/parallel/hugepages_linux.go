package parallel

import "golang.org/x/sys/unix"

// advise is madvise(2). Its failure, as where the kernel has no huge pages, is no error: nothing but speed is lost.
func advise(b []byte) { _ = unix.Madvise(b, unix.MADV_HUGEPAGE) }

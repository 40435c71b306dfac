//go:build !amd64

package vec

func haveAVX2() bool { return false }

func expsAVX2(dst, x *float32, n int) { panic("vec: no assembly here") }

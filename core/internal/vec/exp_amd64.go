package vec

func haveAVX2() bool { return useFMA }

// expsAVX2 is Exps for n elements, a multiple of 8.
//
//go:noescape
func expsAVX2(dst, x *float32, n int)

//go:build !amd64

package vec

const (
	useAVX  = false
	useAVX2 = false
)

func dotAVX(x, y *float32, n int) float32             { panic("vec: no assembly here") }
func squaredDistanceAVX(x, y *float32, n int) float32 { panic("vec: no assembly here") }
func axpyAVX(alpha float32, x, y *float32, n int)     { panic("vec: no assembly here") }

func accumulateAVX(y *float32, n int, c *float32, x *float32, m int) {
	panic("vec: no assembly here")
}

func expsAVX2(dst, x *float32, n int)                           { panic("vec: no assembly here") }
func tanhsAVX2(dst, x *float32, n int)                          { panic("vec: no assembly here") }
func softplusSigmoidsAVX2(softplus, sigmoid, x *float32, n int) { panic("vec: no assembly here") }

func uniformsAVX2(dst *uint32, groups int, key, stream, block uint64) { panic("vec: no assembly here") }
func normalsAVX2(dst *float32, groups int, key, stream, block uint64) { panic("vec: no assembly here") }

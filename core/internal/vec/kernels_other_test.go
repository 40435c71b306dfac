//go:build !amd64 && !arm64

package vec

// kernels are the ways through this package that this machine can go.
func kernels() []struct {
	name   string
	choose func() (restore func())
} {
	return []struct {
		name   string
		choose func() (restore func())
	}{{"go", func() func() { return func() {} }}}
}

// vectorLanes is the width of the widest vectors that the kernels use now.
func vectorLanes() int { return 1 }

//go:build !amd64 && !arm64 && !(wasm && train)

package vec

// kernels are the versions of this package that this machine supports.
func kernels() []struct {
	name   string
	choose func() (restore func())
} {
	return []struct {
		name   string
		choose func() (restore func())
	}{{"go", func() func() { return func() {} }}}
}

// vectorLanes returns the width of the widest vectors that the kernels now use.
func vectorLanes() int { return 1 }

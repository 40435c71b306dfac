//go:build !amd64

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

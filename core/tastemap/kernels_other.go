//go:build !amd64 && !(wasm && train)

package tastemap

func (t *tree) repulsions(push []float64, from, to int, opening float64) (sum float64) {
	return t.repulsionsGo(push, from, to, opening)
}

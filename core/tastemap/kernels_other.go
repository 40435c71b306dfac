//go:build !(wasm && train)

package tastemap

func (t *tree) repulsions(push []float64, from, to int, opening float64) (sum float64) {
	return t.repulsionsGo(push, from, to, opening)
}

func (d *descent) slopes(from, to int, exaggeration, total float64) {
	d.slopesGo(from, to, exaggeration, total)
}

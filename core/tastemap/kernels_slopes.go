//go:build !(wasm && train)

package tastemap

func (d *descent) slopes(from, to int, exaggeration, total float64) {
	d.slopesGo(from, to, exaggeration, total)
}

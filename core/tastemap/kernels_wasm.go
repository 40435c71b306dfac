//go:build train

package tastemap

import "unsafe"

// The kernels of wasm/kernel/training for the map, with the bits of repulsionsGo and slopesGo. kernels says whether the
// module was loaded; tests switch it off.
var kernels = available() != 0

func (t *tree) repulsions(push []float64, from, to int, opening float64) (sum float64) {
	if !kernels {
		return t.repulsionsGo(push, from, to, opening)
	}
	return repulsions(unsafe.SliceData(push), unsafe.Pointer(unsafe.SliceData(t.cells)), int32(len(t.cells)),
		unsafe.SliceData(t.order), unsafe.SliceData(t.x), unsafe.SliceData(t.y), int32(from), int32(to),
		opening*opening)
}

func (d *descent) slopes(from, to int, exaggeration, total float64) {
	if !kernels {
		d.slopesGo(from, to, exaggeration, total)
		return
	}
	slopes(unsafe.SliceData(d.slope), unsafe.SliceData(d.xy), unsafe.SliceData(d.push),
		unsafe.Pointer(unsafe.SliceData(d.p.start)), unsafe.SliceData(d.p.column), unsafe.SliceData(d.p.p), int32(from),
		int32(to), exaggeration, total)
}

//go:wasmimport vec available
func available() uint32

//go:wasmimport vec repulsions
//go:noescape
func repulsions(push *float64, cells unsafe.Pointer, count int32, order *int32, xs, ys *float64, from, to int32,
	opening float64) float64

//go:wasmimport vec slopes
//go:noescape
func slopes(slope, xy, push *float64, start unsafe.Pointer, column *int32, p *float64, from, to int32, exaggeration,
	total float64)

//go:build train

package itemlinks

// The kernel of wasm/kernel/training for the equations, with the bits of solveGo. kernels says whether the module was
// loaded.
var kernels = available() != 0

func (e *Equations) solve(m int) {
	if !kernels {
		e.solveGo(m)
		return
	}
	solveEquations(&e.gram[0][0], &e.right[0], uint32(m))
}

//go:wasmimport vec available
func available() uint32

//go:wasmimport vec solve
//go:noescape
func solveEquations(gram, right *float64, m uint32)

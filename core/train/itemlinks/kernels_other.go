//go:build !(wasm && train)

package itemlinks

func (e *Equations) solve(m int) { e.solveGo(m) }

// Package yield lets long computations give the thread to others.
//
// In a browser the whole program shares one thread with the page, so a computation of more than a few milliseconds
// delays painting and input. Loops of core and of the page that can take that long call Now after every millisecond or
// two of work. The browser's main program sets, once, the function that Now calls. Natively none is set, and Now
// returns at once.
//
// A computation that calls Now may be interleaved with any other, so it must hold no lock and share no scratch space.
package yield

var yield func()

// Set makes Now call f, or nothing if f is nil. Call it before the computations begin, and not while one runs.
func Set(f func()) { yield = f }

// Now lets waiting code use the thread.
func Now() {
	if yield != nil {
		yield()
	}
}

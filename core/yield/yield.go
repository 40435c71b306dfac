// Package yield lets long computations give the thread to others.
//
// In a browser the whole program shares one thread with the page, so a computation of more than a few milliseconds
// delays painting and input. The loops of core and of the page that can take so long call Now after every millisecond
// or two of work. The browser's main program hands in, once, what Now does there; natively nothing is handed in, and
// Now returns at once.
//
// A computation that calls Now may be interleaved with any other, so it must hold no lock and share no working memory.
package yield

var yield func()

// Set makes Now call f; nil makes it do nothing again. It must be called before the computations begin, and not while
// one runs.
func Set(f func()) { yield = f }

// Now lets others use the thread, if somebody waits for it.
func Now() {
	if yield != nil {
		yield()
	}
}

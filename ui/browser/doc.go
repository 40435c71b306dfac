// Package browser is what the page asks of the browser beyond rendering: focus, announcements, addresses, files, the
// painted map, and turns of the event loop. Each function calls one of the page's own scripts (assets/js), or does
// nothing where those are not loaded: the page then works without the painted map and without moves.
//
// Natively, where tests render the page as text, every function does nothing.
//
// The browser has one thread for the program, for input and for painting, so long work is cut into slices: Yield ends
// the turn where a slice is over. wasm/main_js.go hands it, once, to core/yield, which the core and the page call.
//
// The callbacks that are taken here run in goroutines of their own, without the render lock, unless their comment
// states otherwise.
package browser

import (
	"time"

	"github.com/pmlam/pmlam/core/importer"
)

// Slice is how long the program works without letting the browser in. A step between two looks at the clock takes a few
// milliseconds on a slow phone, and all of it should fit between two frames there.
const Slice = 5 * time.Millisecond

// Copy is what the scripts know of the page's copy on this machine (offline.js).
type Copy struct {
	Away    bool      // there is no network, as far as the browser knows
	Able    bool      // this browser can keep a copy
	Since   time.Time // when it first held a whole copy; zero: not yet
	Refused bool      // the latest try to make one has failed
	Full    bool      // there is no room for one, or for a newer one
	Update  bool      // a newer version waits for the next start
}

// Figures are the browser's figures of its storage.
type Figures struct {
	Known        bool // the browser has answered; else the other fields are zero
	Usage, Quota int  // bytes of this origin, and how many it may have at most; 0: unknown
	Persisted    bool // it promises to remove nothing by itself
	Askable      bool // it can be asked for that promise
}

// Files are files that the visitor has chosen, or dropped on the page.
type Files struct {
	Files   []importer.File
	Unread  string // the first that could not be handed over, because there is too much or because it is gone; "": none
	Large   bool   // it is because there is too much
	Dropped bool
}

// MapOptions are what a painted map is made of. Numbers are little-endian float32.
type MapOptions struct {
	Titles          string  // with their years, a line each
	Points, Weights []byte  // x and y of each; how well known each is
	Regions         []byte  // level, x and y of each
	Groups          []byte  // by item: its colour and shape
	Bell            float64 // standard deviation of the glow of a title
	Texts           map[string]any

	Describe func(item int) (line string) // called within the script's call
	Open     func(item int)
	Search   func(query string) (items []int, told string)
	Fail     func() // the map cannot be drawn
}

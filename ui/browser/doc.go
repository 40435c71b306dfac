// Package browser calls the browser for all but rendering: focus, announcements, addresses, files, the painted map, and
// turns of the event loop. Each function calls one of the page's own scripts (assets/js). If these are not loaded, it
// does nothing, and the page works without the painted map and animations.
//
// In native builds, where tests render the page as text, all functions do nothing.
//
// The browser has one thread for the program, input and painting, so long work is cut into slices: Yield ends the turn
// once a slice is over. wasm/main_js.go passes it to core/yield, which the core and the page call.
//
// Callbacks run in goroutines of their own, without the render lock, unless their comment says otherwise.
package browser

import (
	"time"

	"github.com/pmlam/pmlam/core/importer"
)

// Slice is how long the program works before it lets the browser in. On a slow phone, a step between two looks at the
// clock takes a few milliseconds, and a slice should still fit between two frames.
const Slice = 5 * time.Millisecond

// Copy is the scripts' knowledge of the page's copy on this device (offline.js).
type Copy struct {
	Away    bool      // the browser reports no network
	Able    bool      // this browser can keep a copy
	Since   time.Time // when the first copy was complete; zero: not yet
	Refused bool      // the latest attempt failed
	Full    bool      // no room for a copy, or for a newer one
	Update  bool      // a newer version is ready for the next start
}

// Figures are the browser's figures of this site's storage.
type Figures struct {
	Known        bool // the browser has answered; otherwise the other fields are zero
	Usage, Quota int  // bytes used by this origin, and its limit; 0: unknown
	Persisted    bool // the browser promises to remove nothing by itself
	Askable      bool // the browser can be asked for that promise
}

// Files are files that the visitor has chosen or dropped on the page.
type Files struct {
	Files   []importer.File
	Unread  string // the first file that could not be read, because it is too large or gone; "": none
	Large   bool   // the files are too large
	Dropped bool
}

// MapOptions are the contents of a painted map. Numbers are little-endian float32.
type MapOptions struct {
	Titles          string  // with their years, one a line
	Points, Weights []byte  // x and y of each title; how well known it is
	Regions         []byte  // level, x and y of each region
	Groups          []byte  // colour and shape of each item
	Bell            float64 // standard deviation of a title's glow
	Texts           map[string]any

	Describe func(item int) (line string) // called synchronously by the script
	Open     func(item int)
	Search   func(query string) (items []int, told string)
	Fail     func() // called if the map cannot be drawn
}

//go:build !unix

package vec

import "time"

var started = time.Now()

// processTime is the time since the start, where nothing better is known.
func processTime() time.Duration { return time.Since(started) }

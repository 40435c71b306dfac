package cli

import "time"

// Stopwatch measures the parts of a run, in seconds of wall-clock time.
type Stopwatch struct {
	began time.Time
	Parts map[string]float64
}

// Start begins the run.
func (l *Stopwatch) Start() { l.began, l.Parts = time.Now(), map[string]float64{} }

// TimePart begins a part and returns the function that ends it. Parts with one name are summed.
func (l *Stopwatch) TimePart(name string) (end func()) {
	began := time.Now()
	return func() { l.Parts[name] += time.Since(began).Seconds() }
}

// Seconds returns the time since Start.
func (l *Stopwatch) Seconds() float64 { return time.Since(l.began).Seconds() }

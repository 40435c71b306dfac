package main

import "time"

// stopwatch measures the parts of a run, in seconds of wall-clock time.
type stopwatch struct {
	began time.Time
	parts map[string]float64
}

// start begins the whole.
func (l *stopwatch) start() { l.began, l.parts = time.Now(), map[string]float64{} }

// timePart begins a part and returns the function that ends it. Parts of one name are summed.
func (l *stopwatch) timePart(name string) (end func()) {
	began := time.Now()
	return func() { l.parts[name] += time.Since(began).Seconds() }
}

// seconds is the whole until now.
func (l *stopwatch) seconds() float64 { return time.Since(l.began).Seconds() }

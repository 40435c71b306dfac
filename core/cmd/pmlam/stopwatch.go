package main

import "time"

// stopwatch says where the time of a run went, in seconds by the clock.
type stopwatch struct {
	began time.Time
	parts map[string]float64
}

// start begins the whole.
func (l *stopwatch) start() { l.began, l.parts = time.Now(), map[string]float64{} }

// timePart begins a part; what it returns ends it. A part that comes twice is summed.
func (l *stopwatch) timePart(name string) (end func()) {
	began := time.Now()
	return func() { l.parts[name] += time.Since(began).Seconds() }
}

// seconds is the whole until now.
func (l *stopwatch) seconds() float64 { return time.Since(l.began).Seconds() }

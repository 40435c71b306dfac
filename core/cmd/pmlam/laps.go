package main

import "time"

// laps says where the time of a run went, in seconds by the clock.
type laps struct {
	began time.Time
	parts map[string]float64
}

// start begins the whole.
func (l *laps) start() { l.began, l.parts = time.Now(), map[string]float64{} }

// lap begins a part; what it returns ends it. A part that comes twice is summed.
func (l *laps) lap(name string) (end func()) {
	began := time.Now()
	return func() { l.parts[name] += time.Since(began).Seconds() }
}

// seconds is the whole until now.
func (l *laps) seconds() float64 { return time.Since(l.began).Seconds() }

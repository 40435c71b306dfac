package reproduce

import (
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/pmlam/pmlam/core/pmlam"
)

// Study is a set of units to measure.
type Study struct {
	Protocol Protocol
	Units    []Unit // in order of start
	Store    *Store // nil: nothing is kept
	Jobs     int    // units in parallel; 0 or less: 1. Figures do not depend on it
	Workers  int    // goroutines in all; 0 or less: GOMAXPROCS. Figures do not depend on it
	// Devices are the devices on which PMLAM trains and ranks, one per job because they are not safe for concurrent
	// use. Missing and nil ones are the processor, which trains everything else. Devices do not decide a result.
	Devices []*pmlam.Device
	Report  func(Progress)
}

// Progress is reported whenever a unit ends.
type Progress struct {
	Done, Total int
	Left        time.Duration // 0 while unknown
	Unit        Unit          // the one that just ended
	Outcome     *Measurement
}

// UnitsOf returns the units of all methods on all measured splits of data, split by split, so that an interrupted study
// has the same folds of as many methods as possible.
func UnitsOf(d *Data, methods []Method, p Protocol) (all []Unit) {
	for k := range p.folds(d) {
		for i := range methods {
			all = append(all, Unit{d, &methods[i], k})
		}
	}
	return all
}

func (s *Study) jobs() int { return min(max(s.Jobs, 1), max(len(s.Units), 1)) }

// device returns a job's device.
func (s *Study) device(job int) *pmlam.Device {
	if job < len(s.Devices) {
		return s.Devices[job]
	}
	return nil
}

// workers returns the number of goroutines per job.
func (s *Study) workers() int {
	all := s.Workers
	if all <= 0 {
		all = runtime.GOMAXPROCS(0)
	}
	return max(all/s.jobs(), 1)
}

// Run reads stored units back, measures the others in parallel, and returns the measurements aligned with Units; nil
// for absent data without published results. If ctx ends, a device fails, or a result cannot be stored, missing
// measurements are nil and the error says why. Stored results stay, and the same study resumes from them.
func (s *Study) Run(ctx context.Context) ([]*Measurement, error) {
	inner, stop := context.WithCancel(ctx)
	defer stop()
	r := running{study: s, out: make([]*Measurement, len(s.Units)), over: make([]bool, len(s.Units)),
		spent: make([]float64, len(s.Units))}
	for k, u := range s.Units {
		if m := s.kept(u); m != nil {
			r.done(k, m, nil, 0)
		} else if u.Data.Absent() {
			r.skip(k)
		}
	}
	var group sync.WaitGroup
	for job := range s.jobs() {
		group.Go(func() {
			for {
				k, ok := r.take(inner)
				if !ok {
					return
				}
				began := time.Now()
				m, err := s.measure(inner, s.Units[k], s.device(job), s.jobs() == 1)
				if !r.done(k, m, err, time.Since(began)) {
					stop()
				}
			}
		})
	}
	group.Wait()
	return r.out, r.failure(ctx)
}

// running is one Run.
type running struct {
	study *Study
	out   []*Measurement

	mu    sync.Mutex
	next  int
	ended int
	over  []bool    // finished, by unit
	spent []float64 // seconds of each unit measured in this run; 0: read back, or unfinished
	err   error     // the first
}

// take returns the next unit to measure.
func (r *running) take(ctx context.Context) (int, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.next < len(r.out) && ctx.Err() == nil {
		r.next++
		if k := r.next - 1; !r.over[k] {
			return k, true
		}
	}
	return 0, false
}

// done records a unit's result and returns whether the study continues.
func (r *running) done(k int, m *Measurement, err error, took time.Duration) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.out[k] = m
	if err != nil {
		if r.err == nil {
			r.err = err
		}
		return false
	}
	r.ended++
	if r.over[k] = true; !m.kept {
		r.spent[k] = took.Seconds()
	}
	if r.study.Report != nil {
		r.study.Report(Progress{r.ended, len(r.out), r.left(), r.study.Units[k], m})
	}
	return true
}

// skip records that a unit cannot be measured because its data are not available.
func (r *running) skip(k int) {
	r.over[k] = true
	r.ended++
}

// failure returns the reason of an early end.
func (r *running) failure(ctx context.Context) error {
	if r.err != nil {
		return r.err
	}
	if r.ended < len(r.out) {
		return ctx.Err()
	}
	return nil
}

// left estimates the remaining time: a unit takes as long as the same method on other folds of the data, otherwise in
// proportion to weight.
func (r *running) left() time.Duration {
	type of struct {
		data   *Data
		method string
	}
	sums, counts := map[of]float64{}, map[of]float64{}
	weight, seconds := 0.0, 0.0
	for k, u := range r.study.Units {
		if r.spent[k] > 0 {
			key := of{u.Data, u.Method.Name}
			sums[key] += r.spent[k]
			counts[key]++
			weight += u.weight()
			seconds += r.spent[k]
		}
	}
	if weight == 0 {
		return 0
	}
	left := 0.0
	for k, u := range r.study.Units {
		if r.over[k] {
			continue
		}
		if key := (of{u.Data, u.Method.Name}); counts[key] > 0 {
			left += sums[key] / counts[key]
		} else {
			left += u.weight() * seconds / weight
		}
	}
	return time.Duration(left / float64(r.study.jobs()) * float64(time.Second))
}

// weight is a rough estimate of a unit's relative time, used until a unit of the same method and data was measured.
func (u Unit) weight() float64 {
	return []float64{Plain: 1, Literature: 20, Ours: 40}[u.Method.Kind] * float64(1+u.Data.Positives.Len())
}

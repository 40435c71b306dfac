package reproduce

import (
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/pmlam/pmlam/core/pmlam"
)

// Study is what is to be measured, and how.
type Study struct {
	Protocol Protocol
	Units    []Unit // in the order in which they are begun
	Store    *Store // nil: nothing is kept
	Jobs     int    // units at a time; 0 or less: 1. No figure depends on it
	Workers  int    // goroutines of all together; 0 or less: GOMAXPROCS. No figure depends on it
	// Devices are what PMLAM trains and ranks on, one for each job as they are not safe for concurrent use; those that
	// are missing or nil are the processor, which everything else trains on. They are no part of what decides a result.
	Devices []*pmlam.Device
	Report  func(Progress)
}

// Progress is reported whenever a unit ends.
type Progress struct {
	Done, Total int
	Left        time.Duration // 0 where it is not known yet
	Unit        Unit          // that has just ended
	Outcome     *Measurement
}

// UnitsOf returns the units of all methods on all measured splits of data, split by split, so that a study that is
// stopped early has the same folds of as many methods as possible.
func UnitsOf(d *Data, methods []Method, p Protocol) (all []Unit) {
	for k := range p.folds(d) {
		for i := range methods {
			all = append(all, Unit{d, &methods[i], k})
		}
	}
	return all
}

func (s *Study) jobs() int { return min(max(s.Jobs, 1), max(len(s.Units), 1)) }

// device returns that of a job, from 0.
func (s *Study) device(job int) *pmlam.Device {
	if job < len(s.Devices) {
		return s.Devices[job]
	}
	return nil
}

// workers returns how many goroutines one of the jobs may have.
func (s *Study) workers() int {
	all := s.Workers
	if all <= 0 {
		all = runtime.GOMAXPROCS(0)
	}
	return max(all/s.jobs(), 1)
}

// Run reads back what the store holds of the units, measures the others, several at a time, and returns what came of
// each, aligned with Units; nil of what is not known of absent data. Where ctx ends, a device fails, or something
// cannot be kept, the measurements that were not made are nil and the error says so; what was kept stays, and the same
// study goes on from it.
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
	over  []bool    // by unit
	spent []float64 // seconds of each unit that was measured now; 0: read back, or not yet
	err   error     // the first
}

// take returns the next unit to be measured.
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

// done enters what came of a unit, and returns whether the study goes on.
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

// skip enters that a unit cannot be measured, as its data are not here.
func (r *running) skip(k int) {
	r.over[k] = true
	r.ended++
}

// failure returns why the run ended early.
func (r *running) failure(ctx context.Context) error {
	if r.err != nil {
		return r.err
	}
	if r.ended < len(r.out) {
		return ctx.Err()
	}
	return nil
}

// left estimates the time to the end: a unit takes as long as the same method did on other folds of the data, otherwise
// as others by weight.
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

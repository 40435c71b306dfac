package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/andybalholm/brotli"

	"github.com/pmlam/pmlam/core/delta"
)

// day is what was measured on one day. Day 0 is the model that all begins from.
type day struct {
	ratings                int
	newer, refreshed       trained
	whole, delta, anew     int // bytes: the refreshed model; what leads to it, and to one trained anew, from the day before
	people                 int
	full, fresh, unchanged []score // of the people, in their order: lists of the model trained anew, refreshed, of day 0
	ids                    []string
}

// trained is one run of the command.
type trained struct {
	file    string
	seconds float64 // of the processor, the whole command
}

// train runs pmlam train, where the model is not there yet.
func (s *study) train(name, data string, args ...string) (t trained, err error) {
	t.file = filepath.Join(s.keep, name+".msgpack")
	noted := t.file + ".seconds"
	if b, err := os.ReadFile(noted); err == nil {
		t.seconds, err = strconv.ParseFloat(string(b), 64)
		return t, err
	}
	c := exec.Command(s.pmlam, append(append([]string{"train", "--data", data, "--out", t.file}, s.args...), args...)...)
	if out, err := c.CombinedOutput(); err != nil {
		return t, fmt.Errorf("%v: %w\n%s", c.Args, err, out)
	}
	t.seconds = (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds()
	return t, os.WriteFile(noted, fmt.Appendf(nil, "%.3f", t.seconds), 0o600)
}

// simulate trains and measures day after day.
func (s *study) simulate(r *ratings) ([]day, error) {
	first := s.until * float64(len(r.all)) / math.Pow(1.01, float64(s.days))
	at := func(n int) int { return min(int(math.Round(first*math.Pow(1.01, float64(n)))), len(r.all)) }
	data := filepath.Join(s.keep, filepath.Base(s.data))
	var days []day
	for n := range s.days + 1 {
		d := day{ratings: at(n)}
		if err := r.write(s.data, data, d.ratings); err != nil {
			return nil, err
		}
		var err error
		// What calibrates costs five times the training itself: only the model that all begins from has it.
		if d.newer, err = s.train(fmt.Sprintf("full-%02d", n), data, "--auto=false", "--calibrate=false"); err != nil {
			return nil, err
		}
		if n == 0 {
			d.refreshed, err = s.train("refreshed-00", data, "--auto=false")
		} else {
			d.refreshed, err = s.train(fmt.Sprintf("refreshed-%02d", n), data, "--refresh", "--from",
				days[n-1].refreshed.file)
		}
		if err != nil {
			return nil, err
		}
		if n > 0 {
			if err := d.sizes(&days[n-1]); err != nil {
				return nil, err
			}
			if err := d.lists(r.following(d.ratings, at(n+s.ahead)), days[0].refreshed.file); err != nil {
				return nil, err
			}
		}
		days = append(days, d)
		fmt.Fprintf(os.Stderr, "day %d: %s", n, d.line())
	}
	return days, nil
}

// sizes measures what a visitor fetches who has the model of the day before.
func (d *day) sizes(before *day) error {
	read := func(t trained) []byte {
		b, err := os.ReadFile(t.file)
		if err != nil {
			panic(err)
		}
		return b
	}
	refreshed, newer := read(d.refreshed), read(d.newer)
	change := delta.Make(read(before.refreshed), refreshed)
	if made, err := delta.Apply(read(before.refreshed), change); err != nil || !bytes.Equal(made, refreshed) {
		return fmt.Errorf("a delta does not give the model back: %v", err)
	}
	d.whole, d.delta = packed(refreshed), packed(change)
	d.anew = packed(delta.Make(read(before.newer), newer))
	return nil
}

// packed returns the bytes that content has on its way, as brotli's best quality makes them.
func packed(content []byte) int {
	var b bytes.Buffer
	w := brotli.NewWriterLevel(&b, brotli.BestCompression)
	if _, err := w.Write(content); err != nil {
		panic(err)
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Len()
}

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

// day has one day's measurements. Day 0 is the first model.
type day struct {
	ratings                int
	newer                  *trained // nil on most days
	refreshed              trained
	whole, delta, anew     int // bytes: the refreshed model; the deltas to it, and to newer, from the day before
	people                 int
	full, fresh, unchanged []score // of the people, in order: lists of newer, of the refreshed one, of day 0
	ids                    []string
}

// trained is one run of the command.
type trained struct {
	file    string
	seconds float64 // CPU seconds of the whole command
}

// train runs pmlam train unless the model exists.
func (s *study) train(name, data string, args ...string) (t trained, err error) {
	t.file = filepath.Join(s.keep, name+".msgpack")
	noted := t.file + ".seconds"
	if b, err := os.ReadFile(noted); err == nil {
		t.seconds, err = strconv.ParseFloat(string(b), 64)
		return t, err
	}
	c := exec.Command(s.pmlam, append([]string{"train", "--data", data, "--min-item", "2", "--out", t.file},
		args...)...)
	if out, err := c.CombinedOutput(); err != nil {
		return t, fmt.Errorf("%v: %w\n%s", c.Args, err, out)
	}
	t.seconds = (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds()
	return t, os.WriteFile(noted, fmt.Appendf(nil, "%.3f", t.seconds), 0o600)
}

// anew returns the flags of a training from scratch: the preset's settings, on all days.
func (s *study) anew(seed int) []string {
	return []string{"--auto=false", fmt.Sprintf("--calibrate=%v", s.calibrate), fmt.Sprintf("--seed=%d", seed)}
}

// named returns a model's name; names of the first seed omit the seed.
func named(kind string, day, seed int) string {
	name := fmt.Sprintf("%s-%02d", kind, day)
	if seed > 1 {
		name += fmt.Sprintf("-seed-%d", seed)
	}
	return name
}

// simulate trains and measures day after day. A refresh has the seed of the model that it starts from.
func (s *study) simulate(r *ratings, seed int) ([]day, error) {
	first := s.until * float64(len(r.all)) / math.Pow(1.01, float64(s.days))
	at := func(n int) int { return min(int(math.Round(first*math.Pow(1.01, float64(n)))), len(r.all)) }
	folder, err := os.MkdirTemp(s.keep, "ratings-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	data := filepath.Join(folder, filepath.Base(s.data))
	var days []day
	for n := range s.days + 1 {
		d := day{ratings: at(n)}
		if err := r.write(s.data, data, d.ratings); err != nil {
			return nil, err
		}
		var err error
		if n > 0 && n%s.every == 0 {
			newer, err := s.train(named("full", n, seed), data, s.anew(seed)...)
			if err != nil {
				return nil, err
			}
			d.newer = &newer
		}
		if n == 0 {
			d.refreshed, err = s.train(named("full", 0, seed), data, s.anew(seed)...)
		} else {
			d.refreshed, err = s.train(named("refreshed", n, seed), data, "--refresh", "--from",
				days[n-1].refreshed.file)
		}
		if err != nil {
			return nil, err
		}
		if n > 0 {
			if err := d.sizes(&days[n-1]); err != nil {
				return nil, err
			}
		}
		if d.newer != nil {
			if err := d.lists(r.following(d.ratings, at(n+s.every)), days[0].refreshed.file); err != nil {
				return nil, err
			}
		}
		days = append(days, d)
		fmt.Fprintf(os.Stderr, "seed %d, day %d: %s", seed, n, d.line())
	}
	return days, nil
}

// sizes measures the download of a visitor with the model of the day before.
func (d *day) sizes(before *day) error {
	read := func(t trained) []byte {
		b, err := os.ReadFile(t.file)
		if err != nil {
			panic(err)
		}
		return b
	}
	refreshed := read(d.refreshed)
	change := delta.Make(read(before.refreshed), refreshed)
	if made, err := delta.Apply(read(before.refreshed), change); err != nil || !bytes.Equal(made, refreshed) {
		return fmt.Errorf("a delta does not reproduce the model: %v", err)
	}
	d.whole, d.delta = before.whole, packed(change)
	if d.newer != nil || d.whole == 0 {
		d.whole = packed(refreshed) // it grows by a quarter of a percent a day
	}
	if d.newer != nil {
		d.anew = packed(delta.Make(read(before.refreshed), read(*d.newer)))
	}
	return nil
}

// packed returns the size of content after brotli at its best quality.
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

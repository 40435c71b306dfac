// Command refresh simulates days of a site: every day there are one percent more ratings, and the model is refreshed
// (pmlam train --refresh); every fifth day another one is trained anew. It measures processor seconds, the bytes that a
// returning visitor fetches, and the lists of those who come on the following days. docs/refresh.md has the figures.
//
//	go build -o build/measure/pmlam ./core/cmd/pmlam
//	go run ./bench/refresh -pmlam build/measure/pmlam
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

// study says what is simulated.
type study struct {
	pmlam string  // the command
	data  string  // folder with ratings and catalogue
	keep  string  // folder of what was trained; what is there is taken
	days  int     // to simulate
	until float64 // share of all ratings that there are on the last day
	every int     // days from one training anew to the next; lists are measured on those days
	seeds int     // the whole is simulated with each seed from 1 on

	calibrate bool // trainings anew calibrate, which takes several times as long as the training itself
}

func main() {
	s := study{}
	flag.StringVar(&s.pmlam, "pmlam", "build/measure/pmlam", "the pmlam command")
	flag.StringVar(&s.data, "data", "assets/data/ml-latest-small", "folder with MovieLens' ratings.csv or u.data")
	flag.StringVar(&s.keep, "keep", "build/measure/refresh", "folder of the trained models; those that are there are "+
		"taken")
	flag.IntVar(&s.days, "days", 30, "days to simulate; each has one percent more ratings than the one before")
	flag.Float64Var(&s.until, "until", 0.95, "share of all ratings that there are on the last day")
	flag.IntVar(&s.every, "every", 5, "days from one training anew to the next, after which lists are measured on "+
		"the ratings of as many days")
	flag.IntVar(&s.seeds, "seeds", 1, "simulate the whole with each of so many seeds, of day 0 and of what is trained "+
		"anew")
	flag.BoolVar(&s.calibrate, "calibrate", false, "calibrate what is trained anew, which takes several times as long")
	flag.Parse()
	if whole, err := filepath.Abs(s.data); err == nil {
		s.data = whole // its name is that of the copies
	}
	s.keep = filepath.Join(s.keep, fmt.Sprintf("%s-%d-%g", filepath.Base(s.data), s.days, s.until))
	if err := s.run(); err != nil {
		fmt.Fprintln(os.Stderr, "refresh:", err)
		os.Exit(1)
	}
}

func (s *study) run() error {
	ratings, err := readRatings(s.data)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(s.keep, 0o755); err != nil {
		return err
	}
	runs := make([][]day, s.seeds)
	for k := range runs {
		if runs[k], err = s.simulate(ratings, k+1); err != nil {
			return err
		}
	}
	fmt.Print(table(filepath.Base(s.data), runs))
	return nil
}

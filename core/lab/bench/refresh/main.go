// Command refresh simulates days of a site: every day has one percent more ratings, and the model is refreshed (pmlam
// train --refresh); every fifth day another model is trained from scratch. It measures CPU seconds, a returning
// visitor's download, and the lists of people with likes on the following days. docs/refresh.md has the figures.
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

// study describes the simulation.
type study struct {
	pmlam string  // the command
	data  string  // folder with ratings and catalogue
	keep  string  // folder of trained models, which are reused
	days  int     // to simulate
	until float64 // share of all ratings available on the last day
	every int     // days between trainings from scratch; lists are measured on those days
	seeds int     // number of simulations, with seeds from 1

	calibrate bool // calibrate trainings from scratch, which takes several times as long as the training
}

func main() {
	s := study{}
	flag.StringVar(&s.pmlam, "pmlam", "build/measure/pmlam", "the pmlam command")
	flag.StringVar(&s.data, "data", "assets/data/ml-latest-small", "folder with MovieLens' ratings.csv or u.data")
	flag.StringVar(&s.keep, "keep", "build/measure/refresh", "folder of trained models; existing ones are used")
	flag.IntVar(&s.days, "days", 30, "days to simulate; each has one percent more ratings than the one before")
	flag.Float64Var(&s.until, "until", 0.95, "share of all ratings available on the last day")
	flag.IntVar(&s.every, "every", 5, "days between trainings from scratch, after which lists are measured on "+
		"the ratings of the same number of days")
	flag.IntVar(&s.seeds, "seeds", 1, "number of simulations, each with its own seed of day 0 and of later trainings")
	flag.BoolVar(&s.calibrate, "calibrate", false, "calibrate trainings from scratch; takes several times as long")
	flag.Parse()
	if whole, err := filepath.Abs(s.data); err == nil {
		s.data = whole // copies use its name
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

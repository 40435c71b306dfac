package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"github.com/pmlam/pmlam/core/dataset"
)

// source is where interactions come from and how they are split: the flags that train, evaluate and data share.
type source struct {
	data, test, format, items     string
	user, item, rating, time      string
	name, licence, attribution    string
	minRating                     float64
	minUser, minItem              int
	onePass, skipBadLines, header bool
	noHeader                      bool
	folds, fold                   int
	splitSeed                     uint64
	byTime                        float64
	flags                         *pflag.FlagSet
}

func (s *source) register(f *pflag.FlagSet) {
	s.flags = f
	f.StringVar(&s.data, "data", "", "file or folder with the interactions (CSV, TSV, ::, JSON lines, adjacency lists; plain, gzip or zstd)")
	f.StringVar(&s.format, "format", "", "its format where it cannot be told by itself: "+strings.Join(formatNames(), ", "))
	f.StringVar(&s.items, "items", "", "file or folder with titles, years and genres")
	f.StringVar(&s.user, "user-column", "", "the users' column, by name or number from 1")
	f.StringVar(&s.item, "item-column", "", "the items' column, by name or number")
	f.StringVar(&s.rating, "rating-column", "", "the ratings' column, by name or number; - for none")
	f.StringVar(&s.time, "time-column", "", "the times' column, by name or number; - for none")
	f.BoolVar(&s.header, "header", false, "the file begins with a line of column names")
	f.BoolVar(&s.noHeader, "no-header", false, "the file has no line of column names")
	f.Float64Var(&s.minRating, "min-rating", 0, "smallest rating that counts as liked (default: 80% of the scale, 4 of 5)")
	f.IntVar(&s.minUser, "min-user", 10, "fewest likes of a user; users with fewer are left out")
	f.IntVar(&s.minItem, "min-item", 5, "fewest likes of an item; items with fewer are left out")
	f.BoolVar(&s.onePass, "one-pass", false, "apply these two once, not until both hold")
	f.BoolVar(&s.skipBadLines, "skip-bad-lines", false, "leave out lines that cannot be read, and count them")
	f.StringVar(&s.name, "name", "", "the data set's name, for the model (default: what is known of the files)")
	f.StringVar(&s.licence, "licence", "", "the data's licence, for the model")
	f.StringVar(&s.attribution, "attribution", "", "text to show wherever the model is used, for the model")
}

func (s *source) registerSplit(f *pflag.FlagSet) {
	f.StringVar(&s.test, "test", "", "a second file or folder: the test part of a fixed split")
	f.IntVar(&s.folds, "folds", 5, "cut every user's items into so many folds; used with --fold")
	f.IntVar(&s.fold, "fold", -1, "hold this fold out for testing, from 0 (default: none)")
	f.Uint64Var(&s.splitSeed, "split-seed", 1, "seed of the folds")
	f.Float64Var(&s.byTime, "by-time", 0, "hold each user's latest share of items out for testing, such as 0.2")
}

func formatNames() []string {
	names := make([]string, len(dataset.Formats()))
	for i, f := range dataset.Formats() {
		names[i] = f.Name
	}
	return names
}

// input is what was read: all interactions, and a split where one was asked for.
type input struct {
	*dataset.Dataset
	split   dataset.Split // Test is nil where there is no test part
	splitBy string        // how, for people
}

// read reads what the flags ask for.
func (s *source) read(a *app) (*input, error) {
	if s.data == "" {
		return nil, usagef("--data is needed: the file or folder with the interactions")
	}
	split := 0
	for _, asked := range []bool{s.test != "", s.fold >= 0, s.byTime > 0} {
		if asked {
			split++
		}
	}
	switch {
	case split > 1:
		return nil, usagef("--test, --fold and --by-time are three ways to split; give one of them")
	case s.fold >= s.folds:
		return nil, usagef("--fold is %d, but the folds are numbered from 0 to %d", s.fold, s.folds-1)
	case s.folds < 2:
		return nil, usagef("--folds is %d; it must be at least 2", s.folds)
	case s.byTime < 0 || s.byTime >= 1:
		return nil, usagef("--by-time is %v; it must lie between 0 and 1", s.byTime)
	case s.header && s.noHeader:
		return nil, usagef("--header and --no-header exclude each other")
	}
	o := dataset.Options{
		Format: s.format, MinUser: none(s.minUser), MinItem: none(s.minItem), OnePass: s.onePass,
		SkipBadLines: s.skipBadLines, Items: s.items,
		Columns: dataset.Columns{User: s.user, Item: s.item, Rating: s.rating, Time: s.time},
	}
	if s.header {
		o.Header = dataset.HeaderYes
	} else if s.noHeader {
		o.Header = dataset.HeaderNo
	}
	if s.flags.Changed("min-rating") {
		o.MinRating = &s.minRating
	}
	bar := a.bytesBar("reading")
	o.Progress = bar.set
	defer bar.done()

	in := &input{}
	var err error
	if s.test != "" || s.lightGCN() {
		// A published split is used as it was published: the minima apply only where they were asked for.
		if !s.flags.Changed("min-user") {
			o.MinUser = 0
		}
		if !s.flags.Changed("min-item") {
			o.MinItem = 0
		}
		in.Dataset, in.split, err = dataset.LoadFixed(s.data, s.test, o)
		in.splitBy = "fixed split"
	} else {
		in.Dataset, err = dataset.Load(s.data, o)
	}
	if err != nil {
		return nil, err
	}
	if in.split.Train == nil {
		in.split.Train = in.Positives
		switch {
		case s.fold >= 0:
			in.split = in.Fold(s.folds, s.fold, s.splitSeed)
			in.splitBy = fmt.Sprintf("fold %d of %d, seed %d", s.fold, s.folds, s.splitSeed)
		case s.byTime > 0:
			if in.split, err = in.ByTime(s.byTime); err != nil {
				return nil, err
			}
			in.splitBy = fmt.Sprintf("each user's latest %.0f%%", 100*s.byTime)
		}
	}
	if s.name != "" {
		in.Name = s.name
	}
	if s.licence != "" {
		in.Licence = s.licence
	}
	if s.attribution != "" {
		in.Attribution = s.attribution
	}
	return in, nil
}

// lightGCN reports whether the data are a folder with a published train and test part.
func (s *source) lightGCN() bool {
	if s.fold >= 0 || s.byTime > 0 {
		return false
	}
	for _, name := range []string{"train.txt", "test.txt"} {
		if _, err := os.Stat(s.data + string(os.PathSeparator) + name); err != nil {
			return false
		}
	}
	return true
}

// none turns a minimum of 0 or 1, which drops nothing, into the readers' word for it.
func none(minimum int) int {
	if minimum <= 1 {
		return -1
	}
	return minimum
}

package main

import (
	"math"

	"github.com/pmlam/pmlam/core/dataset"
)

// source is where interactions come from and how they are split. Each command registers the flags that it needs.
type source struct {
	data, test, format, items  string
	columns                    dataset.Columns
	delimiter                  string
	header, noHeader           bool
	noRatings                  bool
	minRating                  float64
	minUser, minItem           int
	onePass, skipBadLines      bool
	folds, fold, testMinItem   int
	splitSeed                  uint64
	byTime                     float64
	splitTime                  string      // as it was given
	cut                        dataset.Cut // what it says
	name, licence, attribution string

	groups        []*group // that were registered
	printsReading bool     // the command itself prints the reading report
}

// changed reports whether a flag was given.
func (s *source) changed(flag string) bool {
	for _, g := range s.groups {
		if g.Changed(flag) {
			return true
		}
	}
	return false
}

func (s *source) add(g *group) *group {
	s.groups = append(s.groups, g)
	return g
}

// dataFlag is the flag that names the interactions.
func (s *source) dataFlag(g *group) {
	g.StringVar(&s.data, "data", "", "file or folder with the interactions: CSV, TSV, ::, JSON lines, Parquet, "+
		"matrices, adjacency lists; plain, zip, gzip or zstd")
	g.placeholder("PATH", "data")
}

// registerReading adds how to read the interactions to a group.
func (s *source) registerReading(g *group) {
	g.StringVar(&s.format, "format", "", "the format, where it is not recognised; \"pmlam data formats\" "+
		"lists them")
	g.StringVar(&s.columns.User, "user-column", "", "the users' column, by name or by number from 1")
	g.StringVar(&s.columns.Item, "item-column", "", "the items' column")
	g.StringVar(&s.columns.Rating, "rating-column", "", "the ratings' column; - for none")
	g.BoolVar(&s.noRatings, "no-ratings", false, "there are no ratings: every interaction is a like")
	g.StringVar(&s.columns.Time, "time-column", "", "the times' column; - for none")
	g.StringVar(&s.columns.Title, "title-column", "", "the column of the items' titles, here or in --items; - for none")
	g.StringVar(&s.delimiter, "delimiter", "", "what separates the columns, where it is not recognised: one to "+
		"four characters, or tab")
	g.BoolVar(&s.header, "header", false, "the file begins with a line of column names")
	g.BoolVar(&s.noHeader, "no-header", false, "the file has no line of column names")
	g.Float64Var(&s.minRating, "min-rating", 0, "smallest rating that counts as liked (default 80% of the scale: 4 "+
		"of 5; of a count 1)")
	g.BoolVar(&s.skipBadLines, "skip-bad-lines", false, "leave out lines that cannot be read, and count them")
	g.placeholder("NAME", "format")
	g.placeholder("COLUMN", "user-column", "item-column", "rating-column", "time-column", "title-column")
	g.placeholder("TEXT", "delimiter")
	g.placeholder("RATING", "min-rating")
}

// registerFilter adds what is left out to a group.
func (s *source) registerFilter(g *group) {
	g.StringVar(&s.items, "items", "", "file or folder with titles, years and genres (default: what lies beside "+
		"known data sets)")
	g.IntVar(&s.minUser, "min-user", 10, "fewest likes of a user; users with fewer are left out. Not applied to a "+
		"fixed split, nor to one at a moment, unless given")
	g.IntVar(&s.minItem, "min-item", 5, "fewest likes of an item, likewise")
	g.BoolVar(&s.onePass, "one-pass", false, "apply these two once, not until both hold")
	g.placeholder("PATH", "items")
	g.placeholder("N", "min-user", "min-item")
}

// dataGroup is all that there is to say about the data.
func (s *source) dataGroup() *group {
	g := s.add(newGroup("Data"))
	s.dataFlag(g)
	s.registerReading(g)
	s.registerFilter(g)
	return g
}

// splitGroup holds the ways to split. Without any of them there is no test part, unless the data bring one.
func (s *source) splitGroup() *group {
	g := s.add(newGroup("Test part"))
	g.StringVar(&s.test, "test", "", "a second file or folder: the test part of a fixed split. A folder with "+
		"train.txt and test.txt needs none")
	g.IntVar(&s.fold, "fold", -1, "hold this fold of every user's items out, from 0")
	g.IntVar(&s.folds, "folds", 5, "how many folds")
	g.Uint64Var(&s.splitSeed, "split-seed", 1, "seed of the folds")
	g.IntVar(&s.testMinItem, "test-min-item", 0, "draw the folds as --min-item N would, and only learn and rank the "+
		"items below it (default: --min-item)")
	g.Float64Var(&s.byTime, "by-time", 0, "hold the latest share of every user's items out, such as 0.2")
	g.StringVar(&s.splitTime, "split-time", "", "test on what all users liked from one moment on, and train on what "+
		"came before: a time, such as 2018-05-01, or the share of the likes to test on, such as 0.2")
	g.placeholder("PATH", "test")
	g.placeholder("MOMENT|SHARE", "split-time")
	g.placeholder("N", "fold", "folds", "split-seed", "test-min-item")
	g.placeholder("SHARE", "by-time")
	g.Lookup("fold").DefValue = "" // -1 says that it was not given
	return g
}

// aboutFlags are texts that go into a model.
func (s *source) aboutFlags(g *group) {
	g.StringVar(&s.name, "name", "", "the data set's name, in the file (default: what is known of the data)")
	g.StringVar(&s.licence, "licence", "", "the data's licence, in the file (default: what is known)")
	g.StringVar(&s.attribution, "attribution", "", "what must be shown wherever the model is used, in the file "+
		"(default: what is known)")
	g.placeholder("TEXT", "name", "licence", "attribution")
}

// splitting is how the interactions are split.
type splitting int

const (
	noSplit  splitting = iota // not at all
	fixed                     // as they were published: --test, or a folder with both parts
	byFold                    // --fold
	byTime                    // --by-time
	atMoment                  // --split-time
)

// splitting returns how the flags, or the folder, say to split.
func (s *source) splitting() splitting {
	switch {
	case s.test != "":
		return fixed
	case s.changed("fold"):
		return byFold
	case s.changed("by-time"):
		return byTime
	case s.changed("split-time"):
		return atMoment
	case s.publishedSplit():
		return fixed
	}
	return noSplit
}

// publishedSplit reports whether the data are a folder with a training and a test part.
func (s *source) publishedSplit() bool {
	return dataset.HasTest(s.data, dataset.Options{Format: s.format})
}

// check finds what cannot be, before anything is read. Its errors are usage errors.
func (s *source) check() error {
	ways := 0
	for _, flag := range []string{"test", "fold", "by-time", "split-time"} {
		if s.changed(flag) {
			ways++
		}
	}
	switch {
	case s.data == "":
		return usagef("--data is needed: the file or folder with the interactions")
	case s.header && s.noHeader:
		return usagef("--header and --no-header exclude each other")
	case s.noRatings && s.columns.Rating != "" && s.columns.Rating != "-":
		return usagef("--no-ratings and --rating-column %s exclude each other", s.columns.Rating)
	case len(s.delimiter) > 4:
		return usagef("--delimiter is %q; it must have 1 to 4 bytes", s.delimiter)
	case math.IsNaN(s.minRating) || math.IsInf(s.minRating, 0):
		return usagef("--min-rating is %v; it must be a number", s.minRating)
	case s.minUser < 0 || s.minItem < 0:
		return usagef("--min-user is %d and --min-item is %d; they must be 0 or more", s.minUser, s.minItem)
	case ways > 1:
		return usagef("--test, --fold, --by-time and --split-time are ways to split; give one of them")
	case s.changed("folds") && (s.folds < 2 || s.folds > 1000):
		return usagef("--folds is %d; it must lie between 2 and 1000", s.folds)
	case s.changed("fold") && (s.fold < 0 || s.fold >= s.folds):
		return usagef("--fold is %d, but the folds are numbered from 0 to %d", s.fold, s.folds-1)
	case s.changed("test-min-item") && s.testMinItem < s.minItem:
		return usagef("--test-min-item is %d; it must be at least --min-item, which is %d", s.testMinItem, s.minItem)
	case s.changed("by-time") && !(s.byTime > 0 && s.byTime < 1):
		return usagef("--by-time is %v; it must lie between 0 and 1", s.byTime)
	}
	if s.changed("split-time") {
		cut, err := dataset.ParseCut(s.splitTime)
		if err != nil {
			return usagef("--split-time is %w", err)
		}
		s.cut = cut
	}
	if s.format != "" {
		for _, f := range dataset.Formats() {
			if f.Name == s.format {
				return nil
			}
		}
		return usagef("--format is %q, which is not known; \"pmlam data formats\" lists those that are", s.format)
	}
	return nil
}

package cli

import (
	"math"

	"github.com/pmlam/pmlam/core/brief"
	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/dataset"
)

// Source is the origin of interactions and their split. Each command registers the flags that it needs.
type Source struct {
	Data string // file or folder with the interactions
	ReadingFlags
	FilterFlags
	SplitFlags
	AboutData
	Judge func(*catalogue.Catalogue) (notes []string, err error) // the project's check; nil: none

	Groups        []*Group // registered groups, for Changed
	PrintsReading bool     // the command prints the reading report itself
}

// ReadingFlags say how the interactions are read.
type ReadingFlags struct {
	Format              string
	Columns             dataset.Columns
	EventColumn         string
	Events              []string
	Delimiter, Encoding string
	header, noHeader    bool
	NoRatings           bool
	MinRating           float64
	SkipBadLines        bool
}

// FilterFlags name the catalogue and the minima of users and items.
type FilterFlags struct {
	Items            string
	MinUser, MinItem int
	onePass          bool
}

// SplitFlags say which interactions test.
type SplitFlags struct {
	Test                     string
	Folds, Fold, TestMinItem int
	SplitSeed                uint64
	ByTime, ByUser           float64
	SplitTime                string      // as given
	Cut                      dataset.Cut // the parsed --split-time
}

// AboutData describes the data in the model file.
type AboutData struct {
	Name, Licence, Attribution string
	Publish                    dataset.Publish // columns of the catalogue to publish, in addition to --columns
	columns                    []string
}

// Changed reports whether a flag was given.
func (s *Source) Changed(flag string) bool {
	for _, g := range s.Groups {
		if g.Changed(flag) {
			return true
		}
	}
	return false
}

// Add registers a group for Changed and returns it.
func (s *Source) Add(g *Group) *Group {
	s.Groups = append(s.Groups, g)
	return g
}

// DataFlag returns the group with the flag that names the interactions.
func (s *Source) DataFlag(g *Group) {
	g.StringVar(&s.Data, "data", "", "file or folder with the interactions: CSV, TSV, ::, JSON lines, Parquet, "+
		"matrices, adjacency lists; plain, zip, gzip or zstd")
	g.Placeholder("PATH", "data")
}

// RegisterReading adds the flags for reading interactions to a group.
func (s *ReadingFlags) RegisterReading(g *Group) {
	g.StringVar(&s.Format, "format", "", "format, if it is not recognised; \"pmlam data formats\" lists them")
	g.StringVar(&s.Columns.User, "user-column", "", "column of the users, by name or by number from 1")
	g.StringVar(&s.Columns.Item, "item-column", "", "column of the items")
	g.StringVar(&s.Columns.Rating, "rating-column", "", "column of the ratings; - for none")
	g.BoolVar(&s.NoRatings, "no-ratings", false, "there are no ratings: every interaction is a like")
	g.StringVar(&s.Columns.Time, "time-column", "", "column of the times; - for none")
	g.StringVar(&s.Columns.Title, "title-column", "", "column of the items' titles, here or in --items; - for none")
	g.StringVar(&s.EventColumn, "event-column", "", "column with the kind of a line, such as event_name or status; - "+
		"for none")
	g.StringSliceVar(&s.Events, "events", nil, "its values that are likes, such as view,purchase (default: all known "+
		"ones, without refunds, cancellations, scrolling and the like)")
	g.StringVar(&s.Delimiter, "delimiter", "", "separator of the columns, if it is not recognised: one to four "+
		"characters, or tab")
	g.StringVar(&s.Encoding, "encoding", "", "encoding, if it is guessed wrongly: windows-1251, koi8-r, shift_jis, …")
	g.BoolVar(&s.header, "header", false, "the first line holds column names")
	g.BoolVar(&s.noHeader, "no-header", false, "the first line does not hold column names")
	g.Float64Var(&s.MinRating, "min-rating", 0, "smallest rating that counts as a like (default 80% of the scale: 4 "+
		"of 5; of a count 1)")
	g.BoolVar(&s.SkipBadLines, "skip-bad-lines", false, "skip lines that cannot be read, and count them")
	g.Placeholder("NAME", "format")
	g.Placeholder("COLUMN", "user-column", "item-column", "rating-column", "time-column", "title-column",
		"event-column")
	g.Placeholder("LIST", "events")
	g.Placeholder("TEXT", "delimiter")
	g.Placeholder("NAME", "encoding")
	g.Placeholder("RATING", "min-rating")
}

// RegisterFilter adds the flags for catalogue and minima to a group.
func (s *FilterFlags) RegisterFilter(g *Group) {
	g.StringVar(&s.Items, "items", "", "file or folder with titles, years and genres (default: those of known data "+
		"sets)")
	g.IntVar(&s.MinUser, "min-user", 10, "minimum likes of a user; users with fewer are left out. Applied to fixed "+
		"splits and --split-time only if given")
	g.IntVar(&s.MinItem, "min-item", 5, "minimum likes of an item, likewise")
	g.BoolVar(&s.onePass, "one-pass", false, "apply both minima once instead of repeating until both hold")
	g.Placeholder("PATH", "items")
	g.Placeholder("N", "min-user", "min-item")
}

// DataGroup returns the group of all flags about the data.
func (s *Source) DataGroup() *Group {
	g := s.Add(NewGroup("Data"))
	s.DataFlag(g)
	s.RegisterReading(g)
	s.RegisterFilter(g)
	return g
}

// SplitGroup returns the flags that split. Without them only data that include a test part have one.
func (s *Source) SplitGroup() *Group {
	g := s.Add(NewGroup("Test part"))
	g.StringVar(&s.Test, "test", "", "file or folder with the test part of a fixed split; not needed for a folder "+
		"with train.txt and test.txt")
	g.IntVar(&s.Fold, "fold", -1, "hold out this fold of every user's items, from 0")
	g.IntVar(&s.Folds, "folds", 5, "number of folds")
	g.Uint64Var(&s.SplitSeed, "split-seed", 1, "seed of the folds and of --by-user")
	g.IntVar(&s.TestMinItem, "test-min-item", 0, "draw the folds as --min-item N would; items below N are only "+
		"learned and ranked (default: --min-item)")
	g.Float64Var(&s.ByTime, "by-time", 0, "hold out the latest share of every user's items, such as 0.2")
	g.StringVar(&s.SplitTime, "split-time", "", "test on all likes from one moment on, and train on earlier ones: a "+
		"time, such as 2018-05-01, or the share of likes to test on, such as 0.2")
	g.Float64Var(&s.ByUser, "by-user", 0, "test on this share of the users, such as 0.1, without training on "+
		"them, and validate on as many others; not needed for a folder with test_in.txt")
	g.Placeholder("PATH", "test")
	g.Placeholder("MOMENT|SHARE", "split-time")
	g.Placeholder("N", "fold", "folds", "split-seed", "test-min-item")
	g.Placeholder("SHARE", "by-time", "by-user")
	g.Lookup("fold").DefValue = "" // -1: not given
	return g
}

// AboutFlags adds the flags for texts in a model to a group.
func (s *AboutData) AboutFlags(g *Group) {
	g.StringVar(&s.Name, "name", "", "name of the data set, in the file (default: as known for the data)")
	g.StringVar(&s.Licence, "licence", "", "licence of the data, in the file (default: as known)")
	g.StringVar(&s.Attribution, "attribution", "", "text to show wherever the model is used, in the file (default: "+
		"as known)")
	g.Placeholder("TEXT", "name", "licence", "attribution")
}

// PublishFlag adds the flag that names the columns of a model to a group.
func (s *AboutData) PublishFlag(g *Group) {
	g.StringSliceVar(&s.columns, "columns", nil, "catalogue columns that the file holds, where everybody can read "+
		"them (default: columns with safe names, such as image, url, price and brand)")
	g.Placeholder("LIST", "columns")
}

// Published returns the catalogue columns that a model holds.
func (s *Source) Published() dataset.Publish {
	p := s.Publish
	if s.Changed("columns") {
		p.Columns = append([]string{}, s.columns...)
	}
	return p
}

// Splitting is a way to split interactions.
type Splitting int

const (
	NoSplit     Splitting = iota // no split
	FixedSplit                   // as published: --test, or a folder with both parts
	FoldSplit                    // --fold
	TimeSplit                    // --by-time
	MomentSplit                  // --split-time
	UserSplit                    // --by-user, or a folder whose test users give likes: Input.ByUser is set
)

// Splitting returns the way to split that the flags or the folder give.
func (s *Source) Splitting() Splitting {
	switch {
	case s.Test != "":
		return FixedSplit
	case s.Changed("fold"):
		return FoldSplit
	case s.Changed("by-time"):
		return TimeSplit
	case s.Changed("split-time"):
		return MomentSplit
	case s.Changed("by-user") || dataset.SplitsUsers(s.Data, dataset.Options{Format: s.Format}):
		return UserSplit
	case s.publishedSplit():
		return FixedSplit
	}
	return NoSplit
}

// publishedSplit reports whether the data are a folder with a training and a test part.
func (s *Source) publishedSplit() bool {
	return dataset.HasTest(s.Data, dataset.Options{Format: s.Format})
}

// Check reports wrong flags before anything is read, as usage errors.
func (s *Source) Check() error {
	ways := 0
	for _, flag := range []string{"test", "fold", "by-time", "split-time", "by-user"} {
		if s.Changed(flag) {
			ways++
		}
	}
	switch {
	case s.Data == "":
		return Usagef("--data is missing: pass the file or folder with the interactions")
	case s.header && s.noHeader:
		return Usagef("--header and --no-header exclude each other")
	case s.NoRatings && s.Columns.Rating != "" && s.Columns.Rating != "-":
		return Usagef("--no-ratings and --rating-column %s exclude each other", s.Columns.Rating)
	case len(s.Delimiter) > 4:
		return Usagef("--delimiter is %q; it must have 1 to 4 bytes", brief.Text(s.Delimiter))
	case math.IsNaN(s.MinRating) || math.IsInf(s.MinRating, 0):
		return Usagef("--min-rating is %v; it must be a number", s.MinRating)
	case s.MinUser < 0 || s.MinItem < 0:
		return Usagef("--min-user is %d and --min-item is %d; they must be 0 or more", s.MinUser, s.MinItem)
	case ways > 1:
		return Usagef("--test, --fold, --by-time, --split-time and --by-user exclude each other; pass one of them")
	case s.Changed("by-user") && !(s.ByUser > 0 && s.ByUser < 0.5):
		return Usagef("--by-user is %v; it must be above 0 and below 0.5, because as many users validate", s.ByUser)
	case s.Changed("folds") && (s.Folds < 2 || s.Folds > 1000):
		return Usagef("--folds is %d; it must be between 2 and 1000", s.Folds)
	case s.Changed("fold") && (s.Fold < 0 || s.Fold >= s.Folds):
		return Usagef("--fold is %d, but the folds are numbered from 0 to %d", s.Fold, s.Folds-1)
	case s.Changed("test-min-item") && s.TestMinItem < s.MinItem:
		return Usagef("--test-min-item is %d; it must be at least --min-item, which is %d", s.TestMinItem, s.MinItem)
	case s.Changed("by-time") && !(s.ByTime > 0 && s.ByTime < 1):
		return Usagef("--by-time is %v; it must be between 0 and 1", s.ByTime)
	}
	if s.Changed("split-time") {
		cut, err := dataset.ParseCut(s.SplitTime)
		if err != nil {
			return Usagef("--split-time is %w", err)
		}
		s.Cut = cut
	}
	if s.Format != "" {
		for _, f := range dataset.Formats() {
			if f.Name == s.Format {
				return nil
			}
		}
		return Usagef("--format is %q, which is unknown; \"pmlam data formats\" lists all formats",
			brief.Text(s.Format))
	}
	return nil
}

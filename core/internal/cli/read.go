package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/pmlam/pmlam/core/dataset"
)

// Input is what was read: all interactions, and a split where there is one.
type Input struct {
	*dataset.Dataset
	Split   dataset.Split // Test is nil where there is no test part
	SplitBy string        // how, for people
	Options dataset.Options
	moment  int64 // of a split at a moment, in seconds since 1970
}

// Read reads the data that the flags name. Usage errors come before anything is read.
func (s *Source) Read(ctx context.Context, a *App) (*Input, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	how := s.Splitting()
	in, err := s.Load(ctx, a, how, s.ReadingOptions(how))
	for n := 0; err != nil && n < mostQuestions; n++ {
		if failed := s.ask(ctx, a, err); failed != nil {
			break
		}
		in, err = s.Load(ctx, a, how, s.ReadingOptions(how))
	}
	var empty *dataset.EmptyError
	if errors.As(err, &empty) {
		a.printReading(empty.Read)
	}
	if err != nil {
		return nil, withFolds(err)
	}
	in.Options = s.ReadingOptions(how)
	if !s.PrintsReading {
		a.printReading(in.Read)
	}
	switch how {
	case FixedSplit:
		in.SplitBy = "fixed split"
	case FoldSplit:
		if in.Split, err = s.FoldOf(ctx, a, in, s.Fold); err != nil {
			return nil, err
		}
		in.SplitBy = s.FoldName(s.Fold)
	case TimeSplit:
		if in.Split, err = in.ByTime(s.ByTime); err != nil {
			return nil, withFolds(err)
		}
		in.SplitBy = fmt.Sprintf("each user's latest %g%%", 100*s.ByTime)
	case MomentSplit:
		in.SplitBy = fmt.Sprintf("from %s on", dataset.FormatMoment(in.moment))
	default:
		in.Split.Train = in.Positives
	}
	for _, text := range []struct{ given, into *string }{
		{&s.Name, &in.Name}, {&s.Licence, &in.Licence}, {&s.Attribution, &in.Attribution},
	} {
		if *text.given != "" {
			*text.into = *text.given
		}
	}
	return in, nil
}

// withFolds names the flag where an error advises folds in place of a split by time.
func withFolds(err error) error {
	if errors.As(err, new(*dataset.NoTimesError)) {
		return fmt.Errorf("%w (--fold)", err)
	}
	return err
}

// mostQuestions bounds how often a person is asked about one reading.
const mostQuestions = 8

// ReadingOptions are what the flags, and answers, say about reading.
func (s *Source) ReadingOptions(how Splitting) dataset.Options {
	o := dataset.Options{
		Format: s.Format, Columns: s.Columns, Delimiter: s.Delimiter, Encoding: s.Encoding,
		EventColumn: s.EventColumn, Events: s.Events,
		Items: s.Items, SkipBadLines: s.SkipBadLines,
		MinUser: none(s.MinUser), MinItem: none(s.MinItem), OnePass: s.onePass,
		Times: how == TimeSplit || how == MomentSplit, Publish: s.Published(),
	}
	if s.NoRatings {
		o.Columns.Rating = "-"
	}
	if s.Delimiter == "tab" {
		o.Delimiter = "\t"
	}
	switch {
	case s.header:
		o.Header = dataset.HeaderYes
	case s.noHeader:
		o.Header = dataset.HeaderNo
	}
	if s.Changed("min-rating") {
		o.MinRating = &s.MinRating
	}
	if how == FixedSplit || how == MomentSplit {
		// A published split is taken as it was published, and what comes after a moment must not decide what is learned
		// before it: the minima apply only where they were asked for.
		if !s.Changed("min-user") {
			o.MinUser = 0
		}
		if !s.Changed("min-item") {
			o.MinItem = 0
		}
	}
	return o
}

// FoldName says which fold, for people.
func (s *Source) FoldName(k int) string {
	name := fmt.Sprintf("fold %d of %d, seed %d", k, s.Folds, s.SplitSeed)
	if s.TestMinItem > s.MinItem {
		name += fmt.Sprintf(", of the items with %d likes or more", s.TestMinItem)
	}
	return name
}

// FoldOf returns the split that holds fold k out. With --test-min-item the folds are those of the data without the
// items below that minimum, so that a larger catalogue is measured on the same test items as a smaller one. The items
// below it are learned from, and ranked among the others.
func (s *Source) FoldOf(ctx context.Context, a *App, in *Input, k int) (dataset.Split, error) {
	if s.TestMinItem <= s.MinItem {
		return in.Fold(s.Folds, k, s.SplitSeed), nil
	}
	o := in.Options
	o.MinItem = s.TestMinItem
	core, err := s.Load(ctx, a, FoldSplit, o)
	if err != nil {
		return dataset.Split{}, err
	}
	held := make(map[dataset.Pair]bool)
	for u, test := 0, core.Fold(s.Folds, k, s.SplitSeed).Test; u < test.Rows(); u++ {
		row, _ := in.Users.Index(core.Users.ID(u))
		for _, i := range test.Row(u) {
			col, _ := in.Items.Index(core.Items.ID(int(i)))
			held[dataset.Pair{Row: int32(row), Col: int32(col)}] = true
		}
	}
	var train, test []dataset.Pair
	for u := range in.Positives.Rows() {
		for _, i := range in.Positives.Row(u) {
			if p := (dataset.Pair{Row: int32(u), Col: i}); held[p] {
				test = append(test, p)
			} else {
				train = append(train, p)
			}
		}
	}
	users, items := in.Users.Len(), in.Items.Len()
	return dataset.Split{Train: dataset.NewMatrix(users, items, train), Test: dataset.NewMatrix(users, items, test)},
		nil
}

// Load reads with a progress bar. The readers take no context, but report their progress from the reading goroutine
// about every megabyte; where ctx has ended, the reading is left there by a panic that load recovers.
func (s *Source) Load(ctx context.Context, a *App, how Splitting, o dataset.Options) (in *Input, err error) {
	bar := a.bytesBar("reading")
	defer bar.Done()
	o.Progress = func(read, total int64) {
		if ctx.Err() != nil {
			panic(stopped{})
		}
		bar.Set(read, total, "")
	}
	defer func() {
		switch p := recover().(type) {
		case nil:
		case stopped:
			in, err = nil, fmt.Errorf("stopped while %s was read: %w", s.Data, ctx.Err())
		default:
			panic(p)
		}
	}()
	in = &Input{}
	switch how {
	case FixedSplit:
		in.Dataset, in.Split, err = dataset.LoadFixed(s.Data, s.Test, o)
	case MomentSplit:
		in.Dataset, in.Split, in.moment, err = dataset.LoadAt(s.Data, s.Cut, o)
	default:
		in.Dataset, err = dataset.Load(s.Data, o)
	}
	return in, err
}

// stopped is what load's progress panics with.
type stopped struct{}

// none turns a minimum of 0 or 1, which drops nothing, into the readers' word for it.
func none(minimum int) int {
	if minimum <= 1 {
		return -1
	}
	return minimum
}

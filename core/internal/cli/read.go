package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/dataset"
)

// Input is the data read: all interactions, and a split if the flags or the data give one.
type Input struct {
	*dataset.Dataset
	Split   dataset.Split      // Test is nil without a test part, and in a split by users
	ByUser  *dataset.UserSplit // of UserSplit; Split.Train is its training part
	SplitBy string             // description of the split
	Options dataset.Options
	moment  int64 // of a split at one moment, in seconds since 1970
}

// Read reads the data that the flags name. Usage errors are reported before anything is read.
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
	if err := s.JudgeCatalogue(a, in.Catalogue); err != nil {
		return nil, err
	}
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
	case UserSplit:
		if err := s.splitUsers(in); err != nil {
			return nil, err
		}
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

// splitUsers splits by users, as the folder or the flags say.
func (s *Source) splitUsers(in *Input) error {
	var u dataset.UserSplit
	if s.Changed("by-user") {
		u = in.Dataset.ByUser(s.ByUser, s.SplitSeed)
		in.SplitBy = fmt.Sprintf("%g%% of the users, seed %d", 100*s.ByUser, s.SplitSeed)
	} else {
		u = dataset.SplitUsers(in.Split.Train, in.Validation, in.Split.Test)
		in.SplitBy = "fixed split of the users"
	}
	if u.Train.Len() == 0 || u.Test.Test.Len() == 0 {
		return fmt.Errorf("%s, %s: %d likes to train on and %d to predict; there must be some of both", in.Name,
			in.SplitBy, u.Train.Len(), u.Test.Test.Len())
	}
	in.ByUser, in.Split = &u, dataset.Split{Train: u.Train}
	return nil
}

// Tested returns the split that is measured: of the test users in a split by users, otherwise Split.
func (in *Input) Tested() dataset.Split {
	if in.ByUser != nil {
		return in.ByUser.Test
	}
	return in.Split
}

// JudgeCatalogue notes the texts of a catalogue that the project's rules could not read.
func (s *Source) JudgeCatalogue(a *App, c *catalogue.Catalogue) error {
	if s.Judge == nil {
		return nil
	}
	notes, err := s.Judge(c)
	for _, n := range notes {
		a.Notef("%s", n)
	}
	return err
}

// withFolds adds the flag to errors that advise folds instead of a split by time.
func withFolds(err error) error {
	if errors.As(err, new(*dataset.NoTimesError)) {
		return fmt.Errorf("%w (--fold)", err)
	}
	return err
}

// mostQuestions is the maximum number of questions about one reading.
const mostQuestions = 8

// searchedTags is the number of a film's tags, in MovieLens' tags.csv, that its model keeps for searches.
const searchedTags = 3

// ReadingOptions returns the options for reading that flags and answers give.
func (s *Source) ReadingOptions(how Splitting) dataset.Options {
	o := dataset.Options{
		Format: s.Format, Columns: s.Columns, Delimiter: s.Delimiter, Encoding: s.Encoding,
		EventColumn: s.EventColumn, Events: s.Events,
		Items: s.Items, SkipBadLines: s.SkipBadLines, Tags: searchedTags,
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
	if how == FixedSplit || how == MomentSplit || how == UserSplit && !s.Changed("by-user") {
		// A published split stays as published, and later interactions must not affect the training part: minima apply
		// only if they were given.
		if !s.Changed("min-user") {
			o.MinUser = 0
		}
		if !s.Changed("min-item") {
			o.MinItem = 0
		}
	}
	return o
}

// FoldName describes fold k.
func (s *Source) FoldName(k int) string {
	name := fmt.Sprintf("fold %d of %d, seed %d", k, s.Folds, s.SplitSeed)
	if s.TestMinItem > s.MinItem {
		name += fmt.Sprintf(", of items with at least %d likes", s.TestMinItem)
	}
	return name
}

// FoldOf returns the split that holds fold k out. With --test-min-item the folds are drawn from the items that meet
// that minimum, so a larger catalogue is measured on the same test items as a smaller one. Items below the minimum are
// learned and ranked too.
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
// about every megabyte; when ctx has ended, that callback panics with stopped, and Load recovers.
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
			in, err = nil, fmt.Errorf("stopped while reading %s: %w", s.Data, ctx.Err())
		default:
			panic(p)
		}
	}()
	in = &Input{}
	switch {
	case how == FixedSplit || how == UserSplit && !s.Changed("by-user"):
		in.Dataset, in.Split, err = dataset.LoadFixed(s.Data, s.Test, o)
	case how == MomentSplit:
		in.Dataset, in.Split, in.moment, err = dataset.LoadAt(s.Data, s.Cut, o)
	default:
		in.Dataset, err = dataset.Load(s.Data, o)
	}
	return in, err
}

// stopped is the panic value of Load's progress callback.
type stopped struct{}

// none maps minima of 0 and 1, which drop nothing, to the readers' value for none.
func none(minimum int) int {
	if minimum <= 1 {
		return -1
	}
	return minimum
}

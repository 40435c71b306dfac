package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/dataset"
)

// input is what was read: all interactions, and a split where there is one.
type input struct {
	*dataset.Dataset
	split   dataset.Split // Test is nil where there is no test part
	splitBy string        // how, for people
	options dataset.Options
	moment  int64 // of a split at a moment, in seconds since 1970
}

// read reads the data that the flags name. Usage errors come before anything is read.
func (s *source) read(ctx context.Context, a *app) (*input, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	how := s.splitting()
	in, err := s.load(ctx, a, how, s.readingOptions(how))
	for n := 0; err != nil && n < mostQuestions; n++ {
		if failed := s.ask(ctx, a, err); failed != nil {
			break
		}
		in, err = s.load(ctx, a, how, s.readingOptions(how))
	}
	var empty *dataset.EmptyError
	if errors.As(err, &empty) {
		a.printReading(empty.Read)
	}
	if err != nil {
		return nil, withFolds(err)
	}
	in.options = s.readingOptions(how)
	if !s.printsReading {
		a.printReading(in.Read)
	}
	switch how {
	case fixed:
		in.splitBy = "fixed split"
	case byFold:
		if in.split, err = s.foldOf(ctx, a, in, s.fold); err != nil {
			return nil, err
		}
		in.splitBy = s.foldName(s.fold)
	case byTime:
		if in.split, err = in.ByTime(s.byTime); err != nil {
			return nil, withFolds(err)
		}
		in.splitBy = fmt.Sprintf("each user's latest %g%%", 100*s.byTime)
	case atMoment:
		in.splitBy = fmt.Sprintf("from %s on", dataset.FormatMoment(in.moment))
	default:
		in.split.Train = in.Positives
	}
	for _, text := range []struct{ given, into *string }{
		{&s.name, &in.Name}, {&s.licence, &in.Licence}, {&s.attribution, &in.Attribution},
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

// readingOptions are what the flags, and answers, say about reading.
func (s *source) readingOptions(how splitting) dataset.Options {
	o := dataset.Options{
		Format: s.format, Columns: s.columns, Delimiter: s.delimiter, Items: s.items, SkipBadLines: s.skipBadLines,
		MinUser: none(s.minUser), MinItem: none(s.minItem), OnePass: s.onePass,
		Times: how == byTime || how == atMoment,
	}
	if s.noRatings {
		o.Columns.Rating = "-"
	}
	if s.delimiter == "tab" {
		o.Delimiter = "\t"
	}
	switch {
	case s.header:
		o.Header = dataset.HeaderYes
	case s.noHeader:
		o.Header = dataset.HeaderNo
	}
	if s.changed("min-rating") {
		o.MinRating = &s.minRating
	}
	if how == fixed || how == atMoment {
		// A published split is taken as it was published, and what comes after a moment must not decide what is learned
		// before it: the minima apply only where they were asked for.
		if !s.changed("min-user") {
			o.MinUser = 0
		}
		if !s.changed("min-item") {
			o.MinItem = 0
		}
	}
	return o
}

// foldName says which fold, for people.
func (s *source) foldName(k int) string {
	name := fmt.Sprintf("fold %d of %d, seed %d", k, s.folds, s.splitSeed)
	if s.testMinItem > s.minItem {
		name += fmt.Sprintf(", of the items with %d likes or more", s.testMinItem)
	}
	return name
}

// foldOf returns the split that holds fold k out. With --test-min-item the folds are those of the data without the
// items below that minimum, so that a larger catalogue is measured on the same test items as a smaller one. The items
// below it are learned from, and ranked among the others.
func (s *source) foldOf(ctx context.Context, a *app, in *input, k int) (dataset.Split, error) {
	if s.testMinItem <= s.minItem {
		return in.Fold(s.folds, k, s.splitSeed), nil
	}
	o := in.options
	o.MinItem = s.testMinItem
	core, err := s.load(ctx, a, byFold, o)
	if err != nil {
		return dataset.Split{}, err
	}
	held := make(map[dataset.Pair]bool)
	for u, test := 0, core.Fold(s.folds, k, s.splitSeed).Test; u < test.Rows(); u++ {
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

// load reads with a progress bar. The readers take no context, but report their progress from the reading goroutine
// about every megabyte; where ctx has ended, the reading is left there by a panic that load recovers.
func (s *source) load(ctx context.Context, a *app, how splitting, o dataset.Options) (in *input, err error) {
	bar := a.bytesBar("reading")
	defer bar.done()
	o.Progress = func(read, total int64) {
		if ctx.Err() != nil {
			panic(stopped{})
		}
		bar.set(read, total, "")
	}
	defer func() {
		switch p := recover().(type) {
		case nil:
		case stopped:
			in, err = nil, fmt.Errorf("stopped while %s was read: %w", s.data, ctx.Err())
		default:
			panic(p)
		}
	}()
	in = &input{}
	switch how {
	case fixed:
		in.Dataset, in.split, err = dataset.LoadFixed(s.data, s.test, o)
	case atMoment:
		in.Dataset, in.split, in.moment, err = dataset.LoadAt(s.data, s.cut, o)
	default:
		in.Dataset, err = dataset.Load(s.data, o)
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

// learnedFrom returns the data set as a training on train (U×I) sees it: without what was held out, in the counts of
// its catalogue too, since inference uses them. in is left alone. O(nnz + I).
func (in *input) learnedFrom(train *dataset.Matrix) *dataset.Dataset {
	d := *in.Dataset
	d.Positives = train
	d.Catalogue = &catalogue.Catalogue{Items: slices.Clone(in.Catalogue.Items), Columns: in.Catalogue.Columns}
	for i := range d.Catalogue.Items {
		d.Catalogue.Items[i].Count = 0
	}
	for _, i := range train.Indices {
		d.Catalogue.Items[i].Count++
	}
	return &d
}

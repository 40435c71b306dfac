package reproduce

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/margin"
	"github.com/pmlam/pmlam/core/pmlam"
)

// found returns the results in margins, without how they were made.
func found(m *Margins) Margins {
	x := *m
	x.method, x.trials = nil, nil
	return x
}

// caseStudies returns CaseStudies for pairs with two negatives.
func caseStudies(t testing.TB, p Protocol) []Method {
	t.Helper()
	all, err := CaseStudies(2, p)
	if err != nil || len(all) != 2 {
		t.Fatal(err, len(all))
	}
	return all
}

func TestMargins(t *testing.T) {
	p := Protocol{Folds: 1, Trials: 1, Epochs: 30, Seed: 1, Patience: 4}
	for _, of := range caseStudies(t, p) {
		t.Run(of.Name, func(t *testing.T) { margins(t, p, &of) })
	}
}

// margins checks the results of one case study.
func margins(t *testing.T, p Protocol, of *Method) {
	d, kept := blocks(t), store(t)
	m, err := (&Study{Protocol: p, Store: kept}).Table4(context.Background(), d, of)
	if err != nil {
		t.Fatal(err)
	}
	again, err := (&Study{Protocol: p, Store: kept, Workers: 3}).Table4(context.Background(), d, of)
	if err != nil || !reflect.DeepEqual(found(m), found(again)) {
		t.Errorf("%v: two runs on the same data give %+v and %+v", err, m, again)
	}
	fresh, err := (&Study{Protocol: p, Workers: 2}).Table4(context.Background(), d, of)
	if err != nil || !reflect.DeepEqual(found(m), found(fresh)) {
		t.Errorf("%v: without a store it is %+v, not %+v", err, fresh, m)
	}
	if m.Count != Triplets || m.Users != 40 || !(m.Same > 0) || !(m.Other > 0) || m.Epochs < 1 || m.Epochs > 30 ||
		!(m.Share >= 0 && m.Share <= 1) {
		t.Errorf("%+v", m)
	}
	if abs(m.Gap.Value-(m.Other-m.Same)) > 0.2*abs(m.Other-m.Same)+0.01 {
		t.Errorf("the mean over users is %v, over triplets %v", m.Gap.Value, m.Other-m.Same)
	}
	if len(m.Drawn) != 2*Cases || m.Found != nil {
		t.Errorf("%d drawn cases, %d of the paper", len(m.Drawn), len(m.Found))
	}
	for i, c := range m.Drawn {
		// The first word after the comma is the taste, a genre shared by all items of a taste; the second separates odd
		// from even.
		_, a, _ := strings.Cut(c.Positive, ", ")
		_, b, _ := strings.Cut(c.Negative, ", ")
		shareGenre := a[:7] == b[:7] || a[strings.Index(a, "/"):] == b[strings.Index(b, "/"):]
		if c.Same != (i%2 == 0) || shareGenre != c.Same || !(c.Margin > 0) {
			t.Errorf("%d: %+v", i, c)
		}
	}
	text := ""
	for _, table := range m.Tables() {
		text += table.Markdown()
	}
	if !strings.Contains(text, "5,000") || !strings.Contains(text, "| 40 |") ||
		!strings.Contains(text, "margins "+of.Title+": ") {
		t.Error(text)
	}
}

// Without genres there is no Table 4, and an interruption is reported as one.
func TestMarginsOfNothing(t *testing.T) {
	d, p := blocks(t), Protocol{Folds: 1, Trials: 1, Epochs: 30, Seed: 1, Patience: 4}
	of := &caseStudies(t, p)[0]
	for i := range d.Catalogue.Items {
		d.Catalogue.Items[i].Genres = nil
	}
	if _, err := (&Study{Protocol: p}).Table4(context.Background(), d, of); !errors.Is(err, ErrNoGenres) {
		t.Errorf("without genres: %v", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := (&Study{Protocol: p}).Table4(ctx, blocks(t), of); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}

// The paper's triplets are found by title and year; a note names data that differ from the paper.
func TestPapersTriplets(t *testing.T) {
	if len(paperTriplets) != 8 {
		t.Fatal(len(paperTriplets))
	}
	for i, x := range paperTriplets {
		// In the paper the first of each pair of rows shares a genre and has the smaller margin.
		if x.Same != (i%2 == 0) || x.Same && x.Margin >= paperTriplets[i+1].Margin || !strings.HasSuffix(x.Negative,
			")") {
			t.Errorf("%+v", x)
		}
	}
}

// All of the paper's films and users are in MovieLens-100K under the names given here.
func TestPapersTripletsAreFound(t *testing.T) {
	folder := os.Getenv("PMLAM_DATA")
	if folder == "" {
		t.Skip("SKIPPED: PMLAM_DATA does not name the folder with ml-100k, used by the paper's case study")
	}
	set, err := dataset.Load(filepath.Join(folder, "ml-100k"), dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := NewData(set, "ml-100k", nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	r := &pmlam.Result{
		Users: gaussian.NewTable(set.Users.Len(), 2), Items: gaussian.NewTable(set.Items.Len(), 2),
		UserItem: margin.Zero(margin.Difference, 2, 3),
	}
	found := (&cases{d: d, r: r}).fromPaper()
	if len(found) != len(paperTriplets) {
		t.Errorf("%d of %d triplets", len(found), len(paperTriplets))
	}
	for i, c := range found {
		if abs(c.Margin-math.Ln2) > 1e-6 || c.Same != paperTriplets[i].Same {
			t.Errorf("an empty network gives softplus(0): %+v", c)
		}
	}
}

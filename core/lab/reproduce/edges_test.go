package reproduce

import (
	"context"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
)

func row(n int32) (r []int32) {
	for i := range n {
		r = append(r, i)
	}
	return r
}

// Data on which nothing can be measured are refused with the reason.
func TestDataThatCannotBeMeasured(t *testing.T) {
	for name, c := range map[string]struct {
		set  *dataset.Dataset
		want string
	}{
		"no users":       {made(t, "X", 3), "X has no users"},
		"no items":       {made(t, "X", 0, nil), "X has a single item"},
		"one item":       {made(t, "X", 1, row(1), row(1)), "X has a single item"},
		"all items seen": {made(t, "X", 1, row(1)), "X has a single item"},
		"no likes":       {made(t, "X", 5, nil, nil), "in fold 0 of 5 no user has two training items"},
		"one like each":  {made(t, "X", 5, row(1), row(1)), "no user has two training items"},
	} {
		if _, err := NewData(c.set, "x", nil, 1); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	whole := made(t, "X", 3, row(3), row(3))
	nothing := dataset.NewMatrix(2, 3, nil)
	for name, c := range map[string]struct {
		split dataset.Split
		want  string
	}{
		"other shape": {dataset.Split{Train: whole.Positives, Test: dataset.NewMatrix(2, 4, nil)},
			"does not match the data's 2 users and 3 items"},
		"all is learned": {dataset.Split{Train: whole.Positives, Test: nothing}, "in the published split no user has " +
			"two training items and another"},
		"no test": {dataset.Split{Train: made(t, "X", 3, row(2), row(2)).Positives, Test: nothing},
			"no user has a test item that could be recommended"},
	} {
		if _, err := NewData(whole, "x", &c.split, 1); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The smallest data that can be measured give defined figures, with lists longer than the catalogue, users without test
// items in some folds, a user who has everything, and a single user for the tests.
func TestSmallestData(t *testing.T) {
	for name, set := range map[string]*dataset.Dataset{
		"one user":                 made(t, "one user", 12, row(10)),
		"catalogue of seven":       made(t, "seven", 7, row(5), row(6), []int32{1, 2, 3, 5, 6}),
		"users without test items": made(t, "few", 12, row(10), row(2), row(3), nil),
		"somebody has everything":  made(t, "everything", 12, row(12), row(10)),
	} {
		d, err := NewData(set, "x", nil, 1)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		methods := some(t, "popularity", "itemknn", "ease", "bprmf", "pmlam-hybrid")
		out := run(t, d, methods, store(t), 1, 1)
		for i, m := range out {
			if m.Failed != "" {
				if m.Method == "bprmf" || m.Method == "pmlam-hybrid" || m.Method == "ease" {
					t.Errorf("%s: %s, fold %d: %s", name, m.Method, m.Fold, m.Failed)
				}
				continue
			}
			for at := range Ks {
				if !(m.Recall[at] >= 0 && m.Recall[at] <= 1 && m.NDCG[at] >= 0 && m.NDCG[at] <= 1) {
					t.Errorf("%s: %d: %v, %v", name, i, m.Recall, m.NDCG)
				}
			}
			// Lists of all candidates miss nothing.
			if last := m.Recall[len(Ks)-1]; set.Positives.Cols <= Ks[len(Ks)-1] && last != 1 {
				t.Errorf("%s: %s, fold %d: Recall@30 of a catalogue of %d is %v", name, m.Method, m.Fold,
					set.Positives.Cols, last)
			}
		}
		all := Outcomes(UnitsOf(d, methods, small), out)
		for _, table := range Table2(all, small) {
			if text := table.Markdown() + table.LaTeX(); strings.Contains(text, "NaN") || strings.Contains(text,
				"Inf") {
				t.Errorf("%s: %s", name, text)
			}
		}
		if c, ok := Compare(all[4], all[0], eval.Recall, 1); name == "one user" && (!ok || c.Users != 1 || c.T.P != 1) {
			t.Errorf("one user: %+v", c)
		}
	}
}

// A published split is used as it is, as one fold.
func TestPublishedSplit(t *testing.T) {
	set := blocks(t).Dataset
	split := set.Fold(Folds, 3, 9)
	d, err := NewData(set, "x", &split, 1)
	if err != nil {
		t.Fatal(err)
	}
	methods := some(t, "itemknn")
	out := run(t, d, methods, nil, 1, 1)
	if len(out) != 1 || d.Splits() != 1 {
		t.Fatalf("%d measurements", len(out))
	}
	scorer, err := methods[0].fit(context.Background(), job{train: split.Train, seed: 1, workers: 1},
		&out[0].Trials[out[0].Chosen])
	if err != nil {
		t.Fatal(err)
	}
	r, err := eval.Evaluate(context.Background(), scorer, split.Train, split.Test, eval.Options{Ks: Ks})
	if err != nil || r.Recall[tableAt] != out[0].Recall[tableAt] {
		t.Errorf("%v, %v, %v", err, r.Recall, out[0].Recall)
	}
}

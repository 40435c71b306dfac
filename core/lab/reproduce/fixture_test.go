package reproduce

import (
	"context"
	"fmt"
	"testing"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/internal/durable"
	"github.com/pmlam/pmlam/core/train/choose"
)

// made returns a data set of users with the given rows, over that many items.
func made(t testing.TB, name string, items int, rows ...[]int32) *dataset.Dataset {
	t.Helper()
	ids := func(n int) *dataset.IDs {
		names := make([]string, n)
		for i := range names {
			names[i] = fmt.Sprint(i + 1)
		}
		all, err := dataset.NewIDs(names)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	d := &dataset.Dataset{Name: name, Users: ids(len(rows)), Items: ids(items), Catalogue: &catalogue.Catalogue{}}
	var pairs []dataset.Pair
	for u, row := range rows {
		for _, i := range row {
			pairs = append(pairs, dataset.Pair{Row: int32(u), Col: i})
		}
	}
	for i := range items {
		d.Catalogue.Items = append(d.Catalogue.Items, catalogue.Item{ID: fmt.Sprint(i + 1),
			Title: fmt.Sprintf("Item %d", i+1)})
	}
	d.Positives = dataset.NewMatrix(len(rows), items, pairs)
	return d
}

// blocks returns users of four tastes. Each likes ten of the twelve items of their taste and two others; each taste has
// two genres.
func blocks(t testing.TB) *Data {
	t.Helper()
	const users, tastes, per = 40, 4, 12
	rows := make([][]int32, users)
	for u := range rows {
		own := int32(u % tastes * per)
		for i := range int32(per) {
			if i != int32(u/4)%per && i != int32(u/4+5)%per {
				rows[u] = append(rows[u], own+i)
			}
		}
		for k := range int32(2) {
			rows[u] = append(rows[u], (own+per+int32(u/4)+17*k)%(tastes*per))
		}
	}
	set := made(t, "blocks", tastes*per, rows...)
	for i := range set.Catalogue.Items {
		set.Catalogue.Items[i].Genres = []string{fmt.Sprintf("taste %d", i/per), "everything"[:1+i%2]}
	}
	d, err := NewData(set, "blocks", nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// small is a protocol that costs little.
var small = Protocol{Folds: 2, Trials: 2, Epochs: 20, Seed: 1, Patience: 4}

// some returns methods by name.
func some(t testing.TB, names ...string) []Method {
	t.Helper()
	all, err := Methods(2, small)
	if err == nil {
		all, err = Select(all, names)
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// spy counts the trials and fits of methods and records their training data.
type spy struct {
	tries, fits int
	look        func(w job)
}

func (s *spy) on(m Method) Method {
	try, fit := m.try, m.fit
	m.try = func(ctx context.Context, w job, values map[string]string) (choose.Trial, error) {
		s.tries++
		if s.look != nil {
			s.look(w)
		}
		return try(ctx, w, values)
	}
	m.fit = func(ctx context.Context, w job, t *choose.Trial) (eval.Scorer, error) {
		s.fits++
		if s.look != nil {
			s.look(w)
		}
		return fit(ctx, w, t)
	}
	return m
}

func store(t testing.TB) *Store { return &Store{FS: durable.OS, Folder: t.TempDir()} }

// run runs a study of methods; its errors fail the test.
func run(t testing.TB, d *Data, methods []Method, s *Store, jobs, workers int) []*Measurement {
	t.Helper()
	study := &Study{Protocol: small, Units: UnitsOf(d, methods, small), Store: s, Jobs: jobs, Workers: workers}
	out, err := study.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return out
}

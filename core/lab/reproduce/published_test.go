package reproduce

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/internal/durable"
	"github.com/pmlam/pmlam/core/lab/reproduce/results"
)

// published runs methods and adds the results to a folder.
func published(t *testing.T, folder string, d *Data, methods []Method) []*Measurement {
	t.Helper()
	out := run(t, d, methods, nil, 1, 1)
	publishes(t, folder, d, Outcomes(UnitsOf(d, methods, small), out), nil)
	return out
}

func publishes(t *testing.T, folder string, d *Data, outcomes []*Outcome, margins []*Margins) {
	t.Helper()
	if err := Publish(durable.OS, folder, small, []*Data{d}, outcomes, margins); err != nil {
		t.Fatal(err)
	}
}

func readPublished(t *testing.T, folder string) *Published {
	t.Helper()
	p, err := ReadPublished(folder)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// contents returns the contents of a folder's files.
func contents(t *testing.T, folder string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, path := range listed(t, folder) {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(path)] = string(b)
	}
	return all
}

// Published results are read and not measured again; a store's own undamaged results come first.
func TestPublishedIsRead(t *testing.T) {
	d, folder, own := blocks(t), t.TempDir(), store(t)
	want := figures(run(t, d, some(t, "ease", "bprmf"), nil, 1, 1))
	published(t, folder, d, some(t, "bprmf"))
	before := contents(t, folder)
	own.Published = readPublished(t, folder)
	again := func(name string, tries, fits int) {
		t.Helper()
		var s spy
		methods := some(t, "ease", "bprmf")
		for i := range methods {
			methods[i] = s.on(methods[i])
		}
		if got := figures(run(t, d, methods, own, 1, 1)); !reflect.DeepEqual(got, want) || s.tries != tries ||
			s.fits != fits {
			t.Errorf("%s: %d trials and %d fits, not %d and %d, and %+v", name, s.tries, s.fits, tries, fits, got)
		}
	}
	again("half is published", 4, 2)
	if len(listed(t, own.Folder)) != 6 {
		t.Errorf("the store has %v", listed(t, own.Folder))
	}
	again("the other half was kept", 0, 0)
	run(t, d, some(t, "bprmf"), &Store{FS: own.FS, Folder: own.Folder}, 1, 1)
	for _, path := range listed(t, own.Folder) {
		if err := os.Truncate(path, 20); err != nil {
			t.Fatal(err)
		}
	}
	again("all of its own is damaged", 4, 2)
	if !reflect.DeepEqual(contents(t, folder), before) {
		t.Error("a study wrote to the published folder")
	}
	own.Folder = ""
	again("without a folder", 4, 2)
}

// Trials continue published ones, and the measurement of another chosen trial joins the first.
func TestPublishedTrialsGoOn(t *testing.T) {
	d, folder := blocks(t), t.TempDir()
	methods := some(t, "ease")
	measure := func(trials int, s *Store) []*Measurement {
		t.Helper()
		p := small
		p.Trials = trials
		out, err := (&Study{Protocol: p, Units: UnitsOf(d, methods, p), Store: s}).Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	want := figures(measure(6, nil))
	publishes(t, folder, d, Outcomes(UnitsOf(d, methods, small), measure(2, nil)), nil)
	var s spy
	plain := methods[0]
	methods[0] = s.on(plain)
	known := &Store{Published: readPublished(t, folder)}
	if got := measure(6, known); !reflect.DeepEqual(figures(got), want) || s.tries != 8 {
		t.Errorf("%d trials on two folds, and %+v", s.tries, got)
	}
	// In another space only the first trial is the same.
	s.tries = 0
	methods[0].Space = slices.Clone(plain.Space)
	methods[0].Space[0].High *= 2
	if measure(2, known); s.tries != 2 {
		t.Errorf("%d trials of another space were made on two folds, not 2", s.tries)
	}
	methods[0] = plain
	more := measure(6, nil)
	publishes(t, folder, d, Outcomes(UnitsOf(d, methods, small), more), nil)
	all, err := results.Read(folder)
	if err != nil {
		t.Fatal(err)
	}
	chosen := 0 // in a trial after the first two
	for k, m := range measure(2, nil) {
		if m.Chosen != more[k].Chosen {
			chosen++
		}
	}
	if len(all.Trials) != 12 || len(all.Measured) != 2+chosen || chosen == 0 {
		t.Errorf("%d trials and %d measurements, %d chosen anew", len(all.Trials), len(all.Measured), chosen)
	}
}

// The same measurements give the same bytes, in any order and number of publications.
func TestPublishIsDeterministic(t *testing.T) {
	d := blocks(t)
	methods := some(t, "ease", "bprmf", "pmlam-hybrid")
	out := run(t, d, methods, nil, 1, 1)
	units := UnitsOf(d, methods, small)
	whole, parts := t.TempDir(), t.TempDir()
	publishes(t, whole, d, Outcomes(units, out), nil)
	for k := len(units) - 1; k >= 0; k-- {
		publishes(t, parts, d, Outcomes(units[k:k+1], out[k:k+1]), nil)
	}
	publishes(t, parts, d, Outcomes(units[:2], out[:2]), nil)
	want := contents(t, whole)
	for name, text := range contents(t, parts) {
		if text != want[name] {
			t.Errorf("%s differs", name)
		}
	}
	if len(want) != 4 {
		t.Errorf("%d files", len(want))
	}
}

// If a method's results changed, with its settings or storeFormat, new measurements replace the old.
func TestPublishReplacesOtherSettings(t *testing.T) {
	d, folder := blocks(t), t.TempDir()
	methods := some(t, "ease", "bprmf")
	published(t, folder, d, methods)
	changed := slices.Clone(methods[1:])
	changed[0].settings = "others"
	published(t, folder, d, changed)
	var s spy
	for i := range methods {
		methods[i] = s.on(methods[i])
	}
	run(t, d, methods, &Store{Published: readPublished(t, folder)}, 1, 1)
	if s.tries != 4 || s.fits != 2 {
		t.Errorf("%d trials and %d fits: the old settings are still there, or another method's are gone", s.tries,
			s.fits)
	}
}

// Results of data that have changed are not read.
func TestPublishedIsOfTheData(t *testing.T) {
	d, folder := blocks(t), t.TempDir()
	published(t, folder, d, some(t, "popularity"))
	other, err := NewData(d.Dataset, d.Key, nil, d.Seed+1)
	if err != nil {
		t.Fatal(err)
	}
	var s spy
	run(t, other, []Method{s.on(some(t, "popularity")[0])}, &Store{Published: readPublished(t, folder)}, 1, 1)
	if s.fits != 2 {
		t.Errorf("%d fits on other folds", s.fits)
	}
	// Their name may differ.
	renamed, err := NewData(d.Dataset, "else", nil, d.Seed)
	if err != nil {
		t.Fatal(err)
	}
	s = spy{}
	if run(t, renamed, []Method{s.on(some(t, "popularity")[0])}, &Store{Published: readPublished(t, folder)}, 1,
		1); s.fits != 0 {
		t.Errorf("%d fits on data of another name", s.fits)
	}
	before := contents(t, folder)
	published(t, folder, renamed, some(t, "popularity"))
	for name, text := range contents(t, folder) {
		if strings.Contains(text, "else") || len(before) != 3 {
			t.Errorf("%s has the data twice", name)
		}
	}
}

// Tables of unavailable data equal those made from the data.
func TestTablesWithoutData(t *testing.T) {
	for _, split := range []string{"five folds", "published"} {
		d, folder := blocks(t), t.TempDir()
		if split == "published" {
			fold := d.Fold(Folds, 3, 9)
			whole, err := NewData(d.Dataset, "blocks", &fold, 1)
			if err != nil {
				t.Fatal(err)
			}
			d = whole
		}
		methods := some(t, "popularity", "ease", "bprmf", "pmlam-hybrid", "pmlam-paper")
		rows, err := Ablation(2, small)
		if err != nil {
			t.Fatal(err)
		}
		methods = append(methods, rows[0], rows[1])
		outcomes := Outcomes(UnitsOf(d, methods, small), run(t, d, methods, nil, 1, 1))
		study, of := Study{Protocol: small, Store: store(t)}, &caseStudies(t, small)[0]
		margins, err := study.Table4(context.Background(), d, of)
		if err != nil {
			t.Fatal(err)
		}
		publishes(t, folder, d, outcomes, []*Margins{margins})
		p := readPublished(t, folder)
		known, ok := p.Data("blocks", true, 1)
		if !ok || !known.Absent() {
			t.Fatal("the data are unknown")
		}
		study.Units, study.Store = UnitsOf(known, methods, small), &Store{Published: p}
		out, err := study.Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		other, err := study.Table4(context.Background(), known, of)
		if err != nil {
			t.Fatal(err)
		}
		want := everyTable(d, outcomes, margins)
		got := everyTable(known, Outcomes(study.Units, out), other)
		if got != want || !strings.Contains(want, "signed ranks") {
			t.Errorf("%s: the tables are\n%s\nnot\n%s", split, got, want)
		}
	}
}

// everyTable returns all tables of one data set.
func everyTable(d *Data, outcomes []*Outcome, margins *Margins) string {
	tables := append([]Table{Table1([]*Data{d}), FoldsTable(outcomes)}, Table2(outcomes, small)...)
	_, curves, _ := Figure3(outcomes)
	tables = append(append(tables, curves, Table3(outcomes[5:], small)), margins.Tables()...)
	var all strings.Builder
	for i := range tables {
		all.WriteString(tables[i].Markdown())
	}
	whole, _ := outcomes[1].wholeNDCG()
	all.WriteString(text(whole))
	return all.String()
}

// Nothing is measured on unavailable data.
func TestAbsentDataAreNotMeasured(t *testing.T) {
	d, folder := blocks(t), t.TempDir()
	published(t, folder, d, some(t, "ease"))
	p := readPublished(t, folder)
	known, _ := p.Data("blocks", true, 1)
	methods := some(t, "bprmf", "ease")
	s := Study{Protocol: small, Units: UnitsOf(known, methods, small), Store: &Store{Published: p}}
	out, err := s.Run(context.Background())
	if err != nil || out[0] == nil || out[1] != nil || out[2] == nil || out[3] != nil {
		t.Errorf("%v, %v", err, out)
	}
	of := &caseStudies(t, small)[0]
	if _, err := s.Table4(context.Background(), known, of); err == nil || !strings.Contains(err.Error(),
		"its published results have no margins") {
		t.Error(err)
	}
	if _, ok := p.Data("blocks", true, 2); ok {
		t.Error("folds of another seed were found")
	}
	if _, ok := p.Data("others", true, 1); ok {
		t.Error("other data were found")
	}
}

// Impossible figures cannot be published.
func TestImpossibleFiguresAreNotPublished(t *testing.T) {
	d := blocks(t)
	methods := some(t, "ease")
	out := run(t, d, methods, nil, 1, 1)
	out[1].NDCGs[3] = .123
	err := Publish(durable.OS, t.TempDir(), small, []*Data{d}, Outcomes(UnitsOf(d, methods, small), out), nil)
	if err == nil || !strings.Contains(err.Error(), "cannot publish ease on blocks, fold 1: user 3 ") {
		t.Error(err)
	}
}

// All of results belongs to the present methods and defaults, so that it is still read: a change of a method's results
// must publish them again, or remove them.
func TestResultsAreOfTodaysMethods(t *testing.T) {
	all, err := results.Read(filepath.Join("..", "results"))
	if err != nil {
		t.Fatal(err)
	}
	settings := map[string]map[string]string{} // by data set and method
	digests := func(dataset string) map[string]string {
		if settings[dataset] == nil {
			negatives := (&Data{Key: dataset}).Negatives()
			methods, err := Methods(negatives, Defaults)
			rows, failed := Ablation(negatives, Defaults)
			bounds, bad := Bounds(negatives, Defaults)
			margins, wrong := CaseStudies(negatives, Defaults)
			if err := errors.Join(err, failed, bad, wrong); err != nil {
				t.Fatal(err)
			}
			of := map[string]string{}
			for _, m := range slices.Concat(methods, rows, bounds, margins) {
				of[m.Name] = m.settingsDigest()
			}
			settings[dataset] = of
		}
		return settings[dataset]
	}
	var keys []results.Key
	for _, m := range all.Measured {
		keys = append(keys, m.Key)
	}
	for _, x := range all.Trials {
		keys = append(keys, x.Key)
	}
	for _, m := range all.Margins {
		keys = append(keys, m.Key)
	}
	for _, k := range keys {
		if digests(k.Dataset)[k.Method] != k.Settings {
			t.Errorf("%s, %s, fold %d, has other settings than the present ones: measure it again and --publish it, or remove it",
				k.Dataset, k.Method, k.Fold)
		}
	}
	if len(keys) < 500 {
		t.Errorf("only %d rows", len(keys))
	}
}

// Recall and NDCG at ten follow from the ranks of hits exactly as evaluated, bit by bit.
func TestHitsAreWhatWasMeasured(t *testing.T) {
	d := blocks(t)
	for _, m := range run(t, d, some(t, "popularity", "ease", "pmlam-hybrid"), nil, 1, 1) {
		hits, err := results.Of(m.Users, m.Items, m.Recalls, m.NDCGs)
		if err != nil {
			t.Fatal(err)
		}
		recalls, ndcgs := hits.Values()
		if !slices.Equal(recalls, m.Recalls) || !slices.Equal(ndcgs, m.NDCGs) {
			t.Errorf("%s, fold %d: %s or %s differ", m.Method, m.Fold, eval.Recall, eval.NDCG)
		}
	}
}

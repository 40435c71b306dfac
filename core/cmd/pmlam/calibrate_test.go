package main

import (
	"bytes"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/study/calibrate"
)

// A model carries a calibration unless it is told not to; the Gaussians are the same either way, the same command
// writes the same bytes with any number of workers, and what begins from a calibrated model takes its calibration over.
func TestCalibrate(t *testing.T) {
	data, folder := some(t, 90), t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	run := func(out string, args ...string) (*model.Model, result) {
		t.Helper()
		r := ok(t, append(append([]string{"train"}, quick...), append([]string{"--data", data, "--out", at(out)},
			args...)...)...)
		m, err := model.ReadFile(at(out))
		if err != nil {
			t.Fatal(err)
		}
		return m, r
	}
	with, r := run("with", "--workers", "1")
	c := with.Calibration
	if c == nil || c.Users != with.Provenance.Users || c.Like == nil || len(c.Like.Rates) != with.Items.Len() ||
		!(c.Posterior.Strength > 0) || !strings.Contains(r.out, "each left out of one of 4 further trainings") {
		t.Fatalf("%+v, %s", c, r.out)
	}
	if run("again", "--workers", "3"); !bytes.Equal(read(t, at("with")), read(t, at("again"))) {
		t.Error("another number of workers calibrates otherwise")
	}
	without, r := run("without", "--calibrate=false")
	if without.Calibration != nil || strings.Contains(r.out, "calibrated") || !reflect.DeepEqual(without.Items,
		with.Items) {
		t.Errorf("calibration %v without one, %s", without.Calibration, r.out)
	}
	// Of a split only the training part is known.
	if held, _ := run("held", "--fold", "0"); held.Calibration == nil || reflect.DeepEqual(held.Calibration.Posterior,
		c.Posterior) {
		t.Error("with a test part held out the calibration is the same")
	}
	newer, r := run("newer", "--from", at("with"))
	kept := func(c *model.Calibration) (model.MapRegion, model.FullRegion, float32, []float32) {
		return c.Map, c.Posterior.Full, c.Posterior.Strength, c.Like.Weights
	}
	if n := newer.Calibration; n == nil || reflect.DeepEqual(n.Posterior.Within, c.Posterior.Within) ||
		!strings.Contains(r.errors, "the calibration is that of --from") {
		t.Errorf("%+v, %s", n, r.errors)
	} else {
		p, f, k, w := kept(n)
		p2, f2, k2, w2 := kept(c)
		if !reflect.DeepEqual(p, p2) || f != f2 || k != k2 || !reflect.DeepEqual(w, w2) {
			t.Error("what was found for the model of --from was not taken over")
		}
	}
	if newer, r := run("newest", "--from", at("without"), "--calibrate"); newer.Calibration != nil ||
		!strings.Contains(r.errors, "the model is not calibrated, because that of --from is not") {
		t.Errorf("%+v, %s", newer.Calibration, r.errors)
	}
	for name, want := range map[string]string{"with": "users, each left out of a further training",
		"without": ""} {
		if out := ok(t, "inspect", at(name)).out; strings.Contains(out, "Calibrated") != (want != "") ||
			!strings.Contains(out, want) {
			t.Errorf("%s: %s", name, out)
		}
	}
}

// What the people of a fold say never reaches the model that judges them: it is the same whatever they say. What others
// say does reach it.
func TestNobodyIsJudgedByAModelThatKnowsThem(t *testing.T) {
	d, err := dataset.Load(some(t, 40), dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cfg := *defaults()
	cfg.Epochs, cfg.Dim, cfg.Batch = 1, 4, 100
	run := trainRun{work: work{app: &app{out: &bytes.Buffer{}, err: &bytes.Buffer{}}}, precision: "float32"}
	left := calibrate.Folds(d.Positives, cfg.Seed)[1]
	// changed returns the data with other likes for some users: each title's successor.
	changed := func(users []int) calibrate.Data {
		var pairs []dataset.Pair
		for u := range d.Positives.Rows() {
			for _, i := range d.Positives.Row(u) {
				if slices.Contains(users, u) {
					i = (i + 1) % int32(d.Items.Len())
				}
				pairs = append(pairs, dataset.Pair{Row: int32(u), Col: i})
			}
		}
		return calibrate.Data{Likes: dataset.NewMatrix(d.Users.Len(), d.Items.Len(), pairs)}
	}
	judge := func(users []int) *model.Model {
		p, err := run.fold(t.Context(), 1, 4, left, &input{Dataset: d}, changed(users), cfg)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(p.Left, left) {
			t.Fatalf("%v were to be left out, and %v are", left, p.Left)
		}
		return p.Model
	}
	same := func(a, b *model.Model) bool {
		return reflect.DeepEqual(a.Items, b.Items) && reflect.DeepEqual(a.ItemItem, b.ItemItem) &&
			reflect.DeepEqual(a.Catalogue, b.Catalogue)
	}
	before := judge(nil)
	if !same(judge(left), before) {
		t.Error("what people say has reached the model that judges them")
	}
	if same(judge(calibrate.Folds(d.Positives, cfg.Seed)[0]), before) {
		t.Error("what others say does not reach the model")
	}
}

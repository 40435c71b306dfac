package main

import (
	"bytes"
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/train/calibrate"
)

// A model is calibrated by default. The Gaussians are the same without calibration, the same command writes the same
// bytes with any number of workers, and --from takes the calibration of its model over.
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
	// With a split, calibration sees only the training part.
	if held, _ := run("held", "--fold", "0"); held.Calibration == nil || reflect.DeepEqual(held.Calibration.Posterior,
		c.Posterior) {
		t.Error("with a test part held out the calibration is the same")
	}
	newer, r := run("newer", "--from", at("with"))
	kept := func(c *model.Calibration) (model.MapRegion, model.FullRegion, float32, []float32) {
		return c.Map, c.Posterior.Full, c.Posterior.Strength, c.Like.Weights
	}
	if n := newer.Calibration; n == nil || reflect.DeepEqual(n.Posterior.Within, c.Posterior.Within) ||
		!strings.Contains(r.errors, "keeping the calibration of the --from model") {
		t.Errorf("%+v, %s", n, r.errors)
	} else {
		p, f, k, w := kept(n)
		p2, f2, k2, w2 := kept(c)
		if !reflect.DeepEqual(p, p2) || f != f2 || k != k2 || !reflect.DeepEqual(w, w2) {
			t.Error("the calibration of the model of --from was not kept")
		}
	}
	if newer, r := run("newest", "--from", at("without"), "--calibrate"); newer.Calibration != nil ||
		!strings.Contains(r.errors, "the model is not calibrated, because the --from model is not") {
		t.Errorf("%+v, %s", newer.Calibration, r.errors)
	}
	for name, want := range map[string]string{"with": "users, each left out of a training",
		"without": ""} {
		if out := ok(t, "inspect", at(name)).out; strings.Contains(out, "Calibrated") != (want != "") ||
			!strings.Contains(out, want) {
			t.Errorf("%s: %s", name, out)
		}
	}
}

// With many users the kept training itself leaves a few out. Their rows are composed of their likes, and the file is
// the same with any number of workers.
func TestCalibrateWithoutAFurtherTraining(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	ok(t, "data", "synth", "--users", "50000", "--items", "200", "--interactions", "250000", "--out", at("data.csv"))
	run := func(out string, args ...string) (*model.Model, result) {
		t.Helper()
		r := ok(t, append(append([]string{"train"}, quick...), append([]string{"--batch", "4000", "--epochs", "1",
			"--data", at("data.csv"), "--min-user", "2", "--out", at(out)}, args...)...)...)
		m, err := model.ReadFile(at(out))
		if err != nil {
			t.Fatal(err)
		}
		return m, r
	}
	m, r := run("one", "--with-users", "--precision", "float32", "--workers", "1")
	if c := m.Calibration; c == nil || c.Users != 1000 ||
		!strings.Contains(r.out, "calibrated on 1000 users who were left out of the training") ||
		m.Provenance.Interactions >= 250000 || m.Provenance.Users != 50000 {
		t.Fatalf("%+v, %+v, %s", c, m.Provenance, r.out)
	}
	d, err := dataset.Load(at("data.csv"), dataset.Options{MinUser: 2})
	if err != nil {
		t.Fatal(err)
	}
	c := m.Objective.Composition
	for _, u := range append(calibrate.LeftOut(d.Positives, 1), 0, 1, 2) {
		want, sum := make([]float32, 2*m.Items.Dim()), make([]float32, 2*m.Items.Dim())
		liked := d.Positives.Row(u)
		for _, i := range liked {
			for k, v := range m.Items.Row(int(i)) {
				sum[k] += v
			}
		}
		gaussian.Compose(want, nil, sum, c.Weight/float32(len(liked)), m.Objective.Radius)
		for k, v := range m.Users.Row(u) {
			if !(math.Abs(float64(v-want[k])) <= 1e-5) {
				t.Fatalf("user %d has %v in the file, composed %v", u, m.Users.Row(u), want)
			}
		}
	}
	if run("again", "--with-users", "--precision", "float32", "--workers", "3"); !bytes.Equal(read(t, at("one")),
		read(t, at("again"))) {
		t.Error("another number of workers calibrates otherwise")
	}
	if without, r := run("without", "--calibrate=false"); without.Provenance.Interactions != 250000 {
		t.Errorf("without a calibration users are left out: %s", r.out)
	}
}

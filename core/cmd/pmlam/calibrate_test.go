package main

import (
	"bytes"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/model"
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
	if c == nil || c.Users != 8 || c.Like == nil || len(c.Like.Rates) != with.Items.Len() ||
		!(c.Posterior.Strength > 0) || !strings.Contains(r.out, "calibrated on 8 users left out") {
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
	kept := func(c *model.Calibration) (model.Region, model.Region, float32, []float32) {
		return c.Posterior.Plane, c.Posterior.Full, c.Posterior.Strength, c.Like.Weights
	}
	if n := newer.Calibration; n == nil || reflect.DeepEqual(n.Posterior.Within, c.Posterior.Within) ||
		!strings.Contains(r.errors, "the calibration is that of --from") {
		t.Errorf("%+v, %s", n, r.errors)
	} else {
		p, f, k, w := kept(n)
		p2, f2, k2, w2 := kept(c)
		if p != p2 || f != f2 || k != k2 || !reflect.DeepEqual(w, w2) {
			t.Error("what was found for the model of --from was not taken over")
		}
	}
	if newer, r := run("newest", "--from", at("without"), "--calibrate"); newer.Calibration != nil ||
		!strings.Contains(r.errors, "the model is not calibrated, because that of --from is not") {
		t.Errorf("%+v, %s", newer.Calibration, r.errors)
	}
	for name, want := range map[string]string{"with": "Calibrated     on 8 users left out of a second training",
		"without": ""} {
		if out := ok(t, "inspect", at(name)).out; strings.Contains(out, "Calibrated") != (want != "") ||
			!strings.Contains(out, want) {
			t.Errorf("%s: %s", name, out)
		}
	}
}

package main

import (
	"context"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/tastemap"
)

// The shipped model's map is the layout of its own rows, and as good as core/lab/docs/RESULTS.md says. Laid out again
// it is unchanged, calibration included.
func TestMapOfTheShippedModel(t *testing.T) {
	out := filepath.Join(t.TempDir(), "again.msgpack")
	o := ok(t, "map", "--model", shipped, "--out", out, "--json").object(t)
	was, err := model.ReadFile(shipped)
	if err != nil {
		t.Fatal(err)
	}
	is, err := model.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(is, was) {
		t.Error("the model has another map, or the calibration of another")
	}
	seen := ok(t, "inspect", shipped, "--json").object(t)
	if !reflect.DeepEqual(o["map"], seen["map"]) {
		t.Errorf("map says %v, inspect %v", o["map"], seen["map"])
	}
	m := seen["map"].(map[string]any)
	if overlap, trust := m["knnOverlap"].(float64), m["trustworthiness"].(float64); overlap < 0.4 || trust < 0.95 {
		t.Errorf("kNN overlap %v, trustworthiness %v", overlap, trust)
	}
	levels := m["regions"].([]any)
	for _, l := range levels {
		if l := l.(map[string]any); l["labelFit"].(float64) < 0.8 || l["named"].(float64) < 3 {
			t.Errorf("regions: %v", l)
		}
	}
	if len(levels) != 3 {
		t.Errorf("%d levels of regions", len(levels))
	}
}

// A model with another map gets the layout of its rows and loses the calibration of its rings. A stopped layout leaves
// the model unchanged.
func TestMapOfAnotherModel(t *testing.T) {
	m, err := model.ReadFile(shipped)
	if err != nil {
		t.Fatal(err)
	}
	want := m.Map
	m.Map = tastemap.Plain(m.Items)
	m.Calibration.Map = model.MapRegion{Likes: []int{1}, Radii: make([]model.Radii, 1)}
	path, out := filepath.Join(t.TempDir(), "plain"), filepath.Join(t.TempDir(), "out")
	if err := model.WriteFile(path, m); err != nil {
		t.Fatal(err)
	}
	if r := ok(t, "map", "--model", path, "--out", out); !strings.Contains(r.errors, "another map and are removed") {
		t.Errorf("nothing is said of the calibration: %s", r.errors)
	}
	got, err := model.ReadFile(out)
	if err != nil || !reflect.DeepEqual(got.Map, want) || len(got.Calibration.Map.Likes) > 0 ||
		!reflect.DeepEqual(got.Calibration.Like, m.Calibration.Like) {
		t.Errorf("the map differs from one of the same numbers, or is calibrated: %v", err)
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	w := cli.Work{App: &cli.App{Out: &strings.Builder{}, Err: &strings.Builder{}}}
	if err := layOut(stopped, &w, m); err == nil || !reflect.DeepEqual(m.Map, tastemap.Plain(m.Items)) {
		t.Errorf("a layout that was stopped: %v", err)
	}
	for _, args := range [][]string{{"map"}, {"map", "--model", path, "more"}} {
		if r := command(args...); r.code != cli.ExitUsage {
			t.Errorf("%q: exit code %d, %s", args, r.code, r.errors)
		}
	}
}

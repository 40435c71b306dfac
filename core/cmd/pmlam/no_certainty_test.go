package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/model"
)

// Without a calibration, or without likes, no certainty is stated: neither a word nor a chance, in text and in JSON. A
// notice says why.
func TestRecommendSaysNothingThatRestsOnNothing(t *testing.T) {
	raw := filepath.Join(t.TempDir(), "raw")
	data := some(t, 60)
	trained(t, "--data", data, "--out", raw, "--calibrate=false", "--with-users", "--preset", "paper", "--relations",
		"none")
	m, err := model.ReadFile(raw)
	if err != nil {
		t.Fatal(err)
	}
	like := "id:" + m.Catalogue.Items[0].ID
	for _, c := range []struct {
		why  string
		args []string
	}{
		{"the model is not calibrated", []string{"--model", raw, "--like", like}},
		{"the model is not calibrated", []string{"--model", raw, "--dislike", like}},
		{"the model is not calibrated", []string{"--model", raw, "--user", m.UserIDs[0]}},
		{"unknown without likes", []string{"--model", shipped, "--dislike", "Titanic"}},
	} {
		text := ok(t, append([]string{"recommend"}, c.args...)...)
		if strings.Count(text.out, ", distance") > 0 || strings.Count(text.out, " distance ") != 10 ||
			!strings.Contains(text.errors, c.why) {
			t.Errorf("%v:\n%s%s", c.args, text.out, text.errors)
		}
		json := ok(t, append([]string{"recommend", "--json"}, c.args...)...)
		if strings.Contains(json.out, "chance") || strings.Contains(json.out, "certainty") ||
			!strings.Contains(json.errors, c.why) {
			t.Errorf("%v:\n%s%s", c.args, json.out, json.errors)
		}
	}
	sure := ok(t, "recommend", "--model", shipped, "--like", "Alien")
	if strings.Count(sure.out, ", distance") != 10 || strings.Contains(sure.errors, "certainty is") {
		t.Errorf("%s%s", sure.out, sure.errors)
	}
	if s := ask(t, "--like", "Alien")[0]; s.Chance == nil || *s.Chance <= 0 || s.Certainty == "" {
		t.Errorf("%+v", s)
	}
}

package leaderboard

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

const lab = ".."

// The page matches the records.
func TestPageIsMadeOfTheRecords(t *testing.T) {
	want, err := PageOf(filepath.Join(lab, "results", "records"))
	if err != nil {
		t.Fatal(err)
	}
	have, err := os.ReadFile(filepath.Join(lab, "docs/leaderboard.md"))
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != want {
		t.Error("core/lab/docs/leaderboard.md differs from core/lab/results/records: run " +
			"pmlam-lab leaderboard > core/lab/docs/leaderboard.md")
	}
}

func measured(method, spec string, ndcg float64) Record {
	return Record{Data: "d", Split: "fixed split", Digest: "0123", Users: 3, Items: 4, Train: 5, Test: 6, Method: method,
		Spec: spec, Figures: map[string]float64{"recall@20": .25, "ndcg@20": ndcg}, Command: "pmlam train " + spec}
}

func published(method string, recall, ndcg float64, note string) Record {
	return Record{Data: "d", Split: "fixed split", Method: method, Source: "them",
		Figures: map[string]float64{"recall@20": recall, "ndcg@20": ndcg}, Note: note}
}

func TestPage(t *testing.T) {
	got := Page([]Record{measured("EASE", "ease", .1), published("EASE", .2, .125, "on 7 users"),
		published("EASE", .9, .1, ""), measured("SLIM", "slim", .3)})
	for _, want := range []string{
		"## d, fixed split\n\n3 users, 4 items, 5 training likes and 6 test likes, digest `0123`.\n",
		"| SLIM | here, 1 | .2500 | .3000 |  |",
		"| EASE | them (on 7 users) | .2000 | .1250 |  |",
		"| EASE | here, 2 | .2500 | .1000 | +25.0%, −20.0% |",
		"1. `pmlam train slim`\n2. `pmlam train ease`\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	if strings.Index(got, "| SLIM") > strings.Index(got, "| EASE") {
		t.Error("the best is not first")
	}
}

// Written records can be read; a repeated measurement replaces the earlier one, and the file does not depend on the
// order.
func TestWriteAndRead(t *testing.T) {
	one, other := filepath.Join(t.TempDir(), "r.jsonl"), filepath.Join(t.TempDir(), "r.jsonl")
	a, b, c := measured("A", "a", .1), measured("B", "b", .2), published("A", .3, .4, "")
	better := measured("A", "a", .11)
	for _, w := range []struct {
		path    string
		records []Record
	}{{one, []Record{a, b}}, {one, []Record{c, better}}, {other, []Record{c}}, {other, []Record{b}},
		{other, []Record{better}}} {
		if err := Write(w.path, w.records); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Read(one)
	if err != nil || len(got) != 3 {
		t.Fatalf("%v, %v", got, err)
	}
	again, err := Read(other)
	if err != nil || !reflect.DeepEqual(got, again) {
		t.Errorf("%v\n%v, %v", got, again, err)
	}
	if got[0].Figures["ndcg@20"]+got[1].Figures["ndcg@20"] != .51 {
		t.Errorf("%v", got)
	}
}

// Trainings with other settings are separate records, in any order. The same settings replace the earlier record, even
// if it is older than a setting that is off, and in any form of configuration.
func TestOtherSettingsStandBeside(t *testing.T) {
	type config struct {
		Dim   int     `json:"dim"`
		Rate  float64 `json:"rate"`
		Later int     `json:"later"`
	}
	of := func(c any, ndcg float64) Record {
		r := measured("PMLAM best", "best", ndcg)
		r.Config = c
		return r
	}
	var texts []string
	for _, order := range [][]Record{
		{of(config{Dim: 50}, .1), of(config{Dim: 100}, .2), of(config{Dim: 50, Rate: .5}, .3)},
		{of(config{Dim: 50, Rate: .5}, .3), of(map[string]any{"rate": 0, "dim": 50}, .4), of(config{Dim: 100}, .2),
			of(config{Dim: 50}, .1)},
	} {
		path := filepath.Join(t.TempDir(), "r.jsonl")
		for _, r := range order {
			if err := Write(path, []Record{r}); err != nil {
				t.Fatal(err)
			}
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
		if strings.Count(texts[len(texts)-1], "\n") != 3 {
			t.Errorf("three configurations are\n%s", text)
		}
	}
	if texts[0] != texts[1] {
		t.Errorf("in another order it is\n%s, not\n%s", texts[1], texts[0])
	}
}

// Records in older files are replaced when the same settings are measured again.
func TestShippedRecordsAreReplaced(t *testing.T) {
	old, err := Read(filepath.Join(lab, "results", "records", "measured.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "r.jsonl")
	for range 2 {
		if err := Write(path, old); err != nil {
			t.Fatal(err)
		}
	}
	if again, err := Read(path); err != nil || len(again) != len(old) {
		t.Errorf("%d records have become %d, %v", len(old), len(again), err)
	}
}

func TestRecordsThatCannotBe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.jsonl")
	for what, change := range map[string]func(r *Record){
		"without figures": func(r *Record) { r.Figures = nil },
		"no JSON":         func(r *Record) { r.Config = math.Inf(1) },
		"NaN":             func(r *Record) { r.Figures = map[string]float64{"recall@20": math.NaN()} },
		"no digest":       func(r *Record) { r.Digest = "" },
		"no command":      func(r *Record) { r.Command = "" },
		"both":            func(r *Record) { r.Source = "them" },
		"no method":       func(r *Record) { r.Method = "" },
	} {
		r := measured("A", "a", .1)
		change(&r)
		if err := Write(path, []Record{r}); err == nil {
			t.Errorf("%s: was written", what)
		}
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a temporary file was left")
	}
	for _, text := range []string{"{}", "no JSON", `{"data":"d","unknown":1}`} {
		if err := os.WriteFile(path, []byte("\n"+text+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(path); err == nil || !strings.Contains(err.Error(), "r.jsonl:2: ") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

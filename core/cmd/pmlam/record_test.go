package main

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/lab/leaderboard"
)

// The command of a record measures the same again, whoever recorded it, and records the same.
func TestRecordsRepeat(t *testing.T) {
	lens, err := filepath.Abs(lens)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	file := filepath.Join(folder, "records.jsonl")
	ok(t, "evaluate", "--data", lens, "--split-time", "0.1", "--baselines", "popularity, itemknn:neighbours=20", "--k",
		"5,20", "--record", file, "--workers", "1")
	ok(t, "train", "--data", lens, "--fold", "1", "--method", "bprmf:candidates=0", "--epochs", "2", "--dim", "8",
		"--record", file)
	trained, small := filepath.Join(folder, "model"), blocks(t)
	ok(t, "train", "--data", small, "--fold", "0", "--auto=false", "--epochs", "2", "--dim", "4", "--preset", "best",
		"--calibrate=false", "--out", trained)
	again := []string{"train", "--data", small, "--fold", "0", "--auto=false", "--epochs", "1", "--from", trained,
		"--record", file}
	ok(t, again...)
	ok(t, append(again, "--item-weight", "0.25")...) // other settings: a record beside that
	ok(t, again...)                                  // the same: in its place
	records, err := leaderboard.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(records) != 5 {
		t.Fatalf("%d records", len(records))
	}
	t.Chdir(filepath.Dir(lens))
	repeatedFile := filepath.Join(folder, "again.jsonl")
	names := map[string]bool{}
	for _, r := range records {
		names[r.Method+" "+r.Spec] = true
		if strings.Contains(r.Command, folder) || strings.Contains(r.Command, filepath.Dir(lens)) ||
			strings.Contains(r.Command, "record") || strings.Contains(r.Command, "workers") {
			t.Errorf("%s names what is of this machine", r.Command)
		}
		if r.Data != filepath.Base(lens) {
			continue
		}
		words := strings.Fields(r.Command)
		if words[0] != "pmlam" {
			t.Fatal(r.Command)
		}
		ok(t, append(words[1:], "--record", repeatedFile)...)
	}
	repeated, err := leaderboard.Read(repeatedFile)
	if err != nil || len(repeated) != 3 {
		t.Fatalf("%d, %v", len(repeated), err)
	}
	for _, r := range repeated {
		found := false
		for _, first := range records {
			found = found || reflect.DeepEqual(r, first)
		}
		if !found {
			t.Errorf("%+v is not what was recorded first", r)
		}
	}
	for _, want := range []string{"Popularity popularity", "Item-KNN itemknn:neighbours=20",
		"BPRMF bprmf:candidates=0:dim=8:epochs=2", "PMLAM best best"} {
		if !names[want] {
			t.Errorf("%s is missing: %v", want, names)
		}
	}
}

// Records that could not be written in the end are refused before anything is read.
func TestRecordsThatCannotBeWritten(t *testing.T) {
	folder := t.TempDir()
	notes := filepath.Join(folder, "notes.txt")
	write(t, notes, "my notes\n")
	data := filepath.Join(folder, "no data")
	for _, words := range []string{"evaluate --baselines popularity", "train --method popularity", "train"} {
		for _, c := range []struct{ file, want string }{
			{filepath.Join(folder, "none", "r.jsonl"), "there is no folder"},
			{folder, "it is not a regular file"},
			{notes, notes + ":1: invalid character"},
		} {
			r := command(append(strings.Fields(words), "--data", data, "--fold", "0", "--record", c.file)...)
			if r.code != cli.ExitFailed || !strings.Contains(r.errors, "the records cannot be ") ||
				!strings.Contains(r.errors, c.want) {
				t.Errorf("%s: exit code %d, %s", words, r.code, r.errors)
			}
		}
	}
	if have, err := os.ReadFile(notes); err != nil || string(have) != "my notes\n" {
		t.Errorf("%s, %v", have, err)
	}
}

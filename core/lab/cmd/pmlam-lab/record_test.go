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

// A record's command repeats the measurement on any machine, with the same record.
func TestRecordsRepeat(t *testing.T) {
	lens, err := filepath.Abs(lens)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	file := filepath.Join(folder, "records.jsonl")
	record := func(program string, args ...string) {
		t.Helper()
		ok(t, append([]string{"record", file, program}, args...)...)
	}
	self := lab(t)
	record(built(t), "evaluate", "--data", lens, "--split-time", "0.1", "--baselines", "popularity, itemknn:neighbours=20",
		"--k", "5,20", "--workers", "1")
	record(self, "train-baseline", "--data", lens, "--fold", "1", "--method", "bprmf:candidates=0:dim=8:epochs=2")
	model, small := filepath.Join(folder, "model"), blocks(t)
	trained(t, "--data", small, "--fold", "0", "--auto=false", "--epochs", "2", "--dim", "4", "--preset", "best",
		"--calibrate=false", "--out", model)
	again := []string{"train", "--data", small, "--fold", "0", "--auto=false", "--epochs", "1", "--from", model}
	record(built(t), again...)
	record(built(t), append(again, "--item-weight", "0.25")...) // other settings: another record
	record(built(t), again...)                                  // the same: replaced
	record(built(t), "evaluate", "--data", small, "--fold", "0", "--model", model)
	records, err := leaderboard.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(records) != 6 {
		t.Fatalf("%d records", len(records))
	}
	t.Chdir(filepath.Dir(lens))
	repeatedFile := filepath.Join(folder, "again.jsonl")
	names := map[string]bool{}
	for _, r := range records {
		names[r.Method+" "+r.Spec] = true
		if strings.Contains(r.Command, folder) || strings.Contains(r.Command, filepath.Dir(lens)) ||
			strings.Contains(r.Command, "record") || strings.Contains(r.Command, "workers") {
			t.Errorf("%s depends on this machine", r.Command)
		}
		if r.Data != filepath.Base(lens) {
			continue
		}
		words := strings.Fields(r.Command)
		program := map[string]string{"pmlam": built(t), "pmlam-lab": self}[words[0]]
		if program == "" {
			t.Fatal(r.Command)
		}
		ok(t, append([]string{"record", repeatedFile, program}, words[1:]...)...)
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
			t.Errorf("%+v differs from the first record", r)
		}
	}
	for _, want := range []string{"Popularity popularity", "Item-KNN itemknn:neighbours=20",
		"BPRMF bprmf:candidates=0:dim=8:epochs=2", "PMLAM best best", "PMLAM best model"} {
		if !names[want] {
			t.Errorf("%s is missing: %v", want, names)
		}
	}
}

// Records that could not be written are refused before anything is read.
func TestRecordsThatCannotBeWritten(t *testing.T) {
	folder := t.TempDir()
	notes := filepath.Join(folder, "notes.txt")
	write(t, notes, "my notes\n")
	data := filepath.Join(folder, "no data")
	for _, words := range []string{"evaluate --baselines popularity", "train"} {
		for _, c := range []struct{ file, want string }{
			{filepath.Join(folder, "none", "r.jsonl"), "does not exist"},
			{folder, "it is not a regular file"},
			{notes, notes + ":1: invalid character"},
		} {
			r := command(append(append([]string{"record", c.file, "pmlam"}, strings.Fields(words)...), "--data", data,
				"--fold", "0")...)
			if r.code != cli.ExitFailed || !strings.Contains(r.errors, "records") ||
				!strings.Contains(r.errors, c.want) {
				t.Errorf("%s: exit code %d, %s", words, r.code, r.errors)
			}
		}
	}
	if have, err := os.ReadFile(notes); err != nil || string(have) != "my notes\n" {
		t.Errorf("%s, %v", have, err)
	}
}

// If one method fails, the others are recorded, and the command fails.
func TestRecordsOfWhatWasMeasured(t *testing.T) {
	file := filepath.Join(t.TempDir(), "records.jsonl")
	r := command("record", file, built(t), "evaluate", "--data", some(t, 60), "--min-item", "3", "--fold", "0",
		"--baselines", "ease:lambda=1e-9,popularity")
	all, err := leaderboard.Read(file)
	if r.code != cli.ExitFailed || err != nil || len(all) != 1 || all[0].Spec != "popularity" {
		t.Errorf("exit code %d, %s; recorded are %v, %v", r.code, r.errors, all, err)
	}
}

// lab returns this command as a separate program.
func lab(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "pmlam-lab")
	if err := os.Symlink(self, path); err != nil {
		t.Fatal(err)
	}
	t.Setenv(asCommand, "1")
	return path
}

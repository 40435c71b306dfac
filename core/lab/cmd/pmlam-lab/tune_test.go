package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/internal/cli"
)

// tiny are settings with which a trial on blocks takes milliseconds.
var tiny = []string{"--preset", "best", "--epochs", "3", "--dim", "4", "--batch", "64", "--negatives", "5",
	"--shared-negatives", "0"}

// seconds are the only values in a journal that depend on the clock.
var seconds = regexp.MustCompile(`"seconds":[^,}]*`)

func TestTune(t *testing.T) {
	data, out := blocks(t), filepath.Join(t.TempDir(), "a", "tuned")
	args := append([]string{"tune", "--data", data, "--fold", "0", "--out", out, "--json"}, tiny...)
	first := ok(t, append(args, "--trials", "2")...).object(t)
	if first["trials"] != 2. || first["split"] != "fold 0 of 5, seed 1" {
		t.Errorf("%v", first)
	}
	again := ok(t, append(args, "--trials", "12")...)
	o := again.object(t)
	if o["trials"] != 12. || figure(t, o, "complete")+figure(t, o, "stopped") != 12 || o["interrupted"] != false {
		t.Errorf("%v", o)
	}
	best := o["best"].(map[string]any)
	config := o["config"].(map[string]any)
	values := best["values"].(map[string]any)
	if len(values) == 0 || config["epochs"] != 3. || config["dim"] != 4. {
		t.Errorf("the best is %v of %v", config, best)
	}
	for _, name := range []string{"epochs", "dim", "negatives"} {
		if _, varied := values[name]; varied {
			t.Errorf("%s is fixed but varied", name)
		}
	}
	// A study without interruption is the same.
	whole := filepath.Join(t.TempDir(), "whole")
	args[6] = whole
	if args[5] != "--out" {
		t.Fatal(args)
	}
	ok(t, append(args, "--trials", "12")...)
	lines := func(folder string) string {
		return seconds.ReplaceAllString(string(read(t, filepath.Join(folder, "trials.jsonl"))), "")
	}
	if lines(whole) != lines(out) {
		t.Error("a resumed study makes different trials")
	}
	// The best settings are valid settings.
	best = trained(t, "--data", data, "--fold", "0", "--config", filepath.Join(out, "best.json"))
	if got := best["config"].(map[string]any); got["temperature"] != config["temperature"] ||
		got["epochs"] != config["epochs"] {
		t.Errorf("train uses %v", got)
	}
	for _, name := range []string{"trials.png", "trials.svg"} {
		if b := read(t, filepath.Join(out, name)); len(b) < 1000 {
			t.Errorf("%s has %d bytes", name, len(b))
		}
	}
	if left, err := os.ReadDir(out); err != nil || len(left) != 5 { // the claim of the folder with them
		t.Errorf("the folder holds %v, %v", left, err)
	}
	args[6] = out
	if r := command(append(args, "--seed", "2")...); r.code != cli.ExitFailed || !strings.Contains(r.errors,
		"holds the trials of another study") {
		t.Errorf("exit code %d, %s", r.code, r.errors)
	}
}

// The trials do not depend on the test part.
func TestTuneNeverLooksAtTheTestPart(t *testing.T) {
	folder := t.TempDir()
	var train strings.Builder
	for u := range 20 {
		for i := range 14 {
			if (u+i)%7 != 0 {
				train.WriteString(strings.Join([]string{"u" + string(rune('a'+u)), "i" + string(rune('a'+u%2*14+i))},
					",") + "\n")
			}
		}
	}
	write(t, filepath.Join(folder, "train.csv"), "user,item\n"+train.String())
	var journals []string
	for k, test := range []string{"ua,ia\n", "ub,iu\nuc,if\n"} {
		path := filepath.Join(folder, "test"+string(rune('0'+k))+".csv")
		write(t, path, "user,item\n"+test)
		out := filepath.Join(folder, "out"+string(rune('0'+k)))
		ok(t, append([]string{"tune", "--data", filepath.Join(folder, "train.csv"), "--test", path, "--trials", "3",
			"--out", out}, tiny...)...)
		journals = append(journals, seconds.ReplaceAllString(string(read(t, filepath.Join(out, "trials.jsonl"))), ""))
	}
	if journals[0] != journals[1] {
		t.Errorf("with another test part the trials differ:\n%s\n%s", journals[0], journals[1])
	}
}

func TestTuneOverwritesNothing(t *testing.T) {
	for name, want := range map[string]string{"best.json": "so it would be lost", "trials.svg": "so it would be lost",
		"trials.jsonl": "is not a journal of trials"} {
		out := t.TempDir()
		write(t, filepath.Join(out, name), "mine")
		r := command(append([]string{"tune", "--data", blocks(t), "--fold", "0", "--out", out, "--trials", "1"}, tiny...)...)
		if r.code != cli.ExitFailed || !strings.Contains(r.errors, want) {
			t.Errorf("%s: exit code %d, %s", name, r.code, r.errors)
		}
		if got := string(read(t, filepath.Join(out, name))); got != "mine" {
			t.Errorf("%s became %.40q", name, got)
		}
	}
}

func TestTuneUsage(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"tune --data D", `--out is needed: a folder for the trials and the best settings`},
		{"tune --data D --out O --trials 0", `--trials is 0; it must be at least 1`},
		{"tune --data D --out O --max-time -1h", `--max-time is -1h0m0s; it must be at least 0`},
		{"tune --data D --out O --max-time soon", `--max-time is "soon"; it must be a time such as 90s, 30m or 2h`},
		{"tune --data D --out O --sample -1", `--sample is -1; it must be at least 0`},
		{"tune --data D --out O --epochs 0", `--epochs is 0; a trial needs at least 1`},
		{"tune --out O", `--data is missing: pass the file or folder with the interactions`},
		{"tune --data D --out O --preset paper --alpha 1 --hidden 4 --lambda 0 --init-stddev 1",
			`nothing left to search: every setting that --preset paper varies is fixed by flags or --config`},
	} {
		r := command(strings.Fields(c.args)...)
		got, _, _ := strings.Cut(strings.TrimPrefix(r.errors, "pmlam-lab: "), "\n")
		if r.code != cli.ExitUsage || got != c.want {
			t.Errorf("pmlam-lab %s: exit code %d, %q", c.args, r.code, got)
		}
	}
	if _, err := os.Stat("O"); err == nil {
		t.Error("an invalid command line created a folder")
	}
}

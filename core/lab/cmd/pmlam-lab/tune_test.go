package main

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/train"
)

// tiny are settings with which a trial on blocks takes milliseconds.
var tiny = []string{"--preset", "best", "--epochs", "3", "--dim", "4", "--batch", "64", "--negatives", "5",
	"--shared-negatives", "0"}

// seconds are the only thing in a journal that the clock decides.
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
			t.Errorf("%s was given and is varied", name)
		}
	}
	// A study that was made in one go is the same.
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
		t.Error("a study in two parts makes other trials than one in one go")
	}
	// The best settings are settings.
	best = trained(t, "--data", data, "--fold", "0", "--config", filepath.Join(out, "best.json"))
	if got := best["config"].(map[string]any); got["temperature"] != config["temperature"] ||
		got["epochs"] != config["epochs"] {
		t.Errorf("train takes %v", got)
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

// Whatever the test part holds, the trials are the same: nobody looks at it.
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

func TestTuneUsage(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"tune --data D", `--out is needed: a folder for the trials and the best settings`},
		{"tune --data D --out O --trials 0", `--trials is 0; it must be at least 1`},
		{"tune --data D --out O --max-time -1h", `--max-time is -1h0m0s; it must be 0 or more`},
		{"tune --data D --out O --max-time soon", `--max-time is "soon"; it must be a time such as 90s, 30m or 2h`},
		{"tune --data D --out O --sample -1", `--sample is -1; it must be 0 or more`},
		{"tune --data D --out O --epochs 0", `--epochs is 0; a trial needs at least 1`},
		{"tune --out O", `--data is needed: the file or folder with the interactions`},
		{"tune --data D --out O --preset paper --alpha 1 --hidden 4 --lambda 0 --init-stddev 1",
			`there is nothing to search: every setting that --preset paper varies is set by hand`},
		{"train --data D --preset best --loss hinge --shared-negatives 0",
			`--auto is true (in the preset best), but it must be false with the hinge loss: what is chosen is about the softmax; see the command tune`},
	} {
		r := command(strings.Fields(c.args)...)
		got, _, _ := strings.Cut(strings.TrimPrefix(r.errors, "pmlam: "), "\n")
		if r.code != cli.ExitUsage || got != c.want {
			t.Errorf("pmlam %s: exit code %d, %q", c.args, r.code, got)
		}
	}
	if _, err := os.Stat("O"); err == nil {
		t.Error("a folder was made for a command line that cannot be")
	}
}

// Training by best chooses first, says so in the file, and the file's settings train the same model without choosing.
func TestTrainChooses(t *testing.T) {
	data, folder := blocks(t), t.TempDir()
	out, same := filepath.Join(folder, "model"), filepath.Join(folder, "same")
	args := append([]string{"train", "--data", data, "--fold", "0", "--out", out}, tiny...)
	r := ok(t, args...)
	if !strings.Contains(r.out, "choosing what suits the data") || !strings.Contains(r.out, "the preset") ||
		!strings.Contains(r.out, "\nchosen: ") {
		t.Errorf("%s", r.out)
	}
	for _, method := range []string{"weighted", "ease", "ials"} {
		if !strings.Contains(r.out, "for comparison: "+method+" ") {
			t.Errorf("it is not compared with %s: %s", method, r.out)
		}
	}
	m, err := model.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var c train.Settings
	if err := json.Unmarshal([]byte(m.Provenance.Config), &c); err != nil || !c.Auto || c.Dim != 4 || c.Epochs != 3 {
		t.Errorf("%+v, %v", c, err)
	}
	config := filepath.Join(folder, "config.json")
	write(t, config, ok(t, "inspect", "--config", out).out)
	r = ok(t, "train", "--data", data, "--fold", "0", "--out", same, "--config", config)
	if strings.Contains(r.out, "choosing") {
		t.Errorf("with all settings given it chooses: %s", r.out)
	}
	if !bytes.Equal(read(t, out), read(t, same)) {
		t.Error("the settings that were chosen train another model")
	}
	r = ok(t, append(args, "--auto=false")...)
	if strings.Contains(r.out, "choosing") {
		t.Errorf("--auto=false chooses: %s", r.out)
	}
}

// The part beside the distance is chosen, kept in the file and measured.
func TestTrainHybrid(t *testing.T) {
	data, out := some(t, 60), filepath.Join(t.TempDir(), "model")
	o := ok(t, append([]string{"train", "--data", data, "--min-item", "3", "--fold", "0", "--out", out, "--precision",
		"float32", "--json", "--preset", "hybrid"}, tiny[2:]...)...).object(t)
	m, err := model.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	config := o["config"].(map[string]any)
	if m.ItemItem == nil || float64(m.ItemItem.Gamma) != float64(float32(figure(t, config, "item_weight"))) ||
		m.ItemItem.Links() == 0 {
		t.Fatalf("the part is %+v, the settings %v", m.ItemItem, config)
	}
	e := ok(t, "evaluate", "--data", data, "--min-item", "3", "--fold", "0", "--model", out, "--json").object(t)
	plain := ok(t, append([]string{"train", "--data", data, "--min-item", "3", "--fold", "0", "--json", "--preset",
		"hybrid", "--item-part", "none"}, tiny[2:]...)...).object(t)
	with, file, without := figure(t, o, "ndcg@10"), figure(t, e, "ndcg@10"), figure(t, plain, "ndcg@10")
	if math.Abs(with-file) > 0.01 { // the file keeps the links' weights in few steps
		t.Errorf("NDCG@10 is %v in training, %v from the file", with, file)
	}
	if with == without {
		t.Errorf("NDCG@10 is %v with the part and without", with)
	}
}

// Ctrl-C during the choice keeps its trials beside the checkpoints, from which the same command goes on.
func TestChoiceGoesOn(t *testing.T) {
	data, folder := blocks(t), t.TempDir()
	out, same := filepath.Join(folder, "model"), filepath.Join(folder, "same")
	args := append([]string{"train", "--data", data, "--checkpoint", filepath.Join(folder, "run"), "--out", out},
		tiny...)
	journal := filepath.Join(folder, "run", "choice.jsonl")
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		for ctx.Err() == nil {
			if b, _ := os.ReadFile(journal); bytes.Count(b, []byte("\n")) > 2 {
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	r := within(ctx, args...)
	cancel()
	if r.code != cli.ExitInterrupted || !strings.Contains(r.errors, "; the same command goes on from there") {
		t.Fatalf("exit code %d, %s", r.code, r.errors)
	}
	kept := string(read(t, journal))
	ok(t, args...)
	if !strings.HasPrefix(string(read(t, journal)), kept) {
		t.Error("the trials that were kept were made again")
	}
	ok(t, append([]string{"train", "--data", data, "--out", same}, tiny...)...)
	if !bytes.Equal(read(t, out), read(t, same)) {
		t.Error("a choice that was cut leads to another model")
	}
}

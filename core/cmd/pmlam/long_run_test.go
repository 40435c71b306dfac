package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/internal/durable"
	"github.com/pmlam/pmlam/core/model"
)

// A finished training with more epochs resumes, and ends with the same file and curves.
func TestCheckpointsAndCurvesGoOn(t *testing.T) {
	data, folder := some(t, 40), t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	args := []string{"--data", data, "--decay=false", "--checkpoint", at("run"), "--checkpoint-every", "0", "--curves",
		at("run"), "--out", at("model"), "--measure"}
	more := func(epochs string, args ...string) result {
		t.Helper()
		return ok(t, append(append([]string{"train", "--json"}, quick...), append(args, "--epochs", epochs)...)...)
	}
	rows := func(folder string) int {
		t.Helper()
		all, err := csv.NewReader(bytes.NewReader(read(t, filepath.Join(at("run"), folder, "curve.csv")))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return len(all) - 1
	}
	r := more("2", args...)
	if strings.Contains(r.errors, "goes on") || rows("") != 2 || rows("measured") != 2 || rows("calibrated/4") != 2 {
		t.Errorf("%d and %d epochs, %s", rows(""), rows("measured"), r.errors)
	}
	r = more("4", args...)
	o := r.object(t)
	if strings.Count(r.errors, ": resuming after epoch 2\n") != 6 || rows("calibrated/4") != 4 ||
		rows("") != 4 || rows("measured") != 4 {
		t.Errorf("%d and %d epochs, %s", rows(""), rows("measured"), r.errors)
	}
	if figure(t, o, "epochs") != 4 || figure(t, o, "resumed_epochs") != 2 || figure(t, o, "best_epoch") != 4 ||
		figure(t, o, "seconds") <= 0 {
		t.Errorf("%v", o)
	}
	resumed := read(t, at("model"))
	if r = more("4", args...); strings.Count(r.errors, ": the training is already complete, after epoch 4\n") != 6 ||
		!bytes.Equal(read(t, at("model")), resumed) {
		t.Errorf("%s", r.errors)
	}
	r = more("4", append(args, "--fresh")...)
	if strings.Contains(r.errors, "goes on") || figure(t, r.object(t), "resumed_epochs") != 0 ||
		!bytes.Equal(read(t, at("model")), resumed) {
		t.Errorf("fresh: %s", r.errors)
	}
	more("4", "--data", data, "--decay=false", "--out", at("model"), "--measure")
	if !bytes.Equal(read(t, at("model")), resumed) {
		t.Error("the training that went on wrote another file than one at a time")
	}

	// Other settings are refused, with advice.
	for want, other := range map[string][]string{
		"it was made with other settings: seed is 1 there but 7 here; use another folder, or start afresh " +
			"(--checkpoint, --fresh)\n": {"--seed", "7"},
		"it is already in epoch 5, but the settings say 2 (--checkpoint, --fresh)\n": {"--epochs", "2"},
		"it was made from other data or another split of them; use another folder, or start afresh (--checkpoint, " +
			"--fresh)\n": {"--min-item", "6"},
	} {
		r := command(append(append(append([]string{"train"}, quick...), append(args, "--epochs", "4")...), other...)...)
		if r.code != cli.ExitFailed || !strings.HasSuffix(r.errors, want) || !strings.HasPrefix(r.notices(),
			"pmlam: the checkpoint "+filepath.Join(at("run"), "measured", "checkpoint-")) {
			t.Errorf("exit code %d, %s", r.code, r.errors)
		}
	}
	// A damaged checkpoint is replaced by the one before.
	names, err := filepath.Glob(filepath.Join(at("run"), "checkpoint-*"))
	if err != nil || len(names) != 2 {
		t.Fatal(names, err)
	}
	write(t, names[1], string(read(t, names[1])[:1000]))
	r = more("4", args...)
	if !strings.Contains(r.errors, "it is damaged: the digest does not match its content (1000 bytes); using the one "+
		"before\n") || !strings.Contains(r.errors, names[0]+": resuming in epoch 4, after ") ||
		!bytes.Equal(read(t, at("model")), resumed) {
		t.Errorf("%s", r.errors)
	}
	for _, name := range names {
		write(t, name, "?")
	}
	r = command(append(append([]string{"train"}, quick...), append(args, "--epochs", "4")...)...)
	if r.code != cli.ExitFailed || strings.Count(r.errors, "it is damaged: it has only 1 bytes") != 2 ||
		!strings.HasSuffix(r.errors, " (--checkpoint, --fresh)\n") {
		t.Errorf("exit code %d, %s", r.code, r.errors)
	}
}

// --max-time ends a training cleanly; before the first epoch that is an error.
func TestMaxTime(t *testing.T) {
	data, folder := blocks(t), t.TempDir()
	out := filepath.Join(folder, "model")
	args := []string{"train", "--data", data, "--fold", "0", "--out", out, "--json", "--dim", "4", "--epochs",
		"100000000", "--auto=false", "--checkpoint", folder}
	r := ok(t, append(args, "--max-time", "2s")...)
	o := r.object(t)
	if o["time_over"] != true || o["interrupted"] != false || figure(t, o, "epochs") < 1 ||
		figure(t, o, "ndcg@10") <= 0 ||
		!strings.Contains(r.errors, "pmlam: --max-time is over: the training was stopped in epoch ") ||
		!strings.HasSuffix(r.errors, " of 100000000; run the same command again to resume\n") {
		t.Errorf("%s%v", r.errors, o)
	}
	if _, err := model.ReadFile(out); err != nil {
		t.Error(err)
	}
	again := ok(t, append(args, "--max-time", "2s")...)
	if p := again.object(t); figure(t, p, "resumed_epochs") != figure(t, o, "epochs") ||
		figure(t, p, "epochs") <= figure(t, o, "epochs") {
		t.Errorf("%v", p)
	}
	if r := command("train", "--data", data, "--dim", "4", "--auto=false", "--out", out, "--max-time",
		"1ns"); r.code != cli.ExitFailed || r.notices() != "pmlam: the training was stopped by --max-time, before "+
		"the end of its first epoch, so there is nothing to save\n" {
		t.Errorf("exit code %d, %s", r.code, r.errors)
	}
}

// Two processes never share a folder.
func TestClaimedFolders(t *testing.T) {
	folder, data := t.TempDir(), blocks(t)
	release, err := durable.Claim(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	for _, c := range []struct {
		what string
		args []string
	}{
		{"checkpoints", []string{"train", "--data", data, "--epochs", "1", "--auto=false", "--checkpoint", folder}},
	} {
		want := "pmlam: cannot keep " + c.what + " in " + folder + ": another process is at work in this folder; " +
			"wait until it ends, or choose another folder\n"
		if r := command(c.args...); r.code != cli.ExitFailed || !strings.HasSuffix(r.errors, want) {
			t.Errorf("%v: exit code %d, %s", c.args, r.code, r.errors)
		}
	}
}

// The choice of settings takes at most half of the time, and the training uses its best settings.
func TestMaxTimeOfAChoice(t *testing.T) {
	out := filepath.Join(t.TempDir(), "model")
	r := ok(t, "train", "--data", blocks(t), "--out", out, "--preset", "hybrid", "--dim", "4", "--epochs", "100000000",
		"--max-time", "3s")
	if !strings.Contains(r.errors, "half of --max-time is over: the choice was stopped after 0 trials") ||
		!strings.Contains(r.errors, "--max-time is over: the training was stopped in epoch ") {
		t.Error(r.errors)
	}
	if _, err := model.ReadFile(out); err != nil {
		t.Error(err)
	}
}

// --from starts with the model's settings and quality, and adds new users and items.
func TestFrom(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	old, newer := some(t, 60), some(t, 80)
	trained(t, "--data", old, "--fold", "0", "--out", at("old"), "--precision", "float32", "--epochs", "6", "--lr",
		"0.0125")
	r := ok(t, "train", "--data", old, "--fold", "0", "--from", at("old"), "--epochs", "0")
	before := ok(t, "evaluate", "--data", old, "--fold", "0", "--model", at("old"), "--json").object(t)
	o := ok(t, "train", "--data", old, "--fold", "0", "--from", at("old"), "--epochs", "0", "--json").object(t)
	if !strings.Contains(r.out, "starts from "+at("old")+": ") || !strings.Contains(r.out,
		" items known, 0 new, 0 no longer in the data and left out\n") || !strings.Contains(r.errors,
		"figures are too good") {
		t.Errorf("%s%s", r.out, r.errors)
	}
	if got, want := figure(t, o, "ndcg@10"), figure(t, before["results"].([]any)[0].(map[string]any),
		"ndcg@10"); got < want*0.98 || got > want*1.02 {
		t.Errorf("it begins at NDCG@10 %.4f, the model has %.4f", got, want)
	}
	// The settings are the model's, and flags override them.
	r = ok(t, "train", "--data", newer, "--from", at("old"), "--epochs", "1", "--out", at("new"))
	var known, fresh, gone int
	for _, line := range strings.Split(r.out, "\n") {
		fmt.Sscanf(line, "starts from "+at("old")+": %d items known, %d new, %d no", &known, &fresh, &gone)
	}
	if known == 0 || fresh == 0 {
		t.Errorf("%s", r.out)
	}
	config := ok(t, "inspect", "--config", "--json", at("new")).object(t)
	if config["learn_rate"] != 0.0125 || config["dim"] != 4.0 || config["epochs"] != 1.0 {
		t.Errorf("%v", config)
	}
	a, err := model.ReadFile(at("new"))
	if err != nil {
		t.Fatal(err)
	}
	if a.Items.Len() != known+fresh {
		t.Errorf("%d items, not %d and %d", a.Items.Len(), known, fresh)
	}
	preset := ok(t, "train", "--print-config", "--json", "--from", at("old"), "--preset", "paper").object(t)
	if preset["preset"] != "paper" || preset["dim"] != 50.0 {
		t.Errorf("%v", preset)
	}
	// With a user table in the file, and without.
	for _, users := range []struct{ flag, want string }{{"--with-users", "60 users known, 0 new, 0 no"},
		{"--with-users=false", "the model has no users: all 60 start at the mean of their known items"}} {
		trained(t, "--data", old, "--out", at("table"), "--preset", "paper", "--relations", "none", users.flag)
		if r := ok(t, "train", "--data", old, "--from", at("table"), "--epochs", "1"); !strings.Contains(r.out,
			strings.ReplaceAll(users.want, "60", fmt.Sprint(modelUsers(t, at("table"))))) {
			t.Errorf("%s", r.out)
		}
	}
	if r := command("train", "--data", old, "--from", at("old"), "--dim", "5"); r.code != cli.ExitUsage ||
		!strings.Contains(r.errors, "--dim is 5, but the model "+at("old")+" has dimension 4") {
		t.Errorf("exit code %d, %s", r.code, r.errors)
	}
	if r := command("train", "--data", old, "--from", filepath.Join(old, "movies.csv")); r.code != cli.ExitFailed ||
		!strings.Contains(r.errors, "this is not a model file") {
		t.Errorf("exit code %d, %s", r.code, r.errors)
	}
	// A training from another model is another training.
	ok(t, "train", "--data", newer, "--from", at("old"), "--epochs", "1", "--checkpoint", at("run"))
	r = command("train", "--data", newer, "--from", at("new"), "--epochs", "1", "--checkpoint", at("run"))
	if r.code != cli.ExitFailed || !strings.Contains(r.errors, "it started from the model ") {
		t.Errorf("exit code %d, %s", r.code, r.errors)
	}
}

func modelUsers(t *testing.T, path string) int {
	t.Helper()
	m, err := model.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return m.Provenance.Users
}

func TestUsageOfLongTrainings(t *testing.T) {
	data, folder := blocks(t), t.TempDir()
	file := filepath.Join(folder, "file")
	write(t, file, "")
	trained(t, "--data", data, "--out", filepath.Join(folder, "model"))
	for _, c := range []struct {
		code int
		want string
		args []string
	}{
		{cli.ExitUsage, "--checkpoint-every and --fresh need --checkpoint, the folder for checkpoints",
			[]string{"--fresh"}},
		{cli.ExitUsage, "--checkpoint-every and --fresh need --checkpoint, the folder for checkpoints",
			[]string{"--checkpoint-every", "1m"}},
		{cli.ExitUsage, "--checkpoint-every is -1s; it must be 0 or more", []string{"--checkpoint", folder,
			"--checkpoint-every", "-1s"}},
		{cli.ExitUsage, `--checkpoint-every is "5"; it must be a time such as 90s, 30m or 2h`, []string{"--checkpoint",
			folder, "--checkpoint-every", "5"}},
		{cli.ExitUsage, "--max-time is 0s; it must be more than 0", []string{"--max-time", "0"}},
		{cli.ExitUsage, "--measure cannot be combined with --from: the model may have learned from the items that " +
			"are held out", []string{"--measure", "--from", filepath.Join(folder, "model")}},
		{cli.ExitFailed, "the learning curves cannot be written: mkdir " + file + ": not a directory",
			[]string{"--curves", file}},
		{cli.ExitFailed, "cannot keep checkpoints in " + file + ": mkdir " + file + ": not a directory",
			[]string{"--checkpoint", file}},
		{cli.ExitFailed, filepath.Join(folder, "none") + ": no such model file; pmlam train --out writes one",
			[]string{"--from", filepath.Join(folder, "none")}},
	} {
		r := command(append([]string{"train", "--preset", "composed", "--data", data}, c.args...)...)
		got, _, _ := strings.Cut(strings.TrimPrefix(lastButHint(r.errors), "pmlam: "), "\n")
		if r.code != c.code || got != c.want {
			t.Errorf("%v: exit code %d\n got %s\nwant %s", c.args, r.code, got, c.want)
		}
	}
	// Curves that cannot be written do not end a training.
	curves := filepath.Join(folder, "curves")
	if err := os.MkdirAll(filepath.Join(curves, "curve.csv", "in the way"), 0o755); err != nil {
		t.Fatal(err)
	}
	if r := ok(t, "train", "--data", data, "--epochs", "3", "--dim", "4", "--curves", curves); strings.Count(r.errors,
		"cannot write the learning curves to "+curves) != 1 {
		t.Errorf("%s", r.errors)
	}
}

// lastButHint returns the last line of an error text except the hint at --help.
func lastButHint(text string) (last string) {
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if !strings.Contains(line, ": see pmlam ") {
			last = line
		}
	}
	return last
}

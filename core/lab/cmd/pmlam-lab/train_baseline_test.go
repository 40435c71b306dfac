package main

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/lab/methods"
)

// Every method is trained by the same command, with the same JSON.
func TestEveryMethodIsTrained(t *testing.T) {
	data := blocks(t)
	shape := trained(t, "--data", data, "--fold", "0")
	delete(shape, "unlearned_items")
	for _, m := range methods.All() {
		spec := m.Name
		if m.Learned() {
			spec += ":epochs=3:dim=4:batch=16:validation=0.2:every=2"
		}
		o := ok(t, "train-baseline", "--json", "--data", data, "--fold", "0", "--method", spec).object(t)
		for key := range shape {
			if _, has := o[key]; !has {
				t.Errorf("%s: no %s", m.Name, key)
			}
		}
		if o["method"] != m.Name || o["split"] != shape["split"] || figure(t, o, "trained_interactions") != figure(t,
			shape, "trained_interactions") {
			t.Errorf("%s: %v", m.Name, o)
		}
		if config := o["config"].(map[string]any); len(config) != len(m.Complete(nil)) || m.Learned() &&
			(config["epochs"] != 3. || config["batch"] != 16.) {
			t.Errorf("%s: %v", m.Name, config)
		}
		if best := figure(t, o, "best_epoch"); m.Learned() != (figure(t, o, "epochs") == 3) || m.Learned() &&
			best != 2 && best != 3 {
			t.Errorf("%s: %v", m.Name, o)
		}
		// The same figures as next to a model, with the same settings.
		if !m.Learned() {
			beside := evaluated(t, "--data", data, "--fold", "0", "--baselines", m.Name)
			first := beside["results"].([]any)[0].(map[string]any)
			if figure(t, o, "ndcg@10") != figure(t, first, "ndcg@10") || o["digest"] != beside["digest"] {
				t.Errorf("%s: ndcg@10 %v and %v, digests %v and %v", m.Name, o["ndcg@10"], first["ndcg@10"], o["digest"],
					beside["digest"])
			}
		}
	}
}

// Another method's training, interrupted by its epochs or by time, resumes with the same figures and curves.
func TestOtherMethodsGoOn(t *testing.T) {
	data := blocks(t)
	for _, m := range methods.All() {
		if !m.Learned() {
			continue
		}
		folder := filepath.Join(t.TempDir(), "run")
		args := func(settings string, more ...string) []string {
			return append([]string{"train-baseline", "--json", "--data", data, "--fold", "0", "--method", m.Name +
				":lr=0.02:dim=4:batch=16:epochs=" + settings}, more...)
		}
		kept := []string{"--checkpoint", folder, "--checkpoint-every", "0", "--curves", folder}
		want := ok(t, args("4")...).object(t)
		ok(t, args("2", kept...)...)
		r := ok(t, args("4", kept...)...)
		o := r.object(t)
		if !strings.Contains(r.errors, ": resuming after epoch 2\n") ||
			figure(t, o, "resumed_epochs") != 2 || figure(t, o, "epochs") != 4 || figure(t, o, "ndcg@20") != figure(t,
			want, "ndcg@20") {
			t.Errorf("%s: %s%v\n%v", m.Name, r.errors, o, want)
		}
		f, err := os.Open(filepath.Join(folder, "curve.csv"))
		if err != nil {
			t.Fatal(err)
		}
		if rows, err := csv.NewReader(f).ReadAll(); err != nil || len(rows) != 5 {
			t.Errorf("%s: %d lines of the curve, %v", m.Name, len(rows), err)
		}
		f.Close()
		if r := command(args("4:seed=7", kept...)...); r.code != cli.ExitFailed ||
			!strings.Contains(r.errors, "seed is 1 there but 7 here") {
			t.Errorf("%s: exit code %d, %s", m.Name, r.code, r.errors)
		}
	}
	r := ok(t, "train-baseline", "--json", "--data", data, "--fold", "0", "--method", "cml:dim=4:epochs=1000000",
		"--max-time", "3s")
	if o := r.object(t); o["time_over"] != true || figure(t, o, "epochs") < 1 || figure(t, o, "ndcg@10") <= 0 ||
		!strings.Contains(r.errors, "--max-time is over") {
		t.Errorf("%s%v", r.errors, o)
	}
}

// Flags without effect are refused, with a reason.
func TestOtherMethodsRefuse(t *testing.T) {
	for line, want := range map[string]string{
		"--fold 0 --method svd":      `--method: unknown method "svd": it must be one of popularity, `,
		"--fold 0 --method ease:k=3": `--method: ease has no setting "k"; it has lambda`,
		"--fold 0 --method bprmf:dim=0": "--method: bprmf: dim is 0 and must be a whole number of at least 1 and at " +
			"most 4096",
		"--fold 0 --method cml --out m": "unknown flag: --out",
		"--fold 0 --method ease --checkpoint c": "--checkpoint applies to trainings by gradient descent; ease is " +
			"computed in one step, without epochs",
		"--fold 0 --method ials --max-time 5m": "--max-time applies to trainings by gradient descent; ials is " +
			"computed in one step",
		"--method cml": "no test part to measure cml on: give --fold, --test, " +
			"--by-time or --split-time",
		"--fold 0 --method cml --workers -1":       "--workers is -1; it must be 0 or more",
		"--by-time 0.2 --folds 3 --method itemknn": "--folds sets the number of folds",
		"--fold 0 --method cml --fresh":            "--checkpoint-every and --fresh need --checkpoint",
		"--fold 0 --method lightgcn:layers=2.5": "--method: lightgcn: layers is 2.5 and must be a whole number of " +
			"at least 0 and at most 16",
	} {
		r := command(append([]string{"train-baseline", "--data", "D"}, strings.Fields(line)...)...)
		if r.code != cli.ExitUsage || !strings.HasPrefix(r.errors, "pmlam-lab: "+want) {
			t.Errorf("%s: exit code %d\n%s\nwant %s", line, r.code, r.errors, want)
		}
	}
}

package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/internal/cli"
)

// An invalid command line is refused before data are read, with a line that says why.
func TestUsageErrors(t *testing.T) {
	data := filepath.Join(t.TempDir(), "not there")
	for _, c := range []struct{ args, want string }{
		{"tune --data D", `--out is needed: a folder for the trials and the best settings`},
		{"tune --data D --out O --trials 0", `--trials is 0; it must be at least 1`},
		{"unseen --data D --epochs 0", `--epochs is 0; a training needs at least 1`},
		{"uncertainty --data D --seeds 0", `--seeds is 0; it must be between 1 and 100`},
		{"uncertainty --data D --only map", `--only: unknown study "map"; choose from coverage, places, candidates, reliability, stability, selective, ` +
			`exploration, questions, calibrators, sigma`},
		{"uncertainty --data D --tenths 11", `--tenths is 11; it must be between 1 and 10, or be 0`},
		{"uncertainty --data D --model m",
			`no test part: give --fold, --test, --by-time or --split-time, as at the training of m`},
		{"uncertainty --data D --fold 0 --model m --epochs 3",
			`--epochs applies to trainings; --model does not train`},
		{"uncertainty --data D --ensemble a,b",
			`--ensemble needs --model, the first of the models`},
		{"uncertainty --data D --fold 0 --model m --seeds 2",
			`--seeds applies to trainings; --model does not train`},

		{"reproduce", `pmlam-lab reproduce takes one of table1, table2, figure3, table3, bounds, table4 and all, but nothing was given`},
		{"reproduce table5 --data D",
			`unknown part "table5"; choose from table1, table2, figure3, table3, bounds, table4 and all`},
		{"reproduce table2", `--data is needed: the files or folders with the interactions`},
		{"reproduce table2 --data D --folds 6", `the number of folds is 6; there are 5, so it must be 1 to 5`},
		{"reproduce table2 --data D --trials 0", `the number of trials is 0; it must be 1 to 1000`},
		{"reproduce table2 --data D --epochs 0", `the number of epochs is 0; it must be 1 to 1000000`},
		{"reproduce table2 --data D --patience 0", `the patience is 0 validations; it must be 1 to 1000000`},
		{"reproduce table2 --data D --jobs 0", `--jobs is 0; it must be at least 1`},
		{"reproduce table2 --data D --max-time -1s", `--max-time is -1s; it must be at least 0`},
		{"reproduce table3 --data D --device cuda:x",
			`--device: unknown device "cuda:x"; use cpu, or cuda:0 for the first NVIDIA GPU, cuda:1 for the second`},
		{"reproduce bounds --data D --rows joint-7",
			`--rows: unknown row "joint-7"; choose from points, sigma-1, stddev-1, stddev-2, joint-0.5, joint-0.75, joint-1, joint-1.25, joint-smooth, sigma-printed, joint-printed, outer-hinge, adaptive`},
		{"reproduce table2 --data D --methods svd",
			`--methods: unknown method "svd"; choose from popularity, itemknn, userknn, weighted, rp3beta, ease, ials, bprmf, ncf, deepae, lightgcn, cml, lrml, transcf, sml, pmlam-paper, pmlam-adaptive, pmlam-best, pmlam-hybrid`},
		{"unseen --data D --share 1", `--share is 1; it must be between 0 and 1`},
		{"unseen --data D --draws 0", `--draws is 0; it must be at least 1`},
		{"unseen --data D --told 3,-1", `--told is -1; it must be at least 0`},
		{"unseen", `--data is missing: pass the file or folder with the interactions`},

		{"train-baseline --data D", `--method is needed: see "pmlam-lab methods"`},
		{"train-baseline --data D --fold 0 --method cml:lr=1e30",
			`--method: cml: lr is 1e+30 and must be a number above 0 and at most 1000`},
		{"record r", `pmlam-lab record takes a file and a command that measures, such as: pmlam-lab record ` +
			`measured.jsonl pmlam evaluate --data … --fold 0 --baselines ease`},
		{"record r echo evaluate", `echo is not a command that can be recorded; give pmlam or pmlam-lab`},
		{"record r pmlam inspect m",
			`pmlam inspect has no figures to record; use evaluate, train or train-baseline`},
		{"record r pmlam train --data D --fold 0 --max-time 1m", `records must be repeatable, but the end by ` +
			`--max-time depends on the machine; leave it out`},
		{"record r pmlam train --data D --refresh --out m", `--refresh has no test part to measure on; ` +
			`give --fold, --test, --by-time or --split-time`},
		{"curves", `pmlam-lab curves takes the folder of a training's curves, but nothing was given`},
		{"unsen", `unknown command "pmlam-lab unsen"; did you mean "pmlam-lab unseen"?`},
	} {
		t.Run(c.args, func(t *testing.T) {
			args := strings.Fields(c.args)
			for i, a := range args {
				if a == "D" {
					args[i] = data
				}
			}
			r := command(args...)
			got, hint, _ := strings.Cut(strings.TrimPrefix(r.errors, "pmlam-lab: "), "\n")
			if r.code != cli.ExitUsage || got != c.want {
				t.Errorf("exit code %d, %q", r.code, got)
			}
			if !strings.HasPrefix(hint, "pmlam-lab: see pmlam-lab") || strings.Count(hint, "\n") != 1 || r.out != "" {
				t.Errorf("the hint is %q, standard output %q", hint, r.out)
			}
		})
	}
}

func TestCompletion(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"unseen", "--preset", ""}, "paper"},
		{[]string{"uncertainty", "--only", ""}, "stability"},
		{[]string{"reproduce", ""}, "figure3"},
		{[]string{"reproduce", "table2", "--methods", ""}, "pmlam-hybrid"},
		{[]string{"reproduce", "bounds", "--rows", ""}, "joint-1.25"},
		{[]string{"reproduce", "table3", "--device", ""}, "cuda:0"},
		{[]string{"train-baseline", "--method", ""}, "lightgcn"},
	} {
		r := ok(t, append([]string{"__complete"}, c.args...)...)
		if !strings.Contains(r.out, c.want) {
			t.Errorf("%v offers %q", c.args, r.out)
		}
	}
}

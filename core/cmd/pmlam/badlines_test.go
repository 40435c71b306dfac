package main

import (
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/internal/cli"
)

// Malformed command lines: empty words, values of the wrong kind, numbers out of range, flags in disguise. Each is
// refused before anything is read, by a sentence and exit code 2.
var badLines = []struct {
	args []string
	want string
}{
	{[]string{""}, `unknown command "pmlam "; did you mean "pmlam init"?`},
	{[]string{" "}, `unknown command "pmlam  "`},
	{[]string{"-"}, `unknown command "pmlam -"`},
	{[]string{"../pmlam"}, `unknown command "pmlam ../pmlam"`},
	{[]string{"help", "help", "help"}, `unknown command "pmlam help help"`},
	{[]string{"version", "--json=maybe"}, `--json is "maybe"; it must be true or false`},
	{[]string{"train", ""}, `pmlam train takes no arguments, but "" was given`},
	{[]string{"train", "--"}, `--data is missing: pass the file or folder with the interactions`},
	{[]string{"train", "--data", ""}, `--data is missing: pass the file or folder with the interactions`},
	{[]string{"train", "--out", "../../../../etc/passwd"},
		`--data is missing: pass the file or folder with the interactions`},
	{[]string{"train", "--data", "D", "--", "x"}, `pmlam train takes no arguments, but "x" was given`},
	{[]string{"train", "---data", "D"}, `bad flag syntax: ---data`},
	{[]string{"train", "-data", "D"}, `unknown shorthand flag: 'd' in -data`},
	{[]string{"train", "--data", "D", "--dim"}, `flag needs an argument: --dim`},
	{[]string{"train", "--data", "D", "--dim="}, `--dim is ""; it must be a whole number`},
	{[]string{"train", "--data", "D", "--dim", "1e3"}, `--dim is "1e3"; it must be a whole number`},
	{[]string{"train", "--data", "D", "--dim", "100000000"}, `--dim is 100000000, but it must be between 1 and 4096`},
	{[]string{"train", "--data", "D", "--epochs", "99999999999999999999"},
		`--epochs is "99999999999999999999"; it must be a whole number`},
	{[]string{"train", "--data", "D", "--epochs", "1.5"}, `--epochs is "1.5"; it must be a whole number`},
	{[]string{"train", "--data", "D", "--batch", "0"}, `--batch is 0, but it must be 1 or more`},
	{[]string{"train", "--data", "D", "--negatives", "100000000"},
		`--negatives is 100000000, but it must be between 1 and 65536`},
	{[]string{"train", "--data", "D", "--seed", "18446744073709551616"},
		`--seed is "18446744073709551616"; it must be a whole number from 0`},
	{[]string{"train", "--data", "D", "--workers", "99999999999999999999"},
		`--workers is "99999999999999999999"; it must be a whole number`},
	{[]string{"train", "--data", "D", "--validation", "1"}, `--validation is 1, but it must be in [0, 1)`},
	{[]string{"train", "--data", "D", "--lr", "inf"}, `--lr is +Inf, but it must be a positive number`},
	{[]string{"train", "--data", "D", "--lr", "NaN"}, `--lr is NaN, but it must be a positive number`},
	{[]string{"train", "--data", "D", "--lr", "1e30"}, `--lr is 1e+30, but it must be at most 1000`},
	{[]string{"train", "--data", "D", "--temperature", "1e-30"},
		`--temperature is 1e-30, but it must be at least 9.536743e-07`},
	{[]string{"train", "--data", "D", "--user-weight", "1e30"},
		`--user-weight is 1e+30, but it must be at most 1048576`},
	{[]string{"train", "--data", "D", "--item-weight", "1e30"},
		`--item-weight is 1e+30, but it must be at most 1048576`},
	{[]string{"train", "--data", "D", "--radius", "1e-30"}, `--radius is 1e-30, but it must be at least 9.536743e-07`},
	{[]string{"train", "--data", "D", "--init-mean", "1e30"}, `--init-mean is 1e+30, but it must be at most 1048576`},
	{[]string{"train", "--data", "D", "--preset", ""},
		`--preset: unknown preset "": it must be one of paper, adaptive, best, hybrid, composed`},
	{[]string{"train", "--data", "D", "--max-time", "-5m"}, `--max-time is -5m0s; it must be more than 0`},
	{[]string{"train", "--data", "D", "--max-time", "forever"},
		`--max-time is "forever"; it must be a time such as 90s, 30m or 2h`},
	{[]string{"train", "--data", "D", "--replace"}, `--replace needs --out, the model file`},
	{[]string{"evaluate", "--data", "D", "--fold", "0", "--baselines", "ease:lambda"},
		`--baselines: "lambda" in "ease:lambda" is not a setting; write it as name=value`},
	{[]string{"evaluate", "--data", "D", "--fold", "0", "--baselines", "ease:lambda=1:lambda=2"},
		`--baselines: lambda is set twice in "ease:lambda=1:lambda=2"`},
	{[]string{"recommend", "--number", "-1", "--like", "Heat"}, `--number is -1; it must be at least 1`},
	{[]string{"recommend", "--diversity", "2", "--like", "Heat"}, `--diversity is 2; it must be between 0 and 1`},
	{[]string{"recommend", "--from-year", "x", "--like", "Heat"}, `--from-year is "x"; it must be a whole number`},
	{[]string{"export", "--model", "m", "--out", "o", "--as", "exe"}, `--as has "exe"; choose from npy, parquet, csv`},
	{[]string{"export", "--model", "m", "--out", "o", "--as", "npy,../../x"},
		`--as has "../../x"; choose from npy, parquet, csv`},
	{[]string{"inspect", "--config"}, `pmlam inspect takes one model file, but nothing was given`},
	{[]string{"evaluate", "--data", "D", "--fold", "0", "--model", "m", "--k", "99999999999999999999"},
		`--k is "99999999999999999999"; it must be whole numbers with commas between them`},
}

func TestBadLines(t *testing.T) {
	for _, c := range badLines {
		r := command(c.args...)
		got, hint, _ := strings.Cut(strings.TrimPrefix(r.errors, "pmlam: "), "\n")
		if r.code != cli.ExitUsage || got != c.want || r.out != "" || !strings.HasSuffix(hint,
			"--help\n") {
			t.Errorf("%q: exit code %d, %q, %q\nwant %q", c.args, r.code, r.out, r.errors, c.want)
		}
	}
	t.Logf("%d command lines", len(badLines))
}

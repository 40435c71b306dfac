package main

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/train"
	"github.com/pmlam/pmlam/core/train/choose"
)

// All of these are refused before data are read: the path does not exist, and reading it would give another error and
// exit code.
func TestUsageErrors(t *testing.T) {
	const data = "no-such-data.csv"
	for _, c := range []struct{ args, want string }{
		{"trian", `unknown command "pmlam trian"; did you mean "pmlam train"?`},
		{"data nonsense", `unknown command "pmlam data nonsense"`},
		{"data stat", `unknown command "pmlam data stat"; did you mean "pmlam data stats"?`},
		{"help nonsense", `unknown command "pmlam nonsense"`},
		{"help data stat", `unknown command "pmlam data stat"; did you mean "pmlam data stats"?`},
		{"data stats", `pmlam data stats takes a file or folder, but nothing was given`},
		{"data stats a b", `pmlam data stats takes a file or folder, but 2 arguments were given`},
		{"data stats a --data b", `unknown flag: --data`},
		{"data stats a --name b", `unknown flag: --name`},
		{"version now", `pmlam version takes no arguments, but "now" was given`},
		{"inspect", `pmlam inspect takes one model file, but nothing was given`},

		{"train", `--data is missing: pass the file or folder with the interactions`},
		{"train ratings.csv", `pmlam train takes no arguments, but "ratings.csv" was given`},
		{"train --epochs many", `--epochs is "many"; it must be a whole number`},
		{"train --lr fast", `--lr is "fast"; it must be a number`},
		{"train --seed -1", `--seed is "-1"; it must be a whole number from 0`},
		{"train --decay=maybe", `--decay is "maybe"; it must be true or false`},
		{"train --lr", `flag needs an argument: --lr`},
		{"train --data D --epochs 0", `--epochs is 0; it must be 1 or more without --from`},
		{"train --data D --no-ratings --rating-column stars",
			`--no-ratings and --rating-column stars exclude each other`},
		{"train --data D --delimiter =====", `--delimiter is "====="; it must have 1 to 4 bytes`},
		{"reccomend", `unknown command "pmlam reccomend"; did you mean "pmlam recommend"?`},
		{"stats", `unknown command "pmlam stats"; did you mean "pmlam data stats"?`},
		{"learn", `unknown command "pmlam learn"; did you mean "pmlam train"?`},
		{"train --data D --lr -1", `--lr is -1, but it must be a positive number`},
		{"train --data D --dim 0", `--dim is 0, but it must be between 1 and 4096`},
		{"train --data D --radius inf",
			`a setting is infinite and cannot be written to a file; use a large number instead, such as 1e9`},
		{"train --data D --preset papre",
			`--preset: unknown preset "papre": it must be one of paper, adaptive, best, hybrid, composed`},
		{"train --data D --preset paper --loss softmax",
			`--margin is adaptive (in the preset paper), but it must be fixed with the softmax loss, which has no margin to adapt`},
		{"train --data D --preset composed --loss hinge --margin adaptive",
			`--user-weight is 2 (in the preset composed), but it must be 0 with adaptive margins, which need a user table`},
		{"train --data D --loss huber", `--loss is huber, but it must be hinge or softmax`},
		{"train --data D --header --no-header", `--header and --no-header exclude each other`},
		{"train --data D --min-rating nan", `--min-rating is NaN; it must be a number`},
		{"train --data D --min-user -2", `--min-user is -2 and --min-item is 5; they must be 0 or more`},
		{"train --data D --format exel",
			`--format is "exel", which is unknown; "pmlam data formats" lists all formats`},
		{"train --data D --fold 0 --by-time 0.2",
			`--test, --fold, --by-time, --split-time and --by-user exclude each other; pass one of them`},
		{"train --data D --fold 5", `--fold is 5, but the folds are numbered from 0 to 4`},
		{"train --data D --fold -1", `--fold is -1, but the folds are numbered from 0 to 4`},
		{"train --data D --fold 0 --folds 1001", `--folds is 1001; it must be between 2 and 1000`},
		{"train --data D --folds 4", `--folds needs --fold, the number of the fold to hold out`},
		{"train --data D --split-time 0.2 --by-time 0.2", `--test, --fold, --by-time, --split-time and --by-user exclude each other; pass one of them`},
		{"train --data D --split-time soon", `--split-time is neither a share between 0 and 1 nor a moment: "soon" is not a ` +
			`time; write it as 2018-05-01, 2018-05-01T12:00:00Z or in seconds since 1970`},
		{"train --data D --by-time 1", `--by-time is 1; it must be between 0 and 1`},
		{"train --data D --by-time nan", `--by-time is NaN; it must be between 0 and 1`},
		{"train --data D --measure --fold 0",
			`--measure trains on all interactions; leave out --fold, --test, --by-time, --split-time and --by-user`},
		{"train --data D --measure --test E",
			`--measure trains on all interactions; leave out --fold, --test, --by-time, --split-time and --by-user`},
		{"train --data D --preset best --loss hinge --shared-negatives 0",
			`--auto is true (in the preset best), but it must be false with the hinge loss; only softmax settings are chosen, pmlam-lab tune searches for others`},
		{"train --data D --device tpu",
			`--device: unknown device "tpu"; use cpu, or cuda:0 for the first NVIDIA GPU, cuda:1 for the second`},
		{"evaluate --data D --fold 0 --baselines ease --device cuda",
			`--device: unknown device "cuda"; use cpu, or cuda:0 for the first NVIDIA GPU, cuda:1 for the second`},
		{"evaluate --data D --fold 0 --model m --device cuda:-1",
			`--device: unknown device "cuda:-1"; use cpu, or cuda:0 for the first NVIDIA GPU, cuda:1 for the second`},
		{"train --data D --workers -1", `--workers is -1; it must be 0 or more`},
		{"train --data D --out m --precision float64",
			`--precision: unknown precision "float64": it must be float32, float16 or int8`},
		{"train --data D --out m --radius 1e5",
			`--radius is 100000, but float16 holds numbers up to 65504; pass --precision float32`},
		{"train --data D --with-users", `--with-users needs --out, the model file`},
		{"train --data D --name Films", `--name needs --out, the model file`},

		{"evaluate --data D --fold 0", `nothing to measure: pass --model, --baselines or both`},
		{"audit-split", `--data is missing: pass the file or folder with the interactions`},
		{"audit-split --data D", `no test part: pass --fold, --test, --by-time, --split-time or --by-user`},
		{"audit-split --data D --fold 0 --by-time 0.2",
			`--test, --fold, --by-time, --split-time and --by-user exclude each other; pass one of them`},
		{"evaluate --data D --baselines ease --diversity colour", `--diversity is "colour"; it must be genres or model`},
		{"evaluate --data D --baselines ease --diversity model",
			`--diversity model needs --model`},
		{"evaluate --data D --baselines itemknn", `no test part: pass --fold, --test, --by-time, --split-time or --by-user`},
		{"evaluate --data D --fold 0 --baselines itemknn,svd",
			`--baselines: unknown method "svd": it must be one of popularity, itemknn, userknn, weighted, rp3beta, ease, slim, turbocf, ials`},
		{"evaluate --data D --fold 0 --baselines ease --k 10,0", `--k is 0; it must be at least 1`},
		{"evaluate --data D --by-user 0.5 --baselines ease",
			`--by-user is 0.5; it must be above 0 and below 0.5, because as many users validate`},
		{"evaluate --data D --by-user 0.1 --told 0 --baselines ease", `--told is 0; it must be at least 1`},
		{"train --data D --by-user nan", `--by-user is NaN; it must be above 0 and below 0.5, because as many users validate`},
		{"evaluate --data D --fold 0 --baselines ease --k ten",
			`--k is "ten"; it must be whole numbers with commas between them`},
		{"evaluate --data D --fold 0 --baselines itemknn:neighbours=0",
			`--baselines: itemknn: neighbours is 0 and must be a whole number of at least 1`},
		{"evaluate --data D --fold 0 --baselines ease:lambda=0",
			`--baselines: ease: lambda is 0 and must be a number above 0`},

		{"export", `--model is missing: pass the model file`},
		{"export --model M", `--out is missing: pass the folder for the files`},
		{"export --model M --out O --as xlsx", `--as has "xlsx"; choose from npy, parquet, csv`},

		{"recommend", `nothing is liked: pass --like TITLE, --recent TITLE, --from FILE, or --user ID`},
		{"recommend --seen Heat", `nothing is liked: pass --like TITLE, --recent TITLE, --from FILE, or --user ID`},
		{"recommend --like Heat --user 1", `--user cannot be combined with titles or --from`},
		{"recommend --like Heat --data D", `--data needs --user, the user whose likes to read`},
		{"recommend --like Heat --number 0", `--number is 0; it must be at least 1`},
		{"recommend --like Heat --diversity 1.5", `--diversity is 1.5; it must be between 0 and 1`},
		{"recommend --like Heat --explore nan", `--explore is NaN; it must be between 0 and 1`},
		{"recommend --like Heat --mode gems",
			`--mode is "gems"; it must be one of for-you, hidden-gems, outside-bubble`},
		{"recommend --like Heat --from-year 2000 --to-year 1990",
			`--from-year 2000 is after --to-year 1990; no item can pass`},
		{"recommend --like Heat --where 1995", `--where is "1995"; it must be COLUMN=TEXT`},
		{"recommend --like Heat --min-user 3", `unknown flag: --min-user`},
	} {
		t.Run(c.args, func(t *testing.T) {
			args := strings.Fields(c.args)
			for i, a := range args {
				if a == "D" || a == "E" {
					args[i] = a + data
				}
			}
			r := command(args...)
			got, hint, _ := strings.Cut(strings.TrimPrefix(r.errors, "pmlam: "), "\n")
			if r.code != cli.ExitUsage || got != c.want {
				t.Errorf("exit code %d, %q", r.code, got)
			}
			if !strings.HasPrefix(hint, "pmlam: see pmlam ") || !strings.HasSuffix(hint, "--help\n") ||
				strings.Count(hint, "\n") != 1 {
				t.Errorf("the hint is %q", hint)
			}
			if r.out != "" {
				t.Errorf("standard output has %q", r.out)
			}
		})
	}
}

// Errors of files are not usage errors.
func TestFailures(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	write(t, at("bad.csv"), "user,item,rating\n1,2,5\n1,3,five\n")
	write(t, at("few.csv"), "user,item,rating\n1,2,5\n1,3,5\n")
	write(t, at("scale.csv"), "user,item,rating\n1,2,5000\n")
	write(t, at("names.csv"), "who,what\n1,2\n")
	write(t, at("notes.txt"), "my notes\n")
	write(t, at("wrong.json"), `{"dim": 8, "colour": "red"}`)
	write(t, at("cut.json"), `{"dim": 8`)
	write(t, at("kind.json"), `{"dim": "big"}`)
	write(t, at("two.json"), `{"dim": 8} {"dim": 9}`)
	write(t, at("odd.json"), `{"dim": 8}]`)
	write(t, at("list.json"), `[]`)
	write(t, at("one.csv"), "user\n1\n")
	write(t, at("items.csv"), "what,name\na,b\n")
	good := blocks(t)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"data", "stats", at("none.csv")}, at("none.csv") + ": there is no such file or folder; check the " +
			"path: file does not exist"},
		{[]string{"data", "stats", at("bad.csv")}, at("bad.csv") +
			`, line 3, column 3 (rating): "five": a rating is a number such as 4 or 3.5, or a word such as like, up or yes; correct the line, or have bad lines skipped (--skip-bad-lines)`},
		{[]string{"data", "stats", at("few.csv")}, at("few.csv") + ": no interactions are left: of 2, 0 were dropped " +
			"by rating, 2 because their user has fewer than 10, 0 because their item has fewer than 5; lower the " +
			"minima (--min-rating, --min-user, --min-item)"},
		{[]string{"data", "stats", at("scale.csv")}, at("scale.csv") + ": the largest rating is 5000, which fits no " +
			"scale up to 1, 5, 10 or 100; say from which rating on an interaction is positive (minimum rating), or " +
			"that these are not ratings (--min-rating, --no-ratings)"},
		{[]string{"data", "stats", at("names.csv"), "--header"}, at("names.csv") +
			`: no column has a name known for the user; the columns are "who", "what": say which one it is, by name or by number (--user-column)`},
		{[]string{"data", "stats", at("one.csv")}, at("one.csv") +
			`: no delimiter cuts its first lines into columns; say which one it is (--delimiter)`},
		{[]string{"data", "stats", good, "--items", at("items.csv")}, at("items.csv") +
			`: no column has a name known for the id, and no column holds ids of items; the columns are "what", "name": name the right one id`},
		{[]string{"train", "--data", good, "--out", at("nowhere/model")}, "the model cannot be written to " +
			at("nowhere/model") + ": the folder " + at("nowhere") + " does not exist"},
		{[]string{"train", "--data", good, "--out", folder}, "the model cannot be written to " + folder +
			": it is not a regular file"},
		{[]string{"train", "--data", good, "--out", good}, "the model cannot be written to " + good +
			": the file exists and is not a model; remove it, or pass another name"},
		{[]string{"train", "--data", good, "--out", at("notes.txt")}, "the model cannot be written to " +
			at("notes.txt") + ": the file exists and is not a model; remove it, or pass another name"},
		{[]string{"train", "--data", good, "--config", at("wrong.json")}, at("wrong.json") +
			`: not a settings file: unknown field "colour"`},
		{[]string{"train", "--data", good, "--config", at("cut.json")}, at("cut.json") + ": not a settings file: " +
			"unexpected EOF"},
		{[]string{"train", "--data", good, "--config", at("kind.json")}, at("kind.json") +
			`, byte 13: not a settings file: "dim" cannot be a string`},
		{[]string{"train", "--data", good, "--config", at("two.json")}, at("two.json") + ", byte 12: unexpected " +
			"text after the settings; a settings file is one JSON object"},
		{[]string{"train", "--data", good, "--config", at("odd.json")}, at("odd.json") + ", byte 10: unexpected " +
			"text after the settings; a settings file is one JSON object"},
		{[]string{"train", "--data", good, "--config", at("list.json")}, at("list.json") +
			": not a settings file: want one JSON object, as --print-config prints it"},
		{[]string{"inspect", at("none")}, at("none") + ": no such model file; pmlam train --out writes one"},
		{[]string{"inspect", good}, good + ": model: this is not a model file at byte 0: it does not begin like a " +
			"model file of pmlam"},
		{[]string{"evaluate", "--data", at("none.csv"), "--fold", "0", "--model", at("none")}, at("none") +
			": no such model file; pmlam train --out writes one"},
	} {
		r := command(c.args...)
		if got := strings.TrimPrefix(strings.TrimSpace(r.notices()), "pmlam: "); r.code != cli.ExitFailed || got != c.want {
			t.Errorf("pmlam %s: exit code %d\n got %s\nwant %s", strings.Join(c.args, " "), r.code, got, c.want)
		}
		if r.out != "" {
			t.Errorf("pmlam %s: standard output has %q", strings.Join(c.args, " "), r.out)
		}
	}
	if got := string(read(t, at("notes.txt"))); got != "my notes\n" {
		t.Errorf("the file that is not a model became %q", got)
	}
}

// Every setting has a flag, and help shows the defaults of the default preset.
func TestEverySettingHasAFlag(t *testing.T) {
	c, _, err := newRoot(&bytes.Buffer{}, &bytes.Buffer{}).Find([]string{"train"})
	if err != nil {
		t.Fatal(err)
	}
	preset, err := train.Preset(pmlam.DefaultPreset)
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(preset)
	if err != nil {
		t.Fatal(err)
	}
	var values map[string]any
	if err := json.Unmarshal(b, &values); err != nil {
		t.Fatal(err)
	}
	// Fields left out of settings files have their zero value.
	for name, zero := range map[string]any{"bound": "sigma", "signed": false, "smooth": false, "unit_proxy": false,
		"outer_loss": "hinge", "outer_margin": 0, "outer_temperature": 0, "outer_batch": "same",
		"user_negatives": false, "user_pairs": 0, "user_parts": 0, "part_discount": 0, "loss_power": 0, "item_pool": 0,
		"shrinkage": 0, "shrinkage_items": 0, "visitor_prior": 0, "item_dropout": 0, "item_prior": 0,
		"no_rarity": false, "next_weight": 0} {
		if value, ok := values[name]; ok {
			t.Errorf("%s is %v in the default preset, and should be left out", name, value)
		}
		values[name] = zero
	}
	names, _ := choose.Names()
	if len(values) != len(names) {
		t.Errorf("a preset is written with %d settings, want %d", len(values), len(names))
	}
	for _, field := range names {
		flag := c.Flags().Lookup(cli.FlagOf(field))
		if flag == nil {
			t.Errorf("the setting %s has no flag", field)
			continue
		}
		want, err := json.Marshal(values[field])
		if err != nil {
			t.Fatal(err)
		}
		if got := flag.DefValue; got != strings.Trim(string(want), `"`) {
			t.Errorf("--%s shows the default %s, the preset has %s", flag.Name, got, want)
		}
	}
}

// Help shows every flag once, under a heading, in lines that fit.
func TestHelp(t *testing.T) {
	var all func(c *cobra.Command)
	all = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			all(sub)
		}
		if c.Name() == "help" || c.HasParent() && c.Parent().Name() == "completion" || c.Name() == "completion" {
			return // cobra's own
		}
		args := append(strings.Fields(c.CommandPath())[1:], "--help")
		r := ok(t, args...)
		if c.Short == "" || !strings.Contains(r.out, "Usage:\n  "+c.CommandPath()) {
			t.Errorf("%s: %s", c.CommandPath(), r.out)
		}
		for _, line := range strings.Split(r.out, "\n") {
			if len([]rune(line)) > 120 {
				t.Errorf("%s: a line of %d: %s", c.CommandPath(), len(line), line)
			}
		}
		for _, flag := range []string{"--data ", "--out ", "--preset ", "--json "} {
			if n := strings.Count(r.out, "\n      "+flag); n > 1 {
				t.Errorf("%s: %s stands %d times", c.CommandPath(), flag, n)
			}
		}
	}
	root := newRoot(&bytes.Buffer{}, &bytes.Buffer{})
	all(root)
	help := ok(t, "train", "--help").out
	for _, part := range []string{"Presets:\n", "\nData:\n", "\nTest part:\n", "\nModel file:\n", "\nSettings (",
		"\nOptimisation:\n", "\nAlways:\n", "--decay=false"} {
		if !strings.Contains(help, part) {
			t.Errorf("the help of train has no %q", part)
		}
	}
}

func TestCompletion(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"train", "--preset", ""}, "composed"},
		{[]string{"train", "--loss", ""}, "softmax"},
		{[]string{"train", "--margin", ""}, "adaptive"},
		{[]string{"train", "--relations", ""}, "fixed"},
		{[]string{"train", "--input", ""}, "cat"},
		{[]string{"train", "--format", ""}, "lightgcn"},
		{[]string{"train", "--precision", ""}, "int8"},
		{[]string{"evaluate", "--baselines", ""}, "itemknn"},
		{[]string{"recommend", "--mode", ""}, "hidden-gems"},
		{[]string{"recommend", "--model", shipped, "--like", "toy s"}, "Toy Story (1995)"},
		{[]string{"recommend", "--model", shipped, "--genre", ""}, "Film-Noir"},
	} {
		r := ok(t, append([]string{"__complete"}, c.args...)...)
		if !strings.Contains(r.out, c.want) {
			t.Errorf("%v offers %q", c.args, r.out)
		}
	}
	if got := ok(t, "__complete", "recommend", "--model", "none", "--like", "").out; !strings.HasPrefix(got, ":") {
		t.Errorf("without a model it offers %q", got)
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if r := ok(t, "completion", shell); !strings.Contains(r.out, "pmlam") {
			t.Errorf("%s: %q", shell, r.out)
		}
	}
}

// Reading takes no context, but stops when it ends.
func TestReadingStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r := within(ctx, "data", "stats", lens)
	if r.code != cli.ExitInterrupted || r.errors != "pmlam: stopped while reading "+lens+"\n" || r.out != "" {
		t.Errorf("exit code %d, %q, %q", r.code, r.errors, r.out)
	}
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/train"
	"github.com/pmlam/pmlam/core/training"
)

// trained runs a quick training and returns its JSON object.
func trained(t *testing.T, args ...string) map[string]any {
	t.Helper()
	return ok(t, append(append([]string{"train", "--json"}, quick...), args...)...).object(t)
}

func TestTrainJSON(t *testing.T) {
	data, out := some(t, 60), filepath.Join(t.TempDir(), "model.msgpack")
	o := trained(t, "--data", data, "--fold", "1", "--split-seed", "7", "--out", out)
	for _, key := range []string{"users", "items", "interactions", "epochs", "seconds", "seconds_per_epoch",
		"recall@10", "ndcg@10", "recall@20", "ndcg@20", "trained_interactions", "best_epoch"} {
		figure(t, o, key)
	}
	d, err := dataset.Load(data, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	fold := d.Fold(5, 1, 7)
	for key, want := range map[string]int{
		"users": d.Users.Len(), "items": d.Items.Len(), "interactions": d.Positives.Len(),
		"trained_interactions": fold.Train.Len(), "epochs": 2, "best_epoch": 2,
	} {
		if got := figure(t, o, key); got != float64(want) {
			t.Errorf("%s is %v, not %d", key, got, want)
		}
	}
	// The seconds cover the whole run, its parts sum to it, and epochs are part of one.
	all, epoch, sum := figure(t, o, "seconds"), figure(t, o, "seconds_per_epoch"), 0.0
	parts, _ := o["seconds_of"].(map[string]any)
	for _, part := range parts {
		sum += part.(float64)
	}
	training, _ := parts["training"].(float64)
	if epoch <= 0 || 2*epoch > training || training > sum || sum > all {
		t.Errorf("%v seconds, of which %v, %v per epoch", all, parts, epoch)
	}
	if o["split"] != "fold 1 of 5, seed 7" || o["interrupted"] != false || o["out"] != out {
		t.Errorf("%v", o)
	}

	// The file states what the model learned from, without the test part.
	m, err := model.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if p := m.Provenance; p.Interactions != fold.Train.Len() || p.Users != d.Users.Len() || p.Program != train.Version {
		t.Errorf("%+v", p)
	}
	count := 0
	for i := range m.Catalogue.Items {
		count += m.Catalogue.Items[i].Count
	}
	if count != fold.Train.Len() {
		t.Errorf("the catalogue counts %d interactions, the training part has %d", count, fold.Train.Len())
	}
	for _, key := range []string{"recall@10", "ndcg@20"} {
		if got, want := float64(float32(figure(t, o, key))), m.Provenance.Metrics[key]; math.Abs(got-want) > 1e-6 {
			t.Errorf("%s: %v printed, %v in the file", key, got, want)
		}
	}

	// Without a test part nothing is measured.
	o = trained(t, "--data", data)
	if _, has := o["recall@10"]; has || o["split"] != nil {
		t.Errorf("%v", o)
	}
	// With --measure the model learns from all interactions, and the metrics are a fold's.
	o = trained(t, "--data", data, "--measure", "--out", out)
	if figure(t, o, "trained_interactions") != figure(t, o, "interactions") || figure(t, o, "recall@20") <= 0 {
		t.Errorf("%v", o)
	}
	m, err = model.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if m.Provenance.Interactions != d.Positives.Len() || m.Provenance.Metrics["ndcg@10"] == 0 {
		t.Errorf("%+v", m.Provenance)
	}
}

func TestSameSeedSameBytes(t *testing.T) {
	data, folder := some(t, 40), t.TempDir()
	file := func(name string, args ...string) []byte {
		out := filepath.Join(folder, name)
		trained(t, append(args, "--data", data, "--out", out, "--measure")...)
		return read(t, out)
	}
	one := file("one", "--workers", "1")
	if !bytes.Equal(one, file("two", "--workers", "2")) {
		t.Error("two workers wrote another file than one")
	}
	if !bytes.Equal(one, file("two", "--workers", "2")) {
		t.Error("writing over a model gave another file")
	}
	if bytes.Equal(one, file("seed", "--workers", "1", "--seed", "2")) {
		t.Error("another seed gave the same file")
	}
	// The paper's hinge has networks and relations too.
	paper := []string{"--preset", "paper", "--hidden", "4", "--candidates", "20"}
	if !bytes.Equal(file("one", append(paper, "--workers", "1")...), file("two", append(paper, "--workers", "2")...)) {
		t.Error("preset paper: two workers wrote another file than one")
	}
}

// The command line overrides the settings file, which overrides the preset.
func TestPrecedenceOfSettings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "settings.json")
	write(t, file, `{"dim": 7, "learn_rate": 0.5, "decay": false}`)
	config := func(args ...string) (c train.Settings) {
		t.Helper()
		r := ok(t, append([]string{"train", "--print-config"}, args...)...)
		if err := json.Unmarshal([]byte(r.out), &c); err != nil {
			t.Fatal(err)
		}
		return c
	}
	want, err := train.Preset("paper")
	if err != nil {
		t.Fatal(err)
	}
	if got := config("--preset", "paper"); got != want {
		t.Errorf("preset paper: %+v", got)
	}
	want, err = train.Preset(pmlam.DefaultPreset)
	if err != nil {
		t.Fatal(err)
	}
	if got := config(); got != want {
		t.Errorf("no preset: %+v", got)
	}
	want.Dim, want.LearnRate, want.Decay = 7, 0.5, false
	if got := config("--config", file); got != want {
		t.Errorf("settings file: %+v", got)
	}
	want.Dim, want.Decay, want.Epochs = 9, true, 3
	if got := config("--dim", "9", "--config", file, "--decay", "--epochs=3"); got != want {
		t.Errorf("flags: %+v", got)
	}
	// A flag counts even if it repeats the preset's default.
	if got := config("--preset", "paper", "--margin", "fixed", "--relations", "none", "--loss",
		"softmax"); got.Loss != "softmax" || got.Margin != pmlam.Fixed || got.Negatives != 10 {
		t.Errorf("%+v", got)
	}
}

// The settings that inspect prints train the same model again, byte for byte.
func TestSettingsRoundTrip(t *testing.T) {
	data, folder := some(t, 40), t.TempDir()
	first, again, settings := filepath.Join(folder, "first"), filepath.Join(folder, "again"),
		filepath.Join(folder, "settings.json")
	trained(t, "--data", data, "--out", first, "--lr", "0.0123", "--seed", "18446744073709551615", "--user-weight", "1.5",
		"--every", "3")
	for _, format := range [][]string{nil, {"--json"}} {
		write(t, settings, ok(t, append(format, "inspect", "--config", first)...).out)
		ok(t, "train", "--data", data, "--out", again, "--config", settings)
		if !bytes.Equal(read(t, first), read(t, again)) {
			t.Errorf("%v: the settings of a model did not train it again", format)
		}
	}
}

// Every row of the paper's ablation table has its flags.
func TestAblationSwitches(t *testing.T) {
	data := blocks(t)
	for _, args := range [][]string{
		{"--preset", "paper", "--margin", "fixed", "--relations", "none", "--deterministic"},
		{"--preset", "paper", "--margin", "fixed", "--relations", "none"},
		{"--preset", "paper", "--relations", "none", "--deterministic"},
		{"--preset", "paper", "--relations", "none"},
		{"--preset", "paper", "--relations", "none", "--input", "cat"},
		{"--preset", "paper", "--relations", "none", "--input", "add"},
		{"--preset", "paper", "--relations", "fixed"},
		{"--preset", "paper"},
		{"--loss", "softmax", "--free-users", "--validation", "0.2", "--every", "1", "--patience", "1"},
	} {
		o := trained(t, append(args, "--data", data, "--fold", "0", "--hidden", "4", "--candidates", "8")...)
		if figure(t, o, "epochs") < 1 || figure(t, o, "ndcg@10") <= 0 {
			t.Errorf("%v: %v", args, o)
		}
	}
}

func TestWithUsers(t *testing.T) {
	data, folder := some(t, 60), t.TempDir()
	out := filepath.Join(folder, "model")
	trained(t, "--data", data, "--out", out, "--with-users", "--precision", "float32", "--name", "Some films",
		"--licence", "mine", "--attribution", "thanks", "--preset", "paper", "--relations", "none")
	m, err := model.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if m.Users == nil || m.Users.Len() != len(m.UserIDs) || m.Users.Len() != m.Provenance.Users {
		t.Fatalf("%d ids", len(m.UserIDs))
	}
	if p := m.Provenance; p.Dataset != "Some films" || p.Licence != "mine" || p.Attribution != "thanks" ||
		m.Precision != model.Float32 {
		t.Errorf("%+v", p)
	}
	// Ids in the file are public, so none may be an e-mail address.
	mails := filepath.Join(folder, "mails.csv")
	write(t, mails, "user,item\nanna@example.com,a\nanna@example.com,b\nben,a\nben,b\n")
	r := command("train", "--data", mails, "--min-user", "1", "--min-item", "1", "--out", out, "--with-users", "--replace")
	if r.code != cli.ExitFailed || !strings.Contains(r.errors, `"a…om" holds an e-mail address`) ||
		!strings.Contains(r.errors, "(--with-users)") {
		t.Errorf("exit code %d, %s", r.code, r.errors)
	}
	o := ok(t, "inspect", out, "--json").object(t)
	if figure(t, o, "users_kept") != float64(m.Users.Len()) || o["adaptive"] != true || o["sha256"] != m.Digest {
		t.Errorf("%v", o)
	}
	// The model's own row of a user is used; the data say what they have seen.
	id := m.UserIDs[3]
	r = command("recommend", "--model", out, "--user", id, "--json")
	if r.code != cli.ExitOK || !strings.Contains(r.errors, "are not left out, since") {
		t.Fatalf("exit code %d, %s", r.code, r.errors)
	}
	unseen := ok(t, "recommend", "--model", out, "--user", id, "--data", data, "--json")
	d, err := dataset.Load(data, dataset.Options{MinUser: -1, MinItem: -1})
	if err != nil {
		t.Fatal(err)
	}
	u, _ := d.Users.Index(id)
	explained := 0
	for _, s := range recommended(t, unseen) {
		i, ok := d.Items.Index(s.ID)
		if !ok || d.Positives.Contains(u, int32(i)) {
			t.Errorf("user %s is recommended %s, which they like already", id, s.Title)
		}
		if len(s.Reasons) > 0 {
			explained++
		}
	}
	if explained < 9 { // one is near no like of its genres
		t.Errorf("%d of ten titles have reasons", explained)
	}
	if r := command("recommend", "--model", out, "--user", "nobody"); r.code != cli.ExitFailed ||
		!strings.Contains(r.errors, `but none with the id "nobody"`) {
		t.Errorf("exit code %d, %s", r.code, r.errors)
	}
}

// Two files, and a folder with both, are the same fixed split.
func TestFixedSplit(t *testing.T) {
	folder := t.TempDir()
	var trainLines, testLines []string
	for u := range 12 {
		line := []string{string(rune('a' + u))}
		test := slices.Clone(line)
		for i := range 10 {
			item := string(rune('A' + (u%2)*10 + i))
			if (u+i)%5 == 0 {
				test = append(test, item)
			} else {
				line = append(line, item)
			}
		}
		trainLines, testLines = append(trainLines, strings.Join(line, " ")), append(testLines, strings.Join(test, " "))
	}
	a, b := filepath.Join(folder, "train.txt"), filepath.Join(folder, "test.txt")
	write(t, a, strings.Join(trainLines, "\n")+"\n")
	write(t, b, strings.Join(testLines, "\n")+"\n")
	whole := trained(t, "--data", folder)
	pair := trained(t, "--data", a, "--test", b, "--format", "adjacency")
	for _, o := range []map[string]any{whole, pair} {
		if figure(t, o, "users") != 12 || figure(t, o, "items") != 20 || figure(t, o, "interactions") != 120 ||
			figure(t, o, "trained_interactions") != 96 || o["split"] != "fixed split" {
			t.Errorf("%v", o)
		}
	}
	if whole["recall@20"] != pair["recall@20"] || whole["ndcg@10"] != pair["ndcg@10"] {
		t.Errorf("the folder gives %v, the files give %v", whole["ndcg@10"], pair["ndcg@10"])
	}
	r := command("train", "--data", folder, "--measure")
	if r.code != cli.ExitUsage || !strings.Contains(r.errors,
		"--measure needs data without a test part, but "+folder+" has one") {
		t.Errorf("exit code %d, %s", r.code, r.errors)
	}
	if got := ok(t, "data", "stats", folder).out; !strings.Contains(got, "for testing") {
		t.Error(got)
	}
	if got := ok(t, "evaluate", "--data", folder, "--baselines", "popularity",
		"--json").object(t)["split"]; got != "fixed split" {
		t.Errorf("split %v", got)
	}
}

func TestByTime(t *testing.T) {
	o := trained(t, "--data", blocks(t), "--by-time", "0.25")
	if o["split"] != "each user's latest 25%" || figure(t, o, "recall@10") < 0 {
		t.Errorf("%v", o)
	}
	timeless := filepath.Join(t.TempDir(), "timeless.csv")
	write(t, timeless, strings.ReplaceAll(string(read(t, blocks(t))), "timestamp", "remark"))
	r := command("train", "--data", timeless, "--by-time", "0.25")
	if r.code != cli.ExitFailed || !strings.Contains(r.errors, "have no times, so they cannot be split by time; use "+
		"folds (--fold)") {
		t.Errorf("exit code %d, %s", r.code, r.errors)
	}
}

// A share and the moment that it selects give the same split.
func TestSplitTime(t *testing.T) {
	args := []string{"evaluate", "--data", lens, "--baselines", "popularity,itemknn", "--json"}
	share := ok(t, append(args, "--split-time", "0.1")...).object(t)
	split, _ := share["split"].(string)
	moment, found := strings.CutSuffix(strings.TrimPrefix(split, "from "), " on")
	if !found {
		t.Fatalf("split %q", split)
	}
	same := ok(t, append(args, "--split-time", moment)...).object(t)
	if !reflect.DeepEqual(share["results"], same["results"]) || same["split"] != split {
		t.Errorf("%v\n%v", share, same)
	}
	// Without given minima all of MovieLens' likes count.
	if got := figure(t, share, "interactions"); got != 48580 {
		t.Errorf("%v interactions", got)
	}
	// train reports the same slices.
	of := map[string]float64{}
	for _, x := range share["results"].([]any)[0].(map[string]any)["slices"].([]any) {
		s := x.(map[string]any)
		of[s["of"].(string)] = figure(t, s, "users")
		figure(t, s, "recall@10")
	}
	if of["cold users"] == 0 || of["warm items"] == 0 || of["cold items"] == 0 || of["least active users"] == 0 {
		t.Errorf("%v", of)
	}
	timeless := filepath.Join(t.TempDir(), "timeless.csv")
	write(t, timeless, strings.ReplaceAll(string(read(t, blocks(t))), "timestamp", "remark"))
	r := command("evaluate", "--data", timeless, "--split-time", "0.25", "--baselines", "popularity")
	if r.code != cli.ExitFailed || !strings.Contains(r.errors, "have no times, so they cannot be split by time; use "+
		"folds (--fold)") {
		t.Errorf("exit code %d, %s", r.code, r.errors)
	}
	r = command("evaluate", "--data", lens, "--split-time", "1990-01-01", "--baselines", "popularity")
	if r.code != cli.ExitFailed || !strings.Contains(r.errors, "1990-01-01T00:00:00Z leaves no likes before") {
		t.Errorf("exit code %d, %s", r.code, r.errors)
	}
}

func TestDataStats(t *testing.T) {
	o := ok(t, "data", "stats", lens, "--json").object(t)
	for key, want := range map[string]float64{"users": 563, "items": 1947, "interactions": 40921, "lines": 100836,
		"below_rating": 52256, "described": 1947} {
		if got := figure(t, o, key); got != want {
			t.Errorf("%s is %v, not %v", key, got, want)
		}
	}
	path := filepath.Join(t.TempDir(), "odd.csv")
	write(t, path, "who;what;stars\na;x;5\na;y;nonsense\nb;x;4\n")
	o = ok(t, "data", "stats", path, "--json", "--user-column", "who", "--item-column", "2", "--rating-column", "stars",
		"--min-user", "0", "--min-item", "1", "--skip-bad-lines").object(t)
	if figure(t, o, "interactions") != 2 || figure(t, o, "skipped") != 1 {
		t.Errorf("%v", o)
	}
	if got := ok(t, "data", "formats", "--json").object(t)["formats"].([]any); len(got) != len(dataset.Formats()) {
		t.Errorf("%v", got)
	}
}

// A diverged training ends with an error and leaves no useless file: neither if it diverges at once, nor if its last
// finite state is beyond the bounds of a model. An existing model stays.
func TestDivergence(t *testing.T) {
	data, out := blocks(t), filepath.Join(t.TempDir(), "model")
	diverge := func(more ...string) result {
		return command(append([]string{"train", "--data", data, "--out", out, "--precision", "float32", "--json",
			"--dim", "4", "--batch", "64", "--negatives", "5",
			"--epochs", "200", "--auto=false", "--decay=false"}, more...)...)
	}
	for range 2 {
		r := diverge("--lr", "1e30", "--radius", "1e38")
		if r.code != cli.ExitFailed || !strings.Contains(r.errors, "the training diverged: ") || !strings.Contains(r.errors,
			"there is nothing to save") || r.out != "" {
			t.Errorf("exit code %d, %s", r.code, r.errors)
		}
		r = diverge("--lr", "3e18", "--radius", "1e38")
		if r.code != cli.ExitFailed || !strings.Contains(r.errors, "the unfinished model cannot be written (") ||
			!strings.Contains(r.errors, ": the training diverged: ") {
			t.Fatalf("exit code %d, %s", r.code, r.errors)
		}
		o := r.object(t)
		if text, _ := o["error"].(string); !strings.Contains(text, "the training diverged: ") ||
			o["interrupted"] != false || figure(t, o, "best_epoch") < 1 || o["out"] != nil {
			t.Errorf("%v", o)
		}
		// Points that start alike stay alike: every number is finite, but all items are equal.
		r = diverge("--deterministic", "--init-mean", "0")
		if r.code != cli.ExitFailed || !strings.Contains(r.errors, "the training collapsed: after epoch 200 all items "+
			"have the same Gaussian") || r.out != "" {
			t.Errorf("exit code %d, %s", r.code, r.errors)
		}
		// Settings that must diverge are refused before data are read.
		if r = diverge("--lr", "1e30"); r.code != cli.ExitUsage || !strings.Contains(r.errors,
			"--lr is 1e+30, but it must be at most 1000") {
			t.Errorf("exit code %d, %s", r.code, r.errors)
		}
		if _, err := os.Stat(out); err == nil {
			break
		}
		write(t, out, string(read(t, shipped))) // once more with an existing model
	}
	if left, err := filepath.Glob(out + "*"); err != nil || len(left) != 1 || !bytes.Equal(read(t, out),
		read(t, shipped)) {
		t.Errorf("the good model is gone, or another file is next to it: %v, %v", left, err)
	}
}

// An unfinished model does not replace an existing one without --replace.
func TestWhatEndsEarlyGoesBeside(t *testing.T) {
	d, err := dataset.Load(blocks(t), dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cfg := *cli.Defaults()
	cfg.Epochs, cfg.Dim, cfg.Auto, cfg.Calibrate, cfg.ItemPart = 1, 4, false, false, "none"
	m, report, err := train.Run(t.Context(), d, train.Options{Settings: cfg})
	if err != nil {
		t.Fatal(err)
	}
	stopped := fmt.Errorf("stopped: %w", context.Canceled)
	diverged := &training.NonFiniteError{Epoch: 2, Batch: 1, Tensor: "the loss"}
	for _, c := range []struct {
		ended          error
		there, replace bool
		aside          bool
	}{
		{nil, false, false, false}, {nil, true, false, false},
		{stopped, false, false, false}, {stopped, true, false, true}, {stopped, true, true, false},
		{diverged, false, false, false}, {diverged, true, false, true}, {diverged, true, true, false},
	} {
		out := filepath.Join(t.TempDir(), "model")
		if c.there {
			write(t, out, string(read(t, shipped)))
		}
		var notes bytes.Buffer
		run := trainRun{Work: cli.Work{App: &cli.App{Out: &bytes.Buffer{}, Err: &notes}}, out: out, replace: c.replace}
		want := out
		if c.aside {
			want += ".stopped"
		}
		path, err := run.save(m, report, c.ended)
		if path != want || err != c.ended {
			t.Errorf("%+v: %s, %v", c, path, err)
		}
		if m, err := model.ReadFile(want); err != nil || m.Items.Dim() != 4 {
			t.Errorf("%+v: %v", c, err)
		}
		if c.aside && (!bytes.Equal(read(t, out), read(t, shipped)) || !strings.Contains(notes.String(),
			out+" is unchanged; ")) {
			t.Errorf("%+v: the model that was there changed, or nothing is said of it: %s", c, &notes)
		}
	}
	// A file that is not a model is not overwritten either, and the error comes before the training.
	out := filepath.Join(t.TempDir(), "model")
	write(t, out, string(read(t, shipped)))
	write(t, out+".stopped", "my notes")
	r := command(append([]string{"train", "--data", blocks(t), "--out", out}, quick...)...)
	if r.code != cli.ExitFailed || !strings.Contains(r.errors, out+".stopped: the file exists and is not a model") {
		t.Errorf("exit code %d, %s", r.code, r.errors)
	}
}

// A larger catalogue is measured on the test pairs of the smaller one.
func TestTestMinItemKeepsTheTestPart(t *testing.T) {
	read := func(minItem, testMinItem int) *cli.Input {
		s := &cli.Source{
			Data:        "../../../assets/data/ml-latest-small",
			FilterFlags: cli.FilterFlags{MinUser: 10, MinItem: minItem},
			SplitFlags:  cli.SplitFlags{TestMinItem: testMinItem, Folds: 5, SplitSeed: 1},
		}
		a := &cli.App{Out: io.Discard, Err: io.Discard}
		in, err := s.Read(context.Background(), a)
		if err != nil {
			t.Fatal(err)
		}
		if in.Split, err = s.FoldOf(context.Background(), a, in, 0); err != nil {
			t.Fatal(err)
		}
		return in
	}
	names := func(in *cli.Input, m *dataset.Matrix) map[[2]string]bool {
		out := map[[2]string]bool{}
		for u := range m.Rows() {
			for _, i := range m.Row(u) {
				out[[2]string{in.Users.ID(u), in.Items.ID(int(i))}] = true
			}
		}
		return out
	}
	usual, large := read(5, 0), read(2, 5)
	if !reflect.DeepEqual(names(usual, usual.Split.Test), names(large, large.Split.Test)) {
		t.Error("the test part differs from the one of --min-item 5")
	}
	if large.Items.Len() <= usual.Items.Len() {
		t.Errorf("%d items, not more than %d", large.Items.Len(), usual.Items.Len())
	}
	train := names(large, large.Split.Train)
	for pair := range names(large, large.Split.Test) {
		if train[pair] {
			t.Fatalf("%v is learned from and tested on", pair)
		}
	}
	for pair := range names(usual, usual.Split.Train) {
		if !train[pair] {
			t.Fatalf("%v of the usual training part is missing", pair)
		}
	}
}

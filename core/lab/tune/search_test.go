package tune

import (
	"bytes"
	"context"
	"errors"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/train/choose"
)

// films is the training part of a fold of MovieLens small.
var films = sync.OnceValues(func() (*dataset.Matrix, error) {
	d, err := dataset.Load("../../../assets/data/ml-latest-small", dataset.Options{})
	if err != nil {
		return nil, err
	}
	return d.Fold(5, 0, 1).Train, nil
})

// few has enough of its users for about 2,500 interactions, which is quick to learn.
func few(t *testing.T) *dataset.Matrix {
	t.Helper()
	m, err := films()
	if err != nil {
		t.Fatal(err)
	}
	return choose.Sample(m, 2500)
}

// quick are settings that train on few in 10 ms.
func quick(t *testing.T, preset string) choose.Settings {
	t.Helper()
	c, err := choose.Preset(preset)
	if err != nil {
		t.Fatal(err)
	}
	c.Dim, c.Hidden, c.Epochs, c.Batch = 4, 4, 5, 256
	c.Negatives, c.SharedNegatives, c.Candidates, c.Auto = 4, 0, 0, false
	return c
}

// small varies a few settings of best, so that trials stay quick; relations depends on another one.
var small = Space{
	{Name: "temperature", Low: 0.25, High: 2.5, Log: true},
	{Name: "user_weight", Low: 0.5, High: 8},
	{Name: "dim", Values: []string{"2", "4", "8"}, Ordered: true},
	{Name: "epochs", Low: 3, High: 9, Log: true, Whole: true},
	{Name: "relations", Values: []string{"none", "fixed"}},
	{Name: "relation_weight", Low: 0.02, High: 1, Log: true, If: "relations", Only: "fixed"},
}

func search(t *testing.T, base choose.Settings, o Options) []choose.Trial {
	t.Helper()
	trials, err := Search(context.Background(), few(t), base, o)
	if err != nil {
		t.Fatal(err)
	}
	return trials
}

// plain removes what depends on the clock.
func plain(trials []choose.Trial) []choose.Trial {
	out := append([]choose.Trial(nil), trials...)
	for i := range out {
		out[i].Seconds = 0
	}
	return out
}

func open(t *testing.T, path string, base choose.Settings, o Options) *choose.Journal {
	t.Helper()
	j, err := choose.OpenJournal(path, NewHeader(few(t), base, o))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	return j
}

// A study interrupted after any number of trials and resumed from its file makes the same trials as an uninterrupted
// one, and so do other numbers of workers.
func TestAStudyGoesOn(t *testing.T) {
	const trials = 16 // past the start, where trials are stopped and the estimator has begun
	base := quick(t, "best")
	o := Options{Trials: trials, Space: small, Seed: 5, Workers: 1}
	want := plain(search(t, base, o))
	states := map[choose.State]int{}
	for _, w := range want {
		states[w.State]++
	}
	if len(want) != trials || states[choose.Complete] == 0 || states[choose.Stopped] == 0 {
		t.Fatalf("%d trials: %v; the test needs finished and stopped ones", len(want),
			states)
	}
	o.Workers = 3
	if got := plain(search(t, base, o)); !reflect.DeepEqual(got, want) {
		t.Error("three workers and one make different trials")
	}
	for _, cut := range []int{1, 7, 14} {
		path := filepath.Join(t.TempDir(), "trials.jsonl")
		o.Trials, o.Journal = cut, open(t, path, base, o)
		search(t, base, o)
		o.Journal.Close()
		o.Trials, o.Journal = trials, open(t, path, base, o)
		if n := len(o.Journal.Trials); n != cut {
			t.Fatalf("%d trials were read back, want %d", n, cut)
		}
		if got := plain(search(t, base, o)); !reflect.DeepEqual(got, want) {
			t.Errorf("interrupted after %d trials it makes different ones", cut)
		}
		if got := plain(open(t, path, base, o).Trials); !reflect.DeepEqual(got, want) {
			t.Errorf("interrupted after %d trials its file differs from the returned ones", cut)
		}
	}
}

// The first trial is the preset, the best is at least as good, and a training with its settings reproduces its figure.
func TestTheBestSettings(t *testing.T) {
	base := quick(t, "best")
	trials := search(t, base, Options{Trials: 8, Space: small, Seed: 1})
	if got, err := choose.Apply(base, trials[0].Values); err != nil || got != base {
		t.Errorf("the first trial has %v, %v", trials[0].Values, err)
	}
	best := Best(trials)
	if best == nil || best.NDCG < trials[0].NDCG || best.NDCG <= 0 {
		t.Fatalf("the best is %+v, the first was %.4f", best, trials[0].NDCG)
	}
	c, err := SettingsOf(best, base)
	if err != nil {
		t.Fatal(err)
	}
	var again choose.Trial
	if err := run(context.Background(), &again, few(t), c, nil, 0, nil, nil); err != nil {
		t.Fatal(err)
	}
	if again.NDCG != best.NDCG || again.Epochs != best.Epochs {
		t.Errorf("trained again it is %v after %d epochs, the trial was %v after %d", again.NDCG, again.Epochs,
			best.NDCG, best.Epochs)
	}
	if sorted := Sorted(trials); sorted[0].Number != best.Number || len(sorted) != len(trials) {
		t.Errorf("sorted they begin with trial %d, the best is %d", sorted[0].Number, best.Number)
	}
}

// At a constant learning rate early stopping chooses the epochs; the item-item part is measured with them.
func TestEpochsAndPartsAreChosen(t *testing.T) {
	base := quick(t, "paper")
	base.Epochs, base.Every, base.LearnRate, base.Relations = 200, 1, 0.05, pmlam.NoRelations
	trials := search(t, base, Options{Trials: 1, Space: Spaces["paper"], Seed: 1})
	if e := trials[0].Epochs; e < 1 || e >= 200 || len(trials[0].Steps) != e+patience {
		t.Errorf("%d epochs were chosen after %d measurements", e, len(trials[0].Steps))
	}
	base = quick(t, "hybrid")
	var alone, chooseItemPart choose.Trial
	if err := run(context.Background(), &chooseItemPart, few(t), base, nil, 0, nil, nil); err != nil {
		t.Fatal(err)
	}
	base.ItemPart = choose.NoItemPart
	if err := run(context.Background(), &alone, few(t), base, nil, 0, nil, nil); err != nil {
		t.Fatal(err)
	}
	if !(chooseItemPart.NDCG > alone.NDCG) || chooseItemPart.Part == nil || !(chooseItemPart.Part.Gamma > 0) ||
		alone.Part != nil {
		t.Fatalf("NDCG %v with the part %+v, %v alone", chooseItemPart.NDCG, chooseItemPart.Part, alone.NDCG)
	}
	if c, err := SettingsOf(&chooseItemPart, quick(t, "hybrid")); err != nil || c.ItemPart != chooseItemPart.Part.Kind ||
		c.ItemWeight != chooseItemPart.Part.Gamma || c.Validate() != nil {
		t.Errorf("%+v, %v", c, err)
	}
}

// Diverging settings are a bad trial, not the end of the study.
func TestDivergence(t *testing.T) {
	base := quick(t, "best")
	base.Radius = 1e30
	space := Space{{Name: "learn_rate", Values: []string{"0.01", "1e30"}}}
	trials := search(t, base, Options{Trials: 6, Space: space, Seed: 3})
	diverged := 0
	for _, x := range trials {
		if (x.State == choose.Diverged) != (x.Values["learn_rate"] == "1e30") {
			t.Errorf("learning rate %s: %s (%s)", x.Values["learn_rate"], x.State, x.Note)
		}
		if x.State == choose.Diverged {
			diverged++
		}
	}
	if diverged == 0 || Best(trials) == nil || Best(trials).Number != 0 {
		t.Errorf("%d of %d diverged, the best is %+v", diverged, len(trials), Best(trials))
	}
}

func TestSearchStops(t *testing.T) {
	base := quick(t, "best")
	base.Epochs = 1_000_000
	space := Space{{Name: "temperature", Low: 0.5, High: 2}}
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, cancel)
	trials, err := Search(ctx, few(t), base, Options{Trials: 3, Space: space})
	if !errors.Is(err, context.Canceled) || len(trials) != 0 || !strings.Contains(err.Error(), "trial 0") {
		t.Errorf("%d trials, %v", len(trials), err)
	}
	trials, err = Search(context.Background(), few(t), base, Options{Trials: 3, Space: space,
		MaxTime: 50 * time.Millisecond})
	if err != nil || len(trials) != 0 {
		t.Errorf("%d trials, %v", len(trials), err)
	}
	if _, err = Search(context.Background(), few(t), base, Options{Trials: 3}); err == nil {
		t.Error("an empty space was searched")
	}
}

// A journal survives a truncated last line. Other damage and other studies are refused, and the file is not changed.
func TestJournalDamage(t *testing.T) {
	base := quick(t, "best")
	o := Options{Trials: 4, Space: small, Seed: 2}
	path := filepath.Join(t.TempDir(), "trials.jsonl")
	o.Journal = open(t, path, base, o)
	want := plain(search(t, base, o))
	o.Journal.Close()
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(strings.TrimSuffix(string(whole), "\n"), "\n")
	if len(lines) != 5 {
		t.Fatalf("%d lines", len(lines))
	}
	before := len(whole) - len(lines[4]) - 1
	for cut := before; cut < len(whole); cut += 1 + len(lines[4])/7 {
		write(t, path, string(whole[:cut]))
		j := open(t, path, base, o)
		if len(j.Trials) != 3 || j.Cut != (cut > before) {
			t.Fatalf("cut at byte %d: %d trials, cut %t", cut, len(j.Trials), j.Cut)
		}
		o.Journal = j
		if got := plain(search(t, base, o)); !reflect.DeepEqual(got, want) {
			t.Fatalf("cut at byte %d it makes different trials", cut)
		}
		j.Close()
		if n := len(open(t, path, base, o).Trials); n != 4 {
			t.Fatalf("cut at byte %d: %d trials in the end", cut, n)
		}
	}
	other := base
	other.Radius = 7
	for _, c := range []struct {
		name, content string
		header        choose.Header
		want          string
	}{
		{"garbage within", lines[0] + lines[1] + "{\"number\":1,\n" + lines[3] + lines[4] + "\n",
			NewHeader(few(t), base, o), "line 3"},
		{"a line twice", lines[0] + lines[1] + lines[1] + lines[2], NewHeader(few(t), base, o),
			"found trial 0, want trial 1"},
		{"an unknown state", lines[0] + strings.Replace(lines[1], "complete", "perfect", 1) + lines[2],
			NewHeader(few(t), base, o), "line 2"},
		{"a long line", lines[0] + strings.Repeat("x", 1<<20+1) + "\n", NewHeader(few(t), base, o), "line 2"},
		{"another file", "user,item\n1,2\n", NewHeader(few(t), base, o), "is not a journal"},
		{"another file of one line", `{"mine":1}`, NewHeader(few(t), base, o), "is not a journal"},
		{"a word", "mine", NewHeader(few(t), base, o), "is not a journal"},
		{"other settings", string(whole), NewHeader(few(t), other, o), "its other settings differ"},
		{"another seed", string(whole), NewHeader(few(t), base, Options{Space: small, Seed: 3}),
			"its seed is 2, not 3"},
		{"another space", string(whole), NewHeader(few(t), base, Options{Space: small[1:], Seed: 2}), "it varies"},
		{"other data", string(whole), NewHeader(choose.Sample(few(t), 1000), base, o), "its data have"},
	} {
		write(t, path, c.content)
		if _, err := choose.OpenJournal(path, c.header); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
		if left, err := os.ReadFile(path); err != nil || string(left) != c.content {
			t.Errorf("%s: the file was changed", c.name)
		}
	}
	for content, removed := range map[string]bool{string(whole): true, lines[0][:9]: true, "": true, "mine": false,
		`{"mine":1}`: false} {
		write(t, path, content)
		err := choose.RemoveJournal(path)
		if _, left := os.Stat(path); (err == nil) != removed || (left != nil) != removed {
			t.Errorf("%.20q: %v, %v", content, err, left)
		}
	}
	if err := choose.RemoveJournal(filepath.Join(t.TempDir(), "none")); err != nil {
		t.Error(err)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Every space names existing settings with valid values, and contains the preset's own.
func TestSpaces(t *testing.T) {
	for _, preset := range pmlam.Presets {
		space, ok := Spaces[preset.Name]
		if !ok {
			t.Errorf("the preset %s has no space", preset.Name)
		}
		base, err := choose.Preset(preset.Name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range space {
			p := &space[i]
			for _, u := range []float64{0, 0.5, 1} {
				values := map[string]string{p.Name: p.text(p.fromUnit(u))}
				if p.If != "" {
					values[p.If] = p.Only
				}
				c, err := choose.Apply(base, values)
				if err == nil {
					err = c.Validate()
				}
				if err != nil {
					t.Errorf("%s: %v: %v", preset.Name, values, err)
				}
			}
			if p.active(map[string]string{}, &base) {
				if _, ok := p.internal(choose.Value(&base, p.Name)); !ok {
					t.Errorf("%s: the preset's own %s is %s, outside the space", preset.Name, p.Name,
						choose.Value(&base, p.Name))
				}
			}
		}
	}
}

// Fixed settings are in no trial, and settings without effect next to them are not drawn.
func TestPins(t *testing.T) {
	base := quick(t, "best")
	base.Temperature = 0.77
	trials := search(t, base, Options{Trials: 12, Space: small.Without([]string{"temperature", "relations", "loss"},
		&base), Seed: 1})
	for _, x := range trials {
		c, err := choose.Apply(base, x.Values)
		if _, drawn := x.Values["temperature"]; drawn || err != nil || c.Temperature != 0.77 ||
			c.Relations != pmlam.NoRelations {
			t.Errorf("trial %d has %v", x.Number, x.Values)
		}
		if _, drawn := x.Values["relation_weight"]; drawn {
			t.Errorf("trial %d has a weight without relations", x.Number)
		}
	}
	base.Relations, base.RelationWeight = pmlam.FixedRelations, 0.1
	trials = search(t, base, Options{Trials: 2, Space: small.Without([]string{"relations"}, &base), Seed: 1})
	if trials[0].Values["relation_weight"] != "0.1" || trials[1].Values["relation_weight"] == "" {
		t.Errorf("with fixed relations their weight is %q and %q", trials[0].Values["relation_weight"],
			trials[1].Values["relation_weight"])
	}
}

func TestImportances(t *testing.T) {
	space := Space{
		{Name: "matters", Low: 0, High: 1}, {Name: "hump", Low: 0, High: 1}, {Name: "noise", Low: 0, High: 1},
		{Name: "word", Values: []string{"a", "b"}}, {Name: "rare", Low: 0, High: 1},
	}
	var trials []choose.Trial
	for k := range 60 {
		x, y, z := float64(k%10)/10, math.Mod(float64(k)*0.618, 1), math.Mod(float64(k)*0.414, 1)
		w := []string{"a", "b"}[k/3%2]
		v := map[string]string{"matters": number(x), "hump": number(y), "noise": number(z), "word": w}
		if k == 5 {
			v["rare"] = "0.5"
		}
		trials = append(trials, choose.Trial{Number: k, State: choose.Complete, Values: v, NDCG: x - 5*(y-0.5)*(y-0.5)})
	}
	all := Importances(space, trials)
	got := map[string]Importance{}
	for _, m := range all {
		got[m.Name] = m
	}
	if m := got["matters"]; m.Explained < 0.2 || m.Trend < 0.4 {
		t.Errorf("%+v", m)
	}
	if m := got["hump"]; m.Explained < 0.3 || math.Abs(m.Trend) > 0.2 {
		t.Errorf("a hump in the middle: %+v", m)
	}
	if m := got["noise"]; m.Explained > 0.15 {
		t.Errorf("%+v", m)
	}
	if m := got["word"]; m.Explained > 0.15 || !math.IsNaN(m.Trend) {
		t.Errorf("%+v", m)
	}
	if m := got["rare"]; m.Explained != 0 || m.Trials != 1 {
		t.Errorf("%+v", m)
	}
	for i := 1; i < len(all); i++ {
		if all[i].Explained > all[i-1].Explained {
			t.Errorf("not sorted: %v", all)
		}
	}
}

func number(x float64) string { p := Param{Low: 0, High: 1}; return p.text(p.tidy(x)) }

// The picture has a panel for each setting and is complete in both formats, for any number of trials.
func TestPicture(t *testing.T) {
	base := quick(t, "best")
	trials := search(t, base, Options{Trials: 7, Space: small, Seed: 4})
	trials = append(trials, choose.Trial{Number: 7, State: choose.Diverged, Values: trials[0].Values})
	for _, some := range [][]choose.Trial{trials, trials[:1], nil} {
		var b bytes.Buffer
		if err := Picture(&b, "png", small, some); err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		if size := img.Bounds(); size.Dx() < 600 || size.Dy() < 400 {
			t.Errorf("the picture is %v", size)
		}
		b.Reset()
		if err := Picture(&b, "svg", small, some); err != nil {
			t.Fatal(err)
		}
		for _, p := range small {
			if !strings.Contains(b.String(), p.Name) {
				t.Errorf("the picture of %d trials does not name %s", len(some), p.Name)
			}
		}
	}
	if err := Picture(&bytes.Buffer{}, "gif", small, trials); err == nil {
		t.Error("gif was accepted")
	}
}

package main

import (
	"context"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/baseline"
	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/scoring"
)

// evaluate measures the same of the file as train did before writing it.
func TestEvaluateAgreesWithTrain(t *testing.T) {
	data, folder := some(t, 60), t.TempDir()
	for name, args := range map[string][]string{
		"own":      {"--preset", "paper", "--relations", "none", "--with-users"}, // the model's own users
		"composed": {"--with-users"},
		"inferred": nil,                         // users are composed of their items again, exactly
		"prior":    {"--visitor-prior", "1000"}, // the prior is for visitors only
	} {
		out := filepath.Join(folder, name)
		trained := trained(t, append(args, "--data", data, "--fold", "2", "--out", out, "--precision", "float32")...)
		measured := ok(t, "evaluate", "--data", data, "--fold", "2", "--model", out, "--json").object(t)
		for _, key := range []string{"recall@10", "ndcg@10", "recall@20", "ndcg@20"} {
			if a, b := figure(t, trained, key), figure(t, measured, key); math.Abs(a-b) > 0.005*a+1e-9 {
				t.Errorf("%s: %s is %v in training and %v of the file", name, key, a, b)
			}
		}
		if measured["split"] != "fold 2 of 5, seed 1" || figure(t, measured, "users") != figure(t, trained, "users") {
			t.Errorf("%v", measured)
		}
	}
}

// A hybrid without its links has the metrics of the preset best.
func TestEvaluateWithoutTheItemPart(t *testing.T) {
	out := filepath.Join(t.TempDir(), "model")
	common := []string{"--data", some(t, 60), "--fold", "0"}
	quick := append([]string{"train", "--auto=false", "--epochs", "2", "--dim", "4", "--json"}, common...)
	hybrid := ok(t, append(quick, "--preset", "hybrid", "--precision", "float32", "--out", out)...).object(t)
	best := ok(t, append(quick, "--preset", "best")...).object(t)
	o := ok(t, append([]string{"evaluate", "--model", out, "--json"}, common...)...).object(t)
	results := o["results"].([]any)
	if len(results) != 2 || results[1].(map[string]any)["method"] != out+" without its item-item part" {
		t.Fatalf("%v", results)
	}
	with, alone := figure(t, results[0].(map[string]any), "ndcg@20"), figure(t, results[1].(map[string]any), "ndcg@20")
	if want := figure(t, best, "ndcg@20"); alone != want {
		t.Errorf("without the part: NDCG %v, trained %v", alone, want)
	}
	// The file rounds the links' weights.
	if want := figure(t, hybrid, "ndcg@20"); math.Abs(with-want) > 0.02*want || with == alone {
		t.Errorf("with the part: NDCG %v, trained %v, without %v", with, want, alone)
	}
}

// A model with fewer items, in another order, is ranked on the data's items; unknown ones count as missed.
func TestEvaluateOtherItems(t *testing.T) {
	data, folder := some(t, 60), t.TempDir()
	out := filepath.Join(folder, "few")
	few := trained(t, "--data", data, "--fold", "0", "--min-item", "9", "--out", out, "--precision", "float32")
	r := ok(t, "evaluate", "--data", data, "--fold", "0", "--model", out, "--json", "--k", "10,100000")
	if !strings.Contains(r.errors, " items are not in the model ") {
		t.Error(r.errors)
	}
	o := r.object(t)
	if figure(t, o, "items") <= figure(t, few, "items") {
		t.Fatalf("%v items are no more than %v", o["items"], few["items"])
	}
	d, err := dataset.Load(data, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := model.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	// The same by hand: the data's items are matched by id, and unknown ones rank last.
	to, missing := scoring.Numbers(m, d.Items.Strings())
	for i, at := range to {
		if at >= 0 && m.Catalogue.Items[at].ID != d.Items.ID(i) {
			t.Fatalf("item %d became %d", i, at)
		}
	}
	if len(missing) != d.Items.Len()-m.Items.Len() {
		t.Errorf("%d of %d items are missing, the model has %d", len(missing), d.Items.Len(), m.Items.Len())
	}
	e := evaluateRun{Work: cli.Work{App: &cli.App{Out: discard{}, Err: discard{}}}, model: out}
	in := &cli.Input{Dataset: d, Split: d.Fold(5, 0, 1)}
	s, own, err := e.scorer(context.Background(), m, in)
	if err != nil {
		t.Fatal(err)
	}
	if own != 0 {
		t.Errorf("the model keeps %d users", own)
	}
	scores := make([]float32, d.Items.Len())
	s.Score(0, scores)
	for i, v := range scores {
		if known := to[i] >= 0; known == math.IsInf(float64(v), -1) {
			t.Errorf("item %d, known: %t, has the score %v", i, known, v)
		}
	}
	if v := figure(t, o, "recall@100000"); v != 1 {
		t.Errorf("over all items recall is %v", v)
	}
	stranger := command("evaluate", "--data", blocks(t), "--fold", "0", "--model", out)
	if stranger.code != cli.ExitFailed || !strings.Contains(stranger.errors, "knows none of the 28 items of blocks.csv; "+
		"was it trained on other data?") &&
		!strings.Contains(stranger.errors, "knows none of the 28 items of blocks; check that it was trained on these data") {
		t.Errorf("exit code %d, %s", stranger.code, stranger.errors)
	}
}

// Diversity by genres equals its definition with vectors; by the model it is the distance of rows.
func TestDiversity(t *testing.T) {
	d, err := dataset.Load(lens, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	vector := func(i int) map[string]float64 {
		v := map[string]float64{}
		for _, g := range d.Catalogue.Items[i].Genres {
			v[g] = 1
		}
		return v
	}
	by := distance(byGenres, d, nil)
	for i := range 40 {
		for j := range 40 {
			a, b, dot := vector(i), vector(j), 0.0
			for g := range a {
				dot += b[g]
			}
			want := 1 - dot/math.Sqrt(float64(len(a)))/math.Sqrt(float64(len(b)))
			if got := by(int32(i), int32(j)); math.Abs(got-want) > 1e-12 && !(len(a)*len(b) == 0 && got != got) {
				t.Fatalf("items %d and %d: %v, want %v", i, j, got, want)
			}
		}
	}
	m, err := model.ReadFile(shipped)
	if err != nil {
		t.Fatal(err)
	}
	if by = distance(byModel, d, m); by(3, 3) != 0 || !(by(3, 4) > 0) || by(3, 4) != by(4, 3) {
		t.Errorf("%v %v %v", by(3, 3), by(3, 4), by(4, 3))
	}
	o := ok(t, "evaluate", "--data", lens, "--fold", "0", "--baselines", "popularity", "--k", "10", "--json").object(t)
	r := o["results"].([]any)[0].(map[string]any)
	// Everybody gets nearly the same few popular titles.
	if figure(t, r, "gini@10") < .97 || figure(t, r, "aplt@10") != 0 || figure(t, r, "novelty@10") > 3 ||
		figure(t, r, "diversity@10") <= .3 {
		t.Errorf("%v", r)
	}
	if distance(byGenres, &dataset.Dataset{Items: d.Items, Catalogue: &catalogue.Catalogue{}}, nil) != nil {
		t.Error("the shipped model has no genres")
	}
}

type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }

func TestEvaluateBaselines(t *testing.T) {
	o := ok(t, "evaluate", "--data", lens, "--fold", "0", "--baselines", "popularity,itemknn", "--json").object(t)
	results := o["results"].([]any)
	// an earlier implementation's, on another split
	want := map[string][2]float64{"popularity": {.098, .145}, "itemknn": {.183, .239}}
	if len(results) != len(want) {
		t.Fatalf("%v", results)
	}
	for _, x := range results {
		r := x.(map[string]any)
		w := want[r["method"].(string)]
		if got := [2]float64{figure(t, r, "recall@10"), figure(t, r, "ndcg@10")}; math.Abs(got[0]-w[0]) > .02 ||
			math.Abs(got[1]-w[1]) > .02 {
			t.Errorf("%s: %v, expected about %v", r["method"], got, w)
		}
	}
}

// A baseline that cannot be fitted is named in a note and in the error; later ones are measured.
func TestABaselineThatFailsEndsNothing(t *testing.T) {
	r := command("evaluate", "--data", some(t, 60), "--min-item", "3", "--fold", "0", "--baselines",
		"ease:lambda=1e-9,popularity", "--json")
	if r.code != cli.ExitFailed || strings.Count(r.errors, "ease:lambda=1e-9 was not measured: EASE: ") != 2 {
		t.Errorf("exit code %d, %s", r.code, r.errors)
	}
	if results := r.object(t)["results"].([]any); len(results) != 1 {
		t.Errorf("%v", results)
	}
}

// The shipped model states its quality, measured by train --measure on fold 0 of 5 with split seed 1, of the items with
// five likes or more (--test-min-item 5). It must beat item-KNN on that test part, though it ranks twice the items.
func TestShippedModelBeatsItemKNN(t *testing.T) {
	m, err := model.ReadFile(shipped)
	if err != nil {
		t.Fatal(err)
	}
	all, err := dataset.Load(lens, dataset.Options{MinItem: 2})
	if err != nil {
		t.Fatal(err)
	}
	d, err := dataset.Load(lens, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if p := m.Provenance; p.Dataset != all.Name || p.Users != all.Users.Len() ||
		p.Interactions != all.Positives.Len() || m.Items.Len() != all.Items.Len() {
		t.Fatalf("the model is not of the data: %s, %d users, %d items, %d interactions", p.Dataset, p.Users,
			m.Items.Len(), p.Interactions)
	}
	fold := d.Fold(5, 0, 1)
	r, err := eval.Evaluate(context.Background(), baseline.ItemKNN(fold.Train, 50), fold.Train, fold.Test,
		eval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, metric := range []string{eval.Recall, eval.NDCG} {
		for _, k := range eval.DefaultKs {
			key := eval.Key(metric, k)
			knn, _ := r.At(metric, k)
			stated, ok := m.Provenance.Metrics[key]
			t.Logf("%s: %.4f stated in the model, %.4f of item-KNN", key, stated, knn)
			if !ok || stated <= knn {
				t.Errorf("%s: the model states %v, item-KNN has %.4f", key, stated, knn)
			}
		}
	}
}

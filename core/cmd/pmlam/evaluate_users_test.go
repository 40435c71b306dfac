package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
)

// A split by users: the model is trained without the test users and ranks for them as the page does.
func TestEvaluateHeldOutUsers(t *testing.T) {
	data, out := some(t, 80), filepath.Join(t.TempDir(), "model")
	common := []string{"--data", data, "--by-user", "0.2"}
	train := ok(t, append([]string{"train", "--auto=false", "--epochs", "2", "--dim", "4", "--visitor-prior", "3",
		"--precision", "float32", "--out", out, "--json"}, common...)...)
	o := ok(t, append([]string{"evaluate", "--model", out, "--baselines", "popularity,ease:lambda=5,ease:lambda=1e6",
		"--k", "5", "--told", "1,3", "--json"}, common...)...).object(t)
	rows := map[string]map[string]any{}
	for _, r := range o["results"].([]any) {
		r := r.(map[string]any)
		rows[r["method"].(string)] = r
	}
	if len(rows) != 5 || len(o["margins"].([]any)) != 3 {
		t.Fatalf("%v", o)
	}
	chosen := 0
	for _, name := range []string{"ease:lambda=5", "ease:lambda=1e6"} {
		if rows[name]["told"] != nil {
			chosen++
		}
	}
	if chosen != 1 {
		t.Errorf("%d settings of EASE are measured on the test users, want the best on the validation users", chosen)
	}

	// The same by hand, from the page's own lists.
	d, err := dataset.Load(data, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	split := d.ByUser(0.2, 1)
	m, err := model.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if trained := figure(t, train.object(t), "trained_interactions"); int(trained) != split.Train.Len() {
		t.Errorf("trained on %v likes, want %d", trained, split.Train.Len())
	}
	r, err := recommend.Open(m, recommend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	number := map[string]int{}
	for i := range m.Catalogue.Items {
		number[m.Catalogue.Items[i].ID] = i
	}
	users, hits := 0, 0.0
	for u := range split.Test.Test.Rows() {
		wanted := split.Test.Test.Row(u)
		if len(wanted) == 0 {
			continue
		}
		users++
		var v recommend.Visit
		for _, i := range split.Test.Train.Row(u) {
			v.Likes = append(v.Likes, number[d.Items.ID(int(i))])
		}
		for _, s := range r.Recommend(v, r.Taste(v, nil), recommend.Request{K: 5}) {
			i, _ := d.Items.Index(m.Catalogue.Items[s.Item].ID)
			if slices.Contains(wanted, int32(i)) {
				hits += 1 / float64(len(wanted))
			}
		}
	}
	if got := figure(t, rows[out], "recall@5"); users == 0 || abs(got-hits/float64(users)) > 1e-6 {
		t.Errorf("recall@5 is %v, the page's lists have %v", got, hits/float64(users))
	}
	if r := command("evaluate", "--data", blocks(t), "--by-user", "0.01", "--baselines", "ease"); r.code == 0 ||
		!strings.Contains(r.errors, "there must be some of both") {
		t.Errorf("a split without test users: %s", r.errors)
	}
}

func abs(x float64) float64 { return max(x, -x) }

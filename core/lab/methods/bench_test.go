package methods

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/pmlam/pmlam/core/baseline"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
)

// measure fits and measures a method on a split.
func measure(b *testing.B, spec string, s dataset.Split, o eval.Options) *eval.Report {
	b.Helper()
	scorer, err := baseline.New(b.Context(), spec, s.Train, 0)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(b.Elapsed().Seconds(), "s-to-fit")
	r, err := eval.Evaluate(b.Context(), scorer, s.Train, s.Test, o)
	if err != nil {
		b.Fatal(err)
	}
	return r
}

// The defaults are chosen on a quarter of the training part, never on the test part. Run it to see the choice behind
// them:
//
//	go test -run '^$' -bench Settings -benchtime 1x -v ./methods
func BenchmarkSettingsOnMovieLens(b *testing.B) {
	d, err := dataset.Load("../../../assets/data/ml-latest-small", dataset.Options{})
	if err != nil {
		b.Fatal(err)
	}
	inner := dataset.HoldOut(d.Fold(5, 0, 1).Train, .25, 1)
	var specs []string
	for _, lambda := range []float64{50, 100, 200, 400, 800} {
		specs = append(specs, fmt.Sprintf("ease:lambda=%g", lambda))
	}
	for _, k := range []int{20, 50, 100, 200} {
		specs = append(specs, fmt.Sprintf("itemknn:neighbours=%d", k), fmt.Sprintf("userknn:neighbours=%d", k))
	}
	for _, alpha := range []float64{.6, .8, 1, 1.2} {
		for _, beta := range []float64{0, .2, .4, .6} {
			specs = append(specs, fmt.Sprintf("rp3beta:alpha=%g:beta=%g", alpha, beta))
		}
	}
	for _, unobserved := range []float64{.03, .1, .3, 1} {
		for _, lambda := range []float64{.003, .01, .03, .1} {
			specs = append(specs, fmt.Sprintf("ials:unobserved=%g:lambda=%g", unobserved, lambda))
		}
	}
	for b.Loop() {
		for _, spec := range specs {
			b.Logf("%s on the validation part:\n%s", spec, measure(b, spec, inner, eval.Options{}))
		}
	}
}

// BenchmarkEASEOnGowalla takes 7 GB and some ten minutes. Published with λ = 80: Recall@20 .1765, NDCG@20 .1467.
//
//	PMLAM_DATA=… go test -run '^$' -bench EASEOnGowalla -benchtime 1x -timeout 1h -v ./methods
func BenchmarkEASEOnGowalla(b *testing.B) {
	for b.Loop() {
		benchmarkGowalla(b, "ease:lambda=80")
	}
}

// BenchmarkItemItemOnGowalla takes a minute. Published for an item-based method with settings unknown: Recall@20 .1570,
// NDCG@20 .1214.
func BenchmarkItemItemOnGowalla(b *testing.B) {
	for _, name := range []string{"itemknn", "weighted"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				benchmarkGowalla(b, name)
			}
		})
	}
}

func benchmarkGowalla(b *testing.B, spec string) {
	folder := os.Getenv("PMLAM_DATA")
	if folder == "" {
		b.Skip("SKIPPED: PMLAM_DATA does not name the folder with the data sets")
	}
	_, split, err := dataset.LoadFixed(filepath.Join(folder, "gowalla-lightgcn"), "", dataset.Options{})
	if err != nil {
		b.Fatal(err)
	}
	r := measure(b, spec, split, eval.Options{Ks: []int{20}})
	b.ReportMetric(r.Recall[0], "recall@20")
	b.ReportMetric(r.NDCG[0], "ndcg@20")
	b.Logf("%s:\n%s", spec, r)
}

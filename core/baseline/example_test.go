package baseline_test

import (
	"context"
	"fmt"
	"log"

	"github.com/pmlam/pmlam/core/baseline"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
)

// Two plain methods, measured on a fifth of each user's likes.
func ExampleNew() {
	d, err := dataset.Load("../../assets/data/ml-latest-small", dataset.Options{MinUser: 60, MinItem: 20})
	if err != nil {
		log.Fatal(err)
	}
	fold := d.Fold(5, 0, 1)
	for _, spec := range []string{"popularity", "ease:lambda=80"} {
		s, err := baseline.New(context.Background(), spec, fold.Train, 0)
		if err != nil {
			log.Fatal(err)
		}
		report, err := eval.Evaluate(context.Background(), s, fold.Train, fold.Test, eval.Options{})
		if err != nil {
			log.Fatal(err)
		}
		ndcg, _ := report.At(eval.NDCG, 10)
		fmt.Printf("%s: NDCG@10 %.2f\n", spec, ndcg)
	}
	// Output:
	// popularity: NDCG@10 0.32
	// ease:lambda=80: NDCG@10 0.42
}

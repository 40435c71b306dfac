package eval_test

import (
	"context"
	"fmt"
	"log"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/scoring"
)

// The quality of a model file on data of which a fifth of the likes is held out. The example's model has learned from
// every like, so its result is too good; train.Options.Split withholds the test part.
func ExampleEvaluate() {
	m, err := model.ReadFile("../../assets/models/movielens.msgpack")
	if err != nil {
		log.Fatal(err)
	}
	d, err := dataset.Load("../../assets/data/ml-latest-small", dataset.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fold := d.Fold(5, 0, 1)
	s, err := scoring.New(context.Background(), m, d.Users.Strings(), d.Items.Strings(), fold.Train, 0)
	if err != nil {
		log.Fatal(err)
	}
	report, err := eval.Evaluate(context.Background(), s, fold.Train, fold.Test, eval.Options{Ks: []int{10}})
	if err != nil {
		log.Fatal(err)
	}
	recall, _ := report.At(eval.Recall, 10)
	fmt.Printf("Recall@10 of %d people: %.2f\n", report.Users, recall)
	// Output: Recall@10 of 563 people: 0.28
}

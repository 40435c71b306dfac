package coldstart_test

import (
	"context"
	"fmt"
	"log"

	"github.com/pmlam/pmlam/core/coldstart"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/model"
)

// Films of the catalogue without ratings enter the model by their genres and titles.
func ExampleAdd() {
	m, err := model.ReadFile("../../assets/models/movielens.msgpack")
	if err != nil {
		log.Fatal(err)
	}
	films, _, err := dataset.LoadCatalogue("../../assets/data/ml-latest-small", dataset.Options{})
	if err != nil {
		log.Fatal(err)
	}
	with, report, err := coldstart.Add(context.Background(), m, coldstart.Items{Catalogue: films}, 0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d items, %d of them new\n", with.Items.Len(), report.Added)
	// It takes some seconds, and prints: 9741 items, 6033 of them new
}

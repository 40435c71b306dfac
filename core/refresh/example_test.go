package refresh_test

import (
	"context"
	"fmt"
	"log"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/refresh"
)

// A model of some of the films is updated with data about more of them.
func ExampleRefresh() {
	older, err := model.ReadFile("../../assets/models/movielens.msgpack")
	if err != nil {
		log.Fatal(err)
	}
	newer, err := dataset.Load("../../assets/data/ml-latest-small", dataset.Options{MinItem: -1})
	if err != nil {
		log.Fatal(err)
	}
	m, report, err := refresh.Refresh(context.Background(), older, newer, refresh.Options{Epochs: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d items: %d new, %d trained again, %d unchanged\n", m.Items.Len(), report.New, report.Moved,
		report.Kept)
	// Output: 6296 items: 2588 new, 37 trained again, 3671 unchanged
}

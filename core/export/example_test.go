package export_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/pmlam/pmlam/core/export"
	"github.com/pmlam/pmlam/core/model"
)

// Export the items' vectors for NumPy, ready for any nearest-neighbour index with Euclidean distance.
func ExampleWrite() {
	m, err := model.ReadFile("../../assets/models/movielens.msgpack")
	if err != nil {
		log.Fatal(err)
	}
	v := export.Vectors{Name: "items", Rows: m.Items}
	for _, it := range m.Catalogue.Items {
		v.IDs, v.Titles = append(v.IDs, it.ID), append(v.Titles, it.Title)
	}
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	paths, err := export.Write(folder, v, "npy")
	if err != nil {
		log.Fatal(err)
	}
	for _, path := range paths {
		fmt.Println(filepath.Base(path))
	}
	// Output:
	// items.npy
	// items.ids.csv
}

package model_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/pmlam/pmlam/core/model"
)

// The provenance of a model file. Writing it again gives the same bytes.
func ExampleReadFile() {
	m, err := model.ReadFile("../../assets/models/movielens.msgpack")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s: %d items in %d dimensions, learned from %d people\n", m.Provenance.Dataset, m.Items.Len(),
		m.Items.Dim(), m.Provenance.Users)
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "again.msgpack")
	if err := model.WriteFile(path, m); err != nil {
		log.Fatal(err)
	}
	again, err := model.ReadFile(path)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("the same bytes:", again.Digest == m.Digest)
	// Output:
	// MovieLens latest small: 3708 items in 50 dimensions, learned from 570 people
	// the same bytes: true
}

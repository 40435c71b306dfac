package dataset_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/pmlam/pmlam/core/dataset"
)

// Ratings from a CSV file. The columns are detected, and Report.Readings describes them.
func ExampleLoad() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "ratings.csv")
	const ratings = "user,item,rating\nann,alien,5\nann,heat,2\nbob,alien,4\nbob,heat,5\nbob,brazil,4.5\n"
	if err := os.WriteFile(path, []byte(ratings), 0o644); err != nil {
		log.Fatal(err)
	}
	d, err := dataset.Load(path, dataset.Options{MinUser: -1, MinItem: -1}) // the usual minima are 10 and 5
	if err != nil {
		log.Fatal(err)
	}
	for u := range d.Users.Len() {
		fmt.Print(d.Users.ID(u), " likes")
		for _, i := range d.Positives.Row(u) {
			fmt.Print(" ", d.Items.ID(int(i)))
		}
		fmt.Println()
	}
	// Output:
	// ann likes alien
	// bob likes alien heat brazil
}

// Command ways measures the modes of a list on people left out of the trainings.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/lab/modes"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/train/choose"
)

func main() {
	data := flag.String("data", "assets/data/ml-latest-small", "file or folder with the ratings")
	as := flag.String("as", "assets/models/movielens.msgpack", "model with the settings for the trainings")
	keep := flag.String("keep", "build/measure/ways", "folder of trained models; existing ones are used")
	flag.Parse()
	if err := run(*data, *as, *keep); err != nil {
		fmt.Fprintln(os.Stderr, "ways:", err)
		os.Exit(1)
	}
}

func run(data, as, keep string) error {
	d, err := dataset.Load(data, dataset.Options{MinItem: 2})
	if err != nil {
		return err
	}
	shipped, err := model.ReadFile(as)
	if err != nil {
		return err
	}
	var cfg choose.Settings
	if err := json.Unmarshal([]byte(shipped.Provenance.Config), &cfg); err != nil {
		return fmt.Errorf("%s has no settings of its training: %w", as, err)
	}
	if err := os.MkdirAll(keep, 0o755); err != nil {
		return err
	}
	cases, err := modes.Cases(context.Background(), d, cfg, keep, func(what string) {
		fmt.Fprintln(os.Stderr, "training", what)
	})
	if err != nil {
		return err
	}
	// Choices were made on the first half.
	for k, name := range []string{"The choosing people", "The reported people"} {
		tables, err := modes.Measure(cases[k*len(cases)/2 : (k+1)*len(cases)/2])
		if err != nil {
			return err
		}
		fmt.Printf("%s:\n\n%s\n", name, tables)
	}
	return nil
}

// Command cold measures items without ratings: a tenth of a data set's items is hidden from a training, then added by
// content.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pmlam/pmlam/core/coldstart"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/lab/cold"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/train/choose"
)

func main() {
	data := flag.String("data", "assets/data/ml-latest-small", "folder with the ratings and the catalogue")
	tags := flag.Int("tags", 20, "tags used per item, if there is a tags.csv")
	draws := flag.Int("draws", 3, "draws of hidden items")
	keep := flag.String("keep", "build/measure/cold", "folder of trained models; existing ones are used")
	flag.Parse()
	if err := run(*data, *keep, *tags, *draws); err != nil {
		fmt.Fprintln(os.Stderr, "cold:", err)
		os.Exit(1)
	}
}

func run(data, keep string, tags, draws int) error {
	ctx := context.Background()
	d, err := dataset.Load(data, dataset.Options{Tags: tags})
	if err != nil {
		return err
	}
	cfg, err := choose.Preset(pmlam.DefaultPreset)
	if err != nil {
		return err
	}
	cfg.Auto = false
	var all []*cold.Figures
	for seed := range draws {
		folder := filepath.Join(keep, fmt.Sprintf("%s-%d-%d", filepath.Base(data), tags, seed+1))
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
		c, err := cold.Hide(ctx, d, 0.1, uint64(seed+1), cfg, folder, func(what string) {
			fmt.Fprintln(os.Stderr, "training", folder, what)
		})
		if err != nil {
			return err
		}
		f, err := c.Measure(ctx, coldstart.Items{Catalogue: d.Catalogue})
		if err != nil {
			return err
		}
		all = append(all, f)
	}
	name := d.Name
	if tags == 0 {
		name += ", without tags"
	}
	fmt.Println(cold.Table(name, all))
	return nil
}

// Command margins plots the margins of a training, as printed and with preset adaptive: the picture of docs/paper.md,
// and its numbers as margins.csv.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/lab/margins"
	"github.com/pmlam/pmlam/core/pmlam"
)

func main() {
	data := flag.String("data", "assets/data/ml-latest-small", "file or folder with the interactions; without fold 0")
	out := flag.String("out", "build/measure/margins", "folder of the picture and of its numbers")
	epochs := flag.Int("epochs", 60, "epochs of each training")
	workers := flag.Int("workers", 0, "cores to use; 0: all")
	flag.Parse()
	if err := run(*data, *out, *epochs, *workers); err != nil {
		fmt.Fprintln(os.Stderr, "margins:", err)
		os.Exit(1)
	}
}

func run(data, out string, epochs, workers int) error {
	d, err := dataset.Load(data, dataset.Options{})
	if err != nil {
		return err
	}
	var courses []margins.Course
	for _, preset := range []struct{ name, title string }{{"paper", "as printed"}, {"adaptive", "adaptive"}} {
		c, err := pmlam.Preset(preset.name)
		if err != nil {
			return err
		}
		// The compared trainings are otherwise equal.
		c.Relations, c.Batch, c.Epochs, c.Validation, c.Every = pmlam.NoRelations, 1000, epochs, 0.1, 10
		course, err := margins.Follow(context.Background(), preset.title, d.Fold(5, 0, 1).Train, c, workers)
		if err != nil {
			return fmt.Errorf("%s: %w", preset.title, err)
		}
		courses = append(courses, course)
	}
	picture := margins.Picture("margins", courses)
	if _, err := picture.Write(out); err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(out, "margins.csv"))
	if err != nil {
		return err
	}
	defer f.Close()
	if err := margins.WriteCSV(f, courses); err != nil {
		return err
	}
	return f.Close()
}

package main

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/train"
)

// A program that trains from a file by the packages, with no option at all, writes the bytes that the command writes
// without flags.
func TestTheFrontDoorGivesTheSameBytes(t *testing.T) {
	folder := t.TempDir()
	ratings := filepath.Join(some(t, 60), "ratings.csv")
	d, err := dataset.Load(ratings, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, report, err := train.Run(t.Context(), d, train.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Trials) < 5 || m.ItemItem == nil || m.Calibration == nil || len(m.Map.Regions) == 0 {
		t.Errorf("%d trials, links %v, calibration %v, map %+v", len(report.Trials), m.ItemItem, m.Calibration, m.Map)
	}
	mine, theirs := filepath.Join(folder, "mine"), filepath.Join(folder, "theirs")
	if err := model.WriteFile(mine, m); err != nil {
		t.Fatal(err)
	}
	ok(t, "train", "--data", ratings, "--out", theirs)
	if !bytes.Equal(read(t, mine), read(t, theirs)) {
		t.Error("train.Run and pmlam train make different models")
	}
}

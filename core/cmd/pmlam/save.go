package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pmlam/pmlam/core/content"
	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/pmlam"
)

// stoppedSuffix ends the name of a model that was not trained to its end, where --out already exists.
const stoppedSuffix = ".stopped"

// stoppedPath returns where the model of an unfinished training is written: to --out where no file exists or --replace
// is given, else beside the existing file, which may be a good model that a site serves.
func (t *trainRun) stoppedPath() string {
	if _, err := os.Lstat(t.out); t.replace || errors.Is(err, fs.ErrNotExist) {
		return t.out
	}
	return t.out + stoppedSuffix
}

// writable checks that the model can be written, to --out and to stoppedPath.
func (t *trainRun) writable() error {
	if err := writable(t.out); err != nil || t.stoppedPath() == t.out {
		return err
	}
	return writable(t.stoppedPath())
}

// writable checks that a model can be written. An existing file must be a model: a mistyped name must not overwrite
// other data.
func writable(path string) error {
	if err := replaceable("the model", path); err != nil {
		return err
	}
	var have *model.Error
	if _, err := model.ReadFile(path); errors.As(err, &have) && (have.Reason == model.NotAModel ||
		have.Reason == model.TooLarge) {
		return fmt.Errorf("the model cannot be written to %s: there is a file that is not a model, and it is not "+
			"overwritten; remove it, or give another name", path)
	}
	return nil
}

// replaceable checks that a file can be written, by writing a temporary one beside it, so that a long run does not end
// with an error that could have been reported before. what is what the file is to hold.
func replaceable(what, path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s cannot be written to %s: it is not a regular file", what, path)
	}
	folder := filepath.Dir(path)
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return fmt.Errorf("%s cannot be written to %s: there is no folder %s", what, path, folder)
	}
	f, err := os.CreateTemp(folder, ".pmlam.*.tmp")
	if err != nil {
		return fmt.Errorf("%s cannot be written to %s: %w", what, path, err)
	}
	f.Close()
	return os.Remove(f.Name())
}

// save writes the model of what was learned and returns its path. ended is what ended the training early, nil where
// nothing did; it is returned, or else what ended the calibration or kept the model from being written. cfg becomes the
// settings that the model has: the calibration chooses the visitors' prior.
func (t *trainRun) save(ctx context.Context, l *trainedModel, in *cli.Input, cfg *pmlam.Config,
	ended error) (path string,
	err error) {
	m, err := t.buildModel(l, in, *cfg)
	if err == nil && ended == nil {
		laidOut := t.TimePart(layingOut)
		ended = layOut(&t.Work, ctx, m)
		laidOut()
	}
	if err == nil && ended == nil {
		// After Ctrl-C the model is written without a calibration, and with a plain map.
		calibrated := t.TimePart(calibrating)
		m.Calibration, ended = t.calibration(ctx, m, in, l, cfg)
		if calibrated(); !cfg.Calibrate {
			delete(t.Parts, calibrating)
		}
	}
	if err == nil && ended == nil && t.coldItems {
		m, ended = t.withColdItems(ctx, m, in)
	}
	path = t.out
	if ended != nil {
		path = t.stoppedPath()
	}
	if err == nil {
		err = t.write(path, l, m)
	}
	switch {
	case err != nil && ended != nil:
		return "", fmt.Errorf("what was learned cannot be kept (%v): %w", err, ended)
	case err != nil:
		return "", err
	}
	if path != t.out {
		t.Notef("%s is as it was: what this training had learned is in %s (--replace puts it in its place)", t.out,
			path)
	}
	return path, ended
}

// buildModel makes the model of what was learned.
func (t *trainRun) buildModel(l *trainedModel, in *cli.Input, cfg pmlam.Config) (*model.Model, error) {
	precision, err := model.ParsePrecision(t.precision)
	if err != nil {
		return nil, err
	}
	return l.Model(in.LearnedFrom(l.train), pmlam.Export{
		Config: cfg, Precision: precision, WithUsers: t.withUsers, Metrics: l.metrics, Program: cli.Version,
		ItemItem: l.part,
	})
}

// withColdItems returns the model with the items of the catalogue that it has not learned. It works on what the file
// would hold, so that it is what add-items makes of that file. Where nothing is to be added, or it cannot be, m is
// returned, with the error.
func (t *trainRun) withColdItems(ctx context.Context, m *model.Model, in *cli.Input) (*model.Model, error) {
	if in.Read.Others == 0 {
		t.Notef("there are no items to add: people like all that the catalogue describes, or there is none")
		return m, nil
	}
	kept, err := asFile(m)
	if err != nil {
		return m, err
	}
	about, err := loadItems(in.Read.Titles, in.Options.Columns.Title)
	if err != nil {
		return m, err
	}
	with, r, err := content.Add(ctx, kept, about, t.Workers)
	if err != nil {
		return m, fmt.Errorf("the items that nobody likes are not in the model: %w", err)
	}
	t.cold = r
	noteColumns(t.Work.App, m, about.Catalogue)
	t.Printf("%s", addedLines(r))
	return with, nil
}

// write writes the model file.
func (t *trainRun) write(path string, l *trainedModel, m *model.Model) error {
	if err := model.WriteFile(path, m); err != nil {
		return err
	}
	state := fmt.Sprintf("after epoch %d", l.Epoch)
	if l.Batches > 0 {
		state = fmt.Sprintf("in epoch %d, after %d of its batches", l.Epoch+1, l.Batches)
	}
	t.Printf("wrote %s: the state %s, learned from %d interactions\n", path, state, l.train.Len())
	return nil
}

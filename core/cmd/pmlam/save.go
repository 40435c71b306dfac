package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/train"
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
	if err := cli.Replaceable("the model", path); err != nil {
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

// save writes the model and returns its path. ended is what ended the training or the calibration early, nil where
// nothing did; it is returned, or else what kept the model from being written.
func (t *trainRun) save(m *model.Model, r *train.Report, ended error) (path string, err error) {
	path = t.out
	if ended != nil {
		path = t.stoppedPath()
	}
	switch err := model.WriteFile(path, m); {
	case err != nil && ended != nil:
		return "", fmt.Errorf("what was learned cannot be kept (%v): %w", err, ended)
	case err != nil:
		return "", err
	}
	state := fmt.Sprintf("after epoch %d", r.BestEpoch)
	if r.Batches > 0 {
		state = fmt.Sprintf("in epoch %d, after %d of its batches", r.BestEpoch+1, r.Batches)
	}
	t.Printf("wrote %s: the state %s, learned from %d interactions\n", path, state, r.Trained)
	if path != t.out {
		t.Notef("%s is as it was: what this training had learned is in %s (--replace puts it in its place)", t.out,
			path)
	}
	return path, ended
}

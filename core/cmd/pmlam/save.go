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

// stoppedSuffix ends the name of an unfinished model if --out already exists.
const stoppedSuffix = ".stopped"

// stoppedPath returns the path of an unfinished training's model: --out if no file exists there or --replace is given,
// else a path next to it, because the existing model may be in use by a site.
func (t *trainRun) stoppedPath() string {
	if _, err := os.Lstat(t.out); t.replace || errors.Is(err, fs.ErrNotExist) {
		return t.out
	}
	return t.out + stoppedSuffix
}

// writable checks that models can be written to --out and to stoppedPath.
func (t *trainRun) writable() error {
	if err := writable(t.out); err != nil || t.stoppedPath() == t.out {
		return err
	}
	return writable(t.stoppedPath())
}

// writable checks that a model can be written. An existing file must be a model, so that a mistyped name does not
// overwrite other data.
func writable(path string) error {
	if err := cli.Replaceable("the model", path); err != nil {
		return err
	}
	var have *model.Error
	if _, err := model.ReadFile(path); errors.As(err, &have) && (have.Reason == model.NotAModel ||
		have.Reason == model.TooLarge) {
		return fmt.Errorf("the model cannot be written to %s: the file exists and is not a model; remove it, or "+
			"pass another name", path)
	}
	return nil
}

// save writes the model and returns its path. ended is the reason for an early end of the training or calibration, or
// nil; it is returned unless writing fails.
func (t *trainRun) save(m *model.Model, r *train.Report, ended error) (path string, err error) {
	path = t.out
	if ended != nil {
		path = t.stoppedPath()
	}
	switch err := model.WriteFile(path, m); {
	case err != nil && ended != nil:
		return "", fmt.Errorf("the unfinished model cannot be written (%v): %w", err, ended)
	case err != nil:
		return "", err
	}
	state := fmt.Sprintf("after epoch %d", r.BestEpoch)
	if r.Batches > 0 {
		state = fmt.Sprintf("in epoch %d, after %d of its batches", r.BestEpoch+1, r.Batches)
	}
	t.Printf("wrote %s: the state %s, learned from %d interactions\n", path, state, r.Trained)
	if path != t.out {
		t.Notef("%s is unchanged; this training's model is in %s (--replace overwrites %[1]s)", t.out,
			path)
	}
	return path, ended
}

package reproduce

import (
	"errors"
	"path/filepath"
	"strings"
	"time"

	"github.com/pmlam/pmlam/core/internal/durable"
	"github.com/pmlam/pmlam/core/training"
)

// checkpointEvery is the time between checkpoints of a training. A training stopped by its context writes a last one.
const checkpointEvery = time.Minute

// checkpointFolder is the folder of the store with the checkpoints of an unfinished training, from which it continues
// and ends with the same bits.
type checkpointFolder struct {
	fs     durable.FS
	folder string
	fresh  bool    // the checkpoints are of no use
	before float64 // seconds of its epochs before it was interrupted
}

// keep restores a training from its checkpoints, if any, and makes it write new ones. The error is a failed write to
// the store, or a *training.CheckpointError.
func (w job) keep(l *training.Loop) error {
	if w.kept == nil {
		return nil
	}
	_, err := l.Keep(training.Checkpoints{Folder: w.kept.folder, Every: checkpointEvery, Fresh: w.kept.fresh,
		FS: w.kept.fs})
	switch {
	case errors.As(err, new(*training.CheckpointError)):
		return err
	case err != nil:
		return errors.Join(errStore, err)
	}
	for _, e := range l.History() {
		w.kept.before += e.Seconds
	}
	return nil
}

// train calls f, which trains once, with a job that keeps checkpoints in the store under the name of the result.
// Unusable checkpoints are ignored. It returns the seconds of the training, including earlier runs.
func (s unitStore) train(w job, name string, f func(w job) error) (seconds float64, err error) {
	if s.folder != "" {
		w.kept = &checkpointFolder{fs: s.fs, folder: filepath.Join(s.folder, "under-way-"+name)}
	}
	began := time.Now()
	if err = f(w); errors.As(err, new(*training.CheckpointError)) {
		w.kept.fresh = true
		err = f(w)
	}
	seconds = time.Since(began).Seconds()
	if w.kept != nil {
		seconds += w.kept.before
	}
	return seconds, err
}

// ended removes the checkpoints of a training whose result is stored. It leaves other files and files that cannot be
// removed.
func (s unitStore) ended(name string) {
	if s.folder == "" {
		return
	}
	folder := filepath.Join(s.folder, "under-way-"+name)
	names, err := s.fs.List(folder)
	if err != nil || len(names) == 0 {
		return
	}
	for _, file := range names {
		if strings.HasPrefix(file, "checkpoint-") || strings.HasPrefix(file, ".checkpoint-") {
			s.fs.Remove(filepath.Join(folder, file))
		}
	}
	s.fs.Remove(folder)
}

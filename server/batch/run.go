package batch

import (
	"context"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/gofrs/flock"
)

// Runner runs a pipeline to completion, such as beamx.Run.
type Runner func(context.Context, *beam.Pipeline) error

// Unfinished is the suffix of a run's work folder. A failed run leaves it behind, with its counts and quarantined
// lines. The next run to the same place first removes the files of the failed one. A folder of this name without mark
// belongs to somebody else and stays.
const Unfinished = ".unfinished"

// mark is an empty file in such a folder, with which a run locks out others.
const mark = ".pmlam-batch"

// target is a folder that appears atomically.
type target struct {
	path string // its final path
	work string // files passed between the run's jobs
	out  string // the future folder

	claim *flock.Flock
}

// newTarget creates the work folders. path must not exist, and no other run may be writing it.
func newTarget(path string) (*target, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if _, err := os.Lstat(path); err == nil {
		return nil, fmt.Errorf("%s exists; remove it, or choose another output folder",
			path)
	} else if !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("cannot write %s: %w", path, err)
	}
	within := path + Unfinished
	t := &target{path: path, work: filepath.Join(within, "work"), out: filepath.Join(within, "out"),
		claim: flock.New(filepath.Join(within, mark))}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("cannot write %s: %w", path, err)
	}
	switch err := os.Mkdir(within, 0o755); {
	case errors.Is(err, os.ErrExist):
		if info, err := os.Lstat(t.claim.Path()); err != nil || !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s exists, but does not belong to a run: move it away, or choose another output "+
				"folder", within)
		}
	case err != nil:
		return nil, fmt.Errorf("cannot write %s: %w", path, err)
	}
	// A file system without locks cannot lock out others.
	if taken, err := t.claim.TryLock(); err == nil && !taken {
		return nil, fmt.Errorf("another run is writing %s: wait until it has ended, or choose another output folder",
			path)
	}
	for _, folder := range []string{t.work, t.out} {
		err := os.RemoveAll(folder)
		if err == nil {
			err = os.Mkdir(folder, 0o755)
		}
		if err != nil {
			t.close()
			return nil, fmt.Errorf("cannot write %s: %w", path, err)
		}
	}
	return t, nil
}

// finish moves the folder to its final path.
func (t *target) finish() error {
	if err := os.Rename(t.out, t.path); err != nil {
		return fmt.Errorf("cannot write %s: %w", t.path, err)
	}
	t.close()
	err := errors.Join(os.RemoveAll(t.work), os.Remove(t.claim.Path()))
	os.Remove(t.path + Unfinished) // if it is empty
	return err
}

// close lets other runs write there. It may be called after finish.
func (t *target) close() { t.claim.Close() }

// writeFile writes a file atomically, under another name first: a worker that dies leaves no partial file, and one that
// repeats the work replaces it by the same bytes.
func writeFile(path string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	err = write(f)
	if err == nil {
		err = f.Chmod(0o644)
	}
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	return nil
}

func writeGob(path string, value any) error {
	return writeFile(path, func(w io.Writer) error { return gob.NewEncoder(w).Encode(value) })
}

func readGob(path string, value any) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := gob.NewDecoder(f).Decode(value); err != nil {
		return fmt.Errorf("cannot read %s: %w", path, err)
	}
	return nil
}

func writeJSON(path string, value any) error {
	return writeFile(path, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "\t")
		return e.Encode(value)
	})
}

// job runs one pipeline. why describes it in errors.
func (r Runner) job(ctx context.Context, why string, build func(beam.Scope)) error {
	p, s := beam.NewPipelineWithRoot()
	build(s)
	if err := r(ctx, p); err != nil {
		return fmt.Errorf("%s: %w", why, err)
	}
	return ctx.Err()
}

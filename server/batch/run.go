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

// Runner runs a pipeline to its end: beamx.Run, for one.
type Runner func(context.Context, *beam.Pipeline) error

// Unfinished is behind the name of the folder in which a run works. A run that failed leaves it, with what it counted
// and quarantined; the next run to the same place begins by removing what the failed one wrote. A folder of this name
// without mark is not of a run, and stays.
const Unfinished = ".unfinished"

// mark is an empty file in such a folder, by which a run keeps others out.
const mark = ".pmlam-batch"

// target is a folder that appears whole or not at all.
type target struct {
	path string // where it appears
	work string // what the jobs of the run pass to each other
	out  string // what will be the folder

	claim *flock.Flock
}

// newTarget makes the folders to work in. There must be nothing at path, and no other run may write it.
func newTarget(path string) (*target, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if _, err := os.Lstat(path); err == nil {
		return nil, fmt.Errorf("%s exists; remove it, or name another folder to write to", path)
	} else if !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s cannot be written: %w", path, err)
	}
	within := path + Unfinished
	t := &target{path: path, work: filepath.Join(within, "work"), out: filepath.Join(within, "out"),
		claim: flock.New(filepath.Join(within, mark))}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("%s cannot be written: %w", path, err)
	}
	switch err := os.Mkdir(within, 0o755); {
	case errors.Is(err, os.ErrExist):
		if info, err := os.Lstat(t.claim.Path()); err != nil || !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s exists, and no run has left it: move it away, or name another folder to write "+
				"to", within)
		}
	case err != nil:
		return nil, fmt.Errorf("%s cannot be written: %w", path, err)
	}
	// A file system without locks keeps nobody out.
	if taken, err := t.claim.TryLock(); err == nil && !taken {
		return nil, fmt.Errorf("another run writes %s: wait until it has ended, or name another folder to write to",
			path)
	}
	for _, folder := range []string{t.work, t.out} {
		err := os.RemoveAll(folder)
		if err == nil {
			err = os.Mkdir(folder, 0o755)
		}
		if err != nil {
			t.close()
			return nil, fmt.Errorf("%s cannot be written: %w", path, err)
		}
	}
	return t, nil
}

// finish lets the folder appear.
func (t *target) finish() error {
	if err := os.Rename(t.out, t.path); err != nil {
		return fmt.Errorf("%s cannot be written: %w", t.path, err)
	}
	t.close()
	err := errors.Join(os.RemoveAll(t.work), os.Remove(t.claim.Path()))
	os.Remove(t.path + Unfinished) // where it holds nothing else
	return err
}

// close lets other runs write there. It may be called after finish.
func (t *target) close() { t.claim.Close() }

// writeFile writes a file whole: under another name first, so that a worker that dies leaves nothing under this one,
// and one that does the same work again puts the same bytes in its place.
func writeFile(path string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", path, err)
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
		return fmt.Errorf("%s cannot be written: %w", path, err)
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
		return fmt.Errorf("%s cannot be read: %w", path, err)
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

// job runs one pipeline. why says in the error what it was for.
func (r Runner) job(ctx context.Context, why string, build func(beam.Scope)) error {
	p, s := beam.NewPipelineWithRoot()
	build(s)
	if err := r(ctx, p); err != nil {
		return fmt.Errorf("%s: %w", why, err)
	}
	return ctx.Err()
}

//go:build !js

package model

import (
	"fmt"
	"os"
	"path/filepath"
)

// WriteFile encodes a model and writes it under path, whole or not at all: into a temporary file beside it, to the
// disk, then renamed. A file that was there stays as it was if anything fails. The file's mode is 0644.
func WriteFile(path string, m *Model) (err error) {
	b, err := Encode(m)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return fmt.Errorf("writing the model: %w", err)
	}
	defer func() {
		if err != nil {
			f.Close() // again, where it was closed; harmless
			os.Remove(f.Name())
			err = fmt.Errorf("writing the model: %w", err)
		}
	}()
	if _, err = f.Write(b); err != nil {
		return err
	}
	if err = f.Chmod(0o644); err != nil {
		return err
	}
	if err = f.Sync(); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

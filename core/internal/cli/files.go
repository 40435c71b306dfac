package cli

import (
	"fmt"
	"os"
	"path/filepath"
)

// Replaceable checks that a file can be written, by writing a temporary file next to it. A long run thus fails at its
// start instead of its end. what names the file's content in errors.
func Replaceable(what, path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s cannot be written to %s: it is not a regular file", what, path)
	}
	folder := filepath.Dir(path)
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return fmt.Errorf("%s cannot be written to %s: the folder %s does not exist", what, path, folder)
	}
	f, err := os.CreateTemp(folder, ".pmlam.*.tmp")
	if err != nil {
		return fmt.Errorf("%s cannot be written to %s: %w", what, path, err)
	}
	f.Close()
	return os.Remove(f.Name())
}

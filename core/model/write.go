//go:build !js || train

package model

import (
	"fmt"
	"io"

	"github.com/pmlam/pmlam/core/internal/durable"
)

// WriteFile encodes a model and writes it under path, whole or not at all (package durable). A file that was there
// stays as it was if anything fails. The file's mode is 0644.
func WriteFile(path string, m *Model) error {
	b, err := Encode(m)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	write := func(w io.Writer) error { _, err := w.Write(b); return err }
	if err := durable.WriteFile(durable.OS, path, write); err != nil {
		return fmt.Errorf("writing the model: %w", err)
	}
	return nil
}

//go:build !js || train

package model

import (
	"fmt"
	"io"

	"github.com/pmlam/pmlam/core/internal/durable"
)

// WriteFile encodes a model and writes it to path atomically (package durable). If anything fails, a previous file
// stays unchanged. The file's mode is 0644.
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

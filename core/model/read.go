package model

import (
	"errors"
	"fmt"
	"io"

	"github.com/pmlam/pmlam/core/internal/durable"
)

// ReadFile reads the model in a file. It returns an *Error of Decode, wrapped with the path, or an error of the file
// system. It reads at most MaxSize bytes, and only the header of files that are not models.
func ReadFile(path string) (*Model, error) {
	f, size, err := durable.OpenRegular(path)
	if errors.Is(err, durable.ErrNotRegular) {
		return nil, fmt.Errorf("%s: %w", path, &Error{NotAModel, -1, "", "it is not a regular file"})
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := readAll(f, size)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	m, err := Decode(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// readAll reads a file of size bytes with a single allocation. It refuses files above MaxSize, and files that do not
// begin like a model, of which it reads only the header.
func readAll(f io.Reader, size int64) ([]byte, error) {
	head := make([]byte, min(size, int64(contentAt)))
	if _, err := io.ReadFull(f, head); err != nil {
		return nil, shorter(err)
	}
	if err := readHeader(head); err != nil {
		return nil, err
	}
	if size > MaxSize {
		return nil, &Error{TooLarge, -1, "", fmt.Sprintf("%d bytes, but at most %d are allowed", size, MaxSize)}
	}
	b := make([]byte, size)
	if _, err := io.ReadFull(f, b[copy(b, head):]); err != nil {
		return nil, shorter(err)
	}
	return b, nil
}

func shorter(err error) error { return fmt.Errorf("it became shorter during reading: %w", err) }

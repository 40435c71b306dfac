//go:build !gpu || !linux

package pmlam

import (
	"errors"

	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/gaussian"
)

// backend is empty in a build without GPU support.
type backend struct{}

func openBackend(int) (backend, error) {
	return backend{}, errors.New("this program was built without GPU support; on Linux, add it by " +
		"go build -tags gpu ./core/cmd/pmlam (docs/gpu.md)")
}

func (backend) close() error                                        { return nil }
func (backend) name() string                                        { return "" }
func (backend) start(*Trainer) (remote, error)                      { return nil, errors.ErrUnsupported }
func (backend) scorer(s *eval.W2, _, _ *gaussian.Table) eval.Scorer { return s }

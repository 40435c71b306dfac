//go:build !js

package model

import (
	"fmt"
	"math"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/margin"
	"github.com/pmlam/pmlam/core/model/internal/digest"
	"github.com/pmlam/pmlam/core/model/internal/wire"
)

// Encode returns the file of a model, always the same bytes for the same model. m.Digest is ignored.
//
// It returns an *Error where Decode would refuse the file: m.Items or m.Catalogue missing or of different lengths, a
// number that is not finite, σ below gaussian.MinStddev, ids that repeat, a text that is not UTF-8 or holds a NUL, a
// radius that is not positive, and so on. The precision loses something, see docs/model-format.md, but only once:
// Encode of what Decode returned gives the same bytes. O(size of the file).
func Encode(m *Model) ([]byte, error) {
	f := wire.File{Format: formatName, Version: plain}
	if m.ItemItem != nil {
		f.Version = linked
	}
	if m.Calibration != nil {
		f.Version = calibrated
	}
	if err := content(&f.Content, m); err != nil {
		return nil, err
	}
	b, err := f.MarshalMsg(nil)
	if err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	sum := digest.Sum(b[contentAt:])
	copy(b[digestAt:], sum[:])
	// What remains to be checked is checked by the reader itself, so that the two cannot disagree.
	if err := new(layout).read(b); err != nil {
		if e, ok := err.(*Error); ok {
			e.Offset = -1 // there is no file yet
		}
		return nil, err
	}
	return b, nil
}

// content fills in c from m.
func content(c *wire.Content, m *Model) error {
	if m.Items == nil || m.Catalogue == nil {
		return &Error{MissingKey, -1, "content.items", "a model needs items and a catalogue"}
	}
	if m.Items.Len() != m.Catalogue.Len() {
		return &Error{WrongShape, -1, "content.catalogue", fmt.Sprintf(
			"%d items where the table has %d", m.Catalogue.Len(), m.Items.Len())}
	}
	if m.Precision > Int8 {
		return &Error{BadValue, -1, "content.precision", m.Precision.String()}
	}
	c.Precision = m.Precision.String()
	if err := wireProvenance(&c.Provenance, &m.Provenance); err != nil {
		return err
	}
	if err := wireObjective(&c.Objective, &m.Objective); err != nil {
		return err
	}
	if err := wireTable(&c.Items, m.Items, m.Precision, "content.items"); err != nil {
		return err
	}
	if err := wireCatalogue(&c.Catalogue, m.Catalogue); err != nil {
		return err
	}
	c.Plane = wirePlane(&m.Plane)
	c.Margins = wire.Margins{
		UserItem: wireNetwork(m.Margins.UserItem),
		UserUser: wireNetwork(m.Margins.UserUser),
		ItemItem: wireNetwork(m.Margins.ItemItem),
	}
	if err := wireUsers(c, m); err != nil {
		return err
	}
	c.Calibration = wireCalibration(m.Calibration)
	return wireLinks(c, m)
}

func wireObjective(w *wire.Objective, o *Objective) error {
	if !(o.Radius > 0) {
		return &Error{OutOfRange, -1, "content.objective.radius", fmt.Sprintf(
			"it is %v and must be above 0; +Inf leaves the means free", o.Radius)}
	}
	*w = wire.Objective{
		Loss:        o.Loss.Kind.String(),
		Margin:      o.Loss.Margin,
		Temperature: o.Loss.Temperature,
		Free:        o.Composition.Free,
		Weight:      o.Composition.Weight,
		Radius:      o.Radius,
		LearnRate:   o.LearnRate,
	}
	if math.IsInf(float64(o.Radius), 1) {
		w.Radius = 0
	}
	return nil
}

func wireTable(w *wire.Gaussians, t *gaussian.Table, p Precision, field string) error {
	q, err := quantise(t, p, field)
	if err != nil {
		return err
	}
	*w = wire.Gaussians{
		N: uint64(t.Len()), H: uint64(t.Dim()),
		Mean: q.mean, Stddev: q.stddev, MeanScales: q.meanScales, StddevScales: q.stddevScales,
	}
	return nil
}

func wirePlane(p *Plane) *wire.Plane {
	if p.Origin == nil && p.Axes[0] == nil && p.Axes[1] == nil {
		return nil
	}
	return &wire.Plane{
		Origin: planes32(p.Origin),
		Axes:   planes32(append(append([]float32(nil), p.Axes[0]...), p.Axes[1]...)),
		Shares: planes64(p.Shares[:]),
	}
}

func wireNetwork(n *margin.Network) *wire.Network {
	if n == nil {
		return nil
	}
	return &wire.Network{
		Input:  n.Input.String(),
		Hidden: uint64(max(n.H, 0)),
		W1:     planes32(n.W1),
		B1:     planes32(n.B1),
		W2:     planes32(n.W2),
		B2:     n.B2,
	}
}

func wireUsers(c *wire.Content, m *Model) error {
	if m.Users == nil {
		if len(m.UserIDs) > 0 {
			return &Error{WrongShape, -1, "content.users", fmt.Sprintf("%d ids and no table", len(m.UserIDs))}
		}
		return nil
	}
	ids, err := wireTexts(m.UserIDs, "content.users.ids")
	if err != nil {
		return err
	}
	c.Users = &wire.Users{IDs: ids}
	return wireTable(&c.Users.Gaussians, m.Users, m.Precision, "content.users.gaussians")
}

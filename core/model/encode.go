//go:build !js || train

package model

import (
	"fmt"
	"math"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/margin"
)

// Encode returns the file of a model, always the same bytes for the same model. It ignores m.Digest.
//
// It returns an *Error if Decode would refuse the file: m.Items or m.Catalogue missing or of different lengths, a
// number that is not finite, σ below gaussian.MinStddev, repeated ids, a text that is not UTF-8 or contains a NUL, a
// radius that is not positive, and so on. The precision loses information (docs/model-format.md), but only once: Encode
// of a decoded model gives the same bytes. O(size of the file).
func Encode(m *Model) ([]byte, error) {
	var v values
	if err := v.content(m); err != nil {
		return nil, err
	}
	b := v.file()
	// The reader itself does the remaining checks, so the two cannot disagree.
	if err := new(layout).read(b); err != nil {
		if e, ok := err.(*Error); ok {
			e.Offset = -1 // no file exists yet
		}
		return nil, err
	}
	return b, nil
}

// content fills in v from m.
func (v *values) content(m *Model) error {
	if m.Items == nil || m.Catalogue == nil {
		return &Error{MissingKey, -1, "content.items", "a model needs items and a catalogue"}
	}
	if m.Items.Len() != m.Catalogue.Len() {
		return &Error{WrongShape, -1, "content.catalogue", fmt.Sprintf(
			"%d items for %d rows", m.Catalogue.Len(), m.Items.Len())}
	}
	if m.Precision > Int8 {
		return &Error{BadValue, -1, "content.precision", m.Precision.String()}
	}
	v[atPrecision].text = m.Precision.String()
	if err := v.provenance(&m.Provenance); err != nil {
		return err
	}
	if err := v.objective(&m.Objective); err != nil {
		return err
	}
	if err := v.table(atItemTable, m.Items, m.Precision, "content.items"); err != nil {
		return err
	}
	if err := v.catalogue(m.Catalogue); err != nil {
		return err
	}
	if err := v.tasteMap(m.Map); err != nil {
		return err
	}
	for _, f := range m.Margins.networks() {
		v.network(f.at, *f.in)
	}
	if err := v.users(m); err != nil {
		return err
	}
	if m.Calibration != nil {
		v.calibration(m.Calibration)
	}
	n := m.Items.Len()
	if err := v.links(m.ItemItem, "links", atGamma, n); err != nil {
		return err
	}
	v[atAgain].bool = m.Again
	return v.links(m.Next, "next", atNext, n)
}

func (v *values) objective(o *Objective) error {
	if !(o.Radius > 0) {
		return &Error{OutOfRange, -1, "content.objective.radius", fmt.Sprintf(
			"it is %v and must be above 0; +Inf leaves the means free", o.Radius)}
	}
	v[atLoss].text = o.Loss.Kind.String()
	v[atFree].bool, v[atNoRarity].bool = o.Composition.Free, o.NoRarity
	for _, f := range o.numbers(false) {
		v[f.at].float = *f.in
	}
	if math.IsInf(float64(o.Radius), 1) {
		v[atRadius].float = 0
	}
	return nil
}

// table fills in the leaves of a table of Gaussians.
func (v *values) table(at leaf, t *gaussian.Table, p Precision, field string) error {
	q, err := quantise(t, p, field)
	if err != nil {
		return err
	}
	v[at+ofN].uint, v[at+ofH].uint = uint64(t.Len()), uint64(t.Dim())
	v[at+ofMean].bytes, v[at+ofStddev].bytes = q.mean, q.stddev
	v[at+ofMeanScales].bytes, v[at+ofStddevScales].bytes = q.meanScales, q.stddevScales
	return nil
}

// network fills in the leaves of a margin network, if any.
func (v *values) network(at leaf, n *margin.Network) {
	if n == nil {
		return
	}
	v[at].bool = true
	v[at+ofInput].text = n.Input.String()
	v[at+ofHidden].uint = uint64(max(n.H, 0))
	for _, c := range networkColumns(at, n) {
		v[c.at].bytes = planes32(*c.in)
	}
	v[at+ofB2].float = n.B2
}

func (v *values) users(m *Model) error {
	if m.Users == nil {
		if len(m.UserIDs) > 0 {
			return &Error{WrongShape, -1, "content.users", fmt.Sprintf("%d ids, but no table", len(m.UserIDs))}
		}
		return nil
	}
	v[atUsers].bool = true
	if err := v.texts(atUserIDs, m.UserIDs, "content.users.ids"); err != nil {
		return err
	}
	return v.table(atUserTable, m.Users, m.Precision, "content.users.gaussians")
}

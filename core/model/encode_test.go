//go:build !js

package model

import (
	"errors"
	"math"
	"testing"

	"github.com/pmlam/pmlam/core/gaussian"
)

// TestEncodeRefuses checks that files which Decode would refuse are not written, and that the error names the place in
// the model.
func TestEncodeRefuses(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range []struct {
		name   string
		change func(*Model)
		reason Reason
		field  string
	}{
		{"no items", func(m *Model) { m.Items = nil }, MissingKey, "content.items"},
		{"no catalogue", func(m *Model) { m.Catalogue = nil }, MissingKey, "content.items"},
		{"empty", func(m *Model) { m.Items = gaussian.NewTable(0, 2); m.Catalogue.Items, m.ItemItem = nil, nil }, OutOfRange, "content.items.n"},
		{"an item too few", func(m *Model) { m.Catalogue.Items = m.Catalogue.Items[1:] }, WrongShape, "content.catalogue"},
		{"unknown precision", func(m *Model) { m.Precision = 9 }, BadValue, "content.precision"},
		{"mean NaN", func(m *Model) { m.Items.Row(1)[0] = nan }, NotFinite, "content.items"},
		{"σ infinite", func(m *Model) { m.Items.Stddev(1)[0] = inf }, NotFinite, "content.items"},
		{"σ = 0", func(m *Model) { m.Items.Stddev(1)[0] = 0 }, BadStddev, "content.items"},
		{"σ just below the floor", func(m *Model) { m.Items.Stddev(1)[0] = math.Nextafter32(gaussian.MinStddev, 0) }, BadStddev, "content.items"},
		{"user mean NaN", func(m *Model) { m.Users.Row(1)[0] = nan }, NotFinite, "content.users.gaussians"},
		{"users of another dimension", func(m *Model) { m.Users = tableOf(3, 3, 1) }, WrongShape, "content.users.gaussians.h"},
		{"a user id too few", func(m *Model) { m.UserIDs = m.UserIDs[1:] }, WrongShape, "content.users.ids"},
		{"user ids without users", func(m *Model) { m.Users = nil }, WrongShape, "content.users"},
		{"radius 0", func(m *Model) { m.Objective.Radius = 0 }, OutOfRange, "content.objective.radius"},
		{"radius NaN", func(m *Model) { m.Objective.Radius = nan }, OutOfRange, "content.objective.radius"},
		{"unknown loss", func(m *Model) { m.Objective.Loss.Kind = 9 }, BadValue, "content.objective.loss"},
		{"softmax without temperature", func(m *Model) { m.Objective.Loss = gaussian.Loss{Kind: gaussian.Softmax} }, OutOfRange, "content.objective.temperature"},
		{"weight NaN", func(m *Model) { m.Objective.Composition.Weight = nan }, NotFinite, "content.objective.weight"},
		{"negative users", func(m *Model) { m.Provenance.Users = -1 }, OutOfRange, "content.provenance"},
		{"metric infinite", func(m *Model) { m.Provenance.Metrics["x"] = math.Inf(1) }, NotFinite, "content.provenance.metricValues"},
		{"metric name with NUL", func(m *Model) { m.Provenance.Metrics["x\x00"] = 1 }, BadText, "content.provenance.metricNames"},
		{"title with NUL", func(m *Model) { m.Catalogue.Items[1].Title = "a\x00b" }, BadText, "content.catalogue.titles"},
		{"title that is not UTF-8", func(m *Model) { m.Catalogue.Items[1].Title = "a\xff" }, BadText, "content.catalogue.titles"},
		{"id twice", func(m *Model) { m.Catalogue.Items[1].ID = m.Catalogue.Items[0].ID }, BadValue, "content.catalogue.ids"},
		{"genre with NUL", func(m *Model) { m.Catalogue.Items[1].Genres = []string{"\x00"} }, BadText, "content.catalogue.genres"},
		{"year", func(m *Model) { m.Catalogue.Items[1].Year = 40000 }, OutOfRange, "content.catalogue.years"},
		{"count", func(m *Model) { m.Catalogue.Items[1].Count = -1 }, OutOfRange, "content.catalogue.counts"},
		{"a value too few", func(m *Model) { m.Catalogue.Items[1].Values = []string{"a"} }, WrongShape, "content.catalogue.columns"},
		{"network of another width", func(m *Model) { m.Margins.UserItem.H++ }, WrongShape, "content.margins.userItem.w1"},
		{"network of negative width", func(m *Model) { m.Margins.UserItem.H = -1 }, OutOfRange, "content.margins.userItem.hidden"},
		{"network weight NaN", func(m *Model) { m.Margins.ItemItem.W1[0] = nan }, NotFinite, "content.margins.itemItem.w1"},
		{"links of another size", func(m *Model) { m.ItemItem = partOf(4, 2) }, BadValue, "content.links"},
		{"links to themselves", func(m *Model) { m.ItemItem.Sources[m.ItemItem.Offsets[2]] = 2 }, BadValue, "content.links"},
		{"links without γ", func(m *Model) { m.ItemItem.Gamma = 0 }, BadValue, "content.links"},
		{"links next to nothing", func(m *Model) {
			for i := range m.ItemItem.Weights {
				m.ItemItem.Weights[i] = 1e-40
			}
		}, OutOfRange, "content.links.weights"},
	} {
		for _, p := range precisions {
			m := full(5, 4, p)
			m.ItemItem = partOf(5, 2)
			c.change(m)
			b, err := Encode(m)
			var e *Error
			if b != nil || !errors.As(err, &e) || e.Reason != c.reason || e.Field != c.field || e.Offset != -1 {
				t.Errorf("%s, %v: %v, want reason %v in %s", c.name, p, err, c.reason, c.field)
			}
		}
	}
}

// TestEncodeRefusesWhatAPrecisionCannotHold checks numbers within the bounds that float32 can hold but another
// precision cannot: int8 rounds a row's scale up to 11 significant bits.
func TestEncodeRefusesWhatAPrecisionCannotHold(t *testing.T) {
	for p, x := range map[Precision]float32{Float16: 65520, Int8: MaxNumber} {
		m := full(5, 4, p)
		m.Items.Row(2)[1] = x
		_, err := Encode(m)
		var e *Error
		if !errors.As(err, &e) || e.Reason != OutOfRange {
			t.Errorf("%v: %v, want %v", p, err, OutOfRange)
		}
		m.Precision = Float32
		encode(t, m)
	}
}

// TestEncodeLeavesTheModelAlone checks that Encode only reads its argument.
func TestEncodeLeavesTheModelAlone(t *testing.T) {
	m := full(5, 4, Int8)
	before := m.Items.Clone()
	encode(t, m)
	for i, x := range before.Data() {
		if m.Items.Data()[i] != x {
			t.Fatal("the table changed")
		}
	}
}

// TestDecodeKeepsNothingOfTheFile checks that the caller may reuse the bytes.
func TestDecodeKeepsNothingOfTheFile(t *testing.T) {
	for _, p := range precisions {
		b := encode(t, golden(p))
		m := decode(t, b)
		clear(b)
		if again := encode(t, m); len(again) != len(b) || m.Catalogue.Items[0].Title != "Toy Story" {
			t.Errorf("%v: the model changes with the file's bytes", p)
		}
	}
}

func TestPrecisionNames(t *testing.T) {
	for _, p := range precisions {
		if got, err := ParsePrecision(p.String()); err != nil || got != p {
			t.Errorf("%v: %v, %v", p, got, err)
		}
	}
	if _, err := ParsePrecision("int4"); err == nil {
		t.Error("int4 is accepted as a precision")
	}
}

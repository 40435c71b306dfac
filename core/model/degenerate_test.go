//go:build !js

package model

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"
)

// degenerate are files of valid structure and finite numbers that are still useless: their distances overflow, divisors
// almost vanish, or no page can show their texts.
var degenerate = func() []attack {
	all := []attack{
		{
			"σ of 3.4e38",
			change(
				Float32,
				func(v *values) { put32(v[atItemTable+ofStddev].bytes, 3, math.Float32bits(math.MaxFloat32)) },
			),
			OutOfRange,
			"content.items.stddev",
		},
		{
			"σ just above the bound",
			change(Float32, func(v *values) { put32(v[atItemTable+ofStddev].bytes, 3, math.Float32bits(MaxNumber)+1) }),
			OutOfRange,
			"content.items.stddev",
		},
		{
			"user mean of 3.4e38",
			change(
				Float32,
				func(v *values) { put32(v[atUserTable+ofMean].bytes, 3, math.Float32bits(math.MaxFloat32)) },
			),
			OutOfRange,
			"content.users.gaussians.mean",
		},
		{
			"scale of means of 1e30",
			change(Int8, func(v *values) { put32(v[atItemTable+ofMeanScales].bytes, 1, math.Float32bits(1e30)) }),
			OutOfRange,
			"content.items.meanScales",
		},
		{
			"scale just above the bound",
			change(
				Int8,
				func(v *values) { put32(v[atItemTable+ofMeanScales].bytes, 1, math.Float32bits(MaxNumber/meanSteps)+1) },
			),
			OutOfRange,
			"content.items.meanScales",
		},
		{
			"scale of σ of 1e30",
			change(Int8, func(v *values) { put32(v[atItemTable+ofStddevScales].bytes, 1, math.Float32bits(1e30)) }),
			OutOfRange,
			"content.items.stddevScales",
		},
		{
			"temperature of 1e-40",
			change(Int8, func(v *values) { v[atTemperature].float = 1e-40 }),
			OutOfRange,
			"content.objective.temperature",
		},
		{
			"temperature of 3e38",
			change(Int8, func(v *values) { v[atTemperature].float = 3e38 }),
			OutOfRange,
			"content.objective.temperature",
		},
		{
			"margin of 3e38",
			change(Int8, func(v *values) { v[atMargin].float = 3e38 }),
			OutOfRange,
			"content.objective.margin",
		},
		{
			"weight of users' items of 3e38",
			change(Int8, func(v *values) { v[atWeight].float = 3e38 }),
			OutOfRange,
			"content.objective.weight",
		},
		{
			"ball of radius 1e-30",
			change(Int8, func(v *values) { v[atRadius].float = 1e-30 }),
			OutOfRange,
			"content.objective.radius",
		},
		{
			"ball of radius 3e38",
			change(Int8, func(v *values) { v[atRadius].float = 3e38 }),
			OutOfRange,
			"content.objective.radius",
		},
		{
			"ball of radius NaN",
			change(Int8, func(v *values) { v[atRadius].float = float32(math.NaN()) }),
			NotFinite,
			"content.objective.radius",
		},
		{
			"network weight of 3e38",
			change(Int8, func(v *values) { put32(v[atUserItem+ofW1].bytes, 2, math.Float32bits(3e38)) }),
			OutOfRange,
			"content.margins.userItem.w1",
		},
		{
			"network bias of −3e38",
			change(Int8, func(v *values) { v[atUserItem+ofB2].float = -3e38 }),
			OutOfRange,
			"content.margins.userItem.b2",
		},
		{
			"metric of 1e300",
			change(Int8, func(v *values) { putWord64(v[atMetricValues].bytes, 2, 1, math.Float64bits(1e300)) }),
			OutOfRange,
			"content.provenance.metricValues",
		},
		{"γ of 2^21", links(func(v *values) { v[atGamma].float = 1 << 21 }), OutOfRange, "content.links.gamma"},
		{
			"scale of links of 2^15",
			links(func(v *values) { put32(v[atLinkScales].bytes, 2, math.Float32bits(1<<15)) }),
			OutOfRange,
			"content.links.weightScales",
		},
		{
			"variance of 3e38",
			calibrations(func(v *values) { put16(v[atWithin].bytes, 0, uint16(math.Float32bits(3e38)>>16)) }),
			OutOfRange,
			"content.calibration.within",
		},
		{
			"covariance of −3e38",
			calibrations(func(v *values) { put16(v[atWithin].bytes, 1, uint16(math.Float32bits(-3e38)>>16)) }),
			OutOfRange,
			"content.calibration.within",
		},
		{
			"κ of 1e-40",
			calibrations(func(v *values) { v[atStrength].float = 1e-40 }),
			OutOfRange,
			"content.calibration.strength",
		},
		{
			"κ of 3e38",
			calibrations(func(v *values) { v[atStrength].float = 3e38 }),
			OutOfRange,
			"content.calibration.strength",
		},
		{
			"radius on the map NaN",
			calibrations(func(v *values) { put32(v[atMapRadii].bytes, 14, nan32) }),
			NotFinite,
			"content.calibration.mapRadii",
		},
		{
			"radius on the map of 3e38",
			calibrations(func(v *values) { put32(v[atMapRadii].bytes, 32, math.Float32bits(3e38)) }),
			OutOfRange,
			"content.calibration.mapRadii",
		},
		{
			"radius of all dimensions NaN",
			calibrations(func(v *values) { put32(v[atFullFew].bytes, 0, nan32) }),
			NotFinite,
			"content.calibration.fullFew",
		},
		{
			"weight of the chance of 3e38",
			calibrations(func(v *values) { put32(v[atLikeWeights].bytes, 0, math.Float32bits(3e38)) }),
			OutOfRange,
			"content.calibration.like.weights",
		},

		{
			"title of 10 MB",
			change(Int8, func(v *values) { v[atTitles].text = strings.Repeat("a", 10_000_000) + "\x00b\x00c\x00" }),
			TooLarge,
			"content.catalogue.titles",
		},
		{
			"last title a byte too long",
			change(
				Int8,
				func(v *values) { v[atTitles].text = "a\x00b\x00" + strings.Repeat("c", maxTitle+1) + "\x00" },
			),
			TooLarge,
			"content.catalogue.titles",
		},
		{
			"id of 1 MB",
			change(Int8, func(v *values) { v[atIDs].text = "a\x00" + strings.Repeat("b", 1_000_000) + "\x00c\x00" }),
			TooLarge,
			"content.catalogue.ids",
		},
		{
			"user id of 1 MB",
			change(Int8, func(v *values) { v[atUserIDs].text = "a\x00" + strings.Repeat("b", 1_000_000) + "\x00" }),
			TooLarge,
			"content.users.ids",
		},
		{
			"genre of 1 MB",
			change(Int8, func(v *values) { v[atGenres].text = "a\x00" + strings.Repeat("b", 1_000_000) + "\x00" }),
			TooLarge,
			"content.catalogue.genres",
		},
		{
			"name of a column of 5,000 bytes",
			change(Int8, func(v *values) { v[atColumnNames].text = "a\x00" + strings.Repeat("b", 5000) + "\x00" }),
			TooLarge,
			"content.catalogue.columnNames",
		},
		{"value of 1 MB", change(Int8, func(v *values) {
			v[atColumns].text = strings.Repeat("b", 1_000_000) + strings.Repeat("\x00", 6)
		}), TooLarge, "content.catalogue.columns"},
		{
			"name of a metric of 5,000 bytes",
			change(Int8, func(v *values) { v[atMetricNames].text = "a\x00" + strings.Repeat("b", 5000) + "\x00" }),
			TooLarge,
			"content.provenance.metricNames",
		},
	}
	for name, x := range map[string]float32{"means of 3.4e38": math.MaxFloat32, "means of −3.4e38": -math.MaxFloat32} {
		all = append(all, attack{name, change(Float32, func(v *values) {
			for i := range len(v[atItemTable+ofMean].bytes) / 4 {
				put32(v[atItemTable+ofMean].bytes, i, math.Float32bits(x))
			}
		}), OutOfRange, "content.items.mean"})
	}
	return all
}()

// TestDegenerateModelsAreNotWritten checks that Encode does not write such files either, for example after a training
// that went astray.
func TestDegenerateModelsAreNotWritten(t *testing.T) {
	nan := float32(math.NaN())
	for name, c := range map[string]struct {
		change func(m *Model)
		reason Reason
		field  string
	}{
		"means of 3.4e38":      {func(m *Model) { m.Items.Mean(1)[0] = math.MaxFloat32 }, OutOfRange, "items"},
		"means of −3.4e38":     {func(m *Model) { m.Items.Mean(1)[0] = -math.MaxFloat32 }, OutOfRange, "items"},
		"σ above the bound":    {func(m *Model) { m.Items.Stddev(2)[1] = MaxNumber + 1 }, OutOfRange, "items"},
		"user mean of 3.4e38":  {func(m *Model) { m.Users.Mean(1)[0] = math.MaxFloat32 }, OutOfRange, "users.gaussians"},
		"title of 10 MB":       {func(m *Model) { m.Catalogue.Items[1].Title = strings.Repeat("é", 5_000_000) }, TooLarge, "catalogue.titles"},
		"value of 1 MB":        {func(m *Model) { m.Catalogue.Items[2].Values[0] = strings.Repeat("a", 1_000_000) }, TooLarge, "catalogue.columns"},
		"temperature of 1e-40": {func(m *Model) { m.Objective.Loss.Temperature = 1e-40 }, OutOfRange, "objective.temperature"},
		"radius of 1e-30":      {func(m *Model) { m.Objective.Radius = 1e-30 }, OutOfRange, "objective.radius"},
		"network of 3e38":      {func(m *Model) { m.Margins.UserItem.W2[0] = 3e38 }, OutOfRange, "margins.userItem.w2"},
		"γ of 3e38":            {func(m *Model) { m.ItemItem.Gamma = 3e38 }, BadValue, "links"},
		"link of weight 3e38":  {func(m *Model) { m.ItemItem.Weights[0] = 3e38 }, BadValue, "links"},
		"radii NaN":            {func(m *Model) { m.Calibration.Map.Radii[1][3] = nan }, NotFinite, "calibration.mapRadii"},
		"position NaN":         {func(m *Model) { m.Map.X[1] = nan }, NotFinite, "map.x"},
		"position of 1.5":      {func(m *Model) { m.Map.Y[1] = 1.5 }, OutOfRange, "map.y"},
		"centre of −1":         {func(m *Model) { m.Map.Regions[2].X = -1 }, OutOfRange, "map.regionX"},
		"level 256":            {func(m *Model) { m.Map.Regions[3].Level = 256 }, OutOfRange, "map.regionLevels"},
		"genre of no item":     {func(m *Model) { m.Map.Regions[0].Genre = "Western" }, BadValue, "map.regionGenres"},
		"second of no item":    {func(m *Model) { m.Map.Regions[0].Or = "Western" }, BadValue, "map.regionOr"},
		"year of 2^17":         {func(m *Model) { m.Map.Regions[0].To = 1 << 17 }, OutOfRange, "map.regionTo"},
		"words with NUL":       {func(m *Model) { m.Map.Regions[0].Words = "a\x00" }, BadText, "map.regionWords"},
		"65,536 likes":         {func(m *Model) { m.Calibration.Map.Likes[2] = 1 << 16 }, OutOfRange, "calibration.mapLikes"},
		"bands without radii":  {func(m *Model) { m.Calibration.Map.Radii = nil }, WrongShape, "calibration.mapRadii"},
		"κ of 3e38":            {func(m *Model) { m.Calibration.Posterior.Strength = 3e38 }, OutOfRange, "calibration.strength"},
		"weight of like NaN":   {func(m *Model) { m.Calibration.Like.Weights[0] = nan }, NotFinite, "calibration.like.weights"},
		"covariance of 1e30":   {func(m *Model) { m.Calibration.Posterior.Within[1] = 1e30 }, OutOfRange, "calibration.within"},
	} {
		m := goldenMapped(Float32)
		c.change(m)
		b, err := Encode(m)
		var e *Error
		if b != nil || !errors.As(err, &e) || e.Reason != c.reason || e.Field != "content."+c.field {
			t.Errorf("%s: %v, want %v in %s", name, err, c.reason, c.field)
		}
	}
}

// atBounds returns the golden model with maximal numbers and texts.
func atBounds() *Model {
	m := goldenMapped(Float32)
	for _, t := range [][]float32{m.Items.Data(), m.Users.Data()} {
		for i := range t {
			t[i] = MaxNumber
		}
	}
	m.Items.Mean(0)[0] = -MaxNumber
	for _, x := range [][]float32{m.Margins.UserItem.W1, m.Margins.UserItem.W2, m.Calibration.Like.Weights} {
		for i := range x {
			x[i] = MaxNumber
		}
	}
	o := &m.Objective
	o.Loss.Temperature, o.Loss.Margin, o.Composition.Weight = MinDivisor, MaxSquare, MaxNumber
	o.Radius, o.LearnRate = MaxNumber, math.MaxFloat32
	m.ItemItem.Gamma, m.ItemItem.Weights[0] = MaxGamma, MaxWeight
	p := &m.Calibration.Posterior
	p.Strength, p.Within = MinDivisor, []float32{MaxSquare, -MaxSquare, MaxSquare}
	m.Calibration.Map.Radii[2][10], p.Full.Few[10] = maxDeviations, maxDeviations
	m.Calibration.Map.Likes[2] = math.MaxUint16
	m.Provenance.Metrics["recall@10"] = -maxMetric
	item := &m.Catalogue.Items[1]
	item.ID, item.Title, item.Values = strings.Repeat(
		"i",
		maxTitle,
	), strings.Repeat(
		"é",
		maxTitle/2,
	), []string{
		strings.Repeat("v", maxValue),
		"",
	}
	item.Genres = []string{strings.Repeat("g", maxTitle)}
	return m
}

// TestBoundsCanBeKept checks that values at a bound can be written, read, and written again to the same bytes.
func TestBoundsCanBeKept(t *testing.T) {
	m := atBounds()
	b := encode(t, m)
	got := decode(t, b)
	if again := encode(t, got); !bytes.Equal(again, b) {
		t.Error("decoding and encoding gives other bytes")
	}
	if got.Items.Mean(1)[0] != MaxNumber || got.Items.Stddev(0)[1] != MaxNumber ||
		got.Catalogue.Items[1].Title != m.Catalogue.Items[1].Title {
		t.Error("a number or a title at its bound has changed")
	}
	// int8 rounds its scales up, so its bound is a little lower, but still above 1,047,000 for the means.
	q := golden(Int8)
	q.Items.Mean(0)[0] = 1_047_000
	if again := encode(t, decode(t, encode(t, q))); !bytes.Equal(again, encode(t, q)) {
		t.Error("int8: decoding and encoding gives other bytes")
	}
}

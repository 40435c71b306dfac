//go:build !js

package model

import (
	"bytes"
	"math"
	"testing"

	"github.com/pmlam/pmlam/core/gaussian"
	"pgregory.net/rapid"
)

// roundTrip returns t after a round trip through a file of precision p.
func roundTrip(t *gaussian.Table, p Precision) (*gaussian.Table, error) {
	q, err := quantise(t, p, "")
	if err != nil {
		return nil, err
	}
	return expand(q, p, t.Len(), t.Dim()), nil
}

// worstError returns the largest absolute errors of a precision in the means and in the standard deviations of a table,
// and the root mean square over both.
func worstError(t *gaussian.Table, p Precision) (mean, stddev, rms float64, err error) {
	got, err := roundTrip(t, p)
	if err != nil {
		return 0, 0, 0, err
	}
	for i := range t.Len() {
		for d, x := range t.Row(i) {
			e := math.Abs(float64(x) - float64(got.Row(i)[d]))
			rms += e * e
			if d < t.Dim() {
				mean = max(mean, e)
			} else {
				stddev = max(stddev, e)
			}
		}
	}
	return mean, stddev, math.Sqrt(rms / float64(len(t.Data()))), nil
}

// TestPrecisionLoss states the error of each precision on a table like a trained one (‖μ‖ ≤ 1, h = 50).
func TestPrecisionLoss(t *testing.T) {
	table := tableOf(2000, 50, 9)
	for _, c := range []struct {
		p                 Precision
		mean, stddev, rms float64
	}{
		{Float32, 0, 0, 0},
		{Float16, 0x1p-12, 0x1p-12, 0x1p-13}, // half a unit of the last of 11 bits, for numbers below 1
		{Int8, 0.5 / 127 * 1.001, 0.5 / 255 * 1.001, 0.3 / 127},
	} {
		mean, stddev, rms, err := worstError(table, c.p)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%v: worst error μ %.2g, σ %.2g, rms %.2g", c.p, mean, stddev, rms)
		if mean > c.mean || stddev > c.stddev || rms > c.rms {
			t.Errorf(
				"%v: worst error μ %g, σ %g, rms %g; want at most %g, %g, %g",
				c.p,
				mean,
				stddev,
				rms,
				c.mean,
				c.stddev,
				c.rms,
			)
		}
	}
}

// anyTable draws tables whose rows differ widely in size.
func anyTable(t *rapid.T, p Precision) *gaussian.Table {
	n, h := rapid.IntRange(1, 70).Draw(t, "n"), rapid.IntRange(1, 5).Draw(t, "h")
	top := float32(1e6) // near the bound
	if p == Float16 {
		top = 60_000
	}
	table := gaussian.NewTable(n, h)
	for i := range n {
		size := rapid.SampledFrom([]float32{0, 1e-40, 1e-30, 1e-3, 1, 1000, top}).Draw(t, "size")
		row := table.Row(i)
		for d := range h {
			row[d] = size * rapid.Float32Range(-1, 1).Draw(t, "μ")
			row[h+d] = max(gaussian.MinStddev, size*rapid.Float32Range(0, 1).Draw(t, "σ"))
		}
	}
	return table
}

// TestQuantising checks, for any table, that errors stay below half a step (int8), below half a unit in the last place
// (float16) or vanish (float32), that σ stays above its floor, and that a second round trip changes nothing.
func TestQuantising(t *testing.T) {
	for _, p := range precisions {
		t.Run(p.String(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				table := anyTable(t, p)
				got, err := roundTrip(table, p)
				if err != nil {
					t.Fatal(err)
				}
				for i := range table.Len() {
					checkErrors(t, p, table.Mean(i), got.Mean(i), meanSteps, 0)
					checkErrors(t, p, table.Stddev(i), got.Stddev(i), stddevSteps, gaussian.MinStddev)
				}
				again, err := roundTrip(got, p)
				if err != nil {
					t.Fatal(err)
				}
				for k, x := range got.Data() {
					if again.Data()[k] != x {
						t.Fatalf("number %d: %v becomes %v the second time", k, x, again.Data()[k])
					}
				}
			})
		})
	}
}

func checkErrors(t *rapid.T, p Precision, want, got []float32, steps, floor float64) {
	var top float64
	for _, x := range want {
		top = max(top, math.Abs(float64(x)))
	}
	for d, x := range want {
		x, y := float64(x), float64(got[d])
		var allowed float64
		switch p {
		case Float16:
			allowed = max(math.Abs(x)*0x1p-11, 0x1p-25) // normal and subnormal halves
			if x < 0x1p-9 {
				allowed = max(allowed, 0x1p-20*floor/gaussian.MinStddev) // σ at its floor increases by one unit
			}
		case Int8:
			allowed = 0.5*(1+0x1p-10)*(1+1e-6)*top/steps + 2e-34 // below 127·minScale a row is practically zero
		}
		if math.Abs(x-y) > allowed || y < float64(float32(floor)) && floor > 0 {
			t.Fatalf("dimension %d: %v became %v, which is off by more than %v", d, x, y, allowed)
		}
	}
}

// TestAnyModelComesBack checks that a float32 file returns the same table and texts, for any texts without NUL.
func TestAnyModelComesBack(t *testing.T) {
	text := rapid.StringMatching(`[a-zé映\n|"\\ ]{0,12}`)
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom(precisions).Draw(t, "precision")
		m := full(rapid.IntRange(1, 12).Draw(t, "n"), rapid.IntRange(1, 4).Draw(t, "h"), p)
		for i := range m.Catalogue.Items {
			item := &m.Catalogue.Items[i]
			item.Title = text.Draw(t, "title")
			item.Genres = rapid.SliceOfN(text, 0, 3).Draw(t, "genres")
			item.Values[1] = text.Draw(t, "value")
			item.Year = rapid.IntRange(-32768, 32767).Draw(t, "year")
			item.Count = rapid.IntRange(0, math.MaxInt32).Draw(t, "count")
		}
		m.Provenance.Seed = rapid.Uint64().Draw(t, "seed")
		m.Provenance.Config = text.Draw(t, "config")
		b, err := Encode(m)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Decode(b)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range m.Catalogue.Items {
			it := got.Catalogue.Items[i]
			same := it.ID == want.ID && it.Title == want.Title && it.Year == want.Year && it.Count == want.Count &&
				it.Values[1] == want.Values[1] && len(it.Genres) == len(want.Genres)
			for j, g := range it.Genres {
				same = same && g == want.Genres[j]
			}
			if !same {
				t.Fatalf("item %d came back as %+v, was %+v", i, it, want)
			}
		}
		if got.Provenance.Seed != m.Provenance.Seed || got.Provenance.Config != m.Provenance.Config {
			t.Fatal("the provenance came back changed")
		}
		again, err := Encode(got)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(again, b) {
			t.Fatal("decoding and encoding gives other bytes")
		}
	})
}

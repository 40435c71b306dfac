package mapview_test

import (
	"slices"
	"testing"

	"github.com/pmlam/pmlam/ui/internal/uitest"
	"github.com/pmlam/pmlam/ui/mapview"
)

func TestFilters(t *testing.T) {
	e := uitest.NewLine(60)
	v := uitest.Come(t, e, uitest.NewMemory())
	v.Does(func() { v.P.Starters.Pick(20) })
	v.Does(func() { v.P.Tuning.ToggleGenre("Odd") })
	for _, i := range v.Titles() {
		if i%2 == 0 {
			t.Fatalf("Film %d passed the filter Odd", i)
		}
	}
	v.Does(func() { v.P.Tuning.ToggleDecade(1970) })
	if got, want := v.Titles(), []int{21, 23, 25, 27, 29}; !slices.Equal(got, want) {
		t.Errorf("odd films of the 1970s: %v, want %v", got, want)
	}
	v.Sees("Filters and moods (2)", "Clear filters")
	v.Misses(`class="chip g1"`, "1970s</button>")
	v.Does(v.P.Tuning.ToggleTuning)
	v.Sees(`class="chip g1"`, "1970s</button>")
	if dim := v.P.Map.Dim(); dim[21] != 0 || dim[20] != 1 || dim[31] != 1 {
		t.Error("the map does not dim titles outside of the filters")
	}
	// Film 25 is Odd and Rare, and the rarer genre counts. Film 20 is not Odd.
	if g := v.P.Map.Groups(); g[25] != 1 || g[20] != 2 {
		t.Errorf("filtered by Odd, Films 25 and 20 are coloured %d and %d", g[25], g[20])
	}
	v.Does(func() { v.P.Tuning.ToggleDecade(1970) })
	v.Does(func() { v.P.Tuning.ToggleGenre("Odd") })
	if v.P.Tuning.Filters() != 0 || v.P.Map.Dim() != nil || v.P.Map.Groups()[25] != 2 {
		t.Error("filters remain after being cleared")
	}
}

func TestMapAsText(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(60), uitest.NewMemory())
	v.Sees(v.P.W.MapAsleep, "Nothing is marked yet.")
	v.Does(func() { v.P.Starters.Pick(0) })
	v.Misses("#region=")
	v.Does(func() { v.P.Map.ToggleText() })
	v.Sees(`id="map-text"`, "Film 1, 1951: fairly sure, distance 1.00", v.P.W.MapNote, v.P.W.TextTastes,
		"Rare · your taste, in “Even”", v.P.W.MapRings,
		`<a href="#region=0-Even-1980" class="link-to gx" aria-current="false">1980s Even</a>`,
		`<a href="#region=1-1%20%26%202"`)
	v.Misses("2-Wasserstein", "#region=\"")
	v.Does(func() { v.P.Map.ShowDistances(true) })
	v.Sees(v.P.W.DistanceNote, v.P.W.InOrder)
	v.Does(func() { v.P.Tuning.SetDiversity(0.5) })
	v.Sees(v.P.W.NotInOrder)
	v.Does(func() { v.P.Tuning.SetDiversity(0) })
	if d := v.P.List.Radii; len(d) != 60 || d[9] != 9 {
		t.Error("the distances in the distance view are wrong")
	}
	v.Does(func() { v.P.Map.Select(9) })
	v.Sees("1959 · Odd · 9.00 from you")
	if got := mapview.MapTastes(&v.P.List.Places); len(got) != 16*4 {
		t.Errorf("the map gets %d bytes of one taste", len(got))
	}
}

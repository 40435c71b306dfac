package titles_test

import (
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/ui/titles"
)

// Regions get names for addresses. Equal names are numbered from the second on.
func TestRegionKeys(t *testing.T) {
	if got := titles.RegionKeys([]model.Region{{Genre: "A"}, {Genre: "A"}, {}, {Level: 2, From: 1990, To: 2000},
		{Genre: "A", Or: "B", From: 1970, To: 1990}, {To: 1960}, {Genre: "A", From: 1990}, {Words: "V|W", Genre: "A"},
		{Words: model.Around("Alien", "The Thing")}}); !slices.Equal(got,
		[]string{"0-A", "0-A-2", "", "2-1990", "0-A+B-1970..1990", "0-..1960", "0-A-1990..",
			"0-V+W+A", "0-Alien+The Thing"}) {
		t.Errorf("the keys are %q", got)
	}
}

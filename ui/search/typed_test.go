package search_test

import (
	"testing"

	"github.com/pmlam/pmlam/ui/internal/uitest"
	"github.com/pmlam/pmlam/ui/keep"
)

func TestSearch(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(1947), uitest.NewMemory())
	v.Does(func() { v.P.Search.Search("film 12") })
	v.Sees(`aria-label="Search results"`, `aria-label="Like Film 12"`, `aria-label="Not for me: Film 12"`,
		`aria-label="Known: Film 12"`)
	v.Does(func() { v.P.Marking.Toggle(12, keep.Liked) })
	v.Sees(`aria-label="Like Film 12" aria-pressed="true"`)
	v.Does(func() { v.P.Search.Search("<nothing>") })
	v.Sees("No title has “&lt;nothing&gt;”. This catalogue ends in 3896.")
	v.Does(v.P.Search.ClearSearch)
	v.Misses("No title has", "Search results")
}

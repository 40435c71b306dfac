package search_test

import (
	"testing"

	"github.com/pmlam/pmlam/ui/internal/uitest"
	"github.com/pmlam/pmlam/ui/search"
)

// The hint in the search box names well-known short titles, or else the best-known title.
func TestHint(t *testing.T) {
	e := uitest.NewLine(3)
	for i, title := range []string{"A very long title", "Another long one", "Short"} {
		e.Items[i].Title = title
	}
	if got := search.Hint(e); got != "A very long title" {
		t.Errorf("with one short title the hint is %q", got)
	}
	e.Items[1].Title = "Älteres"
	if got := search.Hint(e); got != "Älteres, Short …" {
		t.Errorf("the hint is %q", got)
	}
	if got := search.Hint(uitest.NewLine(0)); got != "" {
		t.Errorf("without titles the hint is %q", got)
	}
}

package history_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/ui/history"
	"github.com/pmlam/pmlam/ui/internal/uitest"
	"github.com/pmlam/pmlam/ui/keep"
)

// The history lists marks latest first. Each step can be undone, and the undo too.
func TestHistory(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(60), uitest.NewMemory())
	v.Misses("History")
	for _, i := range []int{0, 2, 4} {
		v.Does(func() { v.P.Starters.Pick(i) })
	}
	v.Does(func() { v.P.Marking.Toggle(7, keep.NotForMe) })
	v.Does(func() { v.P.Marking.Toggle(9, keep.Later) })
	v.Sees("History")
	v.Misses("Undo: Liked: Film 0")
	v.Does(v.P.History.Toggle)
	said := v.P.History.Steps()
	want := []string{"Kept for later: Film 9", "Not for you: Film 7", "Liked: Film 4", "Liked: Film 2", "Liked: Film 0"}
	if !slices.Equal(said, want) {
		t.Errorf("the history is %q, want %q", said, want)
	}
	// This visitor's variances are 1, 1/4, 1/9 after each like.
	v.Sees(`aria-label="Undo: Liked: Film 0"`, `d="M0.0 1.0L50.0 17.5L100.0 20.6"`,
		"89% less unsure than after your first like.")

	v.Does(func() { v.P.History.TakeBack(2) })
	if v.P.Mark(4) != keep.Unmarked || len(v.P.History.Steps()) != 4 || v.P.Mark(2) != keep.Liked {
		t.Error("undoing the third step did not work")
	}
	v.Sees("75% less unsure")
	v.Does(func() { v.P.Offer.TakeBack() })
	if v.P.Mark(4) != keep.Liked || len(v.P.History.Steps()) != 5 {
		t.Error("undo did not restore the step")
	}
	v.Does(v.P.History.Toggle)
	v.Misses("Undo: Liked: Film 0", "less unsure than")

	many := uitest.Come(t, uitest.NewLine(200), uitest.NewMemory())
	many.Does(func() {
		for i := range 100 {
			many.P.Marking.Toggle(i, keep.Liked)
		}
	})
	many.Does(many.P.History.Toggle)
	if n := strings.Count(many.P.History.Line(), "L"); n != history.DrawnLikes-1 || len(many.P.History.Steps()) != history.ManySteps {
		t.Errorf("100 likes: %d drawn, %d listed", n+1, len(many.P.History.Steps()))
	}
}

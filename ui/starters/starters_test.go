package starters_test

import (
	"slices"
	"testing"

	"github.com/pmlam/pmlam/ui/internal/uitest"
	"github.com/pmlam/pmlam/ui/keep"
)

func TestInvitationGoesAfterTheThirdLike(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(60), uitest.NewMemory())
	v.Does(func() { v.P.Starters.Pick(0) })
	v.Sees("Pick three you love", `<ol id="recommendations" class="cards" aria-label="Recommendations">`,
		"One picked, two to go",
		`Because you liked <b dir="auto">Film 0</b>`, "Fairly sure", `aria-label="Not for me: Film 1"`,
		`aria-label="Known: Film 1"`, `aria-label="More like this: Film 1"`)
	if got, want := v.Titles(), []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}; !slices.Equal(got, want) {
		t.Errorf("after one like of Film 0 the list is %v, want %v", got, want)
	}
	v.Does(func() { v.P.Starters.Pick(2) })
	v.Does(func() { v.P.Starters.Pick(0) }) // removes the like
	v.Sees("Pick three you love", "One picked")
	v.Does(func() { v.P.Starters.Pick(0) })
	v.Does(func() { v.P.Starters.Pick(4) })
	v.Misses("Pick three you love")
	if got := v.Titles(); got[0] != 1 || got[1] != 3 {
		t.Errorf("after likes of Films 0, 2 and 4 the list begins %v, want 1, 3", got[:2])
	}
	if v.P.Announced != "10 recommendations updated" {
		t.Errorf("screen readers heard %q last", v.P.Announced)
	}
	before := v.P.List.Places.Tastes[0].Ellipses[2].A
	v.Does(func() { v.P.Marking.Toggle(3, keep.Liked) })
	if now := v.P.List.Places.Tastes[0].Ellipses[2].A; now >= before {
		t.Errorf("the ellipse did not shrink with a like: %v, before %v", now, before)
	}
}

package ui

import (
	"slices"
	"strings"
	"testing"
)

// What was said stands in the order in which it was said, the latest first, and each step can be taken back, which can
// be undone.
func TestHistory(t *testing.T) {
	v := come(t, newLine(60), newMemory())
	v.misses("What you said, and when")
	for _, i := range []int{0, 2, 4} {
		v.does(func() { v.p.Marking.Pick(i) })
	}
	v.does(func() { v.p.Marking.Toggle(7, NotForMe) })
	v.does(func() { v.p.Marking.Toggle(9, ForLater) })
	v.sees("What you said, and when")
	v.misses("Undo: Liked: Film 0")
	v.does(v.p.History.Toggle)
	var said []string
	for _, s := range v.p.History.steps() {
		said = append(said, s.text)
	}
	want := []string{"Kept for later: Film 9", "Not for you: Film 7", "Liked: Film 4", "Liked: Film 2", "Liked: Film 0"}
	if !slices.Equal(said, want) {
		t.Errorf("the history is %q, want %q", said, want)
	}
	// The line's visitor has the variances 1, 1/4, 1/9 after each like.
	v.sees(`aria-label="Undo: Liked: Film 0"`, `d="M0.0 1.0L50.0 17.5L100.0 20.6"`,
		"How unsure we are, after each like: now 11% of what it was after the first.")

	v.does(func() { v.p.History.takeBack(v.p.History.steps()[2]) })
	if v.p.Mark(4) != Unmarked || len(v.p.History.steps()) != 4 || v.p.Mark(2) != LikedIt {
		t.Error("taking the third step back did not")
	}
	v.sees("now 25% of what")
	v.does(func() { v.p.Offer.TakeBack() })
	if v.p.Mark(4) != LikedIt || len(v.p.History.steps()) != 5 {
		t.Error("the step did not come back")
	}
	v.does(v.p.History.Toggle)
	v.misses("Undo: Liked: Film 0", "How unsure we are")

	many := come(t, newLine(200), newMemory())
	many.does(func() {
		for i := range 100 {
			many.p.Marking.Toggle(i, LikedIt)
		}
	})
	many.does(many.p.History.Toggle)
	if n := strings.Count(many.p.History.line(), "L"); n != drawnLikes-1 || len(many.p.History.steps()) != manySteps {
		t.Errorf("of 100 likes %d are drawn, and %d listed", n+1, len(many.p.History.steps()))
	}
}

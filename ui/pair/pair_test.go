package pair_test

import (
	"slices"
	"testing"

	"github.com/pmlam/pmlam/ui/internal/uitest"
	"github.com/pmlam/pmlam/ui/keep"
)

// The chosen title becomes a like. Neither is offered again, here or in another tab.
func TestWhichOfTheseTwo(t *testing.T) {
	store := uitest.NewMemory()
	v := uitest.Come(t, uitest.NewLine(60), store)
	two := func(v *uitest.Visitor, want ...int) {
		t.Helper()
		if !slices.Equal(v.P.Pair.Titles, want) {
			t.Fatalf("asked about %v, want %v", v.P.Pair.Titles, want)
		}
	}
	two(v, 0, 1)
	v.Sees("Which of these two do you like better?", `aria-label="Film 0, 1950"`, `aria-label="Film 1, 1951"`, ">Neither<")
	v.Does(func() { v.P.Pair.Choose(1) })
	two(v, 2, 3)
	v.Sees("Liked: Film 1", `<ol id="recommendations"`)
	if s := v.State(); !slices.Equal(s.Likes, []string{"id1"}) || len(s.Seen) > 0 {
		t.Errorf("after the answer: %+v", s)
	}
	// The answer gives the same taste and list as any other like.
	other := uitest.Come(t, uitest.NewLine(60), uitest.NewMemory())
	other.Does(func() { other.P.Marking.Toggle(1, keep.Liked) })
	if !slices.Equal(other.Titles(), v.Titles()) || v.P.List.Taste.Evidence != other.P.List.Taste.Evidence {
		t.Errorf("the list is %v, after a plain like %v", v.Titles(), other.Titles())
	}

	v.Does(func() { v.P.Pair.Choose(-1) })
	two(v, 4, 5)
	v.Sees("Neither Film 2, 1952 nor Film 3, 1953")
	if s := v.State(); len(s.Likes) != 1 || len(s.Dislikes)+len(s.Seen) > 0 {
		t.Errorf("after neither: %+v", s)
	}
	v.Does(func() { v.P.Offer.TakeBack() })
	two(v, 2, 3)
	v.Does(func() { v.P.Pair.Choose(3) })
	v.Does(func() { v.P.Offer.TakeBack() })
	if two(v, 2, 3); v.P.Mark(3) != keep.Unmarked || v.P.Mark(1) != keep.Liked {
		t.Error("undo did not revert the answer, or reverted more")
	}
	v.Does(v.P.Pair.Skip)
	two(v, 4, 5)
	v.Does(func() { v.P.Marking.Toggle(5, keep.Seen) })
	two(v, 4, 6)

	// After a reload, answered pairs do not come back, and skipped ones do.
	again := uitest.Come(t, uitest.NewLine(60), store)
	if two(again, 4, 6); again.P.Mark(1) != keep.Liked {
		t.Error("the answer was not stored")
	}
	v.Does(func() { v.P.List.ShowSimilar(7) })
	v.Misses("Which of these two")
}

// A second person is asked for themselves: titles they were asked about do not come back.
func TestPairOfTheSecondPerson(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(60), uitest.NewMemory())
	v.Does(func() { v.P.People.Add("Anna") })
	v.Does(func() { v.P.Follow("") })
	v.Does(func() { v.P.Pair.Choose(-1) })
	v.Does(func() { v.P.People.Become(0) })
	if !slices.Equal(v.P.Pair.Titles, []int{0, 1}) {
		t.Fatalf("the visitor is asked about %v", v.P.Pair.Titles)
	}
	v.Does(func() { v.P.People.Become(1) })
	if !slices.Equal(v.P.Pair.Titles, []int{2, 3}) {
		t.Errorf("after neither of the first two, Anna is asked about %v", v.P.Pair.Titles)
	}
}

// The third answer ends the invitation, like the third pick.
func TestPairsCanBegin(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(6), nil)
	for range 3 {
		v.Sees("Pick three you love")
		v.Does(func() { v.P.Pair.Choose(v.P.Pair.Titles[0]) })
	}
	v.Misses("Which of these two") // there is nothing left to ask about
}

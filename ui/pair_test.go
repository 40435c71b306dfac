package ui

import (
	"slices"
	"testing"
)

// Of two titles the one that is named becomes a like; neither is asked about again, here or in another tab.
func TestWhichOfTheseTwo(t *testing.T) {
	store := newMemory()
	v := come(t, newLine(60), store)
	two := func(v *visitor, want ...int) {
		t.Helper()
		if !slices.Equal(v.p.Pair.Titles, want) {
			t.Fatalf("asked about %v, want %v", v.p.Pair.Titles, want)
		}
	}
	two(v, 0, 1)
	v.sees("Which of these two do you like better?", `aria-label="Film 0, 1950"`, `aria-label="Film 1, 1951"`, ">Neither<")
	v.does(func() { v.p.Pair.Choose(1) })
	two(v, 2, 3)
	v.sees("Liked: Film 1", `<ol id="recommendations"`)
	if s := v.state(); !slices.Equal(s.Likes, []string{"id1"}) || len(s.Seen) > 0 {
		t.Errorf("the answer made %+v", s)
	}
	// The same taste, and the same list, as of a like by any other way.
	other := come(t, newLine(60), newMemory())
	other.does(func() { other.p.Marking.Toggle(1, LikedIt) })
	if !slices.Equal(other.titles(), v.titles()) || v.p.List.Taste.Evidence != other.p.List.Taste.Evidence {
		t.Errorf("the list is %v, after a like %v", v.titles(), other.titles())
	}

	v.does(func() { v.p.Pair.Choose(-1) })
	two(v, 4, 5)
	v.sees("Neither: Film 2, 1952 and Film 3, 1953")
	if s := v.state(); len(s.Likes) != 1 || len(s.Dislikes)+len(s.Seen) > 0 {
		t.Errorf("neither made %+v", s)
	}
	v.does(func() { v.p.Offer.TakeBack() })
	two(v, 2, 3)
	v.does(func() { v.p.Pair.Choose(3) })
	v.does(func() { v.p.Offer.TakeBack() })
	if two(v, 2, 3); v.p.Mark(3) != Unmarked || v.p.Mark(1) != LikedIt {
		t.Error("undo did not take the answer back, or took more")
	}
	v.does(v.p.Pair.Skip)
	two(v, 4, 5)
	v.does(func() { v.p.Marking.Toggle(5, SeenIt) })
	two(v, 4, 6)

	// Another day: what was answered is not asked again, what was put off is after all.
	again := come(t, newLine(60), store)
	if two(again, 4, 6); again.p.Mark(1) != LikedIt {
		t.Error("the answer was not kept")
	}
	v.does(func() { v.p.List.ShowSimilar(7) })
	v.misses("Which of these two")
}

// A second person is asked for themselves: what they were asked about does not come back, whoever was asked meanwhile.
func TestPairOfTheSecondPerson(t *testing.T) {
	v := come(t, newLine(60), newMemory())
	v.does(func() { v.p.People.Add("Anna") })
	v.does(func() { v.p.List.follow("") })
	v.does(func() { v.p.Pair.Choose(-1) })
	v.does(func() { v.p.People.Become(0) })
	if !slices.Equal(v.p.Pair.Titles, []int{0, 1}) {
		t.Fatalf("the visitor is asked about %v", v.p.Pair.Titles)
	}
	v.does(func() { v.p.People.Become(1) })
	if !slices.Equal(v.p.Pair.Titles, []int{2, 3}) {
		t.Errorf("Anna, who likes neither of the first two, is asked about %v", v.p.Pair.Titles)
	}
}

// The third answer ends the invitation, as the third pick does.
func TestPairsCanBegin(t *testing.T) {
	v := come(t, newLine(6), nil)
	for range 3 {
		v.sees("Pick three you love")
		v.does(func() { v.p.Pair.Choose(v.p.Pair.Titles[0]) })
	}
	v.misses("Which of these two") // nothing is left to ask about
}

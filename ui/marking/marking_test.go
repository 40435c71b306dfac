package marking_test

import (
	"slices"
	"testing"

	"github.com/pmlam/pmlam/ui/internal/uitest"
	"github.com/pmlam/pmlam/ui/keep"
)

func TestAMarkMovesBetweenLists(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(60), uitest.NewMemory())
	v.Does(func() { v.P.Marking.Toggle(7, keep.Liked) })
	v.Does(func() { v.P.Marking.Toggle(7, keep.NotForMe) })
	if len(v.P.Now().Likes) != 0 || !slices.Equal(v.P.Now().Dislikes, []string{"id7"}) {
		t.Fatalf("a title is in likes %v and dislikes %v", v.P.Now().Likes, v.P.Now().Dislikes)
	}
	v.Does(func() { v.P.Marking.Toggle(7, keep.Seen) })
	v.Sees("Remove Film 7")
	v.Does(func() { v.P.Marking.Remove(7) })
	if v.P.Now().Marked() {
		t.Errorf("a removed title is still marked: %+v", v.P.Now().State)
	}
}

// Stars give a title the mark that they stand for, weigh more than a like from four and a half on, can be removed and
// undone, and survive a reload.
func TestStars(t *testing.T) {
	disk := uitest.NewMemory()
	v := uitest.Come(t, uitest.NewLine(60), disk)
	for i, stars := range map[int]uint8{3: 10, 4: 9, 5: 8, 6: 6, 7: 4, 8: 1} {
		v.Does(func() { v.P.Marking.Rate(i, stars) })
	}
	m := v.P.Now()
	if !slices.Equal(slices.Sorted(slices.Values(m.Visit.Likes)), []int{3, 4, 5}) || m.ByItem[6] != keep.Seen || m.ByItem[7] != keep.NotForMe ||
		m.ByItem[8] != keep.NotForMe {
		t.Errorf("the marks are %+v", m.State)
	}
	if w := m.Visit.Weights; len(w) != 60 || w[3] != 1.5 || w[4] != 1.25 || w[5] != 0 {
		t.Errorf("the weights are %v", w)
	}
	v.Sees("Film 6: 3 of 5 stars", `data-details="3"`)
	before := v.P.Now().Items[keep.Liked]
	v.Does(func() { v.P.Marking.Rate(3, 9) }) // the same mark: the title keeps its place
	if got := v.P.Now(); got.Details[3].Stars != 9 || !slices.Equal(got.Items[keep.Liked], before) {
		t.Errorf("after another rating: %+v, likes %v, before %v", got.Details[3], got.Items[keep.Liked], before)
	}
	v.Does(v.P.Offer.TakeBack)
	if got := v.P.Now().Details[3].Stars; got != 10 {
		t.Errorf("after undo: %d half stars", got)
	}
	v.Does(func() { v.P.Marking.Rate(7, 10) })
	v.Does(func() { v.P.Marking.Rate(7, 10) }) // the same again
	if got := v.P.Now(); got.ByItem[7] != keep.Liked || got.Details[7].Stars != 0 {
		t.Errorf("without its stars: mark %d, %+v", got.ByItem[7], got.Details[7])
	}
	v.Does(func() { v.P.Marking.Toggle(5, keep.Seen) })
	if got := v.P.Now().Details[5]; got.Stars != 0 {
		t.Errorf("another mark keeps %d half stars", got.Stars)
	}
	again := uitest.Come(t, uitest.NewLine(60), disk)
	if got := again.P.Now().Details; got[3].Stars != 10 || got[6].Stars != 6 {
		t.Errorf("after a reload: %+v", got)
	}
}

// A visitor's own lists hold titles of any mark; an unmarked title is kept for later. They end with their last title.
func TestOwnLists(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(60), uitest.NewMemory())
	v.Does(func() { v.P.Marking.Toggle(3, keep.Liked) })
	v.Does(func() { v.P.Marking.PutOn(3, " Date night ") })
	v.Does(func() { v.P.Marking.PutOn(4, "Date night") })
	v.Does(func() { v.P.Marking.PutOn(4, "Horror") })
	v.Does(func() { v.P.Marking.PutOn(5, "  ") })
	m := v.P.Now()
	if len(m.Lists) != 2 || m.Lists[0].Name != "Date night" || !slices.Equal(m.Lists[0].Items, []int{3, 4}) ||
		!slices.Equal(m.Lists[1].IDs, []string{"id4"}) || m.ByItem[4] != keep.Later || m.ByItem[3] != keep.Liked {
		t.Errorf("the lists are %+v", m.Lists)
	}
	v.Sees("Share this list: Date night", `aria-label="Horror"`)
	v.Does(func() { v.P.Marking.ToggleDetails(4) })
	v.Sees("On a new list", "Your lists for Film 4")
	v.Does(func() { v.P.Marking.ToggleList(4, "Horror") })
	if got := v.P.Now().Lists; len(got) != 1 {
		t.Errorf("a list without titles stays: %+v", got)
	}
	v.Does(v.P.Offer.TakeBack)
	v.Does(func() { v.P.Marking.Toggle(4, keep.Seen) })
	if got := v.P.Now().Lists; len(got) != 2 || !slices.Equal(got[1].Items, []int{4}) {
		t.Errorf("after undo and another mark: %+v", got)
	}
	v.Does(func() { v.P.Marking.Remove(4) })
	if got := v.P.Now().Lists; len(got) != 1 {
		t.Errorf("after the title was removed: %+v", got)
	}
	v.Does(func() { v.P.Marking.ToggleDetails(3) })
	v.Does(v.P.EraseAll)
	if v.P.Marking.Detailed != -1 || len(v.P.Now().Lists) > 0 {
		t.Error("erasing leaves the details")
	}
}

package undo_test

import (
	"slices"
	"testing"

	"github.com/pmlam/pmlam/ui/internal/uitest"
	"github.com/pmlam/pmlam/ui/keep"
)

func TestUndo(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(60), uitest.NewMemory())
	for _, i := range []int{0, 2, 4} {
		v.Does(func() { v.P.Starters.Pick(i) })
	}
	list := v.Titles()
	v.Does(func() { v.P.Marking.Toggle(1, keep.NotForMe) })
	v.Sees("Not for you: Film 1", ">Undo<")
	if slices.Contains(v.Titles(), 1) {
		t.Error("a title marked as not for the visitor is still recommended")
	}
	v.Does(func() { v.P.Tuning.SetDiversity(0.5) })
	v.Does(func() { v.P.Offer.TakeBack() })
	if !slices.Equal(v.Titles(), list) {
		t.Errorf("after undo the list is %v, was %v", v.Titles(), list)
	}
	if v.P.Settings().Diversity != 0.5 {
		t.Error("undo reverted a setting together with the mark")
	}
	v.Misses(">Undo<")
}

// Ctrl+Z undoes one change after the other, also after the offer has gone, but none that was undone otherwise.
func TestUndoGoesBack(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(60), uitest.NewMemory())
	for _, i := range []int{0, 2, 4} {
		v.Does(func() { v.P.Starters.Pick(i) })
	}
	v.Does(v.P.List.More)
	v.Does(func() { v.P.Marking.Toggle(1, keep.NotForMe) })
	v.Does(func() { v.P.Marking.Toggle(3, keep.Liked) })
	if n := len(v.P.List.Titles); n != 20 {
		t.Errorf("after marks the list has %d titles, want the 20 from before", n)
	}
	v.Does(v.P.Offer.Hide)
	for _, want := range []keep.Mark{keep.NotForMe, keep.Unmarked} {
		v.Does(v.P.Offer.TakeBack)
		if v.P.Mark(3) != keep.Unmarked || v.P.Mark(1) != want {
			t.Errorf("undone are %v and %v", v.P.Mark(3), v.P.Mark(1))
		}
	}
	undo := v.P.Offer.Show("a file", func() { t.Error("undone twice") })
	v.P.Offer.Withdraw(undo)
	v.Does(v.P.Offer.TakeBack) // the third pick
	if n := len(v.P.Now().Likes); n != 2 {
		t.Errorf("%d likes are left, want 2", n)
	}
}

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

package ui_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/ui"
	"github.com/pmlam/pmlam/ui/internal/uitest"
	"github.com/pmlam/pmlam/ui/keep"
)

func TestFirstVisit(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(60), uitest.NewMemory())
	v.Sees("Pick three you love", `aria-label="Like Film 0"`, `aria-label="Like Film 11"`, "Show me others",
		`for="search"`, ">Search titles<", `aria-label="Taste map"`, "Nothing is stored yet",
		"Open a backup", "Your picks stay on your device.")
	v.Misses(`class="card"`, "Save a backup", `aria-label="Like Film 12"`)

	v.Does(func() { v.P.Starters.OtherStarters() })
	v.Sees(`aria-label="Like Film 12"`)
	v.Misses(`aria-label="Like Film 11"`)
}

func TestChoicesSurvive(t *testing.T) {
	s := uitest.NewMemory()
	v := uitest.Come(t, uitest.NewLine(60), s)
	for _, i := range []int{3, 5, 8} {
		v.Does(func() { v.P.Starters.Pick(i) })
	}
	v.Does(func() { v.P.Marking.Toggle(9, keep.Seen) })
	v.Does(func() { v.P.Tuning.SetExploration(0.5) })
	list := v.Titles()

	again := uitest.Come(t, uitest.NewLine(60), s)
	if !slices.Equal(again.Titles(), list) || again.P.Settings().Exploration != 0.5 || again.P.Mark(9) != keep.Seen {
		t.Errorf("after coming back the list is %v, was %v", again.Titles(), list)
	}
	again.Misses("Pick three you love")

	smaller := uitest.Come(t, uitest.NewLine(6), s) // this catalogue lacks Films 8 and 9
	if smaller.P.Now().Unknown != 2 || len(smaller.P.Now().Likes) != 3 {
		t.Errorf("a smaller catalogue forgot: unknown %d, likes %v", smaller.P.Now().Unknown,
			smaller.P.Now().Likes)
	}
	smaller.Sees("2 titles from an earlier catalogue")
}

func TestFailure(t *testing.T) {
	f := ui.NewFailure(nil, errors.New("the model is torn"))
	if f.Reason != "the model is torn" || f.W.FailureKept == "" {
		t.Errorf("the failure page is %+v", f)
	}
}

package mapview_test

import (
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/internal/uitest"
	"github.com/pmlam/pmlam/ui/keep"
)

// The source line of a picture names the site, the titles and the model.
func TestProvenance(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(30), nil)
	if got := v.P.Map.Provenance(); got != "Ellipsis · Map of 30 titles · A line · 0123456789ab" {
		t.Errorf("the source line is %q", got)
	}
}

// A taste is called after the genre that most of its likes have, and that says most: Rare before Odd. Without such a
// genre it has no name, rather than a false one.
func TestTastesAreLabelledByTheirContent(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(60), nil)
	p := &recommend.Places{Tastes: []recommend.Place{
		{Share: 0.5, Likes: []int{1, 3, 7, 9, 11}}, {Share: 0.3, Likes: []int{5, 25}}, {Share: 0.2, Likes: []int{1, 2, 3}},
	}}
	want := []string{"Odd · 50% of your taste", "Rare · 30% of your taste", "20% of your taste"}
	if got := v.P.Map.Labels(p, 0); !slices.Equal(got, want) {
		t.Errorf("the tastes are labelled %q, want %q", got, want)
	}
}

// Titles kept for later are painted as unmarked.
func TestMarksOnTheMap(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(30), nil)
	v.Does(func() { v.P.Marking.Toggle(1, keep.Later) })
	v.Does(func() { v.P.Marking.Toggle(2, keep.Liked) })
	if got := v.P.Map.Marks(); got[1] != 0 || got[2] != byte(keep.Liked) {
		t.Errorf("a title for later and a liked one are painted as %v", got[1:3])
	}
}

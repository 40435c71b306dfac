package mapview_test

import (
	"testing"

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

// Titles kept for later are painted as unmarked.
func TestMarksOnTheMap(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(30), nil)
	v.Does(func() { v.P.Marking.Toggle(1, keep.Later) })
	v.Does(func() { v.P.Marking.Toggle(2, keep.Liked) })
	if got := v.P.Map.Marks(); got[1] != 0 || got[2] != byte(keep.Liked) {
		t.Errorf("a title for later and a liked one are painted as %v", got[1:3])
	}
}

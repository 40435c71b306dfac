package mapview_test

import (
	"testing"

	"github.com/pmlam/pmlam/ui/internal/uitest"
	"github.com/pmlam/pmlam/ui/keep"
)

// The source line of a picture of the map names the site, the titles and the model.
func TestProvenance(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(30), nil)
	if got := v.P.Map.Provenance(); got != "Ellipsis · Map of 30 titles · A line · 0123456789ab" {
		t.Errorf("a picture is from %q", got)
	}
}

// A title that is kept for later is painted as one without a mark.
func TestMarksOnTheMap(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(30), nil)
	v.Does(func() { v.P.Marking.Toggle(1, keep.Later) })
	v.Does(func() { v.P.Marking.Toggle(2, keep.Liked) })
	if got := v.P.Map.Marks(); got[1] != 0 || got[2] != byte(keep.Liked) {
		t.Errorf("titles for later and liked are painted as %v", got[1:3])
	}
}

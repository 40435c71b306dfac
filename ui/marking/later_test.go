package marking_test

import (
	"slices"
	"testing"

	"github.com/pmlam/pmlam/ui/internal/uitest"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/share"
)

// A title kept for later has a list of its own, does not affect the taste, and is not recommended.
func TestKeptForLater(t *testing.T) {
	store := uitest.NewMemory()
	v := uitest.Come(t, uitest.NewLine(60), store)
	for _, i := range []int{0, 2, 4} {
		v.Does(func() { v.P.Starters.Pick(i) })
	}
	list, taste := v.Titles(), *v.P.List.Taste
	v.Sees(`aria-label="Later: keep Film 1"`)
	v.Does(func() { v.P.Marking.Toggle(1, keep.Later) })
	v.Sees("Kept for later: Film 1", ">For later</span>", `aria-label="Remove Film 1"`, "3 likes, 1 for later")
	if got := v.P.List.Taste; got.Row[0] != taste.Row[0] || got.Evidence != taste.Evidence {
		t.Errorf("the taste changed from %+v to %+v", taste, got)
	}
	if slices.Contains(v.Titles(), 1) || !slices.Contains(v.Titles(), 3) {
		t.Errorf("the list is %v", v.Titles())
	}
	if got := v.P.Map.Describe(1); got != "kept for later · 1.00 from you" {
		t.Errorf("the map says %q", got)
	}
	v.Does(func() { v.P.Offer.TakeBack() })
	if !slices.Equal(v.Titles(), list) || v.P.Mark(1) != keep.Unmarked {
		t.Errorf("after undo the list is %v, was %v", v.Titles(), list)
	}

	// The mark reaches another tab, a backup and a link. Marking the title as seen or liked replaces it.
	v.Does(func() { v.P.Marking.Toggle(1, keep.Later) })
	v.Does(func() { v.P.Marking.Toggle(9, keep.Later) })
	v.Does(func() { v.P.Marking.Toggle(9, keep.Seen) })
	again := uitest.Come(t, uitest.NewLine(60), store)
	if s := again.State(); !slices.Equal(s.Later, []string{"id1"}) || !slices.Equal(s.Seen, []string{"id9"}) {
		t.Errorf("stored: %+v", s)
	}
	file := v.P.Store.Backup(1_763_705_400_123).Bytes()
	fresh := uitest.Come(t, uitest.NewLine(60), uitest.NewMemory())
	fresh.Does(func() { fresh.P.Backup.OpenBackup("b.json", file) })
	fresh.Does(fresh.P.Backup.MergeBackup)
	if s := fresh.State(); !slices.Equal(s.Later, []string{"id1"}) || !slices.Equal(s.Seen, []string{"id9"}) ||
		len(s.Likes) != 3 {
		t.Errorf("from the backup: %+v", s)
	}
	fresh.Sees("Also what I keep for later")
	other := uitest.Come(t, uitest.NewLine(60), uitest.NewMemory())
	link, _ := share.Encode(&share.Taste{Likes: []string{"id5"}, Later: []string{"id1"}})
	other.Does(func() { other.P.Received.Receive(link) })
	other.Sees("For later (1)")
	other.Does(other.P.Received.AddReceived)
	if s := other.State(); !slices.Equal(s.Later, []string{"id1"}) || !slices.Equal(s.Likes, []string{"id5"}) {
		t.Errorf("from the link: %+v", s)
	}
}

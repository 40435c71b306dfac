package ui

import (
	"slices"
	"testing"

	"github.com/pmlam/pmlam/ui/share"
)

// What is kept for later is in a list of its own, changes nothing of the taste, and is not recommended meanwhile.
func TestKeptForLater(t *testing.T) {
	store := newMemory()
	v := come(t, newLine(60), store)
	for _, i := range []int{0, 2, 4} {
		v.does(func() { v.p.Marking.Pick(i) })
	}
	list, taste := v.titles(), *v.p.List.Taste
	v.sees(`aria-label="Later: keep Film 1"`)
	v.does(func() { v.p.Marking.Toggle(1, ForLater) })
	v.sees("Kept for later: Film 1", ">For later</span>", `aria-label="Remove Film 1"`, "3 likes, 1 for later")
	if got := v.p.List.Taste; got.Row[0] != taste.Row[0] || got.Evidence != taste.Evidence {
		t.Errorf("the taste changed from %+v to %+v", taste, got)
	}
	if slices.Contains(v.titles(), 1) || !slices.Contains(v.titles(), 3) {
		t.Errorf("the list is %v", v.titles())
	}
	if v.p.Map.marks()[1] != 0 || v.p.Map.line(1) != "kept for later · 1.00 from you" {
		t.Errorf("the map paints it as %d and says %q", v.p.Map.marks()[1], v.p.Map.line(1))
	}
	v.does(func() { v.p.Offer.TakeBack() })
	if !slices.Equal(v.titles(), list) || v.p.Mark(1) != Unmarked {
		t.Errorf("after undo the list is %v, was %v", v.titles(), list)
	}

	// It comes back in another tab, in a backup and in a link, and seen or liked it is for later no more.
	v.does(func() { v.p.Marking.Toggle(1, ForLater) })
	v.does(func() { v.p.Marking.Toggle(9, ForLater) })
	v.does(func() { v.p.Marking.Toggle(9, SeenIt) })
	again := come(t, newLine(60), store)
	if s := again.state(); !slices.Equal(s.Later, []string{"id1"}) || !slices.Equal(s.Seen, []string{"id9"}) {
		t.Errorf("stored are %+v", s)
	}
	file := v.p.Backup.backup(1_763_705_400_123).Bytes()
	fresh := come(t, newLine(60), newMemory())
	fresh.does(func() { fresh.p.Backup.OpenBackup("b.json", file) })
	fresh.does(fresh.p.Backup.MergeBackup)
	if s := fresh.state(); !slices.Equal(s.Later, []string{"id1"}) || !slices.Equal(s.Seen, []string{"id9"}) ||
		len(s.Likes) != 3 {
		t.Errorf("the backup brings %+v", s)
	}
	fresh.sees("Also what I keep for later")
	other := come(t, newLine(60), newMemory())
	link, _ := share.Encode(&share.Taste{Likes: []string{"id5"}, Later: []string{"id1"}})
	other.does(func() { other.p.Received.Receive(link) })
	other.sees("For later (1)")
	other.does(other.p.Received.AddReceived)
	if s := other.state(); !slices.Equal(s.Later, []string{"id1"}) || !slices.Equal(s.Likes, []string{"id5"}) {
		t.Errorf("the link brings %+v", s)
	}
}

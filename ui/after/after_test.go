package after_test

import (
	"slices"
	"testing"

	"github.com/pmlam/pmlam/ui/internal/uitest"
	"github.com/pmlam/pmlam/ui/keep"
)

// Titles that were marked with the days of watching, as by an import with dates, give a row after the last of them.
// Titles that were marked at once give none, nor do models without the order.
func TestAfterTheLatestLike(t *testing.T) {
	watched := func(days ...uint32) (changes []keep.Change) {
		for k, day := range days {
			c := keep.Change{ID: []string{"id2", "id40", "id4", "id6"}[k], Mark: keep.Liked}
			if day > 0 {
				c.Details = &keep.Details{When: 86400 * (20000 + day)}
			}
			changes = append(changes, c)
		}
		return changes
	}
	e := uitest.NewLine(60)
	e.Order = true
	v := uitest.Come(t, e, uitest.NewMemory())
	v.Does(func() { v.P.Change(watched(0, 0, 0, 0)...) })
	if v.P.After.Titles != nil {
		t.Errorf("titles marked at once have an order: %v follow %d", v.P.After.Titles, v.P.After.Of)
	}
	v = uitest.Come(t, e, uitest.NewMemory())
	v.Does(func() { v.P.Change(watched(1, 9, 3, 2)...) }) // Film 40 last
	row := v.P.After.Titles
	if v.P.After.Of != 40 || !slices.Equal(row, []int{39, 41, 38, 42}) {
		t.Fatalf("after %d come %v, want the titles next to 40", v.P.After.Of, row)
	}
	v.Sees("After Film 40", `aria-label="Like Film 39, 1989"`, "What people choose next")
	for _, i := range v.Titles() {
		if slices.Contains(row, i) {
			t.Errorf("%d is in the list and in the row", i)
		}
	}
	v.Does(func() { v.P.After.Like(39) })
	v.Sees("Liked: Film 39")
	if v.P.Mark(39) != keep.Liked || slices.Contains(v.P.After.Titles, 39) {
		t.Errorf("Film 39 was not liked, or stays in the row %v", v.P.After.Titles)
	}
	v.Does(func() { v.P.Offer.TakeBack() })
	v.Does(func() { v.P.List.ShowSimilar(7) })
	v.Misses("After Film 40")
	v.Does(func() { v.P.List.ShowSimilar(-1) })
	v.Sees("After Film 40")
	v.Does(v.P.EraseMarks)
	v.Misses("After Film")

	plain := uitest.Come(t, uitest.NewLine(60), uitest.NewMemory())
	plain.Does(func() { plain.P.Change(watched(1, 9, 3, 2)...) })
	plain.Misses("After Film")
}

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

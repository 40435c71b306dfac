package list_test

import (
	"testing"

	"github.com/pmlam/pmlam/ui/internal/uitest"
	"github.com/pmlam/pmlam/ui/share"
)

// The heading of the list as text: ten titles are "ten"; other views have their name on the page.
func TestListTitle(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(30), nil)
	v.Does(func() { v.P.Starters.Pick(3) })
	title := func(want string) {
		t.Helper()
		if got := v.P.List.ListTitle(); got != want {
			t.Errorf("the list's title is %q, want %q", got, want)
		}
	}
	title("My next ten")
	v.Does(func() { v.P.List.ShowSimilar(7) })
	title("More like Film 7")
	v.Does(func() { v.P.List.ShowSimilar(-1) })
	v.Does(func() { v.P.Tuning.ToggleGenre("Rare") })
	title("Next for you")
	link, _ := share.Encode(&share.Taste{Likes: []string{"id9"}})
	v.Does(func() { v.P.Received.Receive(link) })
	v.Does(v.P.Received.Look)
	title("The list for that taste")
}

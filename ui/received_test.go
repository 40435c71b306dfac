package ui

import (
	"slices"
	"testing"

	"github.com/pmlam/pmlam/ui/share"
)

// receives opens a link that carries these ids.
func (v *visitor) receives(likes, dislikes []string) {
	v.t.Helper()
	fragment, _ := share.Encode(&share.Taste{Likes: likes, Dislikes: dislikes})
	v.does(func() { v.p.Received.Receive(fragment) })
}

// A link changes nothing by being opened, added it changes what was not marked, and undone nothing again.
func TestReceive(t *testing.T) {
	s := newMemory()
	v := come(t, newLine(60), s)
	for _, i := range []int{3, 5, 8} {
		v.does(func() { v.p.Marking.Pick(i) })
	}
	v.does(func() { v.p.Marking.Toggle(20, SeenIt) })
	mine, list := v.p.Log.Now().State, v.titles()
	v.receives([]string{"id20", "id5", "id21", "id22", "gone"}, []string{"id40", "id3"})
	v.sees("Someone shared 7 titles with you", "They like (4)", "Film 20, 1970 · known", "Film 5, 1955 · you like it",
		"Film 22, 1972", "Not for them (2)",
		"Film 40, 1990", "Film 3, 1953 · you like it", "Not in this catalogue:", "gone", "Add to your taste")
	if !v.p.Log.Now().Same(&mine) || !slices.Equal(v.titles(), list) {
		t.Fatal("opening a link has changed something")
	}
	v.does(func() { v.p.Received.AddReceived() })
	v.misses("Someone shared")
	v.sees("Added from the link: 2 likes and 1 not for you.")
	want := State{Likes: []string{"id3", "id5", "id8", "id21", "id22"}, Dislikes: []string{"id40"},
		Seen: []string{"id20"}}
	if got := s.ledger(t).State(); !got.Same(&want) {
		t.Errorf("there is stored %+v, want %+v", got, want)
	}
	v.does(v.p.Offer.TakeBack)
	if got := s.ledger(t).State(); !got.Same(&mine) {
		t.Errorf("undone, there is stored %+v, want %+v", got, mine)
	}
}

// A link may say only what somebody does not like; what is marked already is not added twice.
func TestReceiveDislikes(t *testing.T) {
	s := newMemory()
	v := come(t, newLine(60), s)
	v.does(func() { v.p.Marking.Pick(3) })
	for _, said := range []string{"Added from the link: 1 not for you.", "Added from the link: nothing."} {
		v.receives(nil, []string{"id40", "id3"})
		v.sees("Not for them (2)")
		v.misses("They like", "See where it leads")
		v.does(v.p.Received.AddReceived)
		v.sees(said)
		if got := s.ledger(t).State(); !slices.Equal(got.Likes, []string{"id3"}) ||
			!slices.Equal(got.Dislikes, []string{"id40"}) {
			t.Errorf("there is stored %+v", got)
		}
	}
}

// Where a taste leads is shown without keeping it, and without what the visitor has marked; there and back nothing
// changes.
func TestLookAtAReceivedTaste(t *testing.T) {
	s := newMemory()
	v := come(t, newLine(60), s)
	v.sees("Pick three you love")
	v.receives([]string{"id40", "id41"}, []string{"id42"})
	v.does(func() { v.p.Received.Look() })
	v.sees("The list for that taste", `Because they like <b dir="auto">Film 40</b>`)
	v.misses("Pick three you love", "Because you liked")
	if got := v.titles(); !slices.Equal(got[:4], []int{39, 38, 43, 37}) {
		t.Errorf("likes of 40 and 41, less 42, lead to %v", got)
	}
	v.does(func() { v.p.Marking.Toggle(39, LikedIt) })
	if got := v.titles(); slices.Contains(got, 39) || !v.p.List.Borrowing() {
		t.Errorf("what was liked meanwhile is still in the list: %v", got)
	}
	v.does(func() { v.p.Received.Look() })
	v.misses("The list for that taste")
	if got := v.titles(); got[0] != 38 {
		t.Errorf("back, one's own list begins with %v", got)
	}
	v.does(func() { v.p.Received.Look() })
	v.does(v.p.Received.DropReceived)
	v.misses("Someone shared", "The list for that taste")
	if got := s.ledger(t).State(); !slices.Equal(got.Likes, []string{"id39"}) || got.Dislikes != nil {
		t.Errorf("there is stored %+v", got)
	}
}

func TestReceiveDamaged(t *testing.T) {
	v := come(t, newLine(20), nil)
	for fragment, text := range map[string]string{
		"taste=1&like=id3&check=00000000": "It was cut or changed on its way",
		"taste=9&like=id3":                "A newer version of this page made it.",
	} {
		v.does(func() { v.p.Received.Receive(fragment) })
		v.sees("This link cannot be read", text)
		v.misses("No, thanks", "See where it leads", "to yours")
		v.does(v.p.Received.DropReceived)
		v.misses("This link cannot be read")
	}
	v.receives([]string{"of", "another", "catalogue"}, nil)
	v.sees("Someone shared 3 titles with you", "Not in this catalogue:", "of, another and catalogue", "No, thanks")
	v.misses("See where it leads", "to yours")
}

// Many titles are shown in part, and what has been erased is not in the page.
func TestReceiveMany(t *testing.T) {
	v := come(t, newLine(40), newMemory())
	var ids []string
	for i := range 30 {
		ids = append(ids, v.p.Item(i).ID)
	}
	v.receives(ids, nil)
	v.sees("Film 23, 1973", "6 more")
	v.misses("Film 24, 1974")
	v.does(v.p.Data.EraseAll)
	v.misses("Someone shared")
}

func TestShareLink(t *testing.T) {
	v := come(t, newLine(20), nil)
	v.misses("Share your taste")
	v.does(func() { v.p.Marking.Pick(3) })
	v.sees("Share your taste", "anyone who has the link can read them", "Share a link")
	v.misses("Also what is not for me")
	v.does(func() { v.p.Marking.Toggle(4, NotForMe) })
	v.sees("Also what is not for me")
	v.does(func() { v.p.Sharing.handed(true, "It is copied.") })
	v.sees("It is copied.")
	v.does(v.p.Sharing.ToggleShareDislikes)
	v.misses("It is copied.")
	v.does(func() { v.p.Sharing.handed(false, "The list, too") })
	v.sees("The list, too")
	v.does(func() { v.p.Marking.Pick(5) })
	v.misses("The list, too")
}

// What stands above the list where it goes out as text: ten are ten, anything else is called as on the page.
func TestListTitle(t *testing.T) {
	v := come(t, newLine(30), nil)
	v.does(func() { v.p.Marking.Pick(3) })
	title := func(want string) {
		t.Helper()
		if got := v.p.List.listTitle(); got != want {
			t.Errorf("the list is called %q, want %q", got, want)
		}
	}
	title("My next ten")
	v.does(func() { v.p.List.ShowSimilar(7) })
	title("More like Film 7")
	v.does(func() { v.p.List.ShowSimilar(-1) })
	v.does(func() { v.p.Tuning.ToggleGenre("Rare") })
	title("Next for you")
	v.receives([]string{"id9"}, nil)
	v.does(v.p.Received.Look)
	title("The list for that taste")
	if got := v.p.Map.provenance(); got != "Ellipsis · Map of 30 titles · A line · 0123456789ab" {
		t.Errorf("a picture is from %q", got)
	}
}

// Another training of the same data has its titles in other rows; a link means the same titles.
func TestReceiveAcrossModels(t *testing.T) {
	e := newLine(30)
	slices.Reverse(e.items)
	v := come(t, e, nil)
	v.receives([]string{"id3", "id29"}, nil)
	v.sees("Film 3, 1953", "Film 29, 1979")
	v.does(func() { v.p.Received.AddReceived() })
	if got := v.p.Log.Now().Visit.Likes; !slices.Equal(got, []int{26, 0}) {
		t.Errorf("the likes are rows %v", got)
	}
}

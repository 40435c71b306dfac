package sharing_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/ui/internal/uitest"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/share"
)

// receives opens a link with these ids.
func receives(v *uitest.Visitor, likes, dislikes []string) {
	v.T.Helper()
	fragment, _ := share.Encode(&share.Taste{Likes: likes, Dislikes: dislikes})
	v.Does(func() { v.P.Received.Receive(fragment) })
}

// Opening a link changes nothing. Adding it marks unmarked titles, and undo reverts that.
func TestReceive(t *testing.T) {
	s := uitest.NewMemory()
	v := uitest.Come(t, uitest.NewLine(60), s)
	for _, i := range []int{3, 5, 8} {
		v.Does(func() { v.P.Starters.Pick(i) })
	}
	v.Does(func() { v.P.Marking.Toggle(20, keep.Seen) })
	mine, list := v.P.Now().State, v.Titles()
	receives(v, []string{"id20", "id5", "id21", "id22", "gone"}, []string{"id40", "id3"})
	v.Sees("Someone shared 7 titles with you", "They like (4)", "Film 20, 1970 · known", "Film 5, 1955 · you like it",
		"Film 22, 1972", "Not for them (2)",
		"Film 40, 1990", "Film 3, 1953 · you like it", "Not in this catalogue:", "gone", "Add to your taste")
	if !v.P.Now().Same(&mine) || !slices.Equal(v.Titles(), list) {
		t.Fatal("opening a link changed the visit")
	}
	v.Does(func() { v.P.Received.AddReceived() })
	v.Misses("Someone shared")
	v.Sees("Added from the link: 2 likes and 1 dislike.")
	want := keep.State{Likes: []string{"id3", "id5", "id8", "id21", "id22"}, Dislikes: []string{"id40"},
		Seen: []string{"id20"}}
	if got := s.Ledger(t).State(); !got.Same(&want) {
		t.Errorf("stored: %+v, want %+v", got, want)
	}
	v.Does(v.P.Offer.TakeBack)
	if got := s.Ledger(t).State(); !got.Same(&mine) {
		t.Errorf("after undo, stored: %+v, want %+v", got, mine)
	}
}

// A list for later can be shared by itself. Its link adds these titles for later, and nothing else.
func TestShareList(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(60), uitest.NewMemory())
	v.Does(func() { v.P.Starters.Pick(3) })
	v.Misses("Share only my list for later")
	v.Does(func() { v.P.Marking.Toggle(7, keep.Later) })
	v.Sees("Share only my list for later")
	fragment, n := share.Encode(&share.Taste{Later: v.P.Now().Later})
	s := uitest.NewMemory()
	to := uitest.Come(t, uitest.NewLine(60), s)
	to.Does(func() { to.P.Received.Receive(fragment) })
	to.Sees("Someone shared 1 title with you", "For later (1)")
	to.Misses("They like", "See their recommendations")
	to.Does(to.P.Received.AddReceived)
	if got := s.Ledger(t).State(); n != 1 || !slices.Equal(got.Later, []string{"id7"}) || len(got.Likes) > 0 {
		t.Errorf("stored: %+v", got)
	}
}

// A link may hold dislikes only. Titles that are already marked are not added again.
func TestReceiveDislikes(t *testing.T) {
	s := uitest.NewMemory()
	v := uitest.Come(t, uitest.NewLine(60), s)
	v.Does(func() { v.P.Starters.Pick(3) })
	for _, said := range []string{"Added from the link: 1 dislike.", "Added from the link: nothing."} {
		receives(v, nil, []string{"id40", "id3"})
		v.Sees("Not for them (2)")
		v.Misses("They like", "See their recommendations")
		v.Does(v.P.Received.AddReceived)
		v.Sees(said)
		if got := s.Ledger(t).State(); !slices.Equal(got.Likes, []string{"id3"}) ||
			!slices.Equal(got.Dislikes, []string{"id40"}) {
			t.Errorf("stored: %+v", got)
		}
	}
}

// Looking at a shared taste stores nothing and ignores the visitor's own marks. Going back restores the list.
func TestLookAtAReceivedTaste(t *testing.T) {
	s := uitest.NewMemory()
	v := uitest.Come(t, uitest.NewLine(60), s)
	v.Sees("Pick three you love")
	receives(v, []string{"id40", "id41"}, []string{"id42"})
	v.Does(func() { v.P.Received.Look() })
	v.Sees("The list for that taste", `Because they like <b dir="auto">Film 40</b>`)
	v.Misses("Pick three you love", "Because you liked")
	if got := v.Titles(); !slices.Equal(got[:4], []int{39, 38, 43, 37}) {
		t.Errorf("likes of 40 and 41 and a dislike of 42 lead to %v", got)
	}
	v.Does(func() { v.P.Marking.Toggle(39, keep.Liked) })
	if got := v.Titles(); slices.Contains(got, 39) || !v.P.List.Borrowing() {
		t.Errorf("a title liked meanwhile is still in the list: %v", got)
	}
	v.Does(func() { v.P.Received.Look() })
	v.Misses("The list for that taste")
	if got := v.Titles(); got[0] != 38 {
		t.Errorf("after going back, the own list begins with %v", got)
	}
	v.Does(func() { v.P.Received.Look() })
	v.Does(v.P.Received.DropReceived)
	v.Misses("Someone shared", "The list for that taste")
	if got := s.Ledger(t).State(); !slices.Equal(got.Likes, []string{"id39"}) || got.Dislikes != nil {
		t.Errorf("stored: %+v", got)
	}
}

func TestReceiveDamaged(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(20), nil)
	for fragment, text := range map[string]string{
		"taste=1&like=id3&check=00000000": "It was cut off or changed on its way",
		"taste=9&like=id3":                "It comes from a newer version of this page.",
	} {
		v.Does(func() { v.P.Received.Receive(fragment) })
		v.Sees("This link cannot be read", text)
		v.Misses("No, thanks", "See the list for that taste", "Add to your taste")
		v.Does(v.P.Received.DropReceived)
		v.Misses("This link cannot be read")
	}
	receives(v, []string{"of", "another", "catalogue"}, nil)
	v.Sees("Someone shared 3 titles with you", "Not in this catalogue:", "of, another and catalogue", "No, thanks")
	v.Misses("See the list for that taste", "Add to your taste")
}

// Long lists are shortened, and erasing removes them from the page.
func TestReceiveMany(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(40), uitest.NewMemory())
	var ids []string
	for i := range 30 {
		ids = append(ids, v.P.Entry(i).ID)
	}
	receives(v, ids, nil)
	v.Sees("Film 23, 1973", "6 more")
	v.Misses("Film 24, 1974")
	v.Does(v.P.EraseAll)
	v.Misses("Someone shared")
}

func TestShareLink(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(20), nil)
	v.Misses("Share your taste")
	v.Does(func() { v.P.Starters.Pick(3) })
	v.Sees("Share your taste", "anyone who has the link can read them", "Share a link")
	v.Misses("Also what is not for me")
	v.Does(func() { v.P.Marking.Toggle(4, keep.NotForMe) })
	v.Sees("Also what is not for me")
	v.Does(func() { v.P.Sharing.Handed("It is copied.") })
	v.Sees("It is copied.")
	v.Does(v.P.Sharing.ToggleShareDislikes)
	v.Misses("It is copied.")
	v.Does(func() { v.P.List.Handed("The list, too") })
	v.Sees("The list, too")
	v.Does(func() { v.P.Starters.Pick(5) })
	v.Misses("The list, too")
}

// A shared list keeps its name, for unmarked and marked titles; programs that do not know lists find titles for later.
func TestReceiveList(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(30), nil)
	v.Does(func() { v.P.Marking.Toggle(4, keep.Liked) })
	fragment, n := share.Encode(&share.Taste{Later: []string{"id3", "id4"}, List: "Halloween & <more>, 31"})
	if n != 2 || !strings.HasPrefix(fragment, "taste=1&list=Halloween%20%26%20%3Cmore%3E%2C%2031&later=id3,id4&check=") {
		t.Fatalf("the link is %q", fragment)
	}
	v.Does(func() { v.P.Received.Receive(fragment) })
	v.Sees("A list for you: Halloween &amp; &lt;more&gt;, 31", "Film 3, 1953", "Film 4, 1954")
	v.Does(v.P.Received.AddReceived)
	m := v.P.Now()
	if len(m.Lists) != 1 || m.Lists[0].Name != "Halloween & <more>, 31" || !slices.Equal(m.Lists[0].Items, []int{3, 4}) &&
		!slices.Equal(m.Lists[0].Items, []int{4, 3}) || m.ByItem[3] != keep.Later || m.ByItem[4] != keep.Liked {
		t.Errorf("the lists are %+v, the marks %+v", m.Lists, m.State)
	}
	v.Sees("Added from Halloween")
	v.Does(v.P.Offer.TakeBack)
	if m := v.P.Now(); len(m.Lists) > 0 || m.ByItem[3] != keep.Unmarked || m.ByItem[4] != keep.Liked {
		t.Errorf("after undo: %+v, %+v", m.Lists, m.State)
	}
}

// A link means the same titles in another model of the same data, where they have other rows.
func TestReceiveAcrossModels(t *testing.T) {
	e := uitest.NewLine(30)
	slices.Reverse(e.Items)
	v := uitest.Come(t, e, nil)
	receives(v, []string{"id3", "id29"}, nil)
	v.Sees("Film 3, 1953", "Film 29, 1979")
	v.Does(func() { v.P.Received.AddReceived() })
	if got := v.P.Now().Visit.Likes; !slices.Equal(got, []int{26, 0}) {
		t.Errorf("liked rows: %v", got)
	}
}

package ui

import (
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/visit"
)

// person is what is stored of the second person; nil: nobody.
func (s *memory) person(t *testing.T) *keep.Ledger {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.m[visit.OtherKey] == nil {
		return nil
	}
	l, err := keep.Decode(s.m[visit.OtherKey])
	if err != nil {
		t.Fatal(err)
	}
	return &l
}

func TestTwoPeople(t *testing.T) {
	e, store := newLine(60), newMemory()
	v := come(t, e, store)
	for _, i := range []int{10, 12, 14} {
		v.does(func() { v.p.Marking.Pick(i) })
	}
	v.does(func() { v.p.List.follow("together") })
	v.sees("For two", "What are they called?", "A second person picks what they love")
	v.misses(`class="card"`, "Nothing left")
	v.does(func() { v.p.People.Add("  Anna <3 \n") })
	if v.p.Log.Other != "Anna <3" || v.p.Log.Who != 1 || v.p.Announced != "You are choosing for Anna <3 now." {
		t.Fatalf("%q, %d: %q", v.p.Log.Other, v.p.Log.Who, v.p.Announced)
	}
	v.sees("You are choosing for Anna &lt;3 now.", "Back to you", "Forget Anna &lt;3")
	v.does(func() { v.p.List.follow("") })
	v.sees("Pick three you love") // it is Anna's first visit
	v.does(func() { v.p.Marking.Pick(40) })
	if v.titles()[0] != 39 && v.titles()[0] != 41 {
		t.Errorf("near Anna is %v", v.titles())
	}
	v.does(func() { v.p.Marking.Toggle(50, LikedIt) })

	// Both are kept, each by themselves.
	if own, other := store.ledger(t), store.person(t); len(own.Entries) != 3 || len(other.Entries) != 2 ||
		other.Settings.Person != "Anna <3" || own.Settings.Person != "" {
		t.Errorf("stored are %+v and %+v", own, other)
	}
	v.does(func() { v.p.People.Become(0) })
	if !slices.Equal(v.p.Log.Now().Likes, []string{"id10", "id12", "id14"}) ||
		!slices.Equal(v.p.Log.Partner().Visit.Likes, []int{40, 50}) {
		t.Errorf("back to the visitor, who likes %v, and Anna %v", v.p.Log.Now().Likes, v.p.Log.Partner().Visit.Likes)
	}
	v.does(func() { v.p.List.follow("together") })
	v.sees("Next for you and Anna &lt;3", "3 likes of yours, 2 of Anna &lt;3’s. Both of you count the same.",
		"You: a gamble, because of <b dir=\"auto\">Film 10</b><br/>Anna &lt;3: a hunch, because of <b "+
			"dir=\"auto\">Film 40</b>", "Dashed rings: Anna")
	if got := v.titles()[0]; got != 28 && got != 29 {
		t.Errorf("between 12 and 45 lies %d", got)
	}

	// As Anna, the page is hers, and the list for both is the same.
	both := v.titles()
	v.does(func() { v.p.People.Become(1) })
	if !slices.Equal(v.titles(), both) {
		t.Errorf("for Anna and the visitor comes %v, for the visitor and Anna %v", v.titles(), both)
	}
	v.sees("You: a hunch, because of <b dir=\"auto\">Film 10</b><br/>Anna &lt;3: a gamble, because of <b " +
		"dir=\"auto\">Film 40</b>")

	// A reload is the visitor's, and Anna is still there; a second tab sees her too.
	again := come(t, e, store)
	if again.p.Log.Who != 0 || again.p.Log.Other != "Anna <3" || len(again.p.Log.Now().Visit.Likes) != 3 ||
		!slices.Equal(again.p.Log.Partner().Visit.Likes, []int{40, 50}) {
		t.Fatalf("after a reload: %d, %q, %v, %v", again.p.Log.Who, again.p.Log.Other, again.p.Log.Now().Visit.Likes,
			again.p.Log.Partner().Visit.Likes)
	}
	again.does(func() { again.p.List.follow("together") })
	again.sees("Next for you and Anna &lt;3")

	// Forgotten there and taken back, then forgotten for good; the first tab, which is still hers, hears of it.
	again.does(again.p.People.Forget)
	if store.person(t) != nil || again.p.Log.Other != "" || again.p.List.View.Kind != OwnView {
		t.Errorf("forgotten, and still there: %+v, %q", store.person(t), again.p.Log.Other)
	}
	again.does(again.p.Offer.TakeBack)
	if p := store.person(t); p == nil || p.Settings.Person != "Anna <3" || len(p.Entries) != 2 ||
		again.p.Log.Who != 0 || len(again.p.Log.Now().Likes) != 3 {
		t.Errorf("taken back, Anna is %+v", p)
	}
	again.does(again.p.People.Forget)
	v.does(func() {})
	v.p.Storage.changedElsewhere(false)
	v.p.Wait()
	if v.p.Log.Who != 0 || v.p.Log.Other != "" || len(v.p.Log.Now().Likes) != 3 {
		t.Errorf("the other tab is %d's, with %q and %v", v.p.Log.Who, v.p.Log.Other, v.p.Log.Now().Likes)
	}
	v.does(func() { v.p.Marking.Toggle(20, LikedIt) })
	if store.person(t) != nil || len(store.ledger(t).Entries) != 4 {
		t.Error("somebody who was forgotten came back")
	}
}

// Somebody new does not take over what somebody else said before.
func TestAnotherPerson(t *testing.T) {
	e, store := newLine(60), newMemory()
	v := come(t, e, store)
	v.does(func() { v.p.Marking.Pick(10) })
	v.does(func() {
		v.p.People.AddWith("Anna", State{Likes: []string{"id40", "id41", "unknown"}, Dislikes: []string{"id3"}})
	})
	if v.p.Log.Who != 0 || v.p.List.View.Kind != TogetherView || len(v.p.Log.Partner().Visit.Likes) != 2 ||
		len(v.p.List.Pair) == 0 {
		t.Fatalf("%d, %+v, %v", v.p.Log.Who, v.p.List.View, v.p.Log.Partner().Visit)
	}
	v.env.Lock()
	v.p.People.Forget() // and at once, before anything is stored, somebody else
	v.p.People.Add("Ben")
	v.env.UnlockRender()
	v.p.Wait()
	v.does(func() { v.p.Marking.Toggle(5, LikedIt) })
	if p := store.person(t); p.Settings.Person != "Ben" || len(p.Entries) != 1 || p.Entries[0].ID != "id5" {
		t.Errorf("Ben is %+v", p)
	}
	again := come(t, e, store)
	if again.p.Log.Other != "Ben" || !slices.Equal(again.p.Log.Partner().Visit.Likes, []int{5}) ||
		len(again.p.Log.Now().Likes) != 1 {
		t.Errorf("after a reload %q likes %v", again.p.Log.Other, again.p.Log.Partner().Visit.Likes)
	}

	// What cannot be read is set aside, as the visitor's own is.
	store.m[visit.OtherKey] = []byte("damaged")
	third := come(t, e, store)
	if third.p.Log.Other != "" || third.p.Log.Aside == 0 || len(third.p.Log.Now().Likes) != 1 {
		t.Errorf("with a damaged second person: %q, %d bytes set aside, %v", third.p.Log.Other, third.p.Log.Aside,
			third.p.Log.Now().Likes)
	}
	third.does(func() { third.p.People.Add("Cleo") })
	third.does(func() { third.p.Marking.Toggle(7, LikedIt) })
	third.does(third.p.Data.EraseAll)
	if len(store.m) != 0 || third.p.Log.Other != "" || third.p.Log.Who != 0 {
		t.Errorf("erased, and yet %v, %q", store.m, third.p.Log.Other)
	}
	for _, name := range []string{"", "   ", "\xff"} {
		third.does(func() { third.p.People.Add(name) })
		if third.p.Log.Other != "" {
			t.Errorf("%q is a name", name)
		}
	}
	third.does(func() { third.p.People.Add(strings.Repeat("é", 500)) })
	if n := len(third.p.Log.Other); n == 0 || n > keep.MaxPerson {
		t.Errorf("a name of %d bytes", n)
	}
}

// Both can be called otherwise: it is kept, other tabs hear of it, and what was said stays.
func TestNames(t *testing.T) {
	e, store := newLine(60), newMemory()
	v := come(t, e, store)
	v.does(func() { v.p.Marking.Pick(10) })
	v.does(func() { v.p.People.AddWith("Ana", State{Likes: []string{"id40"}}) })
	other := come(t, e, store)
	other.does(func() { other.p.List.follow("together") })
	v.sees("What are you called?")
	v.misses(`id="person"`)
	v.does(v.p.People.AskName)
	v.sees(`id="person"`)
	v.does(func() { v.p.People.Rename(" Ben ") })
	v.misses(`id="person"`)
	if v.p.Announced != "The name is Ben now." {
		t.Errorf("it says %q", v.p.Announced)
	}
	v.does(func() { v.p.People.Become(1) })
	v.sees("Rename Ana")
	v.does(v.p.People.AskName)
	if v.p.People.typed != "Ana" {
		t.Errorf("the field begins with %q", v.p.People.typed)
	}
	v.does(func() { v.p.People.Rename("  ") }) // is no name
	v.does(func() { v.p.People.Rename("Anna") })
	v.sees("Anna: a ", "Ben: a ", "Forget Anna")
	v.misses("Ana")
	if own, p := store.ledger(t), store.person(t); own.Settings.Person != "Ben" || p.Settings.Person != "Anna" ||
		len(own.Entries) != 1 || len(p.Entries) != 1 {
		t.Errorf("stored are %+v and %+v", own, p)
	}
	other.p.Storage.changedElsewhere(false)
	other.p.Wait()
	other.sees("Anna: a ", "Ben: a ", "Next for you and Anna")
	again := come(t, e, store)
	if again.p.Log.Other != "Anna" || again.p.Called(0) != "Ben" || again.p.Called(1) != "Anna" {
		t.Errorf("after a reload they are %q and %q", again.p.Called(0), again.p.Called(1))
	}
	// Who turns to the other one before they have answered is not taken for them.
	v.does(v.p.People.AskName)
	v.does(func() { v.p.People.Become(0) })
	v.misses(`id="person"`)

	// A name is erased with what was said; the language and the colours are not.
	v.does(func() { v.p.Tuning.SetDiversity(0.5) })
	v.does(v.p.Data.EraseMarks)
	if l := store.ledger(t); l.Settings.Person != "" || l.Settings.Diversity != 0.5 || store.person(t) != nil ||
		v.p.Called(0) != "You" {
		t.Errorf("erased, and there is stored %+v", l)
	}
}

// A program of before, which an update may fall back to, does not know of the second person, and leaves them alone.
func TestAnEarlierProgramLeavesThemAlone(t *testing.T) {
	e, store := newLine(60), newMemory()
	v := come(t, e, store)
	v.does(func() { v.p.Marking.Pick(10) })
	v.does(func() { v.p.People.AddWith("Anna", State{Likes: []string{"id40"}}) })
	kept := string(store.m[visit.OtherKey])
	l := store.ledger(t)
	l.Settings = Settings{Mode: 1} // as a program that knows no other settings writes it
	b, err := l.Encode()
	if err != nil {
		t.Fatal(err)
	}
	store.m[visit.StateKey] = b
	again := come(t, e, store)
	if again.p.Log.Other != "Anna" || !slices.Equal(again.p.Log.Partner().Visit.Likes, []int{40}) ||
		string(store.m[visit.OtherKey]) != kept {
		t.Errorf("%q likes %v", again.p.Log.Other, again.p.Log.Partner().Visit.Likes)
	}
}

// As soon as there is a list for two it is first: no invitation stands over it, however little either has said.
func TestTheListForTwoStandsFirst(t *testing.T) {
	v := come(t, newLine(60), newMemory())
	v.does(func() { v.p.Marking.Pick(10) })
	v.does(func() { v.p.List.follow("together") })
	v.does(func() { v.p.People.Add("Anna") })
	v.sees("Pick three you love")
	v.misses(`class="card"`)
	v.does(func() { v.p.Marking.Pick(40) })
	for _, who := range []int{1, 0} {
		v.does(func() { v.p.People.Become(who) })
		v.sees("Next for you and Anna", `class="card"`)
		v.misses("Pick three you love")
	}
}

package people_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/ui/address"
	"github.com/pmlam/pmlam/ui/internal/uitest"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/visit"
)

func TestTwoPeople(t *testing.T) {
	e, store := uitest.NewLine(60), uitest.NewMemory()
	v := uitest.Come(t, e, store)
	for _, i := range []int{10, 12, 14} {
		v.Does(func() { v.P.Starters.Pick(i) })
	}
	v.Does(func() { v.P.Follow("together") })
	v.Sees("For two", "Their name", "A second person picks what they love")
	v.Misses(`class="card"`, "Nothing left")
	v.Does(func() { v.P.People.Add("  Anna <3 \n") })
	if v.P.Other() != "Anna <3" || v.P.Who() != 1 || v.P.Announced != "You are now choosing for Anna <3." {
		t.Fatalf("%q, %d: %q", v.P.Other(), v.P.Who(), v.P.Announced)
	}
	v.Sees("You are now choosing for Anna &lt;3.", "Back to you", "Forget Anna &lt;3")
	v.Does(func() { v.P.Follow("") })
	v.Sees("Pick three you love") // Anna's first visit
	v.Does(func() { v.P.Starters.Pick(40) })
	if v.Titles()[0] != 39 && v.Titles()[0] != 41 {
		t.Errorf("Anna's list is %v", v.Titles())
	}
	v.Does(func() { v.P.Marking.Toggle(50, keep.Liked) })

	// Each person's marks are stored separately.
	if own, other := store.Ledger(t), store.Person(t); len(own.Entries) != 3 || len(other.Entries) != 2 ||
		other.Settings.Person != "Anna <3" || own.Settings.Person != "" {
		t.Errorf("stored: %+v and %+v", own, other)
	}
	v.Does(func() { v.P.People.Become(0) })
	if !slices.Equal(v.P.Now().Likes, []string{"id10", "id12", "id14"}) ||
		!slices.Equal(v.P.Partner().Visit.Likes, []int{40, 50}) {
		t.Errorf("back on the visitor's page, the visitor likes %v, Anna %v", v.P.Now().Likes, v.P.Partner().Visit.Likes)
	}
	v.Does(func() { v.P.Follow("together") })
	v.Sees("Next for you and Anna &lt;3", "3 likes from you, 2 from Anna &lt;3. Both of you count the same.",
		"You: a gamble, because of <b dir=\"auto\">Film 10</b><br/>Anna &lt;3: a hunch, because of <b "+
			"dir=\"auto\">Film 40</b>", "Dashed rings: Anna")
	if got := v.Titles()[0]; got != 28 && got != 29 {
		t.Errorf("the best title between 12 and 45 is %d", got)
	}

	// On Anna's page the list for both is the same.
	both := v.Titles()
	v.Does(func() { v.P.People.Become(1) })
	if !slices.Equal(v.Titles(), both) {
		t.Errorf("on Anna's page the list for both is %v, on the visitor's %v", v.Titles(), both)
	}
	v.Sees("You: a hunch, because of <b dir=\"auto\">Film 10</b><br/>Anna &lt;3: a gamble, because of <b " +
		"dir=\"auto\">Film 40</b>")

	// After a reload it is the visitor's page, and Anna is still there. A second tab sees her too.
	again := uitest.Come(t, e, store)
	if again.P.Who() != 0 || again.P.Other() != "Anna <3" || len(again.P.Now().Visit.Likes) != 3 ||
		!slices.Equal(again.P.Partner().Visit.Likes, []int{40, 50}) {
		t.Fatalf("after a reload: %d, %q, %v, %v", again.P.Who(), again.P.Other(), again.P.Now().Visit.Likes,
			again.P.Partner().Visit.Likes)
	}
	again.Does(func() { again.P.Follow("together") })
	again.Sees("Next for you and Anna &lt;3")

	// Anna is removed in one tab, restored, and removed for good. The first tab still shows her page, and hears of it.
	again.Does(again.P.People.Forget)
	if store.Person(t) != nil || again.P.Other() != "" || again.P.View().Kind != address.Own {
		t.Errorf("removed, but still there: %+v, %q", store.Person(t), again.P.Other())
	}
	again.Does(again.P.Offer.TakeBack)
	if p := store.Person(t); p == nil || p.Settings.Person != "Anna <3" || len(p.Entries) != 2 ||
		again.P.Who() != 0 || len(again.P.Now().Likes) != 3 {
		t.Errorf("after undo, Anna is %+v", p)
	}
	again.Does(again.P.People.Forget)
	v.Does(func() {})
	v.Hears(false)
	if v.P.Who() != 0 || v.P.Other() != "" || len(v.P.Now().Likes) != 3 {
		t.Errorf("the other tab shows person %d, has %q and likes %v", v.P.Who(), v.P.Other(), v.P.Now().Likes)
	}
	v.Does(func() { v.P.Marking.Toggle(20, keep.Liked) })
	if store.Person(t) != nil || len(store.Ledger(t).Entries) != 4 {
		t.Error("a removed person came back")
	}
}

// A new second person does not inherit the previous one's marks.
func TestAnotherPerson(t *testing.T) {
	e, store := uitest.NewLine(60), uitest.NewMemory()
	v := uitest.Come(t, e, store)
	v.Does(func() { v.P.Starters.Pick(10) })
	v.Does(func() {
		v.P.People.AddWith("Anna", keep.State{Likes: []string{"id40", "id41", "unknown"}, Dislikes: []string{"id3"}})
	})
	if v.P.Who() != 0 || v.P.View().Kind != address.Together || len(v.P.Partner().Visit.Likes) != 2 ||
		len(v.P.List.Pair) == 0 {
		t.Fatalf("%d, %+v, %v", v.P.Who(), v.P.View(), v.P.Partner().Visit)
	}
	v.Env.Lock()
	v.P.People.Forget() // immediately followed by another person, before anything is stored
	v.P.People.Add("Ben")
	v.Env.UnlockRender()
	v.P.Tasks.Wait()
	v.Does(func() { v.P.Marking.Toggle(5, keep.Liked) })
	if p := store.Person(t); p.Settings.Person != "Ben" || len(p.Entries) != 1 || p.Entries[0].ID != "id5" {
		t.Errorf("Ben is %+v", p)
	}
	again := uitest.Come(t, e, store)
	if again.P.Other() != "Ben" || !slices.Equal(again.P.Partner().Visit.Likes, []int{5}) ||
		len(again.P.Now().Likes) != 1 {
		t.Errorf("after a reload %q likes %v", again.P.Other(), again.P.Partner().Visit.Likes)
	}

	// An unreadable second person is set aside, like an unreadable visitor.
	store.M[visit.OtherKey] = []byte("damaged")
	third := uitest.Come(t, e, store)
	if third.P.Other() != "" || third.P.SetAside() == 0 || len(third.P.Now().Likes) != 1 {
		t.Errorf("with a damaged second person: %q, %d bytes set aside, %v", third.P.Other(), third.P.SetAside(),
			third.P.Now().Likes)
	}
	third.Does(func() { third.P.People.Add("Cleo") })
	third.Does(func() { third.P.Marking.Toggle(7, keep.Liked) })
	third.Does(third.P.EraseAll)
	if len(store.M) != 0 || third.P.Other() != "" || third.P.Who() != 0 {
		t.Errorf("after erasing: %v, %q", store.M, third.P.Other())
	}
	for _, name := range []string{"", "   ", "\xff"} {
		third.Does(func() { third.P.People.Add(name) })
		if third.P.Other() != "" {
			t.Errorf("%q was accepted as a name", name)
		}
	}
	third.Does(func() { third.P.People.Add(strings.Repeat("é", 500)) })
	if n := len(third.P.Other()); n == 0 || n > keep.MaxPerson {
		t.Errorf("the name has %d bytes", n)
	}
}

// On the second person's page, the taste is theirs by name.
func TestTasteHasAName(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(60), uitest.NewMemory())
	v.Sees(">" + v.P.W.Taste + "<")
	v.Does(func() { v.P.People.Add("Maria") })
	v.Sees(v.P.W.Isolate("Maria") + "’s taste")
	v.Misses(">" + v.P.W.Taste + "<")
}

// Both people can be renamed. The name is stored, other tabs hear of it, and marks stay.
func TestNames(t *testing.T) {
	e, store := uitest.NewLine(60), uitest.NewMemory()
	v := uitest.Come(t, e, store)
	v.Does(func() { v.P.Starters.Pick(10) })
	v.Does(func() { v.P.People.AddWith("Ana", keep.State{Likes: []string{"id40"}}) })
	other := uitest.Come(t, e, store)
	other.Does(func() { other.P.Follow("together") })
	v.Sees("Your name")
	v.Misses(`id="person"`)
	v.Does(v.P.People.AskName)
	v.Sees(`id="person"`)
	v.Does(func() { v.P.People.Rename(" Ben ") })
	v.Misses(`id="person"`)
	if v.P.Announced != "The name is now Ben." {
		t.Errorf("announced %q", v.P.Announced)
	}
	v.Does(func() { v.P.People.Become(1) })
	v.Sees("Rename Ana")
	v.Does(v.P.People.AskName)
	if v.P.People.Typed() != "Ana" {
		t.Errorf("the field begins with %q", v.P.People.Typed())
	}
	v.Does(func() { v.P.People.Rename("  ") }) // not a name
	v.Does(func() { v.P.People.Rename("Anna") })
	v.Sees("Anna: a ", "Ben: a ", "Forget Anna")
	v.Misses("Ana")
	if own, p := store.Ledger(t), store.Person(t); own.Settings.Person != "Ben" || p.Settings.Person != "Anna" ||
		len(own.Entries) != 1 || len(p.Entries) != 1 {
		t.Errorf("stored: %+v and %+v", own, p)
	}
	other.Hears(false)
	other.Sees("Anna: a ", "Ben: a ", "Next for you and Anna")
	again := uitest.Come(t, e, store)
	if again.P.Other() != "Anna" || again.P.Called(0) != "Ben" || again.P.Called(1) != "Anna" {
		t.Errorf("after a reload the names are %q and %q", again.P.Called(0), again.P.Called(1))
	}
	// Switching to the other person abandons the name being typed.
	v.Does(v.P.People.AskName)
	v.Does(func() { v.P.People.Become(0) })
	v.Misses(`id="person"`)

	// Names are erased with the marks; the language and the colours stay.
	v.Does(func() { v.P.Tuning.SetDiversity(0.5) })
	v.Does(v.P.EraseMarks)
	if l := store.Ledger(t); l.Settings.Person != "" || l.Settings.Diversity != 0.5 || store.Person(t) != nil ||
		v.P.Called(0) != "You" {
		t.Errorf("after erasing, stored: %+v", l)
	}
}

// Earlier programs, which an update may fall back to, leave the second person alone.
func TestAnEarlierProgramLeavesThemAlone(t *testing.T) {
	e, store := uitest.NewLine(60), uitest.NewMemory()
	v := uitest.Come(t, e, store)
	v.Does(func() { v.P.Starters.Pick(10) })
	v.Does(func() { v.P.People.AddWith("Anna", keep.State{Likes: []string{"id40"}}) })
	kept := string(store.M[visit.OtherKey])
	l := store.Ledger(t)
	l.Settings = keep.Settings{Mode: 1} // as written by a program without further settings
	b, err := l.Encode()
	if err != nil {
		t.Fatal(err)
	}
	store.M[visit.StateKey] = b
	again := uitest.Come(t, e, store)
	if again.P.Other() != "Anna" || !slices.Equal(again.P.Partner().Visit.Likes, []int{40}) ||
		string(store.M[visit.OtherKey]) != kept {
		t.Errorf("%q likes %v", again.P.Other(), again.P.Partner().Visit.Likes)
	}
}

// A list for two comes first, without an invitation above it, however few likes there are.
func TestTheListForTwoStandsFirst(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(60), uitest.NewMemory())
	v.Does(func() { v.P.Starters.Pick(10) })
	v.Does(func() { v.P.Follow("together") })
	v.Does(func() { v.P.People.Add("Anna") })
	v.Sees("Pick three you love")
	v.Misses(`class="card"`)
	v.Does(func() { v.P.Starters.Pick(40) })
	for _, who := range []int{1, 0} {
		v.Does(func() { v.P.People.Become(who) })
		v.Sees("Next for you and Anna", `class="card"`)
		v.Misses("Pick three you love")
	}
}

package ui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pmlam/pmlam/ui/visit"
)

// file is what SaveBackup would hand over.
func (v *visitor) file() []byte {
	return v.p.Backup.backup(uint64(time.Now().UnixMilli())).Bytes()
}

// opens opens a file as a backup.
func (v *visitor) opens(file string) {
	v.does(func() { v.p.Backup.OpenBackup("backup.json", []byte(file)) })
}

func TestBackupRoundTrip(t *testing.T) {
	s := newMemory()
	v := come(t, newLine(60), s)
	for _, i := range []int{3, 5, 8} {
		v.does(func() { v.p.Marking.Pick(i) })
	}
	v.does(func() { v.p.Marking.Toggle(9, NotForMe) })
	v.does(func() { v.p.Marking.Toggle(10, SeenIt) })
	v.does(func() { v.p.Marking.Toggle(11, SeenIt) })
	v.does(func() { v.p.Marking.Remove(11) })
	v.does(func() { v.p.Tuning.SetDiversity(0.5) })
	want, list := v.p.Log.Now().State, v.titles()
	file := v.file()
	if !strings.Contains(string(file), `{"mark": "like", "id": "id5", "title": "Film 5", "year": 1955, "said": "2`) {
		t.Errorf("the file is\n%s", file)
	}
	v.does(v.p.Data.EraseAll)
	v.opens(string(file))
	v.sees("“backup.json”, of 2", "holds 5 titles.", "Adds 5: Film 3, Film 5, Film 8, Film 9 and Film 10")
	if v.p.Log.Now().Marked() || len(s.m) > 0 {
		t.Fatal("something was done before the visitor agreed")
	}
	v.does(v.p.Backup.RestoreBackup)
	for what, got := range map[string]State{"shown": v.state(), "stored": s.ledger(t).State()} {
		if !got.Same(&want) || got.Settings.Diversity != 0.5 {
			t.Errorf("%s is %+v, want %+v", what, got, want)
		}
	}
	if !slices.Equal(v.titles(), list) {
		t.Errorf("the list is %v, was %v", v.titles(), list)
	}
	v.does(v.p.Offer.TakeBack)
	if got := s.ledger(t).State(); got.Marked() || got.Settings.Diversity != 0 {
		t.Errorf("after undo there is stored %+v", got)
	}
}

func TestGoBackToABackup(t *testing.T) {
	s := newMemory()
	v := come(t, newLine(60), s)
	v.does(func() { v.p.Marking.Pick(1) })
	v.does(func() { v.p.Marking.Pick(2) })
	file := string(v.file())
	v.does(func() { v.p.Marking.Remove(1) })
	v.does(func() { v.p.Marking.Toggle(2, SeenIt) })
	v.does(func() { v.p.Marking.Pick(3) })
	v.opens(file)
	v.sees("Adds 1: Film 1", "Changes 1: Film 2", "Removes 1: Film 3", "This would change nothing.")
	v.does(v.p.Backup.MergeBackup) // all was said later here
	v.misses("Go back to it")
	if got := s.ledger(t).State(); !slices.Equal(got.Likes, []string{"id3"}) ||
		!slices.Equal(got.Seen, []string{"id2"}) {
		t.Errorf("merged, there is stored %+v", got)
	}
	v.opens(file)
	v.does(v.p.Backup.RestoreBackup)
	if got := s.ledger(t).State(); !slices.Equal(got.Likes, []string{"id1", "id2"}) || len(got.Seen) > 0 {
		t.Errorf("restored, there is stored %+v", got)
	}
	v.does(v.p.Offer.TakeBack)
	if got := s.ledger(t).State(); !slices.Equal(got.Likes, []string{"id3"}) ||
		!slices.Equal(got.Seen, []string{"id2"}) {
		t.Errorf("after undo there is stored %+v", got)
	}
	v.opens(file)
	v.does(v.p.Backup.CloseBackup)
	v.misses("Go back to it")
}

// withColumns is a line whose items have ids of other catalogues.
type withColumns struct{ *line }

func (withColumns) Columns() []string { return []string{"country", "imdbId"} }

// Titles of a backup from elsewhere are found by what other catalogues call them, else by title and year; what is not
// found is kept, under an id that is nobody's here.
func TestBackupFromElsewhere(t *testing.T) {
	s := newMemory()
	e := withColumns{newLine(60)}
	for i := range e.items {
		e.items[i].Values = []string{"it", "tt" + e.items[i].ID}
	}
	e.items[30].Title, e.items[30].Year = e.items[31].Title, e.items[31].Year // two of one name
	v := come(t, e, s)
	v.opens(`{"format": "pmlam-backup", "version": 1, "catalogue": "Elsewhere", "titles": [
		{"mark": "like", "id": "x1", "title": "No Film", "imdbId": "ttid7"},
		{"mark": "like", "id": "id1", "title": "FILM  8", "year": 1958},
		{"mark": "like", "id": "id2", "title": "Dune", "year": 1984},
		{"mark": "seen", "id": "id9"},
		{"mark": "seen", "id": "stranger", "title": "Unheard Of"},
		{"mark": "seen", "title": "Nameless"},
		{"mark": "not for me", "id": "q", "title": "Film 31", "year": 1981}
	]}`)
	v.sees("holds 7 titles. 4 of them are not in this catalogue, and kept for one that has them.", "Dune", "and 2 more")
	v.does(v.p.Backup.MergeBackup)
	got := s.ledger(t).State()
	if !slices.Equal(got.Likes, []string{"id7", "id8", "Elsewhere id2"}) ||
		!slices.Equal(got.Seen, []string{"id9", "stranger", "Elsewhere Nameless"}) ||
		!slices.Equal(got.Dislikes, []string{"q"}) {
		t.Errorf("stored is %+v", got)
	}
	if file := string(v.file()); !strings.Contains(file, `"id": "Elsewhere id2", "title": "Dune", "year": 1984`) ||
		!strings.Contains(file, `"imdbId": "ttid7"`) || strings.Contains(file, "country") {
		t.Errorf("the backup of that is\n%s", file)
	}
}

// A backup holds both, and what both said comes back after everything was erased: named, whole, and to be undone.
func TestBackupOfTwo(t *testing.T) {
	e, s := newLine(60), newMemory()
	v := come(t, e, s)
	v.does(func() { v.p.Marking.Pick(3) })
	v.does(func() { v.p.Marking.Toggle(4, SeenIt) })
	v.does(func() { v.p.People.Add("Anna") })
	v.does(func() { v.p.Marking.Toggle(40, LikedIt) })
	v.does(func() { v.p.Marking.Toggle(3, NotForMe) })
	hers := string(v.file()) // the page is hers, and the file is of both all the same
	v.does(func() { v.p.People.Become(0) })
	v.does(func() { v.p.People.Rename("Ben") })
	file := string(v.file())
	for _, want := range []string{`"version": 2`, `"person": "Ben"`, `"other": {` + "\n" + `  "person": "Anna"`,
		`{"mark": "not for me", "id": "id3"`} {
		if !strings.Contains(file, want) {
			t.Errorf("the file has no %s:\n%s", want, file)
		}
	}
	if strings.Index(hers, `"id": "id4"`) < 0 || strings.Index(hers, `"id": "id4"`) > strings.Index(hers,
		`"other"`) || strings.Index(hers, `"id": "id40"`) < strings.Index(hers, `"other"`) {
		t.Errorf("from her page the file is\n%s", hers)
	}
	mine, theirs := v.p.Log.Now().State, v.p.Log.Partner().State
	stored := func(who string, mine, theirs *State) {
		t.Helper()
		if got := s.ledger(t).State(); !got.Same(mine) {
			t.Errorf("%s: of the visitor is stored %+v", who, got)
		}
		p := s.person(t)
		if theirs == nil {
			if p != nil {
				t.Errorf("%s: of a second person is stored %+v", who, p)
			}
			return
		}
		if got := p.State(); !got.Same(theirs) || got.Settings.Person != "Anna" {
			t.Errorf("%s: of the second person is stored %+v", who, got)
		}
	}
	for _, restore := range []bool{false, true} {
		v.does(v.p.Data.EraseAll)
		if len(s.m) > 0 || v.p.Log.Other != "" {
			t.Fatalf("erased, and there is stored %v", s.m)
		}
		v.opens(file)
		v.sees("holds 4 titles", "You: Adds 2: Film 3 and Film 4", "Anna: Adds 2: Film 40 and Film 3")
		if len(s.m) > 0 || v.p.Log.Other != "" {
			t.Fatal("something was done before the visitor agreed")
		}
		name := ""
		if restore {
			v.does(v.p.Backup.RestoreBackup)
			name = "Ben"
		} else {
			v.does(v.p.Backup.MergeBackup)
		}
		v.sees("4 added, 0 changed, 0 removed")
		stored("taken in", &mine, &theirs)
		if v.p.Log.Who != 0 || v.p.Log.Other != "Anna" || v.p.Log.Settings.Person != name ||
			!slices.Equal(v.p.Log.Partner().Visit.Likes, []int{40}) {
			t.Errorf("the page is of %d, with %q and %+v", v.p.Log.Who, v.p.Log.Other, v.p.Log.Partner().Visit)
		}
		again := come(t, e, s)
		if again.p.Log.Other != "Anna" || !slices.Equal(again.p.Log.Partner().Visit.Likes, []int{40}) ||
			!slices.Equal(again.p.Log.Now().Likes, []string{"id3"}) {
			t.Errorf("after a reload %q likes %v", again.p.Log.Other, again.p.Log.Partner().Visit.Likes)
		}
		v.does(v.p.Offer.TakeBack)
		if s.person(t) != nil || v.p.Log.Now().Marked() || v.p.Log.Other != "" || v.p.Log.Settings.Person != "" {
			t.Errorf("undone, there is %+v of %q", v.p.Log.Now().State, v.p.Log.Other)
		}
	}
}

// What is here stays where a file is merged, by title and by person; going back makes both as they were, from either's
// page.
func TestBackupOfTwoMeetsTwo(t *testing.T) {
	s := newMemory()
	v := come(t, newLine(60), s)
	v.does(func() { v.p.Marking.Pick(1) })
	v.does(func() { v.p.People.AddWith("anna", State{Likes: []string{"id40"}}) })
	v.does(func() { v.p.People.Become(1) })
	const file = `{"format": "pmlam-backup", "version": 2, "catalogue": "A line", "titles": [` +
		`{"mark": "seen", "id": "id2", "said": "2020-01-01T00:00:00Z"}],
		"other": {"titles": [{"mark": "seen", "id": "id40", "said": "2020-01-01T00:00:00Z"}, ` +
		`{"mark": "like", "id": "id41"}, {"mark": "like", "id": "other"}], "person": "%"}}`
	v.opens(strings.Replace(file, "%", "ANNA", 1))
	v.sees("holds 4 titles. 1 of them is not", "You: Adds 1: Film 2", "anna → ANNA: Adds 2: Film 41 and other",
		"anna → ANNA: Changes 1: Film 40", "You: Removes 1: Film 1")
	v.does(v.p.Backup.MergeBackup)
	if p := s.person(t).State(); v.p.Log.Who != 0 || v.p.Log.Other != "anna" ||
		!slices.Equal(p.Likes, []string{"id41", "other", "id40"}) ||
		!slices.Equal(v.p.Log.Now().Likes, []string{"id1"}) || !slices.Equal(v.p.Log.Now().Seen, []string{"id2"}) {
		t.Errorf("merged, %q is %+v and the visitor %+v", v.p.Log.Other, p, v.p.Log.Now().State)
	}
	v.does(func() { v.p.People.Become(1) }) // undo is for whose page it was
	v.does(v.p.Offer.TakeBack)
	v.does(func() { v.p.Marking.Remove(41) })
	v.does(func() { v.p.People.Become(0) })

	v.opens(strings.Replace(file, "%", "Cleo", 1))
	v.sees("Cleo is left out, because anna chooses here.", "anna → Cleo: Changes 1: Film 40",
		"anna → Cleo: Adds 1: Film 41")
	before := s.person(t).State()
	v.does(v.p.Backup.MergeBackup)
	if p := s.person(t).State(); !p.Same(&before) || p.Settings.Person != "anna" {
		t.Errorf("somebody else was merged with anna: %+v", p)
	}
	v.opens(strings.Replace(file, "%", "Cleo", 1))
	v.does(v.p.Backup.RestoreBackup)
	if p := s.person(t).State(); v.p.Log.Other != "Cleo" || p.Settings.Person != "Cleo" ||
		!slices.Equal(p.Likes, []string{"id41", "other"}) || !slices.Equal(p.Seen, []string{"id40"}) ||
		v.p.Log.Now().Likes != nil && len(v.p.Log.Now().Likes) > 0 {
		t.Errorf("gone back, %q is %+v and the visitor %+v", v.p.Log.Other, p, v.p.Log.Now().State)
	}
	v.does(v.p.Offer.TakeBack)
	if p := s.person(t).State(); v.p.Log.Other != "anna" || p.Settings.Person != "anna" ||
		!slices.Equal(slices.Sorted(slices.Values(p.Likes)), []string{"id40", "other"}) || len(p.Seen) > 0 ||
		!slices.Equal(v.p.Log.Now().Likes, []string{"id1"}) {
		t.Errorf("undone, %q is %+v and the visitor %+v", v.p.Log.Other, p, v.p.Log.Now().State)
	}

	// A file of one person is for whoever's page it is, and leaves the other and the visitor's settings alone.
	v.does(func() { v.p.People.Become(1) })
	v.opens(`{"format": "pmlam-backup", "version": 1, "settings": {"mode": "hidden gems", "person": "Anna herself"}, ` +
		`"titles": [{"mark": "like", "id": "id50"}]}`)
	v.sees("Adds 1: Film 50")
	v.misses("You: Adds")
	v.does(v.p.Backup.RestoreBackup)
	if p := s.person(t).State(); v.p.Log.Who != 1 || p.Settings.Person != "anna" ||
		!slices.Equal(p.Likes, []string{"id50"}) || v.p.Log.Settings.Mode != 0 || v.p.Called(0) != "You" ||
		!slices.Equal(s.ledger(t).State().Likes, []string{"id1"}) {
		t.Errorf("%q is %+v beside %+v", v.p.Log.Other, p, s.ledger(t))
	}

	// What is damaged changes nothing of either.
	kept := string(s.m[visit.StateKey]) + string(s.m[visit.OtherKey])
	for _, bad := range []string{strings.Replace(file, `"person": "%"`, `"x": 1`, 1),
		strings.Replace(file, `"mark": "like", "id": "id41"`, `"mark": "love", "id": "id41"`, 1), file[:len(file)-1]} {
		v.opens(bad)
		v.sees("not a backup of this page, or it is damaged in line 2. Nothing was changed.")
		v.misses("Add it to")
		v.does(v.p.Backup.RestoreBackup)
	}
	if kept != string(s.m[visit.StateKey])+string(s.m[visit.OtherKey]) {
		t.Error("a damaged file has changed something")
	}
}

func TestBadBackups(t *testing.T) {
	v := come(t, newLine(60), newMemory())
	for file, says := range map[string]string{
		"":                   "not a backup of this page, or it is damaged in line 1. Nothing was changed.",
		"{\n\"a\": 1,\n\nb}": "in line 4",
		`{"a": 1}`:           "not a backup of this page, or it is damaged. Nothing",
		`{"format": "pmlam-backup", "version": 4, "titles": {}}`: "A newer version of this page wrote this file.",
	} {
		v.opens(file)
		v.sees(says, "Close the backup")
		v.misses("Add it to")
		v.does(v.p.Backup.MergeBackup) // nothing to press, and nothing happens
	}
	v.does(func() { v.p.Backup.OpenBackup("x", nil) })
	v.sees("The file could not be read")
	if v.p.Log.Now().Marked() {
		t.Errorf("after bad files there is %+v", v.p.Log.Now().State)
	}
}

package data_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/ui/internal/uitest"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/visit"
)

func TestBackupRoundTrip(t *testing.T) {
	s := uitest.NewMemory()
	v := uitest.Come(t, uitest.NewLine(60), s)
	for _, i := range []int{3, 5, 8} {
		v.Does(func() { v.P.Starters.Pick(i) })
	}
	v.Does(func() { v.P.Marking.Toggle(9, keep.NotForMe) })
	v.Does(func() { v.P.Marking.Toggle(10, keep.Seen) })
	v.Does(func() { v.P.Marking.Toggle(11, keep.Seen) })
	v.Does(func() { v.P.Marking.Remove(11) })
	v.Does(func() { v.P.Tuning.SetDiversity(0.5) })
	want, list := v.P.Now().State, v.Titles()
	file := v.File()
	if !strings.Contains(string(file), `{"mark": "like", "id": "id5", "title": "Film 5", "year": 1955, "said": "2`) {
		t.Errorf("the file is\n%s", file)
	}
	v.Does(v.P.EraseAll)
	v.Opens(string(file))
	v.Sees("“backup.json”, from 2", "holds 5 titles.", "Adds 5: Film 3, Film 5, Film 8, Film 9 and Film 10")
	if v.P.Now().Marked() || len(s.M) > 0 {
		t.Fatal("the visit changed before the visitor agreed")
	}
	v.Does(v.P.Backup.RestoreBackup)
	for what, got := range map[string]keep.State{"shown": v.State(), "stored": s.Ledger(t).State()} {
		if !got.Same(&want) || got.Settings.Diversity != 0.5 {
			t.Errorf("%s: %+v, want %+v", what, got, want)
		}
	}
	if !slices.Equal(v.Titles(), list) {
		t.Errorf("the list is %v, was %v", v.Titles(), list)
	}
	v.Does(v.P.Offer.TakeBack)
	if got := s.Ledger(t).State(); got.Marked() || got.Settings.Diversity != 0 {
		t.Errorf("after undo, stored: %+v", got)
	}
}

func TestGoBackToABackup(t *testing.T) {
	s := uitest.NewMemory()
	v := uitest.Come(t, uitest.NewLine(60), s)
	v.Does(func() { v.P.Starters.Pick(1) })
	v.Does(func() { v.P.Starters.Pick(2) })
	file := string(v.File())
	v.Does(func() { v.P.Marking.Remove(1) })
	v.Does(func() { v.P.Marking.Toggle(2, keep.Seen) })
	v.Does(func() { v.P.Starters.Pick(3) })
	v.Opens(file)
	v.Sees("Adds 1: Film 1", "Changes 1: Film 2", "Removes 1: Film 3", "This would change nothing.")
	v.Does(v.P.Backup.MergeBackup) // all marks here are later
	v.Misses("Restore it")
	if got := s.Ledger(t).State(); !slices.Equal(got.Likes, []string{"id3"}) ||
		!slices.Equal(got.Seen, []string{"id2"}) {
		t.Errorf("merged, stored: %+v", got)
	}
	v.Opens(file)
	v.Does(v.P.Backup.RestoreBackup)
	if got := s.Ledger(t).State(); !slices.Equal(got.Likes, []string{"id1", "id2"}) || len(got.Seen) > 0 {
		t.Errorf("restored, stored: %+v", got)
	}
	v.Does(v.P.Offer.TakeBack)
	if got := s.Ledger(t).State(); !slices.Equal(got.Likes, []string{"id3"}) ||
		!slices.Equal(got.Seen, []string{"id2"}) {
		t.Errorf("after undo, stored: %+v", got)
	}
	v.Opens(file)
	v.Does(v.P.Backup.CloseBackup)
	v.Misses("Restore it")
}

// withColumns is a line with ids of other catalogues.
type withColumns struct{ *uitest.Line }

func (withColumns) Columns() []string { return []string{"country", "imdbId"} }

// Titles of a backup from elsewhere are found by their ids in other catalogues, else by title and year. The others are
// kept, under ids that are unused here.
func TestBackupFromElsewhere(t *testing.T) {
	s := uitest.NewMemory()
	e := withColumns{uitest.NewLine(60)}
	for i := range e.Items {
		e.Items[i].Values = []string{"it", "tt" + e.Items[i].ID}
	}
	e.Items[30].Title, e.Items[30].Year = e.Items[31].Title, e.Items[31].Year // two of the same name
	v := uitest.Come(t, e, s)
	v.Opens(`{"format": "pmlam-backup", "version": 1, "catalogue": "Elsewhere", "titles": [
		{"mark": "like", "id": "x1", "title": "No Film", "imdbId": "ttid7"},
		{"mark": "like", "id": "id1", "title": "FILM  8", "year": 1958},
		{"mark": "like", "id": "id2", "title": "Dune", "year": 1984},
		{"mark": "seen", "id": "id9"},
		{"mark": "seen", "id": "stranger", "title": "Unheard Of"},
		{"mark": "seen", "title": "Nameless"},
		{"mark": "not for me", "id": "q", "title": "Film 31", "year": 1981}
	]}`)
	v.Sees("holds 7 titles. 4 of them are not in this catalogue, and kept for one that has them.", "Dune", "and 2 more")
	v.Does(v.P.Backup.MergeBackup)
	got := s.Ledger(t).State()
	if !slices.Equal(got.Likes, []string{"id7", "id8", "Elsewhere id2"}) ||
		!slices.Equal(got.Seen, []string{"id9", "stranger", "Elsewhere Nameless"}) ||
		!slices.Equal(got.Dislikes, []string{"q"}) {
		t.Errorf("stored: %+v", got)
	}
	if file := string(v.File()); !strings.Contains(file, `"id": "Elsewhere id2", "title": "Dune", "year": 1984`) ||
		!strings.Contains(file, `"imdbId": "ttid7"`) || strings.Contains(file, "country") {
		t.Errorf("its backup is\n%s", file)
	}
}

// A backup of two people restores both after everything was erased, and can be undone.
func TestBackupOfTwo(t *testing.T) {
	e, s := uitest.NewLine(60), uitest.NewMemory()
	v := uitest.Come(t, e, s)
	v.Does(func() { v.P.Starters.Pick(3) })
	v.Does(func() { v.P.Marking.Toggle(4, keep.Seen) })
	v.Does(func() { v.P.People.Add("Anna") })
	v.Does(func() { v.P.Marking.Toggle(40, keep.Liked) })
	v.Does(func() { v.P.Marking.Toggle(3, keep.NotForMe) })
	hers := string(v.File()) // saved from her page, but holds both people
	v.Does(func() { v.P.People.Become(0) })
	v.Does(func() { v.P.People.Rename("Ben") })
	file := string(v.File())
	for _, want := range []string{`"version": 2`, `"person": "Ben"`, `"other": {` + "\n" + `  "person": "Anna"`,
		`{"mark": "not for me", "id": "id3"`} {
		if !strings.Contains(file, want) {
			t.Errorf("the file lacks %s:\n%s", want, file)
		}
	}
	if !strings.Contains(hers, `"id": "id4"`) || strings.Index(hers, `"id": "id4"`) > strings.Index(hers,
		`"other"`) || strings.Index(hers, `"id": "id40"`) < strings.Index(hers, `"other"`) {
		t.Errorf("from her page the file is\n%s", hers)
	}
	mine, theirs := v.P.Now().State, v.P.Partner().State
	stored := func(who string, mine, theirs *keep.State) {
		t.Helper()
		if got := s.Ledger(t).State(); !got.Same(mine) {
			t.Errorf("%s: the visitor's stored marks are %+v", who, got)
		}
		p := s.Person(t)
		if theirs == nil {
			if p != nil {
				t.Errorf("%s: a second person is stored: %+v", who, p)
			}
			return
		}
		if got := p.State(); !got.Same(theirs) || got.Settings.Person != "Anna" {
			t.Errorf("%s: the second person's stored marks are %+v", who, got)
		}
	}
	for _, restore := range []bool{false, true} {
		v.Does(v.P.EraseAll)
		if len(s.M) > 0 || v.P.Other() != "" {
			t.Fatalf("after erasing, stored: %v", s.M)
		}
		v.Opens(file)
		v.Sees("holds 4 titles", "You: Adds 2: Film 3 and Film 4", "Anna: Adds 2: Film 40 and Film 3")
		if len(s.M) > 0 || v.P.Other() != "" {
			t.Fatal("the visit changed before the visitor agreed")
		}
		name := ""
		if restore {
			v.Does(v.P.Backup.RestoreBackup)
			name = "Ben"
		} else {
			v.Does(v.P.Backup.MergeBackup)
		}
		v.Sees("4 added, 0 changed, 0 removed")
		stored("taken in", &mine, &theirs)
		if v.P.Who() != 0 || v.P.Other() != "Anna" || v.P.Settings().Person != name ||
			!slices.Equal(v.P.Partner().Visit.Likes, []int{40}) {
			t.Errorf("the page shows person %d, has %q with %+v", v.P.Who(), v.P.Other(), v.P.Partner().Visit)
		}
		again := uitest.Come(t, e, s)
		if again.P.Other() != "Anna" || !slices.Equal(again.P.Partner().Visit.Likes, []int{40}) ||
			!slices.Equal(again.P.Now().Likes, []string{"id3"}) {
			t.Errorf("after a reload %q likes %v", again.P.Other(), again.P.Partner().Visit.Likes)
		}
		v.Does(v.P.Offer.TakeBack)
		if s.Person(t) != nil || v.P.Now().Marked() || v.P.Other() != "" || v.P.Settings().Person != "" {
			t.Errorf("after undo: %+v, %q", v.P.Now().State, v.P.Other())
		}
	}
}

// Merging adds to the marks here, by title and by person. Restoring gives both people the marks in the file, on
// either's page.
func TestBackupOfTwoMeetsTwo(t *testing.T) {
	s := uitest.NewMemory()
	v := uitest.Come(t, uitest.NewLine(60), s)
	v.Does(func() { v.P.Starters.Pick(1) })
	v.Does(func() { v.P.People.AddWith("anna", keep.State{Likes: []string{"id40"}}) })
	v.Does(func() { v.P.People.Become(1) })
	const file = `{"format": "pmlam-backup", "version": 2, "catalogue": "A line", "titles": [` +
		`{"mark": "seen", "id": "id2", "said": "2020-01-01T00:00:00Z"}],
		"other": {"titles": [{"mark": "seen", "id": "id40", "said": "2020-01-01T00:00:00Z"}, ` +
		`{"mark": "like", "id": "id41"}, {"mark": "like", "id": "other"}], "person": "%"}}`
	v.Opens(strings.Replace(file, "%", "ANNA", 1))
	v.Sees("holds 4 titles. 1 of them is not", "You: Adds 1: Film 2", "anna → ANNA: Adds 2: Film 41 and other",
		"anna → ANNA: Changes 1: Film 40", "You: Removes 1: Film 1")
	v.Does(v.P.Backup.MergeBackup)
	if p := s.Person(t).State(); v.P.Who() != 0 || v.P.Other() != "anna" ||
		!slices.Equal(p.Likes, []string{"id41", "other", "id40"}) ||
		!slices.Equal(v.P.Now().Likes, []string{"id1"}) || !slices.Equal(v.P.Now().Seen, []string{"id2"}) {
		t.Errorf("merged: %q is %+v, the visitor %+v", v.P.Other(), p, v.P.Now().State)
	}
	v.Does(func() { v.P.People.Become(1) }) // undo must not depend on the page
	v.Does(v.P.Offer.TakeBack)
	v.Does(func() { v.P.Marking.Remove(41) })
	v.Does(func() { v.P.People.Become(0) })

	v.Opens(strings.Replace(file, "%", "Cleo", 1))
	v.Sees("Cleo is left out, because anna is choosing here.", "anna → Cleo: Changes 1: Film 40",
		"anna → Cleo: Adds 1: Film 41")
	before := s.Person(t).State()
	v.Does(v.P.Backup.MergeBackup)
	if p := s.Person(t).State(); !p.Same(&before) || p.Settings.Person != "anna" {
		t.Errorf("somebody else was merged with anna: %+v", p)
	}
	v.Opens(strings.Replace(file, "%", "Cleo", 1))
	v.Does(v.P.Backup.RestoreBackup)
	if p := s.Person(t).State(); v.P.Other() != "Cleo" || p.Settings.Person != "Cleo" ||
		!slices.Equal(p.Likes, []string{"id41", "other"}) || !slices.Equal(p.Seen, []string{"id40"}) ||
		v.P.Now().Likes != nil && len(v.P.Now().Likes) > 0 {
		t.Errorf("restored: %q is %+v, the visitor %+v", v.P.Other(), p, v.P.Now().State)
	}
	v.Does(v.P.Offer.TakeBack)
	if p := s.Person(t).State(); v.P.Other() != "anna" || p.Settings.Person != "anna" ||
		!slices.Equal(slices.Sorted(slices.Values(p.Likes)), []string{"id40", "other"}) || len(p.Seen) > 0 ||
		!slices.Equal(v.P.Now().Likes, []string{"id1"}) {
		t.Errorf("after undo: %q is %+v, the visitor %+v", v.P.Other(), p, v.P.Now().State)
	}

	// A backup of one person goes to the person whose page it is, and leaves the other and the visitor's settings
	// alone.
	v.Does(func() { v.P.People.Become(1) })
	v.Opens(`{"format": "pmlam-backup", "version": 1, "settings": {"mode": "hidden gems", "person": "Anna herself"}, ` +
		`"titles": [{"mark": "like", "id": "id50"}]}`)
	v.Sees("Adds 1: Film 50")
	v.Misses("You: Adds")
	v.Does(v.P.Backup.RestoreBackup)
	if p := s.Person(t).State(); v.P.Who() != 1 || p.Settings.Person != "anna" ||
		!slices.Equal(p.Likes, []string{"id50"}) || v.P.Settings().Mode != 0 || v.P.Called(0) != "You" ||
		!slices.Equal(s.Ledger(t).State().Likes, []string{"id1"}) {
		t.Errorf("%q is %+v, the visitor %+v", v.P.Other(), p, s.Ledger(t))
	}

	// A damaged file changes nothing.
	kept := string(s.M[visit.StateKey]) + string(s.M[visit.OtherKey])
	for _, bad := range []string{strings.Replace(file, `"person": "%"`, `"x": 1`, 1),
		strings.Replace(file, `"mark": "like", "id": "id41"`, `"mark": "love", "id": "id41"`, 1), file[:len(file)-1]} {
		v.Opens(bad)
		v.Sees("not a backup of this page, or it is damaged in line 2. Nothing was changed.")
		v.Misses("Add it to")
		v.Does(v.P.Backup.RestoreBackup)
	}
	if kept != string(s.M[visit.StateKey])+string(s.M[visit.OtherKey]) {
		t.Error("a damaged file changed the visit")
	}
}

func TestBadBackups(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(60), uitest.NewMemory())
	for file, says := range map[string]string{
		"":                   "not a backup of this page, or it is damaged in line 1. Nothing was changed.",
		"{\n\"a\": 1,\n\nb}": "in line 4",
		`{"a": 1}`:           "not a backup of this page, or it is damaged. Nothing",
		`{"format": "pmlam-backup", "version": 4, "titles": {}}`: "This file comes from a newer version of this page.",
	} {
		v.Opens(file)
		v.Sees(says, "Close the backup")
		v.Misses("Add it to")
		v.Does(v.P.Backup.MergeBackup) // does nothing here
	}
	v.Does(func() { v.P.Backup.OpenBackup("x", nil) })
	v.Sees("The file could not be read")
	if v.P.Now().Marked() {
		t.Errorf("after bad files the visit is %+v", v.P.Now().State)
	}
}

package ui

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// file is what SaveBackup would hand over.
func (v *visit) file() []byte {
	return v.p.backup(uint64(time.Now().UnixMilli())).Bytes()
}

// opens opens a file as a backup.
func (v *visit) opens(file string) {
	v.does(func() { v.p.OpenBackup("backup.json", []byte(file)) })
}

func TestBackupRoundTrip(t *testing.T) {
	s := newMemory()
	v := come(t, newLine(60), s)
	for _, i := range []int{3, 5, 8} {
		v.does(func() { v.p.Pick(i) })
	}
	v.does(func() { v.p.Toggle(9, NotForMe) })
	v.does(func() { v.p.Toggle(10, SeenIt) })
	v.does(func() { v.p.Toggle(11, SeenIt) })
	v.does(func() { v.p.Remove(11) })
	v.does(func() { v.p.SetDiversity(0.5) })
	want, list := v.p.State, v.titles()
	file := v.file()
	if !strings.Contains(string(file), `{"mark": "like", "id": "id5", "title": "Film 5", "year": 1955, "said": "2`) {
		t.Errorf("the file is\n%s", file)
	}
	v.does(v.p.EraseAll)
	v.opens(string(file))
	v.sees("“backup.json”, of 2", "holds 5 titles.", "Adds 5: Film 3, Film 5, Film 8, Film 9 and Film 10")
	if v.p.State.Marked() || len(s.m) > 0 {
		t.Fatal("something was done before the visitor agreed")
	}
	v.does(v.p.RestoreBackup)
	for what, got := range map[string]State{"shown": v.p.State, "stored": s.ledger(t).State()} {
		if !got.Same(&want) || got.Settings.Diversity != 0.5 {
			t.Errorf("%s is %+v, want %+v", what, got, want)
		}
	}
	if !slices.Equal(v.titles(), list) {
		t.Errorf("the list is %v, was %v", v.titles(), list)
	}
	v.does(v.p.TakeBack)
	if got := s.ledger(t).State(); got.Marked() || got.Settings.Diversity != 0 {
		t.Errorf("after undo there is stored %+v", got)
	}
}

func TestGoBackToABackup(t *testing.T) {
	s := newMemory()
	v := come(t, newLine(60), s)
	v.does(func() { v.p.Pick(1) })
	v.does(func() { v.p.Pick(2) })
	file := string(v.file())
	v.does(func() { v.p.Remove(1) })
	v.does(func() { v.p.Toggle(2, SeenIt) })
	v.does(func() { v.p.Pick(3) })
	v.opens(file)
	v.sees("Adds 1: Film 1", "Changes 1: Film 2", "Removes 1: Film 3", "This would change nothing.")
	v.does(v.p.MergeBackup) // all was said later here
	v.misses("Go back to it")
	if got := s.ledger(t).State(); !slices.Equal(got.Likes, []string{"id3"}) || !slices.Equal(got.Seen, []string{"id2"}) {
		t.Errorf("merged, there is stored %+v", got)
	}
	v.opens(file)
	v.does(v.p.RestoreBackup)
	if got := s.ledger(t).State(); !slices.Equal(got.Likes, []string{"id1", "id2"}) || len(got.Seen) > 0 {
		t.Errorf("restored, there is stored %+v", got)
	}
	v.does(v.p.TakeBack)
	if got := s.ledger(t).State(); !slices.Equal(got.Likes, []string{"id3"}) || !slices.Equal(got.Seen, []string{"id2"}) {
		t.Errorf("after undo there is stored %+v", got)
	}
	v.opens(file)
	v.does(v.p.CloseBackup)
	v.misses("Go back to it")
}

// withColumns is a line whose items have ids of other catalogues.
type withColumns struct{ *line }

func (withColumns) Columns() []string { return []string{"country", "imdbId"} }

// Titles of a backup from elsewhere are found by what other catalogues call them, else by title and year; what is not found
// is kept, under an id that is nobody's here.
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
	v.does(v.p.MergeBackup)
	got := s.ledger(t).State()
	if !slices.Equal(got.Likes, []string{"id7", "id8", "Elsewhere id2"}) || !slices.Equal(got.Seen, []string{"id9", "stranger", "Elsewhere Nameless"}) || !slices.Equal(got.Dislikes, []string{"q"}) {
		t.Errorf("stored is %+v", got)
	}
	if file := string(v.file()); !strings.Contains(file, `"id": "Elsewhere id2", "title": "Dune", "year": 1984`) || !strings.Contains(file, `"imdbId": "ttid7"`) || strings.Contains(file, "country") {
		t.Errorf("the backup of that is\n%s", file)
	}
}

func TestBadBackups(t *testing.T) {
	v := come(t, newLine(60), newMemory())
	for file, says := range map[string]string{
		"":                   "not a backup of this page, or it is damaged in line 1. Nothing was changed.",
		"{\n\"a\": 1,\n\nb}": "in line 4",
		`{"a": 1}`:           "not a backup of this page, or it is damaged. Nothing",
		`{"format": "pmlam-backup", "version": 3, "titles": {}}`: "A newer version of this page wrote this file.",
	} {
		v.opens(file)
		v.sees(says, "Close the backup")
		v.misses("Add it")
		v.does(v.p.MergeBackup) // nothing to press, and nothing happens
	}
	v.does(func() { v.p.OpenBackup("x", nil) })
	v.sees("The file could not be read")
	if v.p.State.Marked() {
		t.Errorf("after bad files there is %+v", v.p.State)
	}
}

package visit

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/keep"
)

// films is a catalogue of that many items: "Film i" of the year 1950+i, with the id "id" followed by i.
type films int

func (n films) Len() int          { return int(n) }
func (n films) Columns() []string { return []string{"country", "imdbId"} }
func (n films) Item(i int) *catalogue.Item {
	return &catalogue.Item{ID: fmt.Sprint("id", i), Title: fmt.Sprint("Film ", i), Year: 1950 + i,
		Values: []string{"it", fmt.Sprint("tt", i)}}
}

// newLog returns a log whose clock counts up from 1000.
func newLog(n films) *Log {
	l := New(n)
	now := uint64(999)
	l.now = func() uint64 { now++; return now }
	return l
}

// store stands for the storage that tabs share.
type store [][]byte

func newStore() store { return make(store, len(Keys())) }

// saves stores a log's events and commits the result.
func (s store) saves(t *testing.T, l *Log) Outcome {
	t.Helper()
	tr := l.Begin()
	if err := tr.Run(s); err != nil {
		t.Fatal(err)
	}
	return l.Commit(tr)
}

func like(ids ...string) (out []keep.Change) {
	for _, id := range ids {
		out = append(out, keep.Change{ID: id, Mark: keep.Liked})
	}
	return out
}

func TestMarksAreDerived(t *testing.T) {
	l := newLog(10)
	l.Mark(like("id3", "elsewhere", "id1")...)
	l.Mark(keep.Change{ID: "id3", Mark: keep.Seen})
	l.Mark(keep.Change{ID: "id5", Mark: keep.NotForMe})
	l.Mark(keep.Change{ID: "id8", Mark: keep.Later})
	l.Mark(keep.Change{ID: "id7"}, keep.Change{ID: "id5", Mark: keep.NotForMe}) // no change
	m := l.Now()
	if !slices.Equal(m.Likes, []string{"elsewhere", "id1"}) || !slices.Equal(m.Dislikes, []string{"id5"}) ||
		!slices.Equal(m.Seen, []string{"id3"}) || !slices.Equal(m.Later, []string{"id8"}) {
		t.Errorf("the lists are %+v", m.State)
	}
	want := recommend.Visit{Likes: []int{1}, Dislikes: []int{5}, Seen: []int{3, 8}}
	if fmt.Sprint(m.Visit) != fmt.Sprint(want) || m.Unknown != 1 {
		t.Errorf("the visit is %+v, with %d unknown", m.Visit, m.Unknown)
	}
	if fmt.Sprint(m.ByItem) != "[0 1 0 3 0 2 0 0 4 0]" {
		t.Errorf("by item the marks are %v", m.ByItem)
	}
	if n := l.Pending(); n != 6 {
		t.Errorf("%d pending events, want 6", n)
	}
}

// The stored form is an encoded keep.Ledger, with the time and the name of each title.
func TestStoredForm(t *testing.T) {
	s, l := newStore(), newLog(10)
	l.Mark(like("id3", "id1")...)
	l.Mark(keep.Change{ID: "id3", Mark: keep.Seen})
	l.Settings.Diversity = 0.5
	s.saves(t, l)
	want := keep.New()
	want.Entries = []keep.Entry{
		{ID: "id1", Mark: keep.Liked, At: 1001, Title: "Film 1", Year: 1951},
		{ID: "id3", Mark: keep.Seen, At: 1002, Title: "Film 3", Year: 1953},
	}
	want.Settings.Diversity = 0.5
	b, err := want.Encode()
	if err != nil || !bytes.Equal(s[0], b) {
		t.Errorf("stored\n%q, want\n%q (%v)", s[0], b, err)
	}
	if l.Bytes != len(b) || l.Pending() != 0 || !l.Began ||
		slices.ContainsFunc(s[1:], func(b []byte) bool { return b != nil }) {
		t.Errorf("after storing: %d bytes, %d pending, %v", l.Bytes, l.Pending(), s[1:])
	}
}

// Undo reverts marks that have not changed since; titles return to their places in the lists.
func TestUndo(t *testing.T) {
	l := newLog(10)
	l.Mark(like("id1", "id2", "id3", "id4")...)
	before := l.Now().State
	e := l.Mark(keep.Change{ID: "id1"}, keep.Change{ID: "id2", Mark: keep.Seen},
		keep.Change{ID: "id9", Mark: keep.Liked},
		keep.Change{ID: "id3"}, keep.Change{ID: "id4"})
	l.Mark(keep.Change{ID: "id4", Mark: keep.NotForMe})
	l.Settings.Exploration = 0.5
	l.Undo(e)
	m := l.Now()
	if !slices.Equal(m.Likes, []string{"id1", "id2", "id3"}) || !slices.Equal(m.Dislikes, []string{"id4"}) ||
		len(m.Seen) > 0 {
		t.Errorf("undone, the marks are %+v, before %+v", m.State, before)
	}
	if l.Settings.Exploration != 0.5 {
		t.Error("undoing marks reverted a setting")
	}
}

// Any event can be undone. Titles that have changed since keep their mark, unless it is the event's mark again.
func TestUndoOfAnything(t *testing.T) {
	draw := func(t *rapid.T, name string) (changes []keep.Change) {
		for _, k := range rapid.SliceOfN(rapid.IntRange(0, 12), 0, 10).Draw(t, name) {
			changes = append(changes, keep.Change{ID: fmt.Sprint("id", k),
				Mark: keep.Mark(rapid.IntRange(0, 3).Draw(t, "mark"))})
		}
		return changes
	}
	rapid.Check(t, func(t *rapid.T) {
		l := newLog(10) // so that this catalogue lacks some titles
		l.Mark(draw(t, "before")...)
		marks := func() map[string]keep.Mark {
			out := map[string]keep.Mark{}
			for _, e := range l.Entries(0) {
				out[e.ID] = e.Mark
			}
			return out
		}
		before := marks()
		e := l.Mark(draw(t, "event")...)
		after := marks()
		l.Mark(draw(t, "since")...)
		want := marks()
		for id, m := range after {
			if m != before[id] && want[id] == m {
				want[id] = before[id]
			}
		}
		l.Undo(e)
		for id, m := range marks() {
			if m != want[id] {
				t.Fatalf("undone, %q has mark %d, want %d", id, m, want[id])
			}
		}
	})
}

func TestPeople(t *testing.T) {
	s, l := newStore(), newLog(10)
	l.Mark(like("id1")...)
	l.JoinWith("Anna", &keep.State{Likes: []string{"id4"}, Seen: []string{"id5"}})
	if l.Who != 0 || !l.Together() || !slices.Equal(l.Partner().Visit.Likes, []int{4}) {
		t.Fatalf("%d, %+v", l.Who, l.Partner())
	}
	l.Become(1)
	l.Mark(like("id6")...)
	l.Rename("Anna B.")
	s.saves(t, l)
	again := newLog(10)
	if o := s.saves(t, again); !o.Person || !o.Marks || again.Other != "Anna B." || again.Who != 0 {
		t.Errorf("a second tab has %+v, %q", o, again.Other)
	}
	if !slices.Equal(again.MarksOf(1).Likes, []string{"id4", "id6"}) || !slices.Equal(again.MarksOf(0).Likes, []string{"id1"}) {
		t.Errorf("stored marks are %+v and %+v", again.MarksOf(0), again.MarksOf(1))
	}
	// The second person is removed, restored, and removed for good. The first tab still shows her page, and hears of
	// it.
	e := again.Part()
	s.saves(t, again)
	if s[1] != nil {
		t.Error("a removed person is still stored")
	}
	again.Undo(e)
	s.saves(t, again)
	if again.Other != "Anna B." || s[1] == nil || len(again.MarksOf(1).Likes) != 2 {
		t.Errorf("after undo: %q, %+v", again.Other, again.MarksOf(1))
	}
	again.Part()
	s.saves(t, again)
	if o := s.saves(t, l); !o.Returned || l.Who != 0 || l.Other != "" || !slices.Equal(l.Now().Likes, []string{"id1"}) {
		t.Errorf("the first tab: %+v, %d, %q, %+v", o, l.Who, l.Other, l.Now())
	}
}

func TestErased(t *testing.T) {
	s, l := newStore(), newLog(10)
	l.Mark(like("id1")...)
	l.Settings.Theme, l.Settings.Person = 2, "Ben"
	s.saves(t, l)
	begun := l.Begin()
	l.Erase(true)
	if !l.Stale(begun) || l.Now().Marked() || l.Settings.Theme != 2 || l.Settings.Person != "" || l.Bytes != 0 {
		t.Errorf("after erasing marks: %+v, %+v", l.Now(), l.Settings)
	}
	clear(s)
	l.Erase(false)
	l.Mark(like("id2")...)
	s.saves(t, l)
	if !slices.Equal(l.Now().Likes, []string{"id2"}) || l.Settings.Theme != 0 {
		t.Errorf("after erasing: %+v, %+v", l.Now(), l.Settings)
	}
}

// Two tabs that take turns reach the same state, which is also the stored one. Marks kept incrementally equal those
// that a new tab derives.
func TestTwoTabsComeToTheSame(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 1))
		s := newStore()
		tabs := [2]*Log{newLog(20), newLog(20)}
		var last [2]Event
		for range 60 {
			k := r.IntN(2)
			l := tabs[k]
			switch r.IntN(6) {
			case 0:
				s.saves(t, l)
			case 1:
				l.Undo(last[k])
			case 2:
				l.Settings.Seed++
			default:
				var changes []keep.Change
				for range 1 + r.IntN(12) {
					changes = append(changes, keep.Change{ID: fmt.Sprint("id", r.IntN(25)), Mark: keep.Mark(r.IntN(4))})
				}
				last[k] = l.Mark(changes...)
			}
		}
		for range 2 {
			s.saves(t, tabs[0])
			s.saves(t, tabs[1])
		}
		fresh := newLog(20)
		s.saves(t, fresh)
		for k, l := range tabs {
			if !l.Now().Same(&fresh.Now().State) || !slices.Equal(l.Now().ByItem, fresh.Now().ByItem) ||
				!l.Settings.Same(&fresh.Settings) {
				t.Fatalf("seed %d: tab %d has\n%+v, stored\n%+v", seed, k, l.Now(), fresh.Now())
			}
		}
	}
}

// An applied backup is stored as planned, and undone as a whole.
func TestApply(t *testing.T) {
	l := newLog(10)
	l.Mark(like("id1", "id2")...)
	b := &keep.Backup{Catalogue: "films", Settings: &keep.Settings{Theme: 1}, Other: "Anna",
		Items: []keep.Item{{Entry: keep.Entry{ID: "id2", Mark: keep.Seen, At: 5}},
			{Entry: keep.Entry{Title: "Film 3", Year: 1953, Mark: keep.Liked, At: 6}}},
		Others: []keep.Item{{Entry: keep.Entry{ID: "x", Mark: keep.Liked, At: 7},
			Other: []keep.ID{{Name: "imdbId", Value: "tt4"}}}},
	}
	if unknown, n := l.Match(b, "films"); n != 0 || len(unknown) != 0 {
		t.Fatalf("%d unknown titles: %v", n, unknown)
	}
	_, restore := l.Plan(b)
	events := l.Apply(b, restore, true)
	if !slices.Equal(l.Now().Likes, []string{"id3"}) || !slices.Equal(l.Now().Seen, []string{"id2"}) ||
		l.Other != "Anna" ||
		!slices.Equal(l.Partner().Likes, []string{"id4"}) || l.Settings.Theme != 1 {
		t.Fatalf("applied: %+v, %q, %+v, %+v", l.Now(), l.Other, l.Partner(), l.Settings)
	}
	l.Undo(events...)
	if !slices.Equal(l.Now().Likes, []string{"id1", "id2"}) || len(l.Now().Seen) > 0 || l.Other != "" ||
		l.Settings.Theme != 0 {
		t.Errorf("undone: %+v, %q, %+v", l.Now(), l.Other, l.Settings)
	}
}

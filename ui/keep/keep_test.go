package keep

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// entries draws entries of few titles at few times, so that they collide.
func entries(t *rapid.T, name string) []Entry {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Entry {
		return Entry{
			ID: fmt.Sprint(rapid.IntRange(0, 5).Draw(t, "id")), Mark: Mark(rapid.IntRange(0, 3).Draw(t, "mark")),
			At: rapid.Uint64Range(1, 6).Draw(t, "at"), Title: rapid.SampledFrom([]string{"", "A", "B"}).Draw(t,
				"title"), Details: Details{Stars: rapid.Uint8Range(0, 1).Draw(t, "stars")},
		}
	}), 0, 20).Draw(t, name)
}

func merged(all ...[]Entry) Ledger {
	l := New()
	for _, e := range all {
		l.Merge(e)
	}
	return l
}

// Merging is independent of order and repetition, and keeps each title's latest entry.
func TestMergeIsALattice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := entries(t, "a"), entries(t, "b"), entries(t, "c")
		want := merged(slices.Concat(a, b, c))
		for name, got := range map[string]Ledger{
			"one by one": merged(a, b, c), "backwards": merged(c, b, a), "twice": merged(a, b, a, c,
				b), "of ledgers": merged(merged(a, b).Entries, merged(b, c).Entries),
		} {
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("%s: %+v, want %+v", name, got, want)
			}
		}
		if err := want.check(); err != nil {
			t.Fatal(err)
		}
		for _, e := range slices.Concat(a, b, c) {
			i := slices.IndexFunc(want.Entries, func(w Entry) bool { return w.ID == e.ID })
			if i < 0 || want.Entries[i].At < e.At || want.Entries[i].At == e.At && e.Mark == Liked &&
				want.Entries[i].Mark != Liked {
				t.Fatalf("%+v was lost in %+v", e, want)
			}
		}
	})
}

func TestMergeForgetsTheOldestRemovals(t *testing.T) {
	var all []Entry
	for i := range maxRemoved + 10 {
		all = append(all, Entry{ID: fmt.Sprint(i), At: uint64(i + 1)})
	}
	all = append(all, Entry{ID: "liked", Mark: Liked, At: 1})
	l := merged(all)
	if len(l.Entries) != maxRemoved+1 || l.Entries[0].ID != "liked" || l.Entries[1].ID != "10" {
		t.Errorf("kept %d entries, starting with %+v", len(l.Entries), l.Entries[:2])
	}
}

// Set marks a title: it moves to the end of the list of its new mark. O(marks).
func (s *State) Set(id string, m Mark) { s.Apply([]Change{{ID: id, Mark: m}}) }

// Apply makes the changes in their order. If an id comes twice, the last change counts. O(marks + changes).
func (s *State) Apply(changes []Change) {
	if len(changes) == 0 {
		return
	}
	last := make(map[string]int, len(changes))
	for i := range changes {
		last[changes[i].ID] = i
	}
	for _, m := range [...]Mark{Liked, NotForMe, Seen} {
		l := s.list(m)
		kept := make([]string, 0, len(*l)+len(changes))
		for _, id := range *l {
			if _, leaves := last[id]; !leaves {
				kept = append(kept, id)
			}
		}
		for i := range changes {
			if changes[i].Mark == m && last[changes[i].ID] == i {
				kept = append(kept, changes[i].ID)
			}
		}
		*l = kept
	}
}

// state draws a State.
func state(t *rapid.T, name string) State {
	s := State{}
	for _, id := range rapid.SliceOfNDistinct(rapid.IntRange(0, 12), 0, 10, rapid.ID[int]).Draw(t, name) {
		s.Set(fmt.Sprint(id), Mark(rapid.IntRange(1, 3).Draw(t, "mark")))
	}
	return s
}

// sorted returns a State with sorted lists.
func sorted(s State) State {
	for _, l := range []*[]string{&s.Likes, &s.Dislikes, &s.Seen} {
		*l = append([]string{}, *l...)
		slices.Sort(*l)
	}
	return s
}

// Changes lead from one State to another, also when merged as entries. They name no title twice, and no title that
// stays.
func TestChanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := state(t, "before"), state(t, "after")
		changes := Changes(&before, &after)
		got := before
		got.Apply(changes)
		if !reflect.DeepEqual(sorted(got), sorted(after)) {
			t.Fatalf("%+v changes %+v to %+v, want %+v", changes, before, got, after)
		}
		again := map[string]bool{}
		for _, c := range changes {
			if again[c.ID] {
				t.Fatalf("%q is changed twice", c.ID)
			}
			again[c.ID] = true
		}
		l, clock := New(), Clock{}
		for _, c := range slices.Concat(Changes(&State{}, &before), changes) {
			l.Merge([]Entry{{ID: c.ID, Mark: c.Mark, At: clock.Tick(7)}})
		}
		if got := l.State(); !reflect.DeepEqual(sorted(got), sorted(after)) {
			t.Fatalf("merged one by one: %+v, want %+v", got, after)
		}
	})
}

func TestSettingsOfTwoTabs(t *testing.T) {
	base := Settings{Diversity: 0.5, Theme: 1, Genres: []string{"Drama"}}
	here, there := base, base
	here.Theme, here.Genres = 2, nil
	there.Diversity, there.Decade = 1, 1990
	there.Patch(&base, &here)
	if want := (Settings{Diversity: 1, Theme: 2, Decade: 1990}); !there.Same(&want) {
		t.Errorf("all changes together give %+v", there)
	}
	// No field is left out.
	fields := reflect.TypeFor[Settings]()
	for i := range fields.NumField() {
		var a, b Settings
		f := reflect.ValueOf(&b).Elem().Field(i)
		switch f.Kind() {
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Float64:
			f.SetFloat(0.5)
		case reflect.String:
			f.SetString("de")
		case reflect.Slice:
			f.Set(reflect.ValueOf([]string{"x"}))
		default:
			f.SetUint(1)
		}
		if a.Same(&b) {
			t.Errorf("Same ignores %s", fields.Field(i).Name)
		}
		got := a
		if got.Patch(&a, &b); !got.Same(&b) {
			t.Errorf("Patch ignores %s", fields.Field(i).Name)
		}
	}
}

func TestClockRises(t *testing.T) {
	var c Clock
	a, b := c.Tick(1000), c.Tick(1000)
	c.Saw([]Entry{{At: 5000}})
	d, e, f := c.Tick(1001), c.Tick(9000), c.Tick(3)
	if !slices.Equal([]uint64{a, b, d, e, f}, []uint64{1000, 1001, 5001, 9000, 9001}) {
		t.Errorf("ticks are %d %d %d %d %d", a, b, d, e, f)
	}
	c.Saw([]Entry{{At: maxAt}})
	if at := c.Tick(1); at != maxAt {
		t.Errorf("at its end the clock ticks %d", at)
	}
}

// many returns a Ledger of n titles.
func many(n int) Ledger {
	l := New()
	rng := rand.New(rand.NewPCG(1, 2))
	var all []Entry
	for i := range n {
		all = append(all, Entry{ID: fmt.Sprint(i), Mark: Mark(1 + rng.IntN(3)), At: 1_700_000_000_000 + uint64(i),
			Title: fmt.Sprint("Film ", i), Year: 1999})
	}
	l.Merge(all)
	return l
}

func BenchmarkSave10000(b *testing.B) {
	l := many(10_000)
	raw, err := l.Encode()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		l, err := Decode(raw)
		if err != nil {
			b.Fatal(err)
		}
		l.Merge([]Entry{{ID: "new", Mark: Liked, At: 1_800_000_000_000}})
		if _, err := l.Encode(); err != nil {
			b.Fatal(err)
		}
	}
}

package ui

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tinylib/msgp/msgp"
	"github.com/vugu/vugu"
	"github.com/vugu/vugu/staticrender"

	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/visit"
)

// tab is the state of one of two pages on one store.
func twoTabs(t *testing.T, s *memory) (a, b *visitor) {
	return come(t, newLine(60), s), come(t, newLine(60), s)
}

// tells has the other tab hear of a change.
func (v *visitor) hears(erased bool) {
	v.p.Storage.changedElsewhere(erased)
	v.p.Wait()
}

func TestTabsStayInStep(t *testing.T) {
	s := newMemory()
	a, b := twoTabs(t, s)
	a.does(func() { a.p.Marking.Pick(1) })
	b.does(func() { b.p.Marking.Pick(2) }) // without having heard of the first
	a.does(func() { a.p.Tuning.SetDiversity(0.5) })
	b.does(func() { b.p.Looks.SetTheme(2) })
	a.does(func() { a.p.Marking.Toggle(3, SeenIt) })
	a.hears(false)
	b.hears(false)
	for name, v := range map[string]*visitor{"the first tab": a, "the second tab": b} {
		if !slices.Equal(v.p.Log.Now().Likes, []string{"id1", "id2"}) ||
			!slices.Equal(v.p.Log.Now().Seen, []string{"id3"}) ||
			v.p.Log.Settings.Diversity != 0.5 || v.p.Log.Settings.Theme != 2 {
			t.Errorf("%s has %+v", name, v.p.Log.Now().State)
		}
		if v.p.Mark(2) != LikedIt || v.p.Mark(1) != LikedIt || len(v.p.List.Titles) == 0 {
			t.Errorf("%s does not show what it has", name)
		}
	}
	// The later word counts, whichever tab it comes from.
	b.does(func() { b.p.Marking.Toggle(1, NotForMe) })
	a.hears(false)
	a.does(func() { a.p.Marking.Remove(2) })
	b.hears(false)
	if !slices.Equal(b.p.Log.Now().Dislikes, []string{"id1"}) || len(b.p.Log.Now().Likes) != 0 {
		t.Errorf("the second tab has %+v", b.p.Log.Now().State)
	}
	// Undo takes back what was done here, and nothing that was done elsewhere.
	a.does(func() { a.p.Marking.Toggle(7, LikedIt) })
	b.hears(false)
	b.does(func() { b.p.Marking.Toggle(8, LikedIt) })
	a.hears(false)
	a.does(a.p.Offer.TakeBack)
	b.hears(false)
	if !slices.Equal(b.p.Log.Now().Likes, []string{"id8"}) {
		t.Errorf("after undo in the first tab the second likes %q", b.p.Log.Now().Likes)
	}
}

// What is said while the store is at work is kept too, and so is what the other tab says meanwhile.
func TestSaidWhileSaving(t *testing.T) {
	s := newMemory()
	a, b := twoTabs(t, s)
	entered, release := make(chan struct{}), make(chan struct{})
	s.before = func() {
		s.before = nil
		close(entered)
		<-release
	}
	a.env.Lock()
	a.p.Marking.Pick(1)
	a.env.UnlockRender()
	<-entered
	a.env.Lock()
	a.p.Marking.Pick(2)
	a.p.Tuning.SetDiversity(0.25)
	a.env.UnlockRender()
	b.does(func() { b.p.Marking.Pick(3) })
	close(release)
	a.p.Wait()
	if l := s.ledger(t).State(); len(l.Likes) != 3 || l.Settings.Diversity != 0.25 {
		t.Errorf("stored are %+v", l)
	}
	if len(a.p.Log.Now().Likes) != 3 || a.p.Mark(3) != LikedIt {
		t.Errorf("shown are %+v", a.p.Log.Now().State)
	}
}

func TestErase(t *testing.T) {
	for _, all := range []bool{false, true} {
		s := newMemory()
		s.m[visit.FirstAsideKey] = []byte("old")
		v, other := twoTabs(t, s)
		for _, i := range []int{3, 5, 8} {
			v.does(func() { v.p.Marking.Pick(i) })
		}
		v.does(func() { v.p.Tuning.SetDiversity(0.5) })
		other.hears(false)
		v.sees("Erase …", "3 likes: ")
		v.does(v.p.Data.AskErase)
		v.sees("It cannot be undone.", "Erase everything", "Erase what I said")
		v.does(v.p.Data.KeepAll)
		v.misses("Erase everything")
		v.does(v.p.Data.AskErase)
		if all {
			v.does(v.p.Data.EraseAll)
			if len(s.m) != 0 {
				t.Errorf("the store still holds %d keys", len(s.m))
			}
		} else {
			v.does(v.p.Data.EraseMarks)
			if l := s.ledger(t); len(s.m) != 1 || len(l.Entries) != 0 || l.Settings.Diversity != 0.5 {
				t.Errorf("%d keys, stored is %+v", len(s.m), l)
			}
		}
		other.hears(true)
		for _, v := range []*visitor{v, other} {
			v.sees("Pick three you love")
			v.misses(`class="card"`, "3 likes")
			if v.p.List.Taste != nil || v.p.Offer.Undo != nil || v.p.Log.Now().Marked() {
				t.Error("something of the visitor is left")
			}
		}
		// A tab that has not heard of it does not bring back what was erased.
		other.does(func() { other.p.Marking.Pick(1) })
		if l := s.ledger(t); len(l.Entries) != 1 {
			t.Errorf("after erasing, %d titles came back", len(l.Entries)-1)
		}
	}
}

// A tab that remembers what was erased elsewhere, and has not heard of it, writes only what is new.
func TestErasedBehindTheBack(t *testing.T) {
	s := newMemory()
	v := come(t, newLine(60), s)
	v.does(func() { v.p.Marking.Pick(1) })
	if err := s.Erase(); err != nil {
		t.Fatal(err)
	}
	v.does(func() { v.p.Marking.Pick(2) })
	if got := s.ledger(t).State().Likes; !slices.Equal(got, []string{"id2"}) || v.p.Mark(1) != Unmarked {
		t.Errorf("stored are %q", got)
	}
}

func TestEraseFails(t *testing.T) {
	s := newMemory()
	v := come(t, newLine(60), s)
	v.does(func() { v.p.Marking.Pick(1) })
	s.fail = errors.New("not now")
	v.does(v.p.Data.EraseAll)
	v.sees("The browser did not let the page erase")
}

func TestDamagedState(t *testing.T) {
	l := keep.New()
	l.Merge([]keep.Entry{{ID: "id1", Mark: LikedIt, At: 1}})
	good, err := l.Encode()
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{
		"noise":    []byte("not a state"),
		"trailing": append(slices.Clone(good), 0),
		"half":     good[:len(good)/2],
		"newer":    {0x95, 9},
	} {
		for _, key := range []string{visit.StateKey, visit.FirstKey} {
			t.Run(name+" as "+key, func(t *testing.T) {
				s := newMemory()
				s.m[key] = b
				s.m[visit.FirstAsideKey] = []byte("of old")
				v := come(t, newLine(60), s)
				aside := s.m[visit.AsideKey]
				for _, want := range [][]byte{b, []byte("of old")} {
					var got []byte
					if got, aside, err = msgp.ReadBytesBytes(aside, nil); err != nil || !bytes.Equal(got, want) {
						t.Errorf("set aside is %q (%v), want %q", got, err, want)
					}
				}
				if len(aside) > 0 || s.m[key] != nil || s.m[visit.FirstAsideKey] != nil {
					t.Error("it was not set aside as it should")
				}
				v.sees("It is set aside, not thrown away", "Pick three you love",
					"Set aside because it could not be read", "Save it as a file")
				if newer := strings.Contains(v.p.Storage.Notice, "newer version"); newer != (name == "newer") {
					t.Errorf("the page says %q", v.p.Storage.Notice)
				}
				v.does(func() { v.p.Marking.Pick(1) })
				if len(s.ledger(t).Entries) != 1 || s.m[visit.AsideKey] == nil {
					t.Error("the page does not keep anything afterwards, or has lost what was set aside")
				}
				again := come(t, newLine(60), s)
				again.sees("Save it as a file")
				again.misses("thrown away")
			})
		}
	}
}

// What program 0.1.0 wrote is taken over; it stays for one visit, in case that version comes back.
func TestMigration(t *testing.T) {
	old, err := os.ReadFile(filepath.Join("keep", "testdata", "v1-visitor.msgpack"))
	if err != nil {
		t.Fatal(err)
	}
	s := newMemory()
	s.m[visit.FirstKey] = old
	e := newLine(60)
	e.items[6].ID = "6"
	v := come(t, e, s)
	if got := v.state(); !slices.Equal(got.Likes, []string{"6", "1214", "vanished"}) ||
		!slices.Equal(got.Dislikes, []string{"2"}) ||
		!slices.Equal(got.Seen, []string{"3", "1"}) || got.Settings.Exploration != 0.5 {
		t.Errorf("taken over is %+v", got)
	}
	if l := s.ledger(t); l.Entries[0].Title != "Film 6" {
		t.Errorf("the first title is %+v", l.Entries[0])
	}
	if !bytes.Equal(s.m[visit.FirstKey], old) {
		t.Error("what the earlier version wrote is gone at once")
	}
	v.does(func() { v.p.Marking.Remove(6) })
	v.does(func() { v.p.Tuning.SetExploration(0) })
	again := come(t, e, s)
	if s.m[visit.FirstKey] != nil {
		t.Error("what the earlier version wrote stays for ever")
	}
	if slices.Contains(again.p.Log.Now().Likes, "6") || again.p.Log.Settings.Exploration != 0 {
		t.Errorf("what was taken back after the migration is there again: %+v", again.p.Log.Now().State)
	}
}

func TestStorageBlocked(t *testing.T) {
	s := newMemory()
	s.fail = errors.New("denied")
	v := come(t, newLine(60), s)
	v.sees("does not let the page keep anything")
	v.does(func() { v.p.Marking.Pick(0) })
	v.sees("does not let the page keep anything", `class="card"`)
	s.fail = full{}
	v.does(func() { v.p.Marking.Pick(1) })
	v.sees("There is no room left", `class="card"`)
	s.fail = nil
	v.does(func() { v.p.Marking.Pick(2) })
	v.misses("There is no room left")
	if got := s.ledger(t).State().Likes; !slices.Equal(got, []string{"id0", "id1", "id2"}) {
		t.Errorf("when there is room again, stored are %q", got)
	}

	none := come(t, newLine(60), nil)
	none.sees("does not let the page keep anything")
	none.does(func() { none.p.Marking.Pick(0) })
	none.sees(`class="card"`)
	none.does(none.p.Data.EraseAll)
	none.sees("Pick three you love")
}

// full is what a full disk says.
type full struct{}

func (full) Error() string { return "no room" }
func (full) NoRoom()       {}

// A store that takes its time does not keep the page waiting: what was said meanwhile and what it holds come together.
func TestSlowStore(t *testing.T) {
	s := newMemory()
	first := come(t, newLine(60), s)
	first.does(func() { first.p.Marking.Pick(1) })
	release := make(chan struct{})
	s.before = func() { <-release }
	v := &visitor{t: t, root: New(Config{Engine: newLine(60), Store: s}), env: &staticrender.RWMutexEventEnv{}}
	v.p = v.root.P
	var err error
	if v.build, err = vugu.NewBuildEnv(v.env); err != nil {
		t.Fatal(err)
	}
	for ready := false; !ready; time.Sleep(10 * time.Millisecond) {
		v.html()
		v.env.RLock()
		ready = v.p.Ready
		v.env.RUnlock()
	}
	v.env.Lock()
	v.p.Marking.Pick(2)
	v.env.UnlockRender()
	close(release)
	v.p.Wait()
	if !slices.Equal(v.p.Log.Now().Likes, []string{"id1", "id2"}) || !slices.Equal(s.ledger(t).State().Likes,
		v.p.Log.Now().Likes) {
		t.Errorf("shown are %q", v.p.Log.Now().Likes)
	}
}

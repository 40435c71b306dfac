package store_test

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

	"github.com/pmlam/pmlam/ui"
	"github.com/pmlam/pmlam/ui/internal/uitest"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/visit"
)

// twoTabs opens the page twice on the same storage.
func twoTabs(t *testing.T, s *uitest.Memory) (a, b *uitest.Visitor) {
	return uitest.Come(t, uitest.NewLine(60), s), uitest.Come(t, uitest.NewLine(60), s)
}

func TestTabsStayInStep(t *testing.T) {
	s := uitest.NewMemory()
	a, b := twoTabs(t, s)
	a.Does(func() { a.P.Starters.Pick(1) })
	b.Does(func() { b.P.Starters.Pick(2) }) // before it hears of the first
	a.Does(func() { a.P.Tuning.SetDiversity(0.5) })
	b.Does(func() { b.P.Looks.SetTheme(2) })
	a.Does(func() { a.P.Marking.Toggle(3, keep.Seen) })
	a.Hears(false)
	b.Hears(false)
	for name, v := range map[string]*uitest.Visitor{"the first tab": a, "the second tab": b} {
		if !slices.Equal(v.P.Now().Likes, []string{"id1", "id2"}) ||
			!slices.Equal(v.P.Now().Seen, []string{"id3"}) ||
			v.P.Settings().Diversity != 0.5 || v.P.Settings().Theme != 2 {
			t.Errorf("%s has %+v", name, v.P.Now().State)
		}
		if v.P.Mark(2) != keep.Liked || v.P.Mark(1) != keep.Liked || len(v.P.List.Titles) == 0 {
			t.Errorf("%s does not show its marks", name)
		}
	}
	// The later mark counts, in either tab.
	b.Does(func() { b.P.Marking.Toggle(1, keep.NotForMe) })
	a.Hears(false)
	a.Does(func() { a.P.Marking.Remove(2) })
	b.Hears(false)
	if !slices.Equal(b.P.Now().Dislikes, []string{"id1"}) || len(b.P.Now().Likes) != 0 {
		t.Errorf("the second tab has %+v", b.P.Now().State)
	}
	// Undo reverts this tab's changes only.
	a.Does(func() { a.P.Marking.Toggle(7, keep.Liked) })
	b.Hears(false)
	b.Does(func() { b.P.Marking.Toggle(8, keep.Liked) })
	a.Hears(false)
	a.Does(a.P.Offer.TakeBack)
	b.Hears(false)
	if !slices.Equal(b.P.Now().Likes, []string{"id8"}) {
		t.Errorf("after undo in the first tab the second likes %q", b.P.Now().Likes)
	}
}

// Changes read from another tab are not stored again; otherwise tabs would notify each other forever.
func TestWhatIsTakenOverIsNotStored(t *testing.T) {
	s := uitest.NewMemory()
	a, b := twoTabs(t, s)
	a.Does(func() { a.P.Starters.Pick(1) })
	a.Does(func() { a.P.Looks.SetTheme(2); a.P.Tuning.SetDiversity(0.5) })
	before := s.Updates
	b.Hears(false)
	if n := s.Updates - before; n != 1 || b.P.Mark(1) != keep.Liked || b.P.Settings().Theme != 2 {
		t.Errorf("taking over a like and settings took %d transactions, want 1", n)
	}
	before = s.Updates
	uitest.Come(t, uitest.NewLine(60), s)
	if n := s.Updates - before; n != 1 {
		t.Errorf("opening the page took %d transactions, want 1", n)
	}
}

// Marks made during a transaction are kept, and so are the other tab's.
func TestSaidWhileSaving(t *testing.T) {
	s := uitest.NewMemory()
	a, b := twoTabs(t, s)
	entered, release := make(chan struct{}), make(chan struct{})
	s.Before = func() {
		s.Before = nil
		close(entered)
		<-release
	}
	a.Env.Lock()
	a.P.Starters.Pick(1)
	a.Env.UnlockRender()
	<-entered
	a.Env.Lock()
	a.P.Starters.Pick(2)
	a.P.Tuning.SetDiversity(0.25)
	a.Env.UnlockRender()
	b.Does(func() { b.P.Starters.Pick(3) })
	close(release)
	a.P.Tasks.Wait()
	if l := s.Ledger(t).State(); len(l.Likes) != 3 || l.Settings.Diversity != 0.25 {
		t.Errorf("stored: %+v", l)
	}
	if len(a.P.Now().Likes) != 3 || a.P.Mark(3) != keep.Liked {
		t.Errorf("shown: %+v", a.P.Now().State)
	}
}

func TestErase(t *testing.T) {
	for _, all := range []bool{false, true} {
		s := uitest.NewMemory()
		s.M[visit.FirstAsideKey] = []byte("old")
		v, other := twoTabs(t, s)
		for _, i := range []int{3, 5, 8} {
			v.Does(func() { v.P.Starters.Pick(i) })
		}
		v.Does(func() { v.P.Tuning.SetDiversity(0.5) })
		other.Hears(false)
		v.Sees("Erase …", "3 likes: ")
		v.Does(v.P.Data.AskErase)
		v.Sees("This cannot be undone.", "Erase everything", "Erase what I said")
		v.Does(v.P.Data.KeepAll)
		v.Misses("Erase everything")
		v.Does(v.P.Data.AskErase)
		if all {
			v.Does(v.P.EraseAll)
			if len(s.M) != 0 {
				t.Errorf("the store still holds %d keys", len(s.M))
			}
		} else {
			v.Does(v.P.EraseMarks)
			if l := s.Ledger(t); len(s.M) != 1 || len(l.Entries) != 0 || l.Settings.Diversity != 0.5 {
				t.Errorf("%d keys, stored is %+v", len(s.M), l)
			}
		}
		other.Hears(true)
		for _, v := range []*uitest.Visitor{v, other} {
			v.Sees("Pick three you love")
			v.Misses(`class="card"`, "3 likes")
			if v.P.List.Taste != nil || v.P.Offer.Undo != nil || v.P.Now().Marked() {
				t.Error("some of the visitor's state is left")
			}
		}
		// A tab that has not heard of the erasure does not bring marks back.
		other.Does(func() { other.P.Starters.Pick(1) })
		if l := s.Ledger(t); len(l.Entries) != 1 {
			t.Errorf("after erasing, %d titles came back", len(l.Entries)-1)
		}
	}
}

// A tab that missed an erasure elsewhere stores only new marks.
func TestErasedBehindTheBack(t *testing.T) {
	s := uitest.NewMemory()
	v := uitest.Come(t, uitest.NewLine(60), s)
	v.Does(func() { v.P.Starters.Pick(1) })
	if err := s.Erase(); err != nil {
		t.Fatal(err)
	}
	v.Does(func() { v.P.Starters.Pick(2) })
	if got := s.Ledger(t).State().Likes; !slices.Equal(got, []string{"id2"}) || v.P.Mark(1) != keep.Unmarked {
		t.Errorf("stored: %q", got)
	}
}

func TestEraseFails(t *testing.T) {
	s := uitest.NewMemory()
	v := uitest.Come(t, uitest.NewLine(60), s)
	v.Does(func() { v.P.Starters.Pick(1) })
	s.Fail = errors.New("not now")
	v.Does(v.P.EraseAll)
	v.Sees("The browser did not let the page erase")
}

func TestDamagedState(t *testing.T) {
	l := keep.New()
	l.Merge([]keep.Entry{{ID: "id1", Mark: keep.Liked, At: 1}})
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
				s := uitest.NewMemory()
				s.M[key] = b
				s.M[visit.FirstAsideKey] = []byte("of old")
				v := uitest.Come(t, uitest.NewLine(60), s)
				aside := s.M[visit.AsideKey]
				for _, want := range [][]byte{b, []byte("of old")} {
					var got []byte
					if got, aside, err = msgp.ReadBytesBytes(aside, nil); err != nil || !bytes.Equal(got, want) {
						t.Errorf("set aside is %q (%v), want %q", got, err, want)
					}
				}
				if len(aside) > 0 || s.M[key] != nil || s.M[visit.FirstAsideKey] != nil {
					t.Error("the notice of the set-aside state is wrong")
				}
				v.Sees("It is set aside, not thrown away", "Pick three you love",
					"Set aside because it could not be read", "Save it as a file")
				if newer := strings.Contains(v.P.Notice, "newer version"); newer != (name == "newer") {
					t.Errorf("the notice is %q", v.P.Notice)
				}
				v.Does(func() { v.P.Starters.Pick(1) })
				if len(s.Ledger(t).Entries) != 1 || s.M[visit.AsideKey] == nil {
					t.Error("later marks are not stored, or the set-aside state is lost")
				}
				again := uitest.Come(t, uitest.NewLine(60), s)
				again.Sees("Save it as a file")
				again.Misses("thrown away")
			})
		}
	}
}

// The state of program 0.1.0 is migrated, and kept for one more visit in case that version comes back.
func TestMigration(t *testing.T) {
	old, err := os.ReadFile(filepath.Join("..", "keep", "testdata", "v1-visitor.msgpack"))
	if err != nil {
		t.Fatal(err)
	}
	s := uitest.NewMemory()
	s.M[visit.FirstKey] = old
	e := uitest.NewLine(60)
	e.Items[6].ID = "6"
	v := uitest.Come(t, e, s)
	if got := v.State(); !slices.Equal(got.Likes, []string{"6", "1214", "vanished"}) ||
		!slices.Equal(got.Dislikes, []string{"2"}) ||
		!slices.Equal(got.Seen, []string{"3", "1"}) || got.Settings.Exploration != 0.5 {
		t.Errorf("migrated: %+v", got)
	}
	if l := s.Ledger(t); l.Entries[0].Title != "Film 6" {
		t.Errorf("the first title is %+v", l.Entries[0])
	}
	if !bytes.Equal(s.M[visit.FirstKey], old) {
		t.Error("the earlier version's state is gone at once")
	}
	v.Does(func() { v.P.Marking.Remove(6) })
	v.Does(func() { v.P.Tuning.SetExploration(0) })
	again := uitest.Come(t, e, s)
	if s.M[visit.FirstKey] != nil {
		t.Error("the earlier version's state is never deleted")
	}
	if slices.Contains(again.P.Now().Likes, "6") || again.P.Settings().Exploration != 0 {
		t.Errorf("a mark removed after the migration is back: %+v", again.P.Now().State)
	}
}

func TestStorageBlocked(t *testing.T) {
	s := uitest.NewMemory()
	s.Fail = errors.New("denied")
	v := uitest.Come(t, uitest.NewLine(60), s)
	v.Sees("does not let the page keep anything")
	v.Does(func() { v.P.Starters.Pick(0) })
	v.Sees("does not let the page keep anything", `class="card"`)
	s.Fail = full{}
	v.Does(func() { v.P.Starters.Pick(1) })
	v.Sees("has no room left", `class="card"`)
	s.Fail = nil
	v.Does(func() { v.P.Starters.Pick(2) })
	v.Misses("has no room left")
	if got := s.Ledger(t).State().Likes; !slices.Equal(got, []string{"id0", "id1", "id2"}) {
		t.Errorf("when there is room again, stored: %q", got)
	}

	none := uitest.Come(t, uitest.NewLine(60), nil)
	none.Sees("does not let the page keep anything")
	none.Does(func() { none.P.Starters.Pick(0) })
	none.Sees(`class="card"`)
	none.Does(none.P.EraseAll)
	none.Sees("Pick three you love")
}

// full is the error of a full disk.
type full struct{}

func (full) Error() string { return "no room" }
func (full) NoRoom()       {}

// A slow store does not delay the page. Marks made meanwhile are merged with the stored ones.
func TestSlowStore(t *testing.T) {
	s := uitest.NewMemory()
	first := uitest.Come(t, uitest.NewLine(60), s)
	first.Does(func() { first.P.Starters.Pick(1) })
	release := make(chan struct{})
	s.Before = func() { <-release }
	v := uitest.Arrive(t, ui.New(ui.Config{Engine: uitest.NewLine(60), Disk: s}))
	for ready := false; !ready; time.Sleep(10 * time.Millisecond) {
		v.HTML()
		v.Env.RLock()
		ready = v.P.Ready
		v.Env.RUnlock()
	}
	v.Env.Lock()
	v.P.Starters.Pick(2)
	v.Env.UnlockRender()
	close(release)
	v.P.Tasks.Wait()
	if !slices.Equal(v.P.Now().Likes, []string{"id1", "id2"}) || !slices.Equal(s.Ledger(t).State().Likes,
		v.P.Now().Likes) {
		t.Errorf("shown: %q", v.P.Now().Likes)
	}
}

package keep

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func encoded(t testing.TB, l Ledger) []byte {
	t.Helper()
	b, err := l.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func full() Ledger {
	return Ledger{
		Version: Version,
		Entries: []Entry{
			{ID: "1", Mark: Liked, At: 3, Title: "Heat", Year: 1995}, {ID: "é", Mark: Seen, At: 3,
				Title: "É", Details: Details{Stars: 1, When: 1_556_668_800, Lists: "A\nB c"}}, {ID: "3",
				At: 1_763_705_400_123},
			{ID: "5", Mark: Later, At: 1_763_705_400_124, Title: "Alien", Year: 1979},
			{ID: "4", Mark: NotForMe, At: maxAt},
		},
		Settings: Settings{Mode: 2, Exploration: 0.25, Diversity: 1, Seed: math.MaxUint64,
			Genres: []string{"Film-Noir"}, Decade: 1940, Theme: 2, Distances: true, Asked: true, Picks: []string{"2951 1"}},
	}
}

func TestLedgerRoundTrip(t *testing.T) {
	for _, want := range []Ledger{full(), New()} {
		got, err := Decode(encoded(t, want))
		if err != nil || !reflect.DeepEqual(got.State(), want.State()) ||
			len(got.Entries) != len(want.Entries) || len(want.Entries) > 0 && !reflect.DeepEqual(got.Entries, want.Entries) {
			t.Errorf("got %+v (%v), want %+v", got, err, want)
		}
	}
}

func TestLedgerRefuses(t *testing.T) {
	for name, change := range map[string]func(*Ledger){
		"a title twice":         func(l *Ledger) { l.Entries[4].ID = "1" },
		"an empty id":           func(l *Ledger) { l.Entries[0].ID = "" },
		"an id of no text":      func(l *Ledger) { l.Entries[0].ID = "\xff" },
		"a long id":             func(l *Ledger) { l.Entries[0].ID = strings.Repeat("x", maxText+1) },
		"a long title":          func(l *Ledger) { l.Entries[0].Title = strings.Repeat("x", maxText+1) },
		"no such mark":          func(l *Ledger) { l.Entries[0].Mark = Later + 1 },
		"a year far off":        func(l *Ledger) { l.Entries[3].Year = laterYear },
		"beyond time":           func(l *Ledger) { l.Entries[4].At = maxAt + 1 },
		"out of order":          func(l *Ledger) { l.Entries[2].At = 1 },
		"no such mode":          func(l *Ledger) { l.Settings.Mode = 3 },
		"exploration beyond 1":  func(l *Ledger) { l.Settings.Exploration = 1.5 },
		"no number":             func(l *Ledger) { l.Settings.Diversity = math.NaN() },
		"a genre of no name":    func(l *Ledger) { l.Settings.Genres = []string{""} },
		"a version of nobody's": func(l *Ledger) { l.Version = 0 },
	} {
		l := full()
		change(&l)
		if _, err := l.Encode(); err == nil {
			t.Errorf("%s: written without an error", name)
		}
		raw, err := l.MarshalMsg(nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Decode(raw); err == nil {
			t.Errorf("%s: read without an error", name)
		}
	}
	raw, err := (&Ledger{Version: Version, Entries: []Entry{{ID: "5", Mark: Later, At: 1}}}).MarshalMsg(nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Decode(raw); err == nil {
		t.Error("a stored mark that earlier programs refuse was read")
	}
	good := encoded(t, full())
	for n := range good {
		if _, err := Decode(good[:n]); err == nil {
			t.Errorf("the first %d of %d bytes can be read", n, len(good))
		}
	}
	if _, err := Decode(append(good, 0xc0)); err == nil {
		t.Error("a state with an extra byte was read")
	}
	if _, err := Decode([]byte{0x93, Version + 1}); !errors.Is(err, ErrNewer) {
		t.Errorf("a newer version: error %v", err)
	}
	for _, b := range [][]byte{{0x93, 2, 0xdd, 0, 3, 0xff, 0xff}, {0x95, 1, 0xdd, 0, 0, 0xff, 0xff}} {
		before := testing.AllocsPerRun(1, func() { Decode(b) })
		if _, err := Decode(b); err == nil || before > 100 {
			t.Errorf("%x can be read, or costs %v allocations", b, before)
		}
	}
}

// Programs that do not know Later see such a title without a mark, and keep it when they write.
func TestLaterForEarlierPrograms(t *testing.T) {
	var earlier Ledger
	if rest, err := earlier.UnmarshalMsg(encoded(t, full())); err != nil || len(rest) > 0 {
		t.Fatal(err)
	}
	for i := range earlier.Entries {
		if m := earlier.Entries[i].Mark; m > Seen {
			t.Errorf("title %q has mark %d, which earlier programs refuse", earlier.Entries[i].ID, m)
		}
	}
	if e := earlier.Entries[3]; e.ID != "5" || e.Mark != Unmarked || e.Title != "Alien" {
		t.Errorf("earlier programs see %+v", e)
	}
	raw, err := earlier.MarshalMsg(nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Decode(raw); err != nil || !reflect.DeepEqual(got, full()) {
		t.Errorf("after an earlier program wrote it: %+v (%v)", got, err)
	}
}

// Unknown settings are skipped, so that fields can be added.
func TestUnknownSettings(t *testing.T) {
	b := []byte{0x93, 2, 0x90, 0x82, 0xa5, 't', 'h', 'e', 'm', 'e', 1, 0xa3, 'n', 'e', 'w', 0x91, 0xc0}
	if l, err := Decode(b); err != nil || l.Settings.Theme != 1 {
		t.Errorf("%+v, %v", l, err)
	}
}

// The fixtures were written by program 0.1.0.
func TestVersion1(t *testing.T) {
	for name, want := range map[string]State{
		"v1-new": {},
		"v1-full": {Likes: []string{"1", "é"}, Dislikes: []string{"3"}, Seen: []string{"4", "5"},
			Settings: Settings{Mode: 2, Exploration: 0.25, Diversity: 1, Seed: 77, Genres: []string{"Film-Noir"},
				Decade: 1940, Theme: 2, Distances: true}},
		"v1-visitor": {Likes: []string{"6", "1214", "vanished"}, Dislikes: []string{"2"}, Seen: []string{"3", "1"},
			Settings: Settings{Exploration: 0.5}},
	} {
		b := fixture(t, name+".msgpack")
		l, err := Decode(b)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := l.State(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %+v, want %+v", name, got, want)
		}
		for n := range b {
			if _, err := Decode(b[:n]); err == nil {
				t.Errorf("the first %d of %d bytes of %s can be read", n, len(b), name)
			}
		}
		if _, err := Decode(append(b, 0)); err == nil {
			t.Errorf("%s with an extra byte was read", name)
		}
		again, err := Decode(encoded(t, l))
		if err != nil || !reflect.DeepEqual(again.State(), want) {
			t.Errorf("%s as version %d is %+v (%v)", name, Version, again, err)
		}
	}
}

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Every readable state can be written and read back unchanged.
func FuzzDecode(f *testing.F) {
	f.Add(encoded(f, full()))
	f.Add(encoded(f, New()))
	for _, name := range []string{"v1-new", "v1-full", "v1-visitor"} {
		f.Add(fixture(f, name+".msgpack"))
	}
	f.Add([]byte{0x93, 2, 0xdd, 0xff, 0xff, 0xff, 0xff})
	f.Add([]byte{0x95, 1, 0xdd, 0xff, 0xff, 0xff, 0xff})
	f.Add([]byte{0x95, 9})
	f.Fuzz(func(t *testing.T, b []byte) {
		if u := (unpacker{b: b}); u.array() == 3 && u.uint(8) == Version && u.array() <= uint64(len(b)) {
			checkAgainstGenerated(t, b)
		}
		l, err := Decode(b)
		if err != nil {
			if !reflect.DeepEqual(l, Ledger{}) {
				t.Fatalf("got an error, and %+v", l)
			}
			return
		}
		raw := encoded(t, l)
		again, err := Decode(raw)
		if err != nil || !bytes.Equal(encoded(t, again), raw) {
			t.Fatalf("%x was read, written as %x, and read as %+v (%v)", b, raw, again, err)
		}
	})
}

package keep

import (
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Titles of any text and length keep their details, and text that looks like details stays text.
func TestDetailsAreStored(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := Details{Stars: rapid.Uint8Range(0, MaxStars).Draw(t, "stars"), When: rapid.Uint32().Draw(t, "when")}
		for _, name := range rapid.SliceOfN(rapid.String(), 0, 4).Draw(t, "lists") {
			d.Put(name, true)
		}
		title := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "Heat", "Heat\x009 1 x", "\x00",
			strings.Repeat("é", maxText/2)})).Draw(t, "title")
		if len(title) > maxText {
			return
		}
		l := Ledger{Version: Version, Entries: []Entry{{ID: "1", Mark: Liked, Title: title, Details: d}}}
		b, err := l.Encode()
		if err != nil {
			t.Fatal(err)
		}
		got, err := Decode(b)
		if err != nil || got.Entries[0].Details != d || !strings.HasPrefix(title, got.Entries[0].Title) ||
			len(title) < 512 && got.Entries[0].Title != title {
			t.Fatalf("%q with %+v reads back as %+v (%v)", title, d, got.Entries, err)
		}
	})
}

// Programs that know no details read and write the entries unchanged, so a later program finds them again.
func TestDetailsForEarlierPrograms(t *testing.T) {
	want := full()
	var earlier Ledger
	if _, err := earlier.UnmarshalMsg(encoded(t, want)); err != nil {
		t.Fatal(err)
	}
	if title := earlier.Entries[1].Title; !strings.HasPrefix(title, "É") || len(title) > maxText {
		t.Errorf("to an earlier program the title is %q", title)
	}
	written, err := earlier.MarshalMsg(nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Decode(written); err != nil || !reflect.DeepEqual(got.Entries, want.Entries) {
		t.Errorf("after an earlier program: %+v (%v)", got.Entries, err)
	}
}

func TestDetailsRefused(t *testing.T) {
	for _, d := range []Details{{Stars: MaxStars + 1}, {Lists: "b\na"}, {Lists: " a"}, {Lists: "a\n"},
		{Lists: strings.Repeat("x", MaxListName+1)}, {Lists: "\xff"}} {
		l := Ledger{Version: Version, Entries: []Entry{{ID: "1", Mark: Liked, Details: d}}}
		if _, err := l.Encode(); err == nil {
			t.Errorf("%+v was written", d)
		}
		l.Entries[0].Title, l.Entries[0].Details = d.join("Heat"), Details{}
		if raw, err := l.MarshalMsg(nil); err != nil {
			t.Fatal(err)
		} else if _, err := Decode(raw); err == nil {
			t.Errorf("%+v was read", d)
		}
	}
}

func TestLists(t *testing.T) {
	var d Details
	d.Put("  Date\n night ", true)
	d.Put("Horror", true)
	d.Put("Horror", true)
	d.Put("Anime", true)
	if d.Lists != "Anime\nDate night\nHorror" || !d.On("Date night") || d.On("Date") {
		t.Errorf("the lists are %q", d.Lists)
	}
	d.Put("Date night", false)
	d.Put("Nothing", false)
	d.Put(" \t", true)
	if d.Lists != "Anime\nHorror" {
		t.Errorf("after one was removed: %q", d.Lists)
	}
	for range 10 {
		d.Put(strings.Repeat("y", len(d.Lists)%50+1), true)
	}
	if len(d.Lists) > maxLists || !d.valid() {
		t.Errorf("too many lists: %q", d.Lists)
	}
}

// A rating changes a title in a plan, even if its mark stays.
func TestPlansOfDetails(t *testing.T) {
	l := full()
	file := []Entry{l.Entries[0]}
	file[0].Stars, file[0].At = 9, maxAt
	if p := l.PlanMerge(file); !reflect.DeepEqual(p.Changed, []string{"1"}) || p.Added != nil || p.Removed != nil {
		t.Errorf("the plan is %+v", p)
	}
}

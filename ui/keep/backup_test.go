package keep

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

const now = 1_763_705_400_123 // 2025-11-21T06:10:00.123Z

func sample() *Backup {
	return &Backup{
		Written: now, Catalogue: "A “line” of\nfilms", Settings: &Settings{Mode: 1, Exploration: 0.25, Seed: 1 << 63, Genres: []string{"Film-Noir", `"`}, Decade: 1940, Theme: 2, Distances: true, Picks: []string{"2951 6", "2952 é"}},
		Items: []Item{
			{
				Entry: Entry{ID: "6", Mark: Liked, At: now - 5, Title: "Heat", Year: 1995},
				Other: []ID{{"imdbId", "0113277"}, {"tmdbId", "949"}},
			},
			{Entry: Entry{ID: "é\\", Mark: NotForMe, At: 2}},
			{Entry: Entry{ID: "7", Mark: Seen, At: 3, Title: "Amélie \u0001",
				Details: Details{Stars: 7, When: 1_556_668_800, Lists: "Halloween\nTo “see”"}}},
			{Entry: Entry{ID: "9", Mark: Later, At: now - 4, Title: "Alien", Year: 1979}, Other: []ID{{"imdbId", "0078748"}}},
		},
	}
}

// both returns sample with a second person.
func both() *Backup {
	b := sample()
	b.Settings.Person = "Ben"
	b.Other, b.Others = "Anna “A” <3", []Item{
		{Entry: Entry{ID: "6", Mark: NotForMe, At: now, Title: "Heat"}},
		{Entry: Entry{ID: "8", Mark: Liked, At: 2}},
	}
	return b
}

func TestBackupRoundTrip(t *testing.T) {
	want := sample()
	file := want.Bytes()
	if !json.Valid(file) {
		t.Fatalf("not JSON:\n%s", file)
	}
	got, err := ReadBackup(file, now)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v (%v), want %+v, from\n%s", got, err, want, file)
	}
	const line = `    {"mark": "like", "id": "6", "title": "Heat", "year": 1995, "imdbId": "0113277", "tmdbId": "949", "said": "2025-11-21T06:10:00.118Z"},` + "\n"
	if !strings.Contains(string(file), line) {
		t.Errorf("the file lacks the line\n%s\nin\n%s", line, file)
	}
	const detailed = `"stars": 3.5, "when": "2019-05-01T00:00:00.000Z", "lists": ["Halloween", "To “see”"]}`
	if !strings.Contains(string(file), detailed) {
		t.Errorf("the file lacks\n%s\nin\n%s", detailed, file)
	}
	// Earlier programs know three marks, and skip unknown members.
	var plain struct {
		Titles, Later []struct{ Mark, ID string }
	}
	if err := json.Unmarshal(file, &plain); err != nil || len(plain.Titles) != 3 || len(plain.Later) != 1 ||
		plain.Later[0].ID != "9" {
		t.Errorf("to earlier programs the file is %+v (%v)", plain, err)
	}
	want = both()
	file = want.Bytes()
	if got, err := ReadBackup(file, now); err != nil || !reflect.DeepEqual(got, want) || !json.Valid(file) {
		t.Errorf("two people: got %+v (%v), want %+v, from\n%s", got, err, want, file)
	}
	if got, err := ReadBackup((&Backup{Catalogue: "x"}).Bytes(), now); err != nil || len(got.Items) != 0 ||
		got.Settings != nil {
		t.Errorf("an empty backup reads as %+v (%v)", got, err)
	}
}

// A backup written by version 1, when there was one person.
func TestBackupOfVersion1(t *testing.T) {
	const file = `{
  "format": "pmlam-backup",
  "version": 1,
  "written": "2025-11-21T06:10:00.123Z",
  "catalogue": "MovieLens latest small",
  "settings": {"mode": "hidden gems", "exploration": 0.25, "diversity": 0, "seed": "0", "genres": [], "decade": 0, "colours": "dark", "distances": false, "language": "de"},
  "titles": [
    {"mark": "like", "id": "6", "title": "Heat", "year": 1995, "imdbId": "0113277", "said": "2025-11-21T06:10:00.118Z"},
    {"mark": "seen", "id": "7"}
  ]
}
`
	want := &Backup{
		Written:   now,
		Catalogue: "MovieLens latest small",
		Settings:  &Settings{Mode: 1, Exploration: 0.25, Theme: 2, Language: "de"},
		Items: []Item{
			{
				Entry: Entry{ID: "6", Mark: Liked, At: now - 5, Title: "Heat", Year: 1995},
				Other: []ID{{"imdbId", "0113277"}},
			},
			{Entry: Entry{ID: "7", Mark: Seen, At: 2}},
		},
	}
	if got, err := ReadBackup([]byte(file), now); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v (%v)", got, err)
	}
}

// A backup written by hand: another order, unknown members, no dates, a byte order mark.
func TestBackupByHand(t *testing.T) {
	b, err := ReadBackup([]byte("\ufeff"+`{"titles": [
		{"title": "Heat", "mark": "like", "note": "what a film", "stars": 5, "score": 5, "lists": [" Best\tof ", "", "A", "A"], "tags": ["a", {"b": null}]},
		{"id": "9", "mark": "seen", "said": "yesterday", "year": -1},
		{"id": "11", "mark": "later", "year": 40000},
		{"id": "10", "mark": "not for me", "said": "2999-01-01T00:00:00Z"}
	], "version": 1, "format": "pmlam-backup", "settings": {"mode": "sideways", "exploration": 7, "colours": "dark"}}`), now)
	if err != nil {
		t.Fatal(err)
	}
	want := []Item{
		{Entry: Entry{Mark: Liked, At: 1, Title: "Heat", Details: Details{Stars: 10, Lists: "A\nBest of"}},
			Other: []ID{{"note", "what a film"}}},
		{Entry: Entry{ID: "9", Mark: Seen, At: 2}},
		{Entry: Entry{ID: "11", Mark: Later, At: 3}}, // a year out of range
		{Entry: Entry{ID: "10", Mark: NotForMe, At: now + 86_400_000}},
	}
	if !reflect.DeepEqual(b.Items, want) || !b.Settings.Same(&Settings{Theme: 2}) {
		t.Errorf("got %+v, %+v", b.Items, b.Settings)
	}
}

func TestBackupRefuses(t *testing.T) {
	good := string(both().Bytes())
	for name, file := range map[string]string{
		"nothing":          "",
		"another file":     `{"a": 1}`,
		"a list":           `[]`,
		"no titles":        `{"format": "pmlam-backup", "version": 1}`,
		"another format":   strings.Replace(good, "pmlam-backup", "backup", 1),
		"no version":       strings.Replace(good, `"version": 2`, `"version": 0`, 1),
		"half a version":   strings.Replace(good, `"version": 2`, `"version": 1.5`, 1),
		"no name":          strings.Replace(good, `"person": "Anna`, `"nobody": "Anna`, 1),
		"an empty name":    strings.Replace(good, `"Anna “A” <3"`, `" \t "`, 1),
		"their own mark":   strings.Replace(good, `"not for me", "id": "6"`, `"hate", "id": "6"`, 1),
		"another kind":     strings.Replace(good, `"other": {`, `"other": 7, "x": {`, 1),
		"an unknown mark":  strings.Replace(good, `"like"`, `"adore"`, 1),
		"neither id":       strings.Replace(good, `, "id": "é\\"`, ``, 1),
		"something behind": good + "x",
		"a long text":      strings.Replace(good, "Heat", strings.Repeat("x", maxText+1), 1),
	} {
		_, err := ReadBackup([]byte(file), now)
		if e, ok := errors.AsType[*BackupError](err); !ok || e.Newer {
			t.Errorf("%s: error %v", name, err)
		}
	}
	for n := range strings.TrimRight(good, "\n") {
		if _, err := ReadBackup([]byte(good[:n]), now); err == nil {
			t.Errorf("the first %d of %d bytes can be read", n, len(good))
		}
	}
	_, err := ReadBackup([]byte(strings.Replace(good, `"version": 2`, `"version": 3, "unheard": "of"`, 1)), now)
	if e, ok := errors.AsType[*BackupError](err); !ok || !e.Newer {
		t.Errorf("a newer version: error %v", err)
	}
	_, err = ReadBackup([]byte(strings.Replace(good, `"like"`, `"adore"`, 1)), now)
	if e, ok := errors.AsType[*BackupError](err); !ok || e.Line != 8 {
		t.Errorf("an unknown mark in line 8: error %v", err)
	}
}

func TestDates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.Uint64Range(firstDate, lastDate).Draw(t, "at")
		want := time.UnixMilli(int64(at)).UTC().Format("2006-01-02T15:04:05.000Z")
		if got := string(appendDate(nil, at)); got != want {
			t.Fatalf("%d is %s, want %s", at, got, want)
		}
		if got, ok := parseDate(want); !ok || got != at {
			t.Fatalf("%s reads as %d, %v", want, got, ok)
		}
		if Date(at) != want[:10] {
			t.Fatalf("the day of %s is %s", want, Date(at))
		}
	})
	if at, ok := parseDate("2025-11-21T06:10:00Z"); !ok || at != now-123 {
		t.Errorf("without milliseconds a date reads as %d, %v", at, ok)
	}
	for _, s := range []string{"", "2025-11-21", "2025-02-30T00:00:00Z", "2025-13-01T00:00:00Z", "2025-11-21T24:00:00Z", "2025-11-21 06:10:00Z", "2025-11-21T06:60:00Z", "+025-11-21T06:10:00Z", "1970-01-01T00:00:00Z"} {
		if at, ok := parseDate(s); ok {
			t.Errorf("%q reads as %d", s, at)
		}
	}
}

func TestPlans(t *testing.T) {
	l := New()
	l.Merge(
		[]Entry{
			{ID: "same", Mark: Liked, At: 10},
			{ID: "newer here", Mark: Liked, At: 50},
			{ID: "older here", Mark: Seen, At: 5},
			{ID: "only here", Mark: Liked, At: 11},
			{ID: "removed here", At: 60},
		},
	)
	file := []Entry{
		{ID: "same", Mark: Liked, At: 10},
		{ID: "newer here", Mark: NotForMe, At: 20},
		{ID: "older here", Mark: Liked, At: 20},
		{ID: "only there", Mark: Seen, At: 1},
		{ID: "removed here", Mark: Liked, At: 30},
	}
	p := l.PlanMerge(file)
	if !reflect.DeepEqual(p.Added, []string{"only there"}) || !reflect.DeepEqual(p.Changed, []string{"older here"}) ||
		p.Removed != nil {
		t.Errorf("merging: %+v", p)
	}
	clock := Clock{}
	clock.Saw(l.Entries)
	r := l.PlanRestore(file, func() uint64 { return clock.Tick(1) })
	if !reflect.DeepEqual(r.Added, []string{"removed here", "only there"}) &&
		!reflect.DeepEqual(r.Added, []string{"only there", "removed here"}) ||
		len(r.Changed) != 2 ||
		!reflect.DeepEqual(r.Removed, []string{"only here"}) {
		t.Errorf("restoring: %+v", r)
	}
	for _, p := range []*Plan{p, r} {
		after := l
		after.Merge(p.Entries)
		if got := after.State(); !got.Same(&p.After) {
			t.Errorf("applied, the plan gives %+v; its After is %+v", got, p.After)
		}
	}
}

// Every readable backup can be written and read back unchanged, and is JSON to the standard library too.
func FuzzBackup(f *testing.F) {
	f.Add(sample().Bytes())
	f.Add(both().Bytes())
	f.Add(
		[]byte(
			`{"format":"pmlam-backup","version":2,"titles":[],"other":{"titles":[{"mark":"like","id":"x"}],"person":" é "},"other":{"person":"b"}}`,
		),
	)
	f.Add(
		[]byte(
			`{"format":"pmlam-backup","version":1,"titles":[{"mark":"seen","title":"x","said":"2020-02-29T00:00:00Z"}]}`,
		),
	)
	f.Add([]byte(`{"format":"pmlam-backup","version":3}`))
	f.Add([]byte(`{"titles":[[[[[[[[[[[[[[[[[[`))
	f.Fuzz(func(t *testing.T, file []byte) {
		b, err := ReadBackup(file, now)
		if err != nil {
			return
		}
		raw := b.Bytes()
		if !json.Valid(raw) {
			t.Fatalf("not JSON:\n%s", raw)
		}
		again, err := ReadBackup(raw, now)
		if err != nil {
			t.Fatalf("%v, of\n%s", err, raw)
		}
		if len(again.Items) != len(b.Items) || len(again.Others) != len(b.Others) && b.Other != "" ||
			string(again.Bytes()) != string(raw) {
			t.Fatalf("%s\nis written as\n%s\nthe second time", raw, again.Bytes())
		}
	})
}

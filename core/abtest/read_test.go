package abtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

const (
	one = `{"format":"pmlam-log","version":1,"sessions":[{"key":"k1","day":"2026-11-24","variants":{"ranking":"b"},` +
		`"first":0,"events":[{"event":"shown","list":"home","items":["1","2"],"teams":["y","x"]},` +
		`{"event":"clicked","list":"home","item":"1"},{"event":"clicked","list":"home","item":"1"},` +
		`{"event":"liked","list":"home","item":"2"},{"event":"clicked","list":"home","item":"9"}]}]}`
	// The same session, two events later and without its first, and another one.
	later = `{"format":"pmlam-log","version":1,"sessions":[{"key":"k1","day":"2026-11-24","variants":{"ranking":"b",` +
		`"late":"a"},"first":1,"events":[{"event":"clicked","list":"home","item":"1"},` +
		`{"event":"clicked","list":"home","item":"1"},{"event":"liked","list":"home","item":"2"},` +
		`{"event":"clicked","list":"home","item":"9"},{"event":"shown","list":"foot","items":["7"]},` +
		`{"event":"clicked","list":"foot","item":"7"}]},` +
		`{"key":"k2","day":"2026-11-26","variants":{},"first":0,"events":[]}]}`
	stranger = `{"format":"pmlam-log","version":1,"sessions":[{"day":"2026-11-20","variants":{},"first":0,"events":[]}]}`
)

func read(t *testing.T, files map[string]string) (*Visits, error) {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return Read(context.Background(), []string{dir})
}

// A session counts once, however its copies are spread over exports, and exports that share a session belong to one
// visitor. This holds for every form of files.
func TestReadPutsSessionsTogether(t *testing.T) {
	want := &Visits{Exports: 4, From: "2026-11-20", To: "2026-11-26", Again: 2, Orphans: 1, Keyless: true,
		Visitors: []Visitor{
			{Sessions: []Visit{
				{Variants: map[string]string{"ranking": "b", "late": "a"}, Lists: []List{
					{Name: "home", Teams: [2]string{"x", "y"}, answers: [kinds]int{0, 1, 1},
						credit: [kinds][2]int{{}, {0, 1}, {1, 0}}},
					{Name: "foot", answers: [kinds]int{0, 1, 0}},
				}},
				{Variants: nil},
			}},
			{Sessions: []Visit{{}}},
		}}
	for name, files := range map[string]map[string]string{
		"lines":   {"logs.jsonl": one + "\n" + later + "\n\n" + stranger + "\n" + one},
		"array":   {"a.JSON": "\ufeff \n[" + one + ",\n" + later + "," + stranger + "," + one + "]\n"},
		"folders": {"a.json": one, "b/c.ndjson": later, "b/d.json": stranger, "e.json": one, "f.txt": "x"},
		"indented": {"a.json": strings.ReplaceAll(one, ",", ",\n\t"), "b.json": later + stranger,
			"c.json": one},
	} {
		got, err := read(t, files)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n%+v, want\n%+v", name, got, want)
		}
	}
}

// An invalid line is counted with its place, and all other lines are read: before it, after it, and within an array.
func TestReadGoesOn(t *testing.T) {
	event := func(event string) string {
		return `{"format":"pmlam-log","version":1,"sessions":[{"day":"2026-11-24","events":[` + event + `]}]}`
	}
	long := strings.Repeat("x", 5000)
	for wrong, want := range map[string]string{
		"{\"format\":}":          "2: not JSON: invalid character '}'",
		one[:100]:                "2: the export is cut off",
		one[:100] + `"`:          "2: the export is cut off: another begins on line 3",
		"none":                   `2: an export begins with {, not "none"`,
		"7":                      `2: an export begins with {, not "7"`,
		"NaN":                    `2: an export begins with {, not "NaN"`,
		"<html>{}{}</html>":      `2: an export begins with {, not "<html>{}{}</html>"`,
		"\x00\xff\xfe":           `2: an export begins with {, not "\x00`,
		"{]} , ][":               "2: not JSON: invalid character ']'",
		"{}":                     `2: the format is ""`,
		`{"format":"pmlam"}`:     `2: the format is "pmlam"`,
		`{"format":"pmlam-log"}`: "2: the export has version 0; this program reads version 1",
		` {"format":` + "\n" + `"pmlam-log","version":"1"}`:                                      "3: version is a string; it must be a whole number",
		`{"format":"pmlam-log","version":1}`:                                                     "2: the export has no sessions",
		`{"format":"pmlam-log","version":1,"visitor":"me"}`:                                      `2: an export has no field "visitor"`,
		`{"format":"pmlam-log","version":1,"sessions":[{}]}`:                                     `2: session 1: the day is ""`,
		strings.Replace(one, `"first":0`, `"first":NaN`, 1):                                      "2: not JSON: invalid character 'N'",
		strings.Replace(one, `"first":0`, `"first":1e400`, 1):                                    "2: sessions.first is a number 1e400; it must be a whole number",
		event(`{"event":"seen","list":"a"}`):                                                     `2: session 1: event 1: the event is "seen"`,
		event(`{"event":"shown","list":"","items":["1"]}`):                                       "event 1: the name of a list needs 1 to 256 bytes, got 0",
		event(`{"event":"shown","list":"a"}`):                                                    "event 1: a list needs 1 to 200 items",
		event(`{"event":"clicked","list":"a","items":["1"]}`):                                    "event 1: a clicked event needs one item",
		event(`{"event":"clicked","list":"a","item":""}`):                                        "event 1: an item's id needs 1 to 4096 bytes, got 0",
		event(`{"event":"liked","list":"a","item":"` + long + `"}`):                              "event 1: an item's id needs 1 to 4096 bytes, got 5000",
		event(`{"event":"shown","list":"a","items":["1"],"teams":[]}`):                           "event 1: there are 1 items but 0 teams",
		event(`{"event":"shown","list":"a","items":["1","2","3"],"teams":["a","b","c"]}`):        "event 1: the list has 3 teams",
		`{"format":"pmlam-log","version":1,"sessions":[],"x":"` + strings.Repeat("x", MaxExport): "2: an export has at most 1048576 bytes",
		strings.Repeat("[", 2*MaxExport) + "7":                                                   `2: an export begins with {, not "7"`,
		strings.Repeat(`{"a":`, MaxExport):                                                       "2: an export has at most 1048576 bytes",
	} {
		for _, file := range []string{
			stranger + "\n" + wrong + "\n" + one + "\n" + stranger + "\n",
			"[" + stranger + ",\n" + wrong + ",\n" + one + ",\n" + stranger + "]",
		} {
			got, err := read(t, map[string]string{"a/logs.jsonl": file, "b.jsonl": stranger})
			if err != nil {
				t.Errorf("%.100s\nis read as %v, want %q", file, err, want)
				continue
			}
			if got.Exports != 4 || got.Wrong != 1 || len(got.Errors) != 1 {
				t.Errorf("%.100s\nhas %d exports and %d wrong lines, %v; want 4 and 1", file, got.Exports, got.Wrong, got.Errors)
				continue
			}
			said := got.Errors[0].Error()
			if array := file[0] == '['; !array && !strings.Contains(said, want) || !strings.Contains(said, "logs.jsonl:") {
				t.Errorf("%.100s\nsays %q, want %q", file, said, want)
			}
		}
	}
}

// A file without any export, and an unreadable path, are errors. In a folder, unreadable files are counted.
func TestReadSaysThatNothingIsLeft(t *testing.T) {
	for name, want := range map[string]string{
		"a.json \n7\n8\n9\n10":                 "none of the 4 lines is an export: ",
		"a.json " + one[:50]:                   "a.json:1: the file ends within an export",
		"a.txt " + one:                         "no file in the folder ends in .json",
		"a.json ":                              "no exports",
		"a.json []":                            "no exports",
		"a.json " + strings.Repeat(" ", 3<<20): "no exports",
	} {
		file, text, _ := strings.Cut(name, " ")
		if _, err := read(t, map[string]string{file: text}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v, want %q", name, err, want)
		}
	}
	if _, err := Read(context.Background(), []string{"nowhere"}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := Read(ctx, []string{"read_test.go"}); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "b.json"), []byte(one), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("nothing", filepath.Join(folder, "a.json")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(folder, "d.json"), 0o755); err != nil {
		t.Fatal(err)
	}
	if v, err := Read(context.Background(), []string{folder}); err != nil || v.Exports != 1 {
		t.Errorf("a folder with a link to nothing: %v, %v", v, err)
	}
}

// The bounds of all exports together hold.
func TestReadIsBounded(t *testing.T) {
	c := newCollector()
	c.exports = MaxExports
	if err := c.add(nil); err == nil {
		t.Errorf("%d exports are read", c.exports)
	}
	c = newCollector()
	c.events = MaxEvents
	if err := c.add([]session{{}}); err == nil {
		t.Errorf("%d events are read", c.events)
	}
	c = newCollector()
	c.texts.bytes = MaxText
	if err := c.add([]session{{key: "k"}, {key: "l"}}); err == nil {
		t.Errorf("ids of %d bytes are read", c.texts.bytes)
	}
	// Copies of a session that each add events.
	c = newCollector()
	for i := range 10 * maxCopies {
		if err := c.add([]session{{key: "k", first: int64(2 * i), events: make([]event, 1)}}); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(c.sessions[0].copies); n != maxCopies || c.events > 10*maxCopies {
		t.Errorf("%d copies are kept, of size %d", n, c.events)
	}
}

// The line of an error is right even far into a large file.
func TestReadCountsLines(t *testing.T) {
	var b strings.Builder
	for i := range 20_000 {
		fmt.Fprintln(&b, strings.ReplaceAll(stranger, `"day"`, fmt.Sprintf(`"key":"%d","day"`, i)))
	}
	v, err := read(t, map[string]string{"a.json": b.String()})
	if err != nil || len(v.Visitors) != 20_000 {
		t.Fatalf("%v", err)
	}
	v, err = read(t, map[string]string{"a.json": b.String() + "{]\n" + one})
	if err != nil || v.Exports != 20_001 || !strings.Contains(v.Errors[0].Error(), "a.json:20001: ") {
		t.Errorf("%v, want line 20001", err)
	}
}

// An export on a line of its own is read, whatever precedes it. The result can be compared, and the report's figures
// are valid JSON.
func FuzzRead(f *testing.F) {
	f.Add([]byte(one + "\n" + later))
	f.Add([]byte("[" + one + "," + stranger + "]"))
	f.Add([]byte(strings.ReplaceAll(one, `"first":0`, `"first":1099511627776`) + one))
	f.Add([]byte(strings.Replace(one, `"first":0`, `"first":NaN`, 1) + "\n{\"a\":[{\n\"x"))
	const last = `{"format":"pmlam-log","version":1,"sessions":[{"key":"the last","day":"2026-11-24","variants":` +
		`{"ranking":"c"},"first":0,"events":[{"event":"shown","list":"last","items":["1"]}]}]}`
	f.Fuzz(func(t *testing.T, b []byte) {
		c := newCollector()
		if err := c.read(context.Background(), "fuzz", strings.NewReader(string(b)+"\n"+last)); err != nil {
			t.Fatal(err)
		}
		if c.byKey["the last"] == nil {
			t.Fatalf("the last export is lost; %d were read, %d lines refused: %v", c.exports, c.wrong, c.errors)
		}
		if lines := strings.Count(string(b), "\n") + 2; c.wrong > lines {
			t.Errorf("%d lines of %d are refused", c.wrong, lines)
		}
		v := c.visits()
		if len(v.Visitors) > v.Exports {
			t.Errorf("%d visitors of %d exports", len(v.Visitors), v.Exports)
		}
		for _, o := range []Options{{}, {Likes: true, PerList: true}, {Experiment: "ranking", Variants: []string{"c", "b"}}} {
			r, err := Compare(v, o)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := json.Marshal(r); err != nil {
				t.Error(err)
			}
			if len(r.Experiments) > maxReported || len(r.Interleaved) > maxReported {
				t.Errorf("%d experiments and %d lists are reported", len(r.Experiments), len(r.Interleaved))
			}
			for _, x := range r.Interleaved {
				if !(0 <= x.Low && x.Low <= x.Value && x.Value <= x.High && x.High <= 1) {
					t.Errorf("%+v", x)
				}
			}
		}
	})
}

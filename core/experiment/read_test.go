package experiment

import (
	"context"
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
	// The same session, two events later and without its first, and another.
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

// What a session says is counted once, however its copies are spread over exports, and exports that share a session are
// of one visitor; in whatever form the files are.
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

func TestReadSaysWhatIsWrong(t *testing.T) {
	wrap := func(event string) string {
		return one + "\n" + `{"format":"pmlam-log","version":1,"sessions":[{"day":"2026-11-24","events":[` + "\n" + event +
			`]}]}`
	}
	long := strings.Repeat("x", 5000)
	for file, want := range map[string]string{
		one + "\n{\"format\":}":                                                          "line 2: this is no JSON: invalid character '}'",
		one + "\n\n" + one[:100]:                                                         "line 3: the file ends within an export",
		one + "\nnone":                                                                   "line 2: this is no JSON",
		one + "\n7":                                                                      "line 2: the export is a number; it must be an object",
		"[" + one + ",\n" + one:                                                          "line 2: the file ends within an export",
		"[" + one + "\n" + one:                                                           "line 2: this is no JSON",
		`{"format":"pmlam"}`:                                                             `line 1: the format is "pmlam"`,
		`{"format":"pmlam-log"}`:                                                         "line 1: the export is of version 0, and this program reads version 1",
		"{\"format\":\n\"pmlam-log\",\"version\":\"1\"}":                                 "line 2: version is a string; it must be a whole number",
		`{"format":"pmlam-log","version":1}`:                                             "line 1: the export has no sessions",
		`{"format":"pmlam-log","version":1,"visitor":"me"}`:                              `line 1: an export has no field "visitor"`,
		`{"format":"pmlam-log","version":1,"sessions":[{}]}`:                             `line 1: session 1: the day is ""`,
		wrap(`{"event":"seen","list":"a"}`):                                              `line 2: session 1: event 1: the event is "seen"`,
		wrap(`{"event":"shown","list":"","items":["1"]}`):                                "event 1: the name of a list has from 1 to 256 bytes, and here 0",
		wrap(`{"event":"shown","list":"a"}`):                                             "event 1: a list shows from 1 to 200 items",
		wrap(`{"event":"clicked","list":"a","items":["1"]}`):                             "event 1: what was clicked is one item",
		wrap(`{"event":"clicked","list":"a","item":""}`):                                 "event 1: an item's id has from 1 to 4096 bytes, and here 0",
		wrap(`{"event":"liked","list":"a","item":"` + long + `"}`):                       "event 1: an item's id has from 1 to 4096 bytes, and here 5000",
		wrap(`{"event":"shown","list":"a","items":["1"],"teams":[]}`):                    "event 1: there are 1 items and 0 teams",
		wrap(`{"event":"shown","list":"a","items":["1","2","3"],"teams":["a","b","c"]}`): "event 1: the list is of 3 teams",
		`{"format":"pmlam-log","version":1,"sessions":[],"x":"` + strings.Repeat("x", MaxExport): "line 1: an export has at most 4194304 bytes",
		strings.Repeat(" ", MaxExport+10) + one:                                                  "an export has at most 4194304 bytes",
	} {
		got, err := read(t, map[string]string{"logs.jsonl": file})
		var wrong *ReadError
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "logs.jsonl") {
			t.Errorf("%.100s\nis read as %v, %v; want an error with %q", file, got, err, want)
		}
	}
	for _, files := range []map[string]string{{"logs.txt": one}, {"logs.json": ""}, {"logs.json": "[]"}} {
		if _, err := read(t, files); err == nil {
			t.Errorf("%v: no error", files)
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
}

// The line of an error is right far into a large file.
func TestReadCountsLines(t *testing.T) {
	var b strings.Builder
	for i := range 20_000 {
		fmt.Fprintln(&b, strings.ReplaceAll(stranger, `"day"`, fmt.Sprintf(`"key":"%d","day"`, i)))
	}
	v, err := read(t, map[string]string{"a.json": b.String()})
	if err != nil || len(v.Visitors) != 20_000 {
		t.Fatalf("%v", err)
	}
	_, err = read(t, map[string]string{"a.json": b.String() + "{]\n"})
	if err == nil || !strings.Contains(err.Error(), "line 20001:") {
		t.Errorf("%v, want line 20001", err)
	}
}

// Whatever is read either is refused or can be compared, with figures that JSON can hold.
func FuzzRead(f *testing.F) {
	f.Add([]byte(one + "\n" + later))
	f.Add([]byte("[" + one + "," + stranger + "]"))
	f.Add([]byte(strings.ReplaceAll(one, `"first":0`, `"first":1099511627776`) + one))
	f.Fuzz(func(t *testing.T, b []byte) {
		c := newCollector()
		if c.read(context.Background(), "fuzz", strings.NewReader(string(b))) != nil {
			return
		}
		v := c.visits()
		if len(v.Visitors) > v.Exports {
			t.Errorf("%d visitors of %d exports", len(v.Visitors), v.Exports)
		}
		for _, o := range []Options{{}, {Likes: true, PerList: true}} {
			r, err := Compare(v, o)
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range r.Interleaved {
				if !(0 <= x.Low && x.Low <= x.Value && x.Value <= x.High && x.High <= 1) {
					t.Errorf("%+v", x)
				}
			}
		}
	})
}

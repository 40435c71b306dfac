package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/model"
)

// hostile texts: what they would do to a terminal.
var hostile = map[string]string{
	"colour":        "\x1b[31mred",
	"clipboard":     "\x1b]52;c;cm0gLXJmIH4=\x07",
	"title":         "\x1b]0;you are root\x1b\\",
	"overwriting":   "good\rbad",
	"backspace":     "good\b\b\b\bbad",
	"C1":            "\u009b31mred",
	"turned around": "invoice\u202egpj.exe",
	"isolate":       "\u2066a\u2069",
	"line end":      "a\npmlam: all is well",
	"tab":           "a\tb",
	"separator":     "a\u2028b\u2029c",
	"delete":        "a\x7fb",
}

// harmless reports whether a terminal would only show the text.
func harmless(text string) bool { return visible(text) == text }

// Whatever a model says of itself and of its items, no command sends it to a terminal as it is: neither for people nor
// in JSON, neither in results nor in errors.
func TestNoCommandPrintsWhatATerminalObeys(t *testing.T) {
	m, err := model.ReadFile(shipped)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, text := range hostile {
		all.WriteString(text)
	}
	evil := all.String()
	p := &m.Provenance
	p.Dataset, p.Preset, p.Program, p.Licence, p.Attribution = evil, evil, evil, evil, evil
	p.Config = `{"preset": "` + hostile["C1"] + hostile["turned around"] + `"}`
	p.Metrics = map[string]float64{evil: 0.5, "recall@10": 0.5}
	for i := range m.Catalogue.Items {
		item := &m.Catalogue.Items[i]
		item.ID, item.Title = fmt.Sprint(item.ID, evil), item.Title+evil
		item.Genres = append(item.Genres, evil)
	}
	m.Catalogue.Columns[0] = evil
	path := filepath.Join(t.TempDir(), "evil.msgpack")
	if err := model.WriteFile(path, m); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(t.TempDir(), "other.csv")
	write(t, data, "user,item,rating\n1,x,5\n1,y,5\n")
	for _, c := range []struct {
		code int
		args []string
	}{
		{exitOK, []string{"inspect", path}},
		{exitOK, []string{"inspect", "--config", path}},
		{exitOK, []string{"recommend", "--model", path, "--like", "id:1" + evil}},
		{exitUsage, []string{"recommend", "--model", path, "--like", "id:1" + evil, "--genre", "none" + evil}},
		{exitUsage, []string{"recommend", "--model", path, "--like", "id:1" + evil, "--where", evil + "x=y"}},
		{exitFailed, []string{"recommend", "--model", path, "--like", "zzzz" + evil}},
		{exitFailed, []string{"recommend", "--model", path, "--like", "id:zzzz" + evil}},
		{exitFailed, []string{"recommend", "--model", path + evil, "--like", "x"}},
		{exitOK, []string{"export", "--model", path, "--as", "csv", "--out", t.TempDir()}},
		{exitFailed, []string{"export", "--model", path, "--data", data, "--min-user", "1", "--min-item", "1", "--out",
			t.TempDir()}},
		{exitFailed, []string{"data", "stats", path}},
		{exitFailed, []string{"data", "stats", "nowhere" + evil}},
		{exitUsage, []string{"nothing" + evil}},
		{exitUsage, []string{"train", "--" + evil}},
		{exitOK, []string{"__complete", "recommend", "--model", path, "--like", "toy"}},
		{exitOK, []string{"__complete", "recommend", "--model", path, "--genre", ""}},
	} {
		for _, how := range [][]string{nil, {"--json"}} {
			if c.args[0] == "__complete" && how != nil {
				continue
			}
			r := command(append(c.args, how...)...)
			if r.code != c.code {
				t.Errorf("%.60q: exit code %d, want %d: %s", c.args, r.code, c.code, r.errors)
			}
			for _, text := range []string{r.out, r.errors} {
				if !harmless(text) {
					t.Errorf("%.60q prints %q", c.args, text)
				}
			}
			if c.code == exitOK && how != nil {
				r.object(t)
			}
		}
	}
	// A title cannot make itself another line, and in JSON it is what it was.
	r := ok(t, "recommend", "--model", path, "--like", "id:1"+evil, "--number", "3")
	if lines := strings.Split(strings.TrimSpace(r.out), "\n"); len(lines) != 6 || strings.Contains(r.out,
		"\npmlam: all is well") {
		t.Errorf("3 recommendations and their reasons in %d lines:\n%s", len(lines), r.out)
	}
	o := ok(t, "recommend", "--model", path, "--like", "id:1"+evil, "--json").object(t)
	if title := o["recommendations"].([]any)[0].(map[string]any)["title"].(string); !strings.HasSuffix(title, evil) {
		t.Errorf("in JSON the title is %q", title)
	}
}

// What the screen shows for what: nothing that a terminal obeys, and everything else as it is.
func TestScreen(t *testing.T) {
	for text, want := range map[string]string{
		"\x1b]52;c;YQ==\x07":      `\u001b]52;c;YQ==\u0007`,
		"a\rb":                    `a\u000db`,
		"invoice\u202egpj.exe":    `invoice\u202egpj.exe`,
		"\u009b31m":               `\u009b31m`,
		"a\xffb":                  `a\xffb`,
		"\x9b31m":                 `\x9b31m`,
		"two\nlines\tand a tab\n": "two\nlines\tand a tab\n",
		"千と千尋 — Amélie 👩\u200d👩\u200d👧 \u200fשלום": "千と千尋 — Amélie 👩\u200d👩\u200d👧 \u200fשלום",
		"cut \xe5\x8d": `cut \xe5\x8d`,
	} {
		// However it is cut into pieces.
		for size := 1; size <= len(text); size++ {
			var b bytes.Buffer
			s := &screen{w: &b}
			for at := 0; at < len(text); at += size {
				piece := text[at:min(at+size, len(text))]
				if n, err := s.Write([]byte(piece)); n != len(piece) || err != nil {
					t.Fatalf("%q: %d, %v", piece, n, err)
				}
			}
			if err := s.close(); err != nil || b.String() != want {
				t.Fatalf("%q in pieces of %d is shown as %q, %v", text, size, b.String(), err)
			}
		}
	}
	for name, text := range hostile {
		if got := line(text); !harmless(got) || strings.ContainsAny(got, "\n\t") || got == text {
			t.Errorf("%s: %q", name, got)
		}
		var back string
		// its backslash is no JSON
		if err := json.Unmarshal([]byte(`"`+line(text)+`"`), &back); name != "title" && (err != nil || back != text) {
			t.Errorf("%s: in JSON %q is %q, %v", name, line(text), back, err)
		}
	}
}

// FuzzScreen: whatever is written, nothing that a terminal obeys comes through, and what is harmless comes as it is.
func FuzzScreen(f *testing.F) {
	for _, text := range hostile {
		f.Add(text, 3)
	}
	f.Fuzz(func(t *testing.T, text string, size int) {
		var b bytes.Buffer
		s := &screen{w: &b}
		size = max(1, min(size, 64))
		for at := 0; at < len(text); at += size {
			s.Write([]byte(text[at:min(at+size, len(text))]))
		}
		s.close()
		if got := b.String(); !harmless(got) || got != visible(text) || harmless(text) && got != text {
			t.Fatalf("%q is shown as %q", text, got)
		}
	})
}

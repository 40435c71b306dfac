package cli

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/internal/cli/clitest"
)

// harmless reports whether a terminal would only show the text.
func harmless(text string) bool { return Visible(text) == text }

// The screen escapes characters that act on a terminal and leaves all others.
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
		// However it is cut into writes.
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
	for name, text := range clitest.Hostile {
		if got := Line(text); !harmless(got) || strings.ContainsAny(got, "\n\t") || got == text {
			t.Errorf("%s: %q", name, got)
		}
		var back string
		// its backslash is not JSON
		if err := json.Unmarshal([]byte(`"`+Line(text)+`"`), &back); name != "title" && (err != nil || back != text) {
			t.Errorf("%s: in JSON %q is %q, %v", name, Line(text), back, err)
		}
	}
}

// FuzzScreen checks that no control character comes through, and that harmless text is unchanged.
func FuzzScreen(f *testing.F) {
	for _, text := range clitest.Hostile {
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
		if got := b.String(); !harmless(got) || got != Visible(text) || harmless(text) && got != text {
			t.Fatalf("%q is shown as %q", text, got)
		}
	})
}

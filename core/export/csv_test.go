package export

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/gaussian"
	"pgregory.net/rapid"
)

// attacks are texts that a spreadsheet would compute.
var attacks = []string{
	"=cmd|' /C calc'!A1", "=HYPERLINK(\"http://evil\",\"x\")", "+cmd|' /C calc'!A1", "-2+3+cmd|' /C calc'!A1",
	"@SUM(1+1)*cmd|' /C calc'!A1",
	"\t=1+1", "\r=1+1", "\n=1+1", "＝1+1", "＋1", "－1+1", "＠SUM(1)", "'=already so", "''=and again", "-", "=", "@",
	"+1+1", "-5kg",
}

// plain are texts that stay unchanged.
var plain = []string{"", "Heat", "'Round Midnight", "'", "9½ Weeks", "-5", "+5", "-1.5e3", "–dash", "Se7en = 7", "a@b",
	"千と千尋"}

// computed reports whether a spreadsheet reads a field as a formula.
func computed(text string) bool {
	if text == "" || !strings.ContainsAny(text[:1], "=+-@\t\r\n") && !strings.HasPrefix(text, "＝") &&
		!strings.HasPrefix(text, "＋") && !strings.HasPrefix(text, "－") && !strings.HasPrefix(text, "＠") {
		return false
	}
	return strings.Trim(text, "+-.0123456789e") != "" || strings.ContainsAny(text[1:], "+-") && !strings.Contains(text,
		"e") || len(text) == 1
}

// original undoes harmless as described in docs/cli.md.
func original(text string) string {
	bare := strings.TrimLeft(text, "'")
	if bare != text && bare != "" && strings.IndexAny(bare, formulas) == 0 {
		return text[1:]
	}
	return text
}

// No field of a CSV file is a formula. Changed texts can be restored, and harmless ones are unchanged.
func TestFormulasAreNeutralised(t *testing.T) {
	for _, text := range attacks {
		if got := harmless(text); got != "'"+text || computed(got) || original(got) != text {
			t.Errorf("%q becomes %q, which is restored as %q", text, got, original(got))
		}
	}
	for _, text := range plain {
		if got := harmless(text); got != text || computed(text) {
			t.Errorf("%q becomes %q", text, got)
		}
	}
	v := Vectors{Name: "items", IDs: append(append([]string{}, attacks...), plain...),
		Rows: gaussian.NewTable(len(attacks)+len(plain), 2)}
	v.Titles = v.IDs
	for name, write := range map[string]func(*bytes.Buffer) error{
		"csv": func(b *bytes.Buffer) error { return writeCSV(b, &v) },
		"ids": func(b *bytes.Buffer) error { return writeIDs(b, &v) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		lines, err := csv.NewReader(&b).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range lines[1:] {
			at := map[string]int{"csv": 0, "ids": 1}[name]
			for _, field := range line[at : at+2] {
				// A CSV reader turns \r\n within quotes into \n; these texts have none.
				if computed(field) || original(field) != v.IDs[i] {
					t.Errorf("%s, row %d: %q was %q", name, i, field, v.IDs[i])
				}
			}
		}
	}
}

// Any text is made harmless, and can be restored.
func TestAnyTextComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[=+\-@'\ta1＝ ]{0,6}`).Draw(t, "text")
		if got := harmless(text); computed(got) || original(got) != text {
			t.Fatalf("%q becomes %q, which is restored as %q", text, got, original(got))
		}
	})
}

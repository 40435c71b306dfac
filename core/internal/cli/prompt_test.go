package cli

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
)

// A person at a terminal is asked for an unknown column, and the answer has the effect of the flag.
func TestPeopleAreAsked(t *testing.T) {
	for _, c := range []struct {
		file, answers string
		columns       string // as answered; "": nothing is read
		enabled       int
	}{
		{"unnamed.csv", "1\n2\n3\n", "{1 2 3  }", 3},
		{"unnamed.csv", "1\n2\n-\n", "{1 2 -  }", 3},
		{"unused-rating.csv", "impression\n", "{  impression  }", 1},
		{"unused-title.csv", "\"shown as\"\n", "{    shown as}", 1},
		{"unnamed.csv", "1\n\n", "", 2},  // no answer
		{"unnamed.csv", "1\n", "", 2},    // end of input
		{"unnamed.csv", "1\n9\n", "", 2}, // no such column
		{"sheet.xlsx", "1\n", "", 0},     // no flag for it
	} {
		var said bytes.Buffer
		a := &App{Out: &said, Err: &said, In: strings.NewReader(c.answers)}
		s := Source{Data: "../../dataset/testdata/files/" + c.file}
		in, err := s.Read(context.Background(), a)
		if got := fmt.Sprint(s.Columns); err == nil && got != c.columns || (err == nil) != (c.columns != "") {
			t.Errorf("%s, answered %q: %v, %v", c.file, c.answers, got, err)
		}
		if n := strings.Count(said.String(), "\nwhich column is the "); n != c.enabled || err == nil &&
			in.Positives.Len() == 0 {
			t.Errorf("%s: asked %d times\n%s", c.file, n, &said)
		}
	}
}

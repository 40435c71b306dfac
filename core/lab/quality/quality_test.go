package quality

import (
	"slices"
	"strings"
	"testing"
)

const head = "data,method,cpu_seconds,seconds,recall@20,ndcg@20\n"

func TestPicture(t *testing.T) {
	p, err := Picture("name", strings.NewReader(head+"a,ours,9,8,.1,.2\na,als,1,2,.1,.3\nb,als,4,5,.1,.4\n"+
		"a,als,1,3,.1,.35\n"))
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Panels) != 2 || p.Panels[0].Title != "a" || len(p.Panels[0].Lines) != 2 || len(p.Panels[1].Lines) != 1 {
		t.Fatalf("%+v", p)
	}
	als := p.Panels[0].Lines[1]
	if !slices.Equal(als.X, []float64{2, 3}) || !slices.Equal(als.Y, []float64{.3, .35}) || als.Bold ||
		!p.Panels[0].Lines[0].Bold {
		t.Errorf("%+v", p.Panels[0].Lines)
	}
}

func TestRowsThatCannotBeDrawn(t *testing.T) {
	for rows, want := range map[string]string{
		"":                         "the names of the columns",
		"data,method\na,b\n":       `the columns are ["data" "method"]`,
		head:                       "no rows to draw",
		head + "a,b,1,x,.1,.2\n":   `line 2: invalid seconds "x"`,
		head + "a,b,1,0,.1,.2\n":   `line 2: invalid seconds "0"`,
		head + "a,b,1,2,.1,\n":     `line 2: invalid NDCG ""`,
		head + "a,b,1,2,.1\n":      "wrong number of fields",
		head + "a,b,1,2,.1,.2,\n":  "wrong number of fields",
		head + "a,b,1,\"2,.1,.2\n": "quote",
	} {
		if _, err := Picture("x", strings.NewReader(rows)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", rows, err, want)
		}
	}
}

package dataset

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The catalogue names items that the minima dropped, without years and names in brackets. It does not name items of the
// data set, remakes of them, items that nobody touched, and drafts.
func TestLeftOut(t *testing.T) {
	dir := t.TempDir()
	var ratings strings.Builder
	ratings.WriteString("user,item,rating\n")
	for _, user := range []string{"u1", "u2", "u3"} {
		ratings.WriteString(user + ",a,5\n" + user + ",b,5\n")
	}
	ratings.WriteString("u1,c,5\nu1,d,2\nu2,d,2\nu1,again,1\nu2,draft,5\n")
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	data := write("ratings.csv", ratings.String())
	items := write("things.csv", "id,title,status\na,Alien (1979),active\nb,Heat (1995),active\nc,Train to Busan (부산행) (2016),active\n"+
		"d,Paddington 2 (2017),active\nagain,Heat (2030),active\nnever,Not released,active\ndraft,Secret,draft\n")
	d, err := Load(data, Options{Items: items, MinUser: -1, MinItem: 2})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := d.Catalogue.LeftOut, []string{"Paddington 2", "Train to Busan"}; !slices.Equal(got, want) {
		t.Errorf("left out: %q, want %q", got, want)
	}
	if got := d.LearnedFrom(d.Positives).Catalogue.LeftOut; len(got) != 2 {
		t.Errorf("a training is not told: %q", got)
	}
}

// Of MovieLens small, the films people ask for are named, in at most 58,000 bytes.
func TestLeftOutOfMovieLens(t *testing.T) {
	d, err := Load(small, Options{MinItem: 2})
	if err != nil {
		t.Fatal(err)
	}
	names := d.Catalogue.LeftOut
	for _, name := range []string{"Moonlight", "Train to Busan", "Paddington 2"} {
		if !slices.Contains(names, name) {
			t.Errorf("%q is not among the %d names", name, len(names))
		}
	}
	if n := len(strings.Join(names, "\x00")); n > leftOutBytes || n < leftOutBytes-200 || !slices.IsSorted(names) {
		t.Errorf("%d names have %d bytes", len(names), n)
	}
}

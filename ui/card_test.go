package ui

import (
	"strings"
	"testing"

	"github.com/vugu/vugu"
)

// A tile shows what is a title's own: all of it, its year and its genre's shape and colour.
func TestTilesCanBeToldApart(t *testing.T) {
	e := newLine(20)
	e.items[0].Title = "Amélie (Le Fabuleux destin d'Amélie Poulain)"
	e.items[1].Title = "Eternal Sunshine of the <Spotless> Mind"
	c := newCatalogue(e)
	faces := map[vugu.HTML]bool{}
	for i := range e.items {
		faces[c.face(i)] = true
	}
	if len(faces) != len(e.items) {
		t.Errorf("%d titles have %d different tiles", len(e.items), len(faces))
	}
	for i, want := range []string{
		`<path d="` + shapePaths[0] + `"></path></svg><span class="tile-year" data-year="1950"></span></span><span class="tile-title" dir="auto">Amélie</span>`,
		"<span class=\"tile-year\" data-year=\"1951\"></span></span><span class=\"tile-title\" dir=\"auto\">Eternal Sunshine of the &lt;Spotless&gt; Mind</span>",
	} {
		if got := string(c.face(i)); !strings.HasSuffix(got, want) {
			t.Errorf("the tile of %q is %s, want it to end in %s", e.items[i].Title, got, want)
		}
	}
	if a, b := c.tile("tile", 0), c.tile("tile", 1); a != "tile g2" || b != "tile g1 long" {
		t.Errorf("the tiles are of the classes %q and %q", a, b)
	}
}

func TestGenreGroups(t *testing.T) {
	e := newLine(20)
	e.items[3].Genres = []string{"IMAX"}
	groups := groupGenres(e)
	if groups[0] != 2 || groups[1] != 1 || groups[2] != 0 || groups[3] != noGenre {
		t.Errorf("genres of the first four films: %v", groups[:4])
	}
	if genreClass(10) != "g4" || genreShape(10) != 1 || genreShape(17) != 2 || genreShape(200) != 3 ||
		genreClass(noGenre) != "gx" {
		t.Error("colours and shapes are dealt wrongly")
	}
}

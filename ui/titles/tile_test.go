package titles_test

import (
	"strings"
	"testing"

	"github.com/vugu/vugu"

	"github.com/pmlam/pmlam/ui/internal/uitest"
	"github.com/pmlam/pmlam/ui/titles"
)

// A tile shows the whole title and the year, and the genre by shape and colour.
func TestTilesCanBeToldApart(t *testing.T) {
	e := uitest.NewLine(20)
	e.Items[0].Title = "Amélie (Le Fabuleux destin d'Amélie Poulain)"
	e.Items[1].Title = "Eternal Sunshine of the <Spotless> Mind"
	c := titles.New(e, titles.Owner{})
	faces := map[vugu.HTML]bool{}
	for i := range e.Items {
		faces[c.Face(i, "")] = true
	}
	if len(faces) != len(e.Items) {
		t.Errorf("%d titles have %d different tiles", len(e.Items), len(faces))
	}
	for i, want := range []string{
		`<path d="` + titles.ShapePaths[0] + `"></path></svg><span class="tile-year" data-year="1950"></span></span><span class="tile-title" dir="auto">Amélie</span>`,
		"<span class=\"tile-year\" data-year=\"1951\"></span></span><span class=\"tile-title\" dir=\"auto\">Eternal Sunshine of the &lt;Spotless&gt; Mind</span>",
	} {
		if got := string(c.Face(i, "")); !strings.HasSuffix(got, want) {
			t.Errorf("the tile of %q is %s, want it to end in %s", e.Items[i].Title, got, want)
		}
	}
	if a, b := c.Tile("tile", 0), c.Tile("tile", 1); a != "tile g2" || b != "tile g1" {
		t.Errorf("the tiles have the classes %q and %q", a, b)
	}
}

func TestGenreGroups(t *testing.T) {
	e := uitest.NewLine(20)
	e.Items[3].Genres = []string{"IMAX"}
	groups := titles.GroupGenres(e)
	if groups[0] != 2 || groups[1] != 1 || groups[2] != 0 || groups[3] != titles.NoGenre {
		t.Errorf("genres of the first four films: %v", groups[:4])
	}
	if titles.GenreClass(10) != "g4" || titles.GenreShape(10) != 1 || titles.GenreShape(17) != 2 || titles.GenreShape(200) != 3 ||
		titles.GenreClass(titles.NoGenre) != "gx" {
		t.Error("genres get wrong colours or shapes")
	}
}

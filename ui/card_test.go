package ui

import (
	"strconv"
	"strings"
	"testing"

	"github.com/vugu/vugu"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/words"
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

// The reasons of a card: at most two likes, the second not below a third of the first, and what people like in general,
// where that has at least a third of what all likes have.
func TestReasonsOfACard(t *testing.T) {
	l := &ListState{Session: &Session{Catalogue: newCatalogue(newLine(20))}}
	l.W = words.English()
	for _, c := range []struct {
		general  float64
		likes    []float64
		because  string
		shares   string
		standing words.Standing
	}{
		{0, []float64{0.5, 0.3, 0.2}, "0 1", "0 1 2", words.Unnamed},
		{0, []float64{0.7, 0.2, 0.1}, "0", "0 1 2", words.Unnamed},
		{0.1, []float64{0.6, 0.3}, "0 1", "0 1 general", words.Unnamed},
		{0.3, []float64{0.4, 0.3}, "0 1", "0 1 general", words.Named},
		{0.4, []float64{0.3, 0.1}, "0 1", "general 0 1", words.Named},
		{0.3, []float64{0.5, 0.1}, "0", "0 general 1", words.Named},
		{0.6, []float64{0.3, 0.02}, "0", "general 0 1", words.NamedFirst},
		{0.8, []float64{0.2}, "", "general 0", words.NamedFirst},
		{1, nil, "", "general", words.NamedFirst},
		{0, nil, "", "", words.Unnamed},
	} {
		card := &Card{List: l, S: recommend.Suggestion{Item: 9, General: c.general}}
		for i, share := range c.likes {
			card.S.Reasons = append(card.S.Reasons, recommend.Reason{Item: i, Share: share})
		}
		likes, standing := reasonsOf(&card.S)
		var because, shares []string
		for _, r := range likes {
			because = append(because, strconv.Itoa(r.Item))
		}
		for _, s := range card.shares() {
			name := "general"
			for i, share := range c.likes {
				if s == l.W.ShareOf(l.Titled(i), share) {
					name = strconv.Itoa(i)
				}
			}
			if name == "general" && s != l.W.ShareOf(l.W.InGeneral, c.general) {
				t.Errorf("a share reads %q", s)
			}
			shares = append(shares, name)
		}
		if got := strings.Join(because, " "); got != c.because || standing != c.standing ||
			strings.Join(shares, " ") != c.shares {
			t.Errorf("%v and %v in general: because of %q, general %v, shares %q; want %+v", c.likes, c.general, got,
				standing, shares, c)
		}
	}
}

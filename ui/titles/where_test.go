package titles_test

import (
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/ui"
	"github.com/pmlam/pmlam/ui/internal/uitest"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/titles"
)

// stocked is a line of titles with more columns.
type stocked struct{ *uitest.Line }

func (s *stocked) Columns() []string { return []string{"imdbId", "poster"} }

func (s *stocked) Item(i int) *catalogue.Item {
	it := s.Line.Items[i]
	it.Values = []string{"", ""}
	switch i {
	case 1:
		it.Values = []string{"0113277", "posters/one.jpg"}
	case 2:
		it.Values = []string{`"><b>`, "//elsewhere.example/2.jpg"}
	}
	return &it
}

// keeper opens a site with the owner's places and pictures, and likes Film 0.
func keeper(t *testing.T, places, pictures string) *uitest.Visitor {
	t.Helper()
	v := uitest.ComeTo(t, ui.New(ui.Config{Engine: &stocked{uitest.NewLine(30)}, Disk: uitest.NewMemory(), Titles: titles.Owner{Places: places, Pictures: pictures}}))
	v.Does(func() { v.P.Starters.Pick(0) })
	return v
}

// A title links to the sites that have its ids, without a referrer.
func TestWhereItIs(t *testing.T) {
	v := keeper(t, "IMDb https://www.imdb.com/title/tt{imdbId}/; Our shop shop/{id}?t={title}; bad javascript:alert({id});"+
		" bare; Other //other.example/{id}; Plain http://plain.example/{id}; Odd \x01//other.example/{id};"+
		" Odder /\v/other.example/{id}", "")
	const rest = ` target="_blank" rel="noopener noreferrer" referrerpolicy="no-referrer" aria-label="`
	v.Sees(`More on <a href="https://www.imdb.com/title/tt0113277/"`+rest+`IMDb: Film 1">IMDb</a> · `+
		`<a href="shop/id1?t=Film%201"`+rest+`Our shop: Film 1">Our shop</a></span>`,
		`<a href="https://www.imdb.com/title/tt%22%3E%3Cb%3E/"`, `More on <a href="shop/id3?`)
	v.Misses("javascript", "other.example", "plain.example", "<img")

	before := strings.Count(v.HTML(), "shop/id1?")
	v.Does(func() { v.P.Marking.Toggle(1, keep.Later) })
	if n := strings.Count(v.HTML(), "shop/id1?"); before != 1 || n != 1 {
		t.Errorf("got %d links to the shop in the list, and %d with the title kept for later", before, n)
	}
	keeper(t, "", "").Misses(`Find it on`)
}

// The title and the tile of a card are links to the owner's first site that has the title.
func TestTitleIsALink(t *testing.T) {
	const rest = ` target="_blank" rel="noopener noreferrer" referrerpolicy="no-referrer"`
	v := keeper(t, "IMDb https://www.imdb.com/title/tt{imdbId}/; Our shop shop/{id}", "")
	v.Sees(`<span class="title" dir="auto"><a href="https://www.imdb.com/title/tt0113277/"`+rest+`>Film 1</a></span>`,
		`<a href="https://www.imdb.com/title/tt0113277/"`+rest+` tabindex="-1"><span class="tile-head">`,
		`<span class="title" dir="auto"><a href="shop/id3"`+rest+`>Film 3</a></span>`)
	keeper(t, "", "").Sees(`<span class="title" dir="auto">Film 1</span>`)
}

// Pictures cover tiles, if the catalogue has addresses on this site or https:.
func TestPictures(t *testing.T) {
	const rest = ` alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer"`
	v := keeper(t, "", "{poster}")
	v.Sees(`<img src="posters/one.jpg"` + rest + `/><span class="caption"><span dir="auto">Film 1</span></span>`)
	if n := strings.Count(v.HTML(), "<img"); n != 3 { // in the starters, the pair and the list
		t.Errorf("there are %d pictures, want 3", n)
	}
	keeper(t, "", "https://pictures.example/{id}.jpg").Sees(`<img src="https://pictures.example/id1.jpg"` + rest)
	keeper(t, "", "http://pictures.example/{id}.jpg").Misses("<img")
}

// A card has a price if its title has the price's columns. Without the owner's setting, no card has one.
func TestPrice(t *testing.T) {
	v := uitest.ComeTo(t, ui.New(ui.Config{Engine: &stocked{uitest.NewLine(30)}, Disk: uitest.NewMemory(), Titles: titles.Owner{Price: "No. {imdbId} <€>"}}))
	v.Does(func() { v.P.Starters.Pick(0) })
	v.Sees(`dir="auto">No. 0113277 &lt;€&gt;</p>`)
	if n := strings.Count(v.HTML(), `class="price"`); n == 0 || n >= len(v.P.List.Titles) {
		t.Errorf("%d of %d cards have a price; one title has no id", n, len(v.P.List.Titles))
	}
	keeper(t, "", "").Misses(`class="price"`)
	v = uitest.ComeTo(t, ui.New(ui.Config{Engine: &stocked{uitest.NewLine(30)}, Disk: uitest.NewMemory(),
		Titles: titles.Owner{Price: "{imdbId} EUR", Pictures: "{poster}"}}))
	v.Sees(`<span class="caption"><span dir="auto">Film 1</span> <b dir="auto">0113277 EUR</b></span>`)
}

// Titles that the owner features are marked.
func TestPinnedIsMarked(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(30), uitest.NewMemory())
	v.Does(func() { v.P.Starters.Pick(0) })
	v.Misses(v.P.W.Pinned)
	v.Does(func() { v.P.List.Titles[1].Pinned = true })
	if n := strings.Count(v.HTML(), v.P.W.Pinned); n != 1 {
		t.Errorf("%d cards are marked as featured, want 1", n)
	}
}

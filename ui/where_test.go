package ui

import (
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/catalogue"
)

// stocked is a line whose titles have further columns.
type stocked struct{ *line }

func (s *stocked) Columns() []string { return []string{"imdbId", "poster"} }

func (s *stocked) Item(i int) *catalogue.Item {
	it := s.line.items[i]
	it.Values = []string{"", ""}
	switch i {
	case 1:
		it.Values = []string{"0113277", "posters/one.jpg"}
	case 2:
		it.Values = []string{`"><b>`, "//elsewhere.example/2.jpg"}
	}
	return &it
}

// keeper opens the page of a site whose owner has set places and pictures, and likes Film 0.
func keeper(t *testing.T, places, pictures string) *visitor {
	t.Helper()
	v := comeTo(t, New(Config{Engine: &stocked{newLine(30)}, Store: newMemory(), Places: places, Pictures: pictures}))
	v.does(func() { v.p.Marking.Pick(0) })
	return v
}

// A title leads to where its ids are known, with nothing told of where the visitor comes from.
func TestWhereItIs(t *testing.T) {
	v := keeper(t, "IMDb https://www.imdb.com/title/tt{imdbId}/; Our shop shop/{id}?t={title}; bad javascript:alert({id});"+
		" bare; Other //other.example/{id}; Plain http://plain.example/{id}; Odd \x01//other.example/{id};"+
		" Odder /\v/other.example/{id}", "")
	const rest = ` target="_blank" rel="noopener noreferrer" referrerpolicy="no-referrer" aria-label="`
	v.sees(`Where it is: <a href="https://www.imdb.com/title/tt0113277/"`+rest+`IMDb: Film 1">IMDb</a> · `+
		`<a href="shop/id1?t=Film%201"`+rest+`Our shop: Film 1">Our shop</a></span>`,
		`<a href="https://www.imdb.com/title/tt%22%3E%3Cb%3E/"`, `Where it is: <a href="shop/id3?`)
	v.misses("javascript", "other.example", "plain.example", "<img")

	before := strings.Count(v.html(), "shop/id1?")
	v.does(func() { v.p.Marking.Toggle(1, ForLater) })
	if n := strings.Count(v.html(), "shop/id1?"); before != 1 || n != 1 {
		t.Errorf("a title led to the shop %d times in the list, and %d times where it is kept", before, n)
	}
	keeper(t, "", "").misses(`Where it is`)
}

// Pictures stand in place of tiles where the catalogue has some, from this site or one of https:.
func TestPictures(t *testing.T) {
	const rest = ` alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer"`
	v := keeper(t, "", "{poster}")
	v.sees(`<img src="posters/one.jpg"` + rest)
	if n := strings.Count(v.html(), "<img"); n != 3 { // to begin with, one of two, recommended
		t.Errorf("there are %d pictures, want 3", n)
	}
	keeper(t, "", "https://pictures.example/{id}.jpg").sees(`<img src="https://pictures.example/id1.jpg"` + rest)
	keeper(t, "", "http://pictures.example/{id}.jpg").misses("<img")
}

// A price stands on the cards of titles that have what it names, and nowhere without one.
func TestPrice(t *testing.T) {
	v := comeTo(t, New(Config{Engine: &stocked{newLine(30)}, Store: newMemory(), Price: "No. {imdbId} <€>"}))
	v.does(func() { v.p.Marking.Pick(0) })
	v.sees(`dir="auto">No. 0113277 &lt;€&gt;</p>`)
	if n := strings.Count(v.html(), `class="price"`); n == 0 || n >= len(v.p.List.Titles) {
		t.Errorf("%d of %d cards have a price, and one has no id", n, len(v.p.List.Titles))
	}
	keeper(t, "", "").misses(`class="price"`)
}

// What the owner's rules put first says so.
func TestPinnedIsMarked(t *testing.T) {
	v := come(t, newLine(30), newMemory())
	v.does(func() { v.p.Marking.Pick(0) })
	v.misses(v.p.W.Pinned)
	v.does(func() { v.p.List.Titles[1].Pinned = true })
	if n := strings.Count(v.html(), v.p.W.Pinned); n != 1 {
		t.Errorf("%d cards say that they are put first, want 1", n)
	}
}

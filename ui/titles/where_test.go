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

// stocked is a line whose titles have further columns.
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

// keeper opens the page of a site whose owner has set places and pictures, and likes Film 0.
func keeper(t *testing.T, places, pictures string) *uitest.Visitor {
	t.Helper()
	v := uitest.ComeTo(t, ui.New(ui.Config{Engine: &stocked{uitest.NewLine(30)}, Disk: uitest.NewMemory(), Titles: titles.Owner{Places: places, Pictures: pictures}}))
	v.Does(func() { v.P.Starters.Pick(0) })
	return v
}

// A title leads to where its ids are known, with nothing told of where the visitor comes from.
func TestWhereItIs(t *testing.T) {
	v := keeper(t, "IMDb https://www.imdb.com/title/tt{imdbId}/; Our shop shop/{id}?t={title}; bad javascript:alert({id});"+
		" bare; Other //other.example/{id}; Plain http://plain.example/{id}; Odd \x01//other.example/{id};"+
		" Odder /\v/other.example/{id}", "")
	const rest = ` target="_blank" rel="noopener noreferrer" referrerpolicy="no-referrer" aria-label="`
	v.Sees(`Find it on: <a href="https://www.imdb.com/title/tt0113277/"`+rest+`IMDb: Film 1">IMDb</a> · `+
		`<a href="shop/id1?t=Film%201"`+rest+`Our shop: Film 1">Our shop</a></span>`,
		`<a href="https://www.imdb.com/title/tt%22%3E%3Cb%3E/"`, `Find it on: <a href="shop/id3?`)
	v.Misses("javascript", "other.example", "plain.example", "<img")

	before := strings.Count(v.HTML(), "shop/id1?")
	v.Does(func() { v.P.Marking.Toggle(1, keep.Later) })
	if n := strings.Count(v.HTML(), "shop/id1?"); before != 1 || n != 1 {
		t.Errorf("a title led to the shop %d times in the list, and %d times where it is kept", before, n)
	}
	keeper(t, "", "").Misses(`Find it on`)
}

// Pictures stand in place of tiles where the catalogue has some, from this site or one of https:.
func TestPictures(t *testing.T) {
	const rest = ` alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer"`
	v := keeper(t, "", "{poster}")
	v.Sees(`<img src="posters/one.jpg"` + rest)
	if n := strings.Count(v.HTML(), "<img"); n != 3 { // to begin with, one of two, recommended
		t.Errorf("there are %d pictures, want 3", n)
	}
	keeper(t, "", "https://pictures.example/{id}.jpg").Sees(`<img src="https://pictures.example/id1.jpg"` + rest)
	keeper(t, "", "http://pictures.example/{id}.jpg").Misses("<img")
}

// A price stands on the cards of titles that have what it names, and nowhere without one.
func TestPrice(t *testing.T) {
	v := uitest.ComeTo(t, ui.New(ui.Config{Engine: &stocked{uitest.NewLine(30)}, Disk: uitest.NewMemory(), Titles: titles.Owner{Price: "No. {imdbId} <€>"}}))
	v.Does(func() { v.P.Starters.Pick(0) })
	v.Sees(`dir="auto">No. 0113277 &lt;€&gt;</p>`)
	if n := strings.Count(v.HTML(), `class="price"`); n == 0 || n >= len(v.P.List.Titles) {
		t.Errorf("%d of %d cards have a price, and one has no id", n, len(v.P.List.Titles))
	}
	keeper(t, "", "").Misses(`class="price"`)
}

// What the owner's rules put first says so.
func TestPinnedIsMarked(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(30), uitest.NewMemory())
	v.Does(func() { v.P.Starters.Pick(0) })
	v.Misses(v.P.W.Pinned)
	v.Does(func() { v.P.List.Titles[1].Pinned = true })
	if n := strings.Count(v.HTML(), v.P.W.Pinned); n != 1 {
		t.Errorf("%d cards say that they are put first, want 1", n)
	}
}

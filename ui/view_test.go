package ui

import (
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/recommend"
)

var addresses = map[string]View{
	"":                              {},
	"browse":                        {Kind: BrowseView},
	"together":                      {Kind: TogetherView},
	"like=2571":                     {Kind: SimilarView, Like: "2571"},
	"genre=Sci-Fi":                  {Kind: GenreView, Genre: "Sci-Fi"},
	"genre=Film-Noir&order=title":   {Kind: GenreView, Genre: "Film-Noir", Order: recommend.ByTitle},
	"decade=1990&order=new&page=3":  {Kind: DecadeView, Decade: 1990, Order: recommend.Newest, Page: 2},
	"region=1-Horror-1980&page=2":   {Kind: RegionView, Region: "1-Horror-1980", Page: 1},
	"region=0-A%2BB-1970..2000":     {Kind: RegionView, Region: "0-A+B-1970..2000"},
	"genre=R%26B%20%3D%20%23%C3%A9": {Kind: GenreView, Genre: "R&B = #é"},
}

func TestAddresses(t *testing.T) {
	for fragment, view := range addresses {
		if got := view.Fragment(); got != fragment {
			t.Errorf("%+v has the address %q, want %q", view, got, fragment)
		}
		if got, ok := ParseView(fragment); got != view || !ok {
			t.Errorf("%q leads to %+v, %v, want %+v", fragment, got, ok, view)
		}
	}
	// What people and browsers write.
	for fragment, want := range map[string]View{
		"genre=é":                      {Kind: GenreView, Genre: "é"},
		"genre=%c3%A9&page=1":          {Kind: GenreView, Genre: "é"},
		"decade=1994":                  {Kind: DecadeView, Decade: 1990},
		"decade=1990&page=-3&order=up": {Kind: DecadeView, Decade: 1990},
		"genre=100%&genre=War":         {Kind: GenreView, Genre: "100%"},
	} {
		if got, ok := ParseView(fragment); got != want || !ok {
			t.Errorf("%q leads to %+v, %v, want %+v", fragment, got, ok, want)
		}
	}
	for _, fragment := range []string{"next", "next-heading", "taste=abc", "genre=", "decade=x", "decade=0",
		"decade=5", "order=new", strings.Repeat("a", 5000)} {
		if got, ok := ParseView(fragment); ok {
			t.Errorf("%.40q leads to %+v", fragment, got)
		}
	}
}

// What an address says comes from outside. Whatever it is, it is read, and what it leads to has an address that leads
// there.
func FuzzAddress(f *testing.F) {
	for fragment := range addresses {
		f.Add(fragment)
	}
	f.Add("genre=%zz&page=99999999999999999999&decade=1e3")
	f.Fuzz(func(t *testing.T, fragment string) {
		v, ok := ParseView(fragment)
		if !ok {
			return
		}
		if again, ok := ParseView(v.Fragment()); again != v || !ok {
			t.Errorf("%q leads to %+v, whose address leads to %+v", fragment, v, again)
		}
	})
}

func TestBrowse(t *testing.T) {
	e := newLine(100)
	v := come(t, e, newMemory())
	// On the first visit, with nothing said.
	v.sees(`href="#browse"`, "Pick three you love")
	v.does(func() { v.p.List.follow("browse") })
	v.sees(`href="#genre=Odd"`, `href="#decade=1980"`, "1980s", ">50<", "Everything there is")
	v.misses("Pick three you love", "Nothing left", "Ten more")
	v.does(func() { v.p.List.follow("genre=Odd") })
	v.sees(`>Odd</h2>`, "50 titles; here 1 to 20.", `href="#genre=Odd&amp;order=new"`, `href="#genre=Odd&amp;page=2"`,
		"Next page")
	v.misses("Previous page", "For you</span>")
	if got := v.titles(); len(got) != browsePage || got[0] != 1 || got[19] != 39 {
		t.Errorf("the best known odd films are %v", got)
	}
	if v.p.Announced != "Odd. 50 titles; here 1 to 20." {
		t.Errorf("screen readers heard %q", v.p.Announced)
	}
	if dim := v.p.Map.dim(); dim[1] != 0 || dim[2] != 1 {
		t.Error("the map does not dim what is not of the genre")
	}
	// The last page, then a like there: what is marked leaves, and is counted.
	v.does(func() { v.p.List.follow("genre=Odd&page=3") })
	v.sees("here 41 to 50", "Previous page")
	v.misses("Next page")
	v.does(func() { v.p.Marking.Toggle(99, LikedIt) })
	v.sees("50 titles, 1 of which you have marked; here 41 to 49.")
	if slices.Contains(v.titles(), 99) {
		t.Error("a title that was marked is still there")
	}
	// Now there is an order for them, and it is the one that no address names.
	v.does(func() { v.p.List.follow("genre=Odd") })
	if got := v.titles(); got[0] != 97 {
		t.Errorf("for somebody who likes Film 99 the list begins with %v", got)
	}
	v.does(func() { v.p.List.follow("decade=1950&order=new") })
	v.sees(`>1950s</h2>`, "10 titles; here 1 to 10.")
	if got := v.titles(); got[0] != 9 {
		t.Errorf("the newest of the 1950s is %v", got)
	}
	// A place in the page is no view; what the catalogue does not have leads home, and so does a way of looking.
	v.does(func() { v.p.List.follow("next-heading") })
	v.sees(`>1950s</h2>`)
	v.does(func() { v.p.List.follow("genre=Nonsense") })
	v.sees("Next for you")
	v.does(func() { v.p.List.follow("like=id30") })
	v.sees("More like Film 30")
	v.does(func() { v.p.Tuning.SetMode(recommend.HiddenGems) })
	v.sees("Hidden gems", "Close to your taste, known to few.")
	v.does(func() { v.p.List.follow("like=nothing") })
	v.sees("Close to your taste, known to few.")
	// A card leads to its genres and its decade.
	v.sees(`<a href="#genre=Odd">Odd</a>`, `<a href="#genre=Rare">Rare</a>`, `<a href="#decade=2040">2040s</a>`)
}

func TestSomethingDifferent(t *testing.T) {
	v := come(t, newLine(60), newMemory())
	v.does(func() { v.p.Marking.Pick(0) })
	v.does(v.p.List.Different)
	if got, want := v.titles(), []int{11, 12, 13, 14, 15, 16, 17, 18, 19, 20}; !slices.Equal(got, want) {
		t.Errorf("in place of the first ten come %v", got)
	}
	const said = "Something different. Gone: Film 1, Film 2 and 8 more. New: Film 11, Film 12 and 8 more."
	v.sees(said, "Back to the first ones", v.p.W.DifferentNote)
	if v.p.Announced != said {
		t.Errorf("screen readers heard %q", v.p.Announced)
	}
	v.does(v.p.List.Different)
	if got := v.titles(); got[0] != 21 {
		t.Errorf("something different once more is %v", got)
	}
	v.does(v.p.Offer.TakeBack)
	if got := v.titles(); got[0] != 11 || v.p.Announced != "Undone." {
		t.Errorf("undone, the list is %v and %q was said", got, v.p.Announced)
	}
	v.does(func() { v.p.Marking.Toggle(15, LikedIt) }) // what made way does not come back with a like
	if got := v.titles(); slices.Contains(got, 7) {
		t.Errorf("after a like the list is %v", got)
	}
	v.does(v.p.List.Usual)
	if got := v.titles(); got[0] != 7 && got[0] != 8 {
		t.Errorf("the first ones are %v", got)
	}
	v.misses("Back to the first ones")
}

func TestWhatOneMoreLikeWouldChange(t *testing.T) {
	v := come(t, newLine(60), newMemory())
	v.does(func() { v.p.Marking.Pick(0) })
	v.misses("If you like this too")
	v.does(func() { v.p.List.ToggleWhy(2) })
	v.sees("If you like this too, Film 30 and Film 31 would replace Film 9 in your top ten. Our " +
		"picture of you would be 20% sharper.")
	v.does(func() { v.p.List.ToggleWhy(1) })
	v.sees("If you like this too, your top ten stay as they are. Our picture of you would be 50% sharper.")
	v.does(func() { v.p.List.ToggleWhy(1) })
	v.misses("If you like this too")
}

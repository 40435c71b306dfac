package address

import (
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/recommend"
)

var addresses = map[string]View{
	"":                              {},
	"browse":                        {Kind: Browse},
	"together":                      {Kind: Together},
	"like=2571":                     {Kind: Similar, Like: "2571"},
	"genre=Sci-Fi":                  {Kind: Genre, Genre: "Sci-Fi"},
	"genre=Film-Noir&order=title":   {Kind: Genre, Genre: "Film-Noir", Order: recommend.ByTitle},
	"decade=1990&order=new&page=3":  {Kind: Decade, Decade: 1990, Order: recommend.Newest, Page: 2},
	"region=1-Horror-1980&page=2":   {Kind: Region, Region: "1-Horror-1980", Page: 1},
	"region=0-A%2BB-1970..2000":     {Kind: Region, Region: "0-A+B-1970..2000"},
	"genre=R%26B%20%3D%20%23%C3%A9": {Kind: Genre, Genre: "R&B = #é"},
}

func TestAddresses(t *testing.T) {
	for fragment, view := range addresses {
		if got := view.Fragment(); got != fragment {
			t.Errorf("%+v has the address %q, want %q", view, got, fragment)
		}
		if got, ok := Parse(fragment); got != view || !ok {
			t.Errorf("%q leads to %+v, %v, want %+v", fragment, got, ok, view)
		}
	}
	// Fragments as people and browsers write them.
	for fragment, want := range map[string]View{
		"genre=é":                      {Kind: Genre, Genre: "é"},
		"genre=%c3%A9&page=1":          {Kind: Genre, Genre: "é"},
		"decade=1994":                  {Kind: Decade, Decade: 1990},
		"decade=1990&page=-3&order=up": {Kind: Decade, Decade: 1990},
		"genre=100%&genre=War":         {Kind: Genre, Genre: "100%"},
	} {
		if got, ok := Parse(fragment); got != want || !ok {
			t.Errorf("%q leads to %+v, %v, want %+v", fragment, got, ok, want)
		}
	}
	for _, fragment := range []string{"next", "next-heading", "taste=abc", "genre=", "decade=x", "decade=0",
		"decade=5", "order=new", strings.Repeat("a", 5000)} {
		if got, ok := Parse(fragment); ok {
			t.Errorf("%.40q leads to %+v", fragment, got)
		}
	}
}

// Every fragment can be read, and its view has an address that leads back to it.
func FuzzAddress(f *testing.F) {
	for fragment := range addresses {
		f.Add(fragment)
	}
	f.Add("genre=%zz&page=99999999999999999999&decade=1e3")
	f.Fuzz(func(t *testing.T, fragment string) {
		v, ok := Parse(fragment)
		if !ok {
			return
		}
		if again, ok := Parse(v.Fragment()); again != v || !ok {
			t.Errorf("%q leads to %+v, and its address to %+v", fragment, v, again)
		}
	})
}

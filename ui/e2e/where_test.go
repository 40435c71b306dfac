//go:build !js

package e2e

import (
	"testing"

	"github.com/pmlam/pmlam/core/recommend"
)

// A card links to its title elsewhere by the catalogue's ids; TestNothingIsSent checks that nothing is requested before
// it is pressed.
func TestWhereItIs(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	v.open(ours.address)
	v.like(three...)
	said := visit(t, three...)
	v.lists(answer(said, recommend.Request{}))
	first := native.Item(native.Recommend(said, native.Taste(said, nil), recommend.Request{K: 1})[0].Item)
	var imdb, tmdb string
	for k, name := range native.Columns() {
		switch name {
		case "imdbId":
			imdb = first.Values[k]
		case "tmdbId":
			tmdb = first.Values[k]
		}
	}
	const links = `[...document.querySelectorAll(".card .where")][0]`
	for at, want := range []string{"https://www.imdb.com/title/tt" + imdb + "/", "https://www.themoviedb.org/movie/" + tmdb} {
		type link struct{ Href, Rel, Target, ReferrerPolicy string }
		got := see[link](v, `(({ href, rel, target, referrerPolicy }) => ({ href, rel, target, referrerPolicy }))(`+
			links+`.querySelectorAll("a")[`+string(rune('0'+at))+`])`)
		if got != (link{want, "noopener noreferrer", "_blank", "no-referrer"}) {
			t.Errorf("the first card links to %+v, want %s", got, want)
		}
	}
	v.noErrors()
}

//go:build !js

package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/recommend"
)

// "Not for me" and "Seen" remove a title from the list, which is again the native one; undo restores it. In this test
// the cards glide to their new places.
func TestNotForMeAndSeen(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{Motion: true})
	v.open(ours.address)
	v.like(three...)
	said := visit(t, three...)
	plain := answer(said, recommend.Request{})
	v.lists(plain)
	top := native.Recommend(said, native.Taste(said, nil), recommend.Request{K: 10})
	title := func(i int) string { return native.Item(top[i].Item).Title }

	v.press("Not for me: "+title(0), "list", "Recommendations")
	no := said
	no.Dislikes = []int{top[0].Item}
	v.lists(answer(no, recommend.Request{}))
	v.reads(words.Disliked(title(0)))
	v.press(words.Undo)
	v.lists(plain)

	v.press("Seen: "+title(2), "list", "Recommendations")
	seen := said
	seen.Seen = []int{top[2].Item}
	v.lists(answer(seen, recommend.Request{}))
	v.press(words.Undo)
	v.lists(plain)

	// A title kept for later is removed like a seen one, and stored; the taste stays the same.
	v.press(words.LaterTitle(title(2)), "list", "Recommendations")
	v.lists(answer(seen, recommend.Request{}))
	v.reads(words.Kept(title(2)))
	v.reads(words.LaterHeading)
	v.wait("it to be stored", func() string {
		if got := v.state().Later; !slices.Equal(got, ids(t, title(2))) {
			return fmt.Sprintf("kept for later are %q", got)
		}
		return ""
	})
	v.press(words.RemoveTitle(title(2)))
	v.lists(plain)

	// A like in the list works like one in the search.
	v.press("Like "+title(1), "list", "Recommendations")
	more := said
	more.Likes = append(slices.Clone(said.Likes), top[1].Item)
	v.lists(answer(more, recommend.Request{}))

	// Marks can be removed at any time, one by one.
	v.press(words.RemoveTitle(title(1)))
	v.lists(plain)
	v.noErrors()
}

// Filters by genre and decade apply to all ten; if nothing is left, the page suggests one to relax, and that helps.
func TestFilters(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	v.open(ours.address)
	v.like(three...)
	said := visit(t, three...)
	v.lists(answer(said, recommend.Request{}))
	v.openFilters()
	v.press("Comedy", "group", words.Genres)
	comedy := recommend.Filter{Genres: []string{"Comedy"}}
	v.lists(answer(said, recommend.Request{Filter: comedy}))
	v.press("1980s", "group", words.Decades)
	both := recommend.Filter{Genres: []string{"Comedy"}, FromYear: 1980, ToYear: 1989}
	v.lists(answer(said, recommend.Request{Filter: both}))
	cards := v.cards()
	if len(cards) != 10 {
		t.Errorf("%d comedies of the 1980s are shown, want ten", len(cards))
	}
	for _, c := range cards {
		if !strings.Contains(strings.Join(c.Paragraphs, "\n"), "Comedy") {
			t.Errorf("%s is not shown as a comedy: %q", c.Heading, c.Paragraphs)
		}
		if year := c.Heading[len(c.Heading)-4:]; year < "1980" || year > "1989" {
			t.Errorf("%s is not of the 1980s", c.Heading)
		}
	}
	v.press(words.ClearFilters)
	v.lists(answer(said, recommend.Request{}))

	genre, decade := nothingOf(t)
	v.press(genre, "group", words.Genres)
	v.press(fmt.Sprintf("%ds", decade), "group", words.Decades)
	v.reads(words.NothingLeft + " " + words.NothingLeftAdvice)
	if cards := v.cards(); len(cards) != 0 {
		t.Errorf("there is no %s of the %ds, and %d cards are shown", genre, decade, len(cards))
	}
	v.sees("button", words.Loosen(words.AllGenres))
	v.press(words.Loosen(words.AllDecades))
	v.lists(answer(said, recommend.Request{Filter: recommend.Filter{Genres: []string{genre}}}))
	v.noErrors()
}

// nothingOf returns a genre and a decade that no title of the catalogue combines.
func nothingOf(t testing.TB) (genre string, decade int) {
	t.Helper()
	has := map[string]bool{}
	decades := map[int]bool{}
	for i := range native.Len() {
		it := native.Item(i)
		if it.Year == 0 {
			continue
		}
		decades[it.Year/10*10] = true
		for _, g := range it.Genres {
			has[fmt.Sprint(g, it.Year/10*10)] = true
		}
	}
	for _, g := range native.Genres() {
		for d := 2010; d >= 1900; d -= 10 {
			if g != "IMAX" && g != "(no genres listed)" && decades[d] && !has[fmt.Sprint(g, d)] {
				return g, d
			}
		}
	}
	t.Fatal("every genre has a title in every decade, so no filter is empty")
	return "", 0
}

// A search without results says how recent the catalogue is, and offers the closest titles.
func TestNoMatch(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	v.open(ours.address)
	v.search("qqqqzzzzqqqq")
	v.reads(words.NoMatch("qqqqzzzzqqqq", native.Len(), 2018))
	v.press(words.ClearSearch)
	if got := see[string](v, `visitor.find("searchbox", "Search films")[0].value`); got != "" {
		t.Errorf("after %q the search box contains %q", words.ClearSearch, got)
	}
	v.search("Avengers: Endgame") // from 2019
	v.reads(words.NoMatch("Avengers: Endgame", native.Len(), 2018))
	v.reads(words.Closest)
	v.sees("button", "Like The Avengers", "search", "")
	v.search("Oppenheimer") // from 2023
	v.sees("button", "Like The Opposite of Sex", "search", "")
	// While typing, mistakes are tolerated.
	v.search("godfahter")
	v.sees("button", "Like The Godfather", "search", "")
	v.noErrors()
}

// The modes and both sliders give the lists of the native program.
func TestControls(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	v.open(ours.address)
	v.like(three...)
	said := visit(t, three...)
	plain := answer(said, recommend.Request{})
	v.lists(plain)
	v.openFilters()
	for _, mode := range []recommend.Mode{recommend.HiddenGems, recommend.OutsideBubble} {
		want := answer(said, recommend.Request{Mode: mode})
		if slices.Equal(want, plain) {
			t.Errorf("%s gives the same list as %s", words.Modes[mode], words.Modes[recommend.ForYou])
		}
		v.press(words.Modes[mode], "group", words.ModesLabel)
		v.lists(want)
		v.attribute("button", words.Modes[mode], "aria-pressed", "true")
	}
	v.press(words.Modes[recommend.ForYou], "group", words.ModesLabel)
	v.lists(plain)

	v.slide(words.Diversity, "End")
	varied := answer(said, recommend.Request{Diversity: 1})
	v.lists(varied)
	if slices.Equal(varied, plain) {
		t.Error("maximum variety gave the same list as before")
	}
	v.slide(words.Diversity, "Home")
	v.lists(plain)

	v.slide(words.Exploration, "End")
	v.wait("another list", func() string {
		if got := v.headings(); len(got) != 10 || slices.Equal(got, plain) {
			return fmt.Sprintf("it is %q", got)
		}
		return ""
	})
	surprised := v.listsStored(said, 1)
	v.press(words.Shuffle)
	v.wait("another deal", func() string {
		if got := v.headings(); len(got) != 10 || slices.Equal(got, surprised) {
			return fmt.Sprintf("it is %q", got)
		}
		return ""
	})
	v.listsStored(said, 1)
	v.slide(words.Exploration, "Home")
	v.lists(plain)
	v.noErrors()
}

// listsStored waits until the list is the native answer for this exploration and the seed stored by the page.
func (v *visitor) listsStored(said recommend.Visit, exploration float64) []string {
	v.Helper()
	var want []string
	v.wait("the list of the stored settings", func() string {
		v.Helper()
		s := v.state().Settings
		if s.Exploration != exploration {
			return fmt.Sprintf("the stored exploration is %v", s.Exploration)
		}
		want = answer(said, recommend.Request{Exploration: s.Exploration, Seed: s.Seed})
		if got := v.headings(); !slices.Equal(got, want) {
			return fmt.Sprintf("it is\n%q, and should be\n%q", got, want)
		}
		return ""
	})
	return want
}

// slide focuses the slider of that name and presses a key: "Home" or "End".
func (v *visitor) slide(name, key string) {
	v.Helper()
	v.sees("slider", name)
	see[bool](v, `visitor.find("slider", `+quote(name)+`)[0].focus(), true`)
	v.keys(map[string]string{"Home": home, "End": end}[key])
}

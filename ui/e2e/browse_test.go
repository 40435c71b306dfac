//go:build !js

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/pmlam/pmlam/core/recommend"
)

// announced waits until screen readers have heard the text, even if another text followed. Announcements before the one
// that an earlier call waited for do not count.
func (v *visitor) announced(text string) {
	v.Helper()
	v.wait(fmt.Sprintf("screen readers to hear %q", text), func() string {
		v.Helper()
		if left := see[[]string](v, `visitor.unannounced(`+quote(text)+`)`); len(left) > 0 {
			return fmt.Sprintf("they heard %q", left)
		}
		return ""
	})
}

// fragment waits until the address ends like this.
func (v *visitor) fragment(want string) {
	v.Helper()
	v.wait("the address", func() string {
		v.Helper()
		if got := see[string](v, `location.hash`); got != want {
			return fmt.Sprintf("it ends in %q, and should end in %q", got, want)
		}
		return ""
	})
}

// browsed returns the titles on a page of a genre or decade.
func browsed(v recommend.Visit, f recommend.Filter, o recommend.Order, page int) []string {
	return answer(v, recommend.Request{K: 20, Skip: 20 * page, Filter: f, Order: o})
}

// Genres and decades can be browsed: by keyboard from the first visit on, by address, back and forward, and from the
// words of a card.
func TestBrowsing(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	v.open(ours.address)
	v.sees("list", words.Starters)
	v.tabTo("browsing", is("link", words.BrowseInstead))
	v.keys(enter)
	v.sees("heading", words.Browse)
	v.fragment("#browse")
	v.tabTo("comedies", func(role, name string) bool { return role == "link" && strings.HasPrefix(name, "Comedy ") })
	v.keys(enter)
	v.sees("heading", "Comedy")
	v.fragment("#genre=Comedy")
	comedies, nobody := recommend.Filter{Genres: []string{"Comedy"}}, recommend.Visit{}
	all := native.Count(nobody, comedies)
	note := words.BrowseCount(all, 0, 1, 20)
	v.announced("Comedy. " + note)
	v.reads(note)
	v.lists(browsed(nobody, comedies, recommend.BestKnown, 0))
	if title := see[string](v, `document.title`); !strings.HasPrefix(title, "Comedy · ") {
		t.Errorf("the tab's title is %q", title)
	}
	v.tabTo("the next page", is("link", words.Later))
	v.keys(enter)
	v.fragment("#genre=Comedy&page=2")
	v.lists(browsed(nobody, comedies, recommend.BestKnown, 1))
	v.click("link", words.Orders[recommend.Newest])
	v.fragment("#genre=Comedy&order=new")
	v.lists(browsed(nobody, comedies, recommend.Newest, 0))

	// Back and forward use the browser's history.
	v.do(chromedp.NavigateBack())
	v.lists(browsed(nobody, comedies, recommend.BestKnown, 1))
	v.do(chromedp.NavigateBack())
	v.lists(browsed(nobody, comedies, recommend.BestKnown, 0))
	v.do(chromedp.NavigateForward())
	v.lists(browsed(nobody, comedies, recommend.BestKnown, 1))
	v.reload()
	v.lists(browsed(nobody, comedies, recommend.BestKnown, 1))

	// With likes there is another order, and pages leave out marked titles. The search stays in place.
	v.like(three...)
	liked := visit(t, three...)
	left := native.Count(liked, comedies)
	v.reads(words.BrowseCount(all, all-left, 21, 40))
	v.lists(browsed(liked, comedies, recommend.BestFirst, 1))

	// Home, then from a card's words to its decade and its genre.
	v.press(words.Back)
	v.fragment("")
	v.lists(answer(liked, recommend.Request{}))
	first := native.Item(native.Recommend(liked, native.Taste(liked, nil), recommend.Request{K: 1})[0].Item)
	from := first.Year / 10 * 10
	v.click("link", words.Decade(from), "list", words.Recommendations)
	v.sees("heading", words.Decade(from))
	v.lists(browsed(liked, recommend.Filter{FromYear: from, ToYear: from + 9}, recommend.BestFirst, 0))
	genre := native.Item(native.Recommend(liked, native.Taste(liked, nil),
		recommend.Request{K: 1, Filter: recommend.Filter{FromYear: from, ToYear: from + 9}})[0].Item).Genres[0]
	v.click("link", genre, "list", words.Recommendations)
	v.sees("heading", genre)
	v.lists(browsed(liked, recommend.Filter{Genres: []string{genre}}, recommend.BestFirst, 0))

	// Lists of similar titles have an address too, and unknown ids lead home.
	v.open(ours.address + "#like=" + native.Item(find(t, "Alien")).ID)
	v.sees("heading", words.Similar("Alien"))
	v.open(ours.address + "#genre=Nonsense")
	v.lists(answer(liked, recommend.Request{}))
	v.openFilters()
	v.press(words.Modes[recommend.HiddenGems])
	v.lists(answer(liked, recommend.Request{Mode: recommend.HiddenGems}))
	v.press(words.Modes[recommend.OutsideBubble])
	v.lists(answer(liked, recommend.Request{Mode: recommend.OutsideBubble}))
}

// "Something different" is visible, announced, equals the engine's answer, and can be undone.
func TestSomethingDifferent(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	v.open(ours.address)
	v.like(three...)
	liked := visit(t, three...)
	usual := answer(liked, recommend.Request{})
	v.lists(usual)
	taste := native.Taste(liked, nil)
	var gone, shown, come []string
	var instead []int
	for _, s := range native.Recommend(liked, taste, recommend.Request{K: 10}) {
		instead, gone = append(instead, s.Item), append(gone, native.Item(s.Item).Title)
	}
	for _, s := range native.Recommend(liked, taste, recommend.Request{K: 10, Instead: instead}) {
		shown, come = append(shown, heading(s.Item)), append(come, native.Item(s.Item).Title)
	}
	v.tabTo("something different", is("button", words.Different))
	v.keys(enter)
	v.lists(shown)
	v.announced(words.Dealt(gone, come))
	v.reads(words.DifferentNote)
	for _, title := range shown {
		for _, before := range usual {
			if title == before {
				t.Errorf("%q was already shown", title)
			}
		}
	}
	v.press(words.Undo)
	v.lists(usual)
	v.announced(words.Undone)

	// The preview of a further like matches its effect.
	why := native.Item(instead[0]).Title
	c := native.Change(liked, taste, recommend.Request{}, instead[0])
	v.press("Why? "+why, "list", words.Recommendations)
	titles := func(items []int) (out []string) {
		for _, i := range items {
			out = append(out, native.Item(i).Title)
		}
		return out
	}
	v.reads(words.OneMore(titles(c.In), titles(c.Out), c.Variance))
	v.press("Like "+why, "list", words.Recommendations)
	more := liked
	more.Likes = append(more.Likes, instead[0])
	v.lists(answer(more, recommend.Request{}))
	for _, i := range c.In {
		if !v.has("heading", heading(i), "list", words.Recommendations) {
			t.Errorf("the preview lists %q, but the list lacks it", heading(i))
		}
	}
}

// Browsing is accessible: axe-core finds nothing, in dark mode and on a phone of 360 pixels, and nothing overflows the
// page.
func TestBrowsingForEveryone(t *testing.T) {
	t.Parallel()
	script := axe(t)
	for name, p := range map[string]persona{
		"desktop": {}, "dark": {Dark: true}, "phone": {Width: 360, Height: 740, Phone: true},
		"dark phone": {Width: 360, Height: 740, Phone: true, Dark: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := newVisitor(t, p)
			v.open(ours.address + "#browse")
			v.sees("heading", words.Browse)
			v.accessible(script, "all genres")
			v.checkFits("all genres")
			v.like(three...)
			v.open(ours.address + "#genre=Comedy")
			v.sees("heading", "Comedy")
			v.reads(words.Later)
			v.accessible(script, "a genre")
			v.checkFits("a genre")
		})
	}
}

// together returns the list for two people.
func together(a, b recommend.Visit) (out []string, items []recommend.Shared) {
	items = native.Together(a, b, native.Taste(a, nil), native.Taste(b, nil), recommend.Request{K: 10})
	for _, s := range items {
		out = append(out, heading(s.Item))
	}
	return out, items
}

// Two people share a screen, by keyboard: a second person is named and likes titles, and both see the titles near both
// of them, with reasons and ellipses for each. A reload keeps the second person; removing them can be undone and
// persists.
func TestTwoPeople(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	v.open(ours.address)
	v.like(three...)
	mine := visit(t, three...)
	v.lists(answer(mine, recommend.Request{}))
	v.openFilters()
	v.tabTo("for two", is("link", words.ForTwo))
	v.keys(enter)
	v.sees("heading", words.ForTwo)
	v.announced(words.ForTwoNote)
	v.tabTo("the name", is("textbox", words.PersonName))
	v.keys("Anna")
	v.keys(enter)
	v.announced(words.NowChoosing("Anna"))
	v.reads(words.PickFor("Anna"))
	v.fragment("#together")

	// Anna is active now, so likes are hers.
	hers := []string{"Amelie (Le Fabuleux destin d'Amélie Poulain)", "Spirited Away (Sen to Chihiro no kamikakushi)"}
	v.like(hers...)
	anna := visit(t, hers...)
	list, pair := together(mine, anna)
	v.lists(list)
	v.press("Anna", "group", words.WhoseTaste)
	v.press(words.You, "group", words.WhoseTaste)
	v.announced(words.NowYou)
	v.lists(list)
	v.reads(words.NextForBoth("Anna"))
	v.reads(words.BothLikes("Anna", 3, 2))
	for side, name := range []string{words.You, "Anna"} {
		first := pair[0].Each[side]
		line := name + ": " + strings.ToLower(words.Certain[first.Certainty])
		likes, general, _ := because(first)
		if len(likes) > 0 {
			line += ", because of " + strings.Join(likes, " and ")
		}
		if general {
			line += ", widely loved"
		}
		v.reads(line)
	}
	v.mapCurrent()
	second := see[map[string]any](
		v,
		`(({ second, o }) => ({ name: second?.labels.join(" "), a: second?.ellipses[2], you: o.you }))(`+picture+`)`,
	)
	want := native.Places(anna, native.Taste(anna, nil)).Tastes[0].Ellipses[0].A
	if a, ok := second["a"].(float64); !strings.Contains(fmt.Sprint(second["name"]), "Anna") || second["you"] != words.You || !ok ||
		a < 0.999*want || a > 1.001*want {
		t.Errorf("the map draws %v next to the visitor, want Anna's ellipse of %v", second, want)
	}

	// Marks of either person change the shared list.
	v.press("Not for me: "+native.Item(pair[0].Item).Title, "list", words.Recommendations)
	mine.Dislikes = append(mine.Dislikes, pair[0].Item)
	list, _ = together(mine, anna)
	v.lists(list)

	v.keyStored("other-2")
	v.marksStored(ids(t, three...), []string{native.Item(pair[0].Item).ID}, nil)
	v.reload()
	v.lists(list)
	v.sees("heading", words.NextForBoth("Anna"))
	v.press(words.Forget("Anna"))
	v.lists(answer(mine, recommend.Request{}))
	v.announced(words.Forgotten("Anna"))
	v.press(words.Undo)
	v.openFilters()
	v.click("link", words.ForTwo, "group", words.ModesLabel)
	v.lists(list)
	v.keyStored("other-2")
	v.reload()
	v.lists(list)
	v.press(words.Forget("Anna"))
	v.lists(answer(mine, recommend.Request{}))
	until[bool](v, "none of her data to be stored",
		`visitor.stored().then((s) => !Object.keys(s).some((k) => k.includes("other-2")))`)
	v.reload()
	v.lists(answer(mine, recommend.Request{}))
	v.openFilters()
	v.click("link", words.ForTwo, "group", words.ModesLabel)
	v.sees("textbox", words.PersonName)
}

// It is accessible, too, on a phone of 360 pixels in dark mode, with and without a second person.
func TestTwoPeopleForEveryone(t *testing.T) {
	t.Parallel()
	script := axe(t)
	for name, p := range map[string]persona{"desktop, dark": {Dark: true},
		"phone": {Width: 360, Height: 740, Phone: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := newVisitor(t, p)
			v.open(ours.address)
			v.like(three...)
			v.open(ours.address + "#together")
			v.sees("textbox", words.PersonName)
			v.accessible(script, "nobody yet")
			v.checkFits("nobody yet")
			v.click("textbox", words.PersonName)
			v.keys("Anna")
			v.keys(enter)
			v.reads(words.PickFor("Anna"))
			v.accessible(script, "Anna has said nothing")
			v.checkFits("Anna has said nothing")
			v.like("Casablanca")
			v.sees("heading", words.NextForBoth("Anna"))
			list, _ := together(visit(t, three...), visit(t, "Casablanca"))
			v.lists(list)
			v.accessible(script, "for both")
			v.checkFits("for both")
		})
	}
}

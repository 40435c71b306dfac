package ui_test

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"golang.org/x/net/html"

	"github.com/pmlam/pmlam/core/importer"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/address"
	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/internal/uitest"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/share"
	"github.com/pmlam/pmlam/ui/words"
)

// each calls f with the name and value of every text and phrase, and of every element of arrays.
func each(v reflect.Value, name string, f func(name string, v reflect.Value)) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if of := v.Type().Field(i); of.IsExported() {
				each(v.Field(i), of.Name, f)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			each(v.Index(i), fmt.Sprintf("%s[%d]", name, i), f)
		}
	default:
		f(name, v)
	}
}

// strange returns English with every text and phrase in brackets that occur nowhere else on the page.
func strange() *words.Words {
	w := words.English()
	bracket := func(s string) string { return "⟦" + s + "⟧" }
	each(reflect.ValueOf(w).Elem(), "", func(name string, v reflect.Value) {
		switch {
		case name == "Tag" || !v.CanSet():
		case v.Kind() == reflect.String:
			v.SetString(bracket(v.String()))
		case v.Kind() == reflect.Func:
			say := reflect.ValueOf(v.Interface())
			v.Set(reflect.MakeFunc(v.Type(), func(in []reflect.Value) []reflect.Value {
				return []reflect.Value{reflect.ValueOf(bracket(say.Call(in)[0].String()))}
			}))
		}
	})
	return w
}

// strays returns the letters outside of brackets in a page's texts and spoken attributes.
func strays(t *testing.T, page string) []string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	look := func(text string) {
		depth := 0
		var left strings.Builder
		for _, r := range text {
			switch {
			case r == '⟦':
				depth++
			case r == '⟧':
				depth--
			case depth == 0:
				left.WriteRune(r)
			}
		}
		for line := range strings.Lines(left.String()) {
			if line = strings.TrimSpace(line); strings.ContainsFunc(line, unicode.IsLetter) {
				out = append(out, line)
			}
		}
	}
	// An element's text is one unit, since a phrase may contain elements.
	var text func(n *html.Node, b *strings.Builder)
	text = func(n *html.Node, b *strings.Builder) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
		for _, a := range n.Attr {
			switch a.Key {
			case "aria-label", "aria-description", "title", "placeholder", "alt":
				look(a.Val)
			}
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			text(c, b)
			if c.Type == html.ElementNode {
				b.WriteByte('\n')
			}
		}
	}
	var b strings.Builder
	text(root, &b)
	look(b.String())
	return out
}

// wordless returns a line of titles without letters, which the page shows unchanged.
func wordless(n int) *uitest.Line {
	e := uitest.NewLine(n)
	for i := range e.Items {
		e.Items[i].Title = fmt.Sprint("№ ", i)
	}
	return e
}

type learned struct{ *uitest.Line }

func (e learned) About() recommend.About {
	a := e.Line.About()
	a.Licence, a.Attribution, a.Trained = "§", "§§", "2026-11-20"
	a.Reliability = recommend.Reliability{People: 3, Error: 0.02,
		Bins: []model.LikeBin{{Predicted: 0.5, Observed: 0.4, Count: 7}}}
	return a
}

func link(t *testing.T, likes, dislikes []string) string {
	fragment, n := share.Encode(&share.Taste{Likes: likes, Dislikes: dislikes})
	if n < len(likes) {
		t.Fatal("the link carries fewer titles than given")
	}
	return fragment
}

// walk takes a visitor through the states of the page, and calls look in each with its name.
func walk(v *uitest.Visitor, s *uitest.Memory, look func(state string)) {
	p := v.P
	does := func(state string, f func()) {
		v.T.Helper()
		v.Does(f)
		look(state)
	}
	look("the first visit")
	does("no match", func() { p.Search.Search("qqq") })
	does("search", func() { p.Search.Search("№ 1") })
	does("away", func() { p.Offline.Set(browser.Copy{Able: true, Away: true}) })
	does("refused", func() { p.Offline.Set(browser.Copy{Able: true, Refused: true}) })
	does("an update", func() { p.Offline.Set(browser.Copy{Able: true, Since: time.Now(), Update: true}) })
	does("one like", func() { p.Starters.Pick(1) })
	does("two likes", func() { p.Starters.Pick(3) })
	does("three likes", func() { p.Starters.Pick(5) })
	does("why", func() { p.List.ToggleWhy(p.List.Titles[0].Item) })
	does("trust", p.List.ToggleTrust)
	does("not for me", func() { p.Marking.Toggle(8, keep.NotForMe) })
	does("seen", func() { p.Marking.Toggle(9, keep.Seen) })
	does("undone", p.Offer.TakeBack)
	does("similar", func() { p.List.ShowSimilar(7) })
	does("back", func() { p.List.ShowSimilar(-1) })
	does("opened on the map", func() { p.Map.Select(7) })
	does("distances", func() { p.Map.ShowDistances(true) })
	does("as text", p.Map.ToggleText)
	does("filters", p.Tuning.ToggleTuning)
	does("genres and decades", func() { p.Go(address.View{Kind: address.Browse}) })
	does("a genre's page", func() { p.Go(address.View{Kind: address.Genre, Genre: "Even", Page: 1}) })
	does("a decade's page", func() { p.Go(address.View{Kind: address.Decade, Decade: 1990, Order: 2}) })
	does("the list again", func() { p.Go(address.View{}) })
	does("something different", p.List.Different)
	does("the list as it was", p.List.Usual)
	does("a second person", func() { p.People.Add("¶") })
	does("their like", func() { p.Starters.Pick(30) })
	does("the first again", func() { p.People.Become(0) })
	does("near both", func() { p.Go(address.View{Kind: address.Together}) })
	does("why near both", func() { p.List.ToggleWhy(p.List.Titles[0].Item) })
	does("forgotten", p.People.Forget)
	does("surprises", func() { p.Tuning.SetExploration(0.5) })
	does("a genre", func() { p.Tuning.ToggleGenre("Rare") })
	does("nothing left", func() { p.Tuning.ToggleDecade(2000) })
	does("no filters", p.Tuning.ClearFilters)
	for m := range p.W.Modes {
		does("a mode", func() { p.Tuning.SetMode(recommend.Mode(m)) })
	}
	does("the end", func() {
		for range 5 {
			p.List.More()
		}
	})
	does("about", p.Data.ToggleAbout)
	does("figures", func() { p.Device = browser.Figures{Known: true, Usage: 1e6, Quota: 1e9} })
	does("kept", func() { p.Device.Persisted = true })
	does("erasing", p.Data.AskErase)
	does("dark", func() { p.Looks.SetTheme(2) })
	does("a backup", func() { p.Backup.OpenBackup("!", p.Store.Backup(uint64(time.Now().UnixMilli())).Bytes()) })
	does("a bad backup", func() { p.Backup.OpenBackup("!", []byte("{")) })
	does("no backup", p.Backup.CloseBackup)
	does("a file", func() {
		p.Import.Bring([]importer.File{{Name: "!", Data: []byte("title,year,rating\n№ 10,1960,5\n№ 11,,4\n№ " +
			"12,1962,1\n№ 99,1970,3\n№ 13,1963,\n,1,1\n")}})
	})
	does("what was found", func() { p.Import.ShowFound, p.Import.ShowMissing = true, true })
	does("agreed", p.Import.AgreeImport)
	does("taken back", p.Import.TakeImportBack)
	does("a link handed out", func() { p.Sharing.Handed(p.W.ShareCopied + " " + p.W.ShareLatest) })
	does("a list handed out", func() { p.List.Handed(p.W.ListCopied) })
	does("a link", func() { p.Received.Receive(link(v.T, []string{"id1", "id30", "№ 99"}, []string{"id31"})) })
	does("where it leads", p.Received.Look)
	does("a broken link", func() { p.Received.Receive("taste=!") })
	does("a bad file", func() { p.Import.Bring([]importer.File{{Name: "!", Data: []byte("a,b\n1,2\n")}}) })
	does("a file that is gone", func() { p.Import.BringUnread("!", false) })
	s.Mu.Lock()
	s.Fail = errors.New("no")
	s.Mu.Unlock()
	does("no store", func() { p.Marking.Toggle(20, keep.Liked) })
}

// All visible and spoken text comes from Words.
func TestNothingIsSaidButWords(t *testing.T) {
	s := uitest.NewMemory()
	v := uitest.Come(t, learned{wordless(60)}, s)
	v.P.W = strange().For(words.Owner{Genres: "en Even=⟦Even⟧, Odd=⟦Odd⟧, Rare=⟦Rare⟧"})
	names := []string{v.P.Name} // names of the site and of languages
	for _, language := range words.Languages {
		names = append(names, language().Own)
	}
	states := 0
	walk(v, s, func(state string) {
		t.Helper()
		states++
		for _, stray := range strays(t, v.HTML()) {
			if !slices.Contains(names, stray) {
				t.Errorf("%s: not from Words: %q", state, stray)
			}
		}
		for what, text := range map[string]string{"announced": v.P.Announced, "told on the map": v.P.Map.Describe(7)} {
			for _, stray := range strays(t, html.EscapeString(text)) {
				t.Errorf("%s: %s, not from Words: %q", state, what, stray)
			}
		}
	})
	if states < 40 {
		t.Errorf("only %d states were looked at", states)
	}
}

// The language can be changed in every state, at once and completely.
func TestLanguageIsChangedAtOnce(t *testing.T) {
	s := uitest.NewMemory()
	v := uitest.Come(t, learned{wordless(60)}, s)
	german := map[string]bool{}
	each(reflect.ValueOf(words.German().Texts), "", func(_ string, w reflect.Value) {
		if w.Kind() == reflect.String {
			german[w.String()] = true
		}
	})
	english := map[string]bool{}
	each(reflect.ValueOf(words.English().Texts), "", func(name string, w reflect.Value) {
		if w.Kind() == reflect.String && !german[w.String()] && strings.ContainsFunc(w.String(), unicode.IsLetter) &&
			name != "Own" {
			english[w.String()] = true
		}
	})
	if !english["Undo"] || !english["Like"] {
		t.Fatal("no English texts to look for")
	}
	said := regexp.MustCompile(`>([^<]+)<|(?:aria-label|title|placeholder)="([^"]+)"`)
	walk(v, s, func(state string) {
		t.Helper()
		v.Does(func() { v.P.Looks.SetLanguage("de") })
		if v.P.Announced != "Diese Seite ist jetzt auf Deutsch." {
			t.Errorf("%s: screen readers heard %q", state, v.P.Announced)
		}
		for _, m := range said.FindAllStringSubmatch(v.HTML(), -1) {
			if text := html.UnescapeString(m[1] + m[2]); english[text] {
				t.Errorf("%s: the German page has %q", state, text)
			}
		}
		v.Does(func() { v.P.Looks.SetLanguage("en") })
	})
}

// The chosen language is stored, reaches other tabs and backups, and is erased with everything.
func TestLanguageIsKept(t *testing.T) {
	s := uitest.NewMemory()
	v := uitest.Come(t, uitest.NewLine(60), s)
	v.Does(func() { v.P.Starters.Pick(1) })
	v.Does(func() { v.P.Looks.SetLanguage("de") })
	v.Sees("Wähle drei, die du liebst", "Weil dir <b dir=\"auto\">Film 1</b> gefällt", `lang="de"`)
	other := uitest.Come(t, uitest.NewLine(60), s)
	other.Sees("Wähle drei, die du liebst")
	other.Does(func() { other.P.Looks.SetLanguage("en") })
	v.Hears(false)
	v.Sees("Pick three you love")
	v.Does(func() { v.P.Looks.SetLanguage("de") })
	file := v.File()
	v.Does(v.P.EraseAll)
	v.Sees("Pick three you love")
	v.Opens(string(file))
	v.Does(v.P.Backup.RestoreBackup)
	v.Sees("Wähle drei, die du liebst")
	v.Does(v.P.EraseMarks)
	v.Sees("Wähle drei, die du liebst")
}

// A title in the other writing direction is isolated in a sentence; other titles are unchanged.
func TestDirections(t *testing.T) {
	e := uitest.NewLine(60)
	e.Items[3].Title = "שלום (1999)"
	v := uitest.Come(t, e, uitest.NewMemory())
	v.Does(func() { v.P.Starters.Pick(2) })
	v.Does(func() { v.P.Marking.Toggle(3, keep.Liked) })
	v.Sees("Liked: \u2068שלום (1999)\u2069", `<span class="title" dir="auto">שלום (1999)</span>`,
		`<b dir="auto">שלום</b>`)
	v.Misses("\u2068Film")
	v.P.W.RightToLeft = true
	v.Does(func() { v.P.Marking.Toggle(4, keep.Liked) })
	v.Sees("Liked: \u2068Film 4\u2069")
}

package ui

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"golang.org/x/net/html"

	"github.com/pmlam/pmlam/core/calibration"
	"github.com/pmlam/pmlam/core/importer"
	"github.com/pmlam/pmlam/core/recommender"
	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/share"
)

// each calls f with the name and value of every text and phrase, those of arrays one by one.
func each(v reflect.Value, name string, f func(name string, v reflect.Value)) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			each(v.Field(i), v.Type().Field(i).Name, f)
		}
	case reflect.Array:
		for i := range v.Len() {
			each(v.Index(i), fmt.Sprintf("%s[%d]", name, i), f)
		}
	default:
		f(name, v)
	}
}

// sample is an argument for a phrase.
func sample(t reflect.Type) reflect.Value {
	switch t {
	case reflect.TypeFor[recommender.Reliability]():
		return reflect.ValueOf(recommender.Reliability{People: 3, Bins: []calibration.Bin{{Count: 4}}})
	case reflect.TypeFor[*importer.Error]():
		return reflect.ValueOf(&importer.Error{Reason: importer.Empty, File: "a.csv", Line: 2, Column: "B", Value: "c"})
	case reflect.TypeFor[Tally]():
		return reflect.ValueOf(Tally{1, 2, 3, 4})
	}
	switch t.Kind() {
	case reflect.Int:
		return reflect.ValueOf(2)
	case reflect.Float64:
		return reflect.ValueOf(0.5)
	case reflect.String:
		return reflect.ValueOf("Xyz")
	case reflect.Slice:
		return reflect.ValueOf([]string{"Xyz", "Zyx"})
	}
	return reflect.Zero(t)
}

func uttered(phrase reflect.Value) string {
	var in []reflect.Value
	for i := range phrase.Type().NumIn() {
		in = append(in, sample(phrase.Type().In(i)))
	}
	return phrase.Call(in)[0].String()
}

// What says the same in English and in another language is named here; all else would be forgotten.
var alike = map[string]bool{
	"Name": true, "Genres": true, "Away": true, "Filter": true, "Metric": true, "ShareOf": true,
	"BringFormats[1]": true, "BringFormats[2]": true, "BringFormats[3]": true, "BringFormats[4]": true, "BringFormats[5]": true,
	"Ungrouped": true, "Months[3]": true, "Months[7]": true, "Months[8]": true, "Months[10]": true, "GenreName": true,
}

func TestEveryWordIsTranslated(t *testing.T) {
	english := map[string]string{}
	texts := func(w *Words) (out map[string]string) {
		out = map[string]string{}
		each(reflect.ValueOf(*w), "", func(name string, v reflect.Value) {
			switch v.Kind() {
			case reflect.Func:
				out[name] = uttered(v)
			case reflect.String:
				out[name] = v.String()
			}
		})
		return out
	}
	english = texts(English())
	for _, language := range Languages[1:] {
		w := language()
		for name, text := range texts(w) {
			if text == english[name] && !alike[name] {
				t.Errorf("%s: %s is English: %q", w.Tag, name, text)
			}
			if strings.ContainsAny(text, "\"'") || strings.Contains(text, "  ") || strings.TrimSpace(text) != text && !slices.Contains([]string{"And", "Day", "Group", "Percent"}, name) {
				t.Errorf("%s: %s is not well set: %q", w.Tag, name, text)
			}
		}
	}
	genres := 0
	for _, g := range []string{"Action", "Adventure", "Animation", "Children", "Comedy", "Crime", "Documentary", "Drama", "Fantasy",
		"Film-Noir", "Horror", "IMAX", "Musical", "Mystery", "Romance", "Sci-Fi", "Thriller", "War", "Western", "Baking"} {
		if name := German().GenreName(g); name != g {
			genres++
		} else if name == "" {
			t.Errorf("%s has no name", g)
		}
	}
	if genres != 9 {
		t.Errorf("%d genres of MovieLens are named in German, want 9", genres)
	}
}

func TestGerman(t *testing.T) {
	w := German()
	for _, c := range []struct{ got, want string }{
		{w.number(0), "0"}, {w.number(1947), "1947"}, {w.number(48580), "48\u202f580"}, {w.number(-1234567), "-1\u202f234\u202f567"},
		{w.percent(0.426), "43\u202f%"}, {w.size(1), "1 Byte"}, {w.size(12345), "12,3 KB"}, {w.stars(4.5), "4,5"}, {w.stars(10), "10"},
		{w.and([]string{"A", "B", "C"}), "A, B und C"}, {w.day("2026-11-21"), "21. November 2026"}, {w.day("unknown"), "unknown"},
		{w.day("2026-13-21"), "2026-13-21"}, {English().day("2026-03-04"), "4 March 2026"},
		{w.Because([]string{"<b>Heat</b>"}), "Weil dir <b>Heat</b> gefällt"},
		{w.Because([]string{"<b>Heat</b>", "<b>Alien</b>"}), "Weil dir <b>Heat</b> und <b>Alien</b> gefallen"},
		{w.TextItem("Heat", w.Certain[1], 1.234), "Heat: eine Ahnung, Abstand 1,23"},
		{w.BringAdds(Tally{Likes: 1, Dislikes: 2, Kept: 1}), "Neu dazu: 1 Vorliebe und 2 nicht deins. 1 Titel, den du hier schon markiert hast, bleibt, wie er ist."},
		{w.BringAdds(Tally{}), "Neu dazu: nichts."},
		{w.BackupHolds("a.json", "21. November 2026", 3, 1), "„a.json“ vom 21. November 2026 enthält 3 Titel. 1 davon ist nicht in diesem Katalog und bleibt aufgehoben für einen, der ihn hat."},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

// Numbers have their forms: none, one, two and five.
func TestPlurals(t *testing.T) {
	en, de := English(), German()
	for _, c := range []struct {
		say  func(n int) string
		want [4]string
	}{
		{en.Matches, [4]string{"0 titles found", "1 title found", "2 titles found", "5 titles found"}},
		{de.Matches, [4]string{"0 Titel gefunden", "1 Titel gefunden", "2 Titel gefunden", "5 Titel gefunden"}},
		{en.Updated, [4]string{"0 recommendations updated", "1 recommendation updated", "2 recommendations updated", "5 recommendations updated"}},
		{de.Updated, [4]string{"0 Empfehlungen aktualisiert", "1 Empfehlung aktualisiert", "2 Empfehlungen aktualisiert", "5 Empfehlungen aktualisiert"}},
		{en.MapCanvas, [4]string{"Map of 0 titles", "Map of 1 title", "Map of 2 titles", "Map of 5 titles"}},
		{de.MapCanvas, [4]string{"Karte von 0 Titeln", "Karte von 1 Titel", "Karte von 2 Titeln", "Karte von 5 Titeln"}},
		{de.BringLooking, [4]string{"0 Titel werden gesucht", "1 Titel wird gesucht", "2 Titel werden gesucht", "5 Titel werden gesucht"}},
		{de.BringMore, [4]string{"und 0 weitere", "und 1 weiterer", "und 2 weitere", "und 5 weitere"}},
		{func(n int) string { return strings.Join(en.marks(n, 0, 0), "") }, [4]string{"", "1 like", "2 likes", "5 likes"}},
		{func(n int) string { return strings.Join(de.marks(n, 0, 0), "") }, [4]string{"", "1 Vorliebe", "2 Vorlieben", "5 Vorlieben"}},
		{en.Picked, [4]string{"None picked yet", "One picked, two to go", "Two picked, one to go", "Three picked"}},
		{de.Picked, [4]string{"Noch keiner gewählt", "Einer gewählt, noch zwei", "Zwei gewählt, noch einer", "Drei gewählt"}},
	} {
		for i, n := range []int{0, 1, 2, 5} {
			if got := c.say(n); got != c.want[i] {
				t.Errorf("of %d it is said %q, want %q", n, got, c.want[i])
			}
		}
	}
}

// The scripts speak the same languages before the program runs, and say in each all that they say.
func TestTheScriptsSpeakTheSameLanguages(t *testing.T) {
	b, err := os.ReadFile("../assets/js/words.js")
	if err != nil {
		t.Fatal(err)
	}
	said := map[string][]string{}
	for _, m := range regexp.MustCompile(`(?ms)^  (\w+): \{\n(.*?)^  \}`).FindAllStringSubmatch(string(b), -1) {
		for _, key := range regexp.MustCompile(`(?m)^    (\w+):`).FindAllStringSubmatch(m[2], -1) {
			said[m[1]] = append(said[m[1]], key[1])
		}
	}
	for _, language := range Languages {
		tag := language().Tag
		if len(said[tag]) == 0 || !slices.Equal(said[tag], said["en"]) {
			t.Errorf("in %s words.js says %v, in English %v", tag, said[tag], said["en"])
		}
	}
	if len(said) != len(Languages) {
		t.Errorf("words.js speaks %d languages, the program %d", len(said), len(Languages))
	}
}

func TestSpeak(t *testing.T) {
	for tag, want := range map[string]string{"": "en", "de": "de", "de-AT": "de", "DE": "de", "en-GB": "en", "fr": "en", "-": "en"} {
		if got := Speak(tag).Tag; got != want {
			t.Errorf("who asks for %q is spoken to in %q, want %q", tag, got, want)
		}
	}
}

// strange returns English in which every text and phrase stands between brackets that nothing else on the page has.
func strange() *Words {
	w := English()
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

// strays returns the letters that stand outside of brackets in what a page says: texts and what attributes say.
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
	// An element's text is taken as one, since a phrase may hold elements.
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

// wordless is a line of titles without letters, which the page shows as they are.
func wordless(n int) *line {
	e := newLine(n)
	for i := range e.items {
		e.items[i].Title = fmt.Sprint("№ ", i)
	}
	return e
}

type learned struct{ *line }

func (e learned) About() recommender.About {
	a := e.line.About()
	a.Licence, a.Attribution, a.Trained = "§", "§§", "2026-11-20"
	a.Reliability = recommender.Reliability{People: 3, Error: 0.02, Bins: []calibration.Bin{{Predicted: 0.5, Observed: 0.4, Count: 7}}}
	return a
}

func link(t *testing.T, likes, dislikes []string) string {
	fragment, n := share.Encode(&share.Taste{Likes: likes, Dislikes: dislikes})
	if n < len(likes) {
		t.Fatal("the link carries less than it was given")
	}
	return fragment
}

// walk takes a visitor of the page through its states, and calls look in each with its name.
func walk(v *visitor, s *memory, look func(state string)) {
	p := v.p
	does := func(state string, f func()) {
		v.t.Helper()
		v.does(f)
		look(state)
	}
	look("the first visit")
	does("no match", func() { p.Search.Search("qqq") })
	does("search", func() { p.Search.Search("№ 1") })
	does("away", func() { p.Offline.set(browser.Copy{Able: true, Away: true}) })
	does("refused", func() { p.Offline.set(browser.Copy{Able: true, Refused: true}) })
	does("an update", func() { p.Offline.set(browser.Copy{Able: true, Since: time.Now(), Update: true}) })
	does("one like", func() { p.Marking.Pick(1) })
	does("two likes", func() { p.Marking.Pick(3) })
	does("three likes", func() { p.Marking.Pick(5) })
	does("why", func() { p.List.ToggleWhy(p.List.Titles[0].Item) })
	does("trust", p.List.ToggleTrust)
	does("not for me", func() { p.Marking.Toggle(8, NotForMe) })
	does("seen", func() { p.Marking.Toggle(9, SeenIt) })
	does("undone", p.Offer.TakeBack)
	does("similar", func() { p.List.ShowSimilar(7) })
	does("back", func() { p.List.ShowSimilar(-1) })
	does("opened on the map", func() { p.Map.Select(7) })
	does("distances", func() { p.Map.ShowDistances(true) })
	does("as text", p.Map.ToggleText)
	does("filters", p.Tuning.ToggleTuning)
	does("genres and decades", func() { p.List.Go(View{Kind: BrowseView}) })
	does("a genre's page", func() { p.List.Go(View{Kind: GenreView, Genre: "Even", Page: 1}) })
	does("a decade's page", func() { p.List.Go(View{Kind: DecadeView, Decade: 1990, Order: 2}) })
	does("the list again", func() { p.List.Go(View{}) })
	does("something different", p.List.Different)
	does("the list as it was", p.List.Usual)
	does("a second person", func() { p.People.Add("¶") })
	does("their like", func() { p.Marking.Pick(30) })
	does("the first again", func() { p.People.Become(0) })
	does("near both", func() { p.List.Go(View{Kind: TogetherView}) })
	does("why near both", func() { p.List.ToggleWhy(p.List.Titles[0].Item) })
	does("forgotten", p.People.Forget)
	does("surprises", func() { p.Tuning.SetExploration(0.5) })
	does("a genre", func() { p.Tuning.ToggleGenre("Rare") })
	does("nothing left", func() { p.Tuning.ToggleDecade(2000) })
	does("no filters", p.Tuning.ClearFilters)
	for m := range p.W.Modes {
		does("a mode", func() { p.Tuning.SetMode(recommender.Mode(m)) })
	}
	does("the end", func() {
		for range 5 {
			p.List.More()
		}
	})
	does("about", p.Data.ToggleAbout)
	does("figures", func() { p.Storage.Device = browser.Figures{Known: true, Usage: 1e6, Quota: 1e9} })
	does("kept", func() { p.Storage.Device.Persisted = true })
	does("erasing", p.Data.AskErase)
	does("dark", func() { p.Looks.SetTheme(2) })
	does("a backup", func() { p.Backup.OpenBackup("!", p.Backup.backup(uint64(time.Now().UnixMilli())).Bytes()) })
	does("a bad backup", func() { p.Backup.OpenBackup("!", []byte("{")) })
	does("no backup", p.Backup.CloseBackup)
	does("a file", func() {
		p.Import.Bring([]importer.File{{Name: "!", Data: []byte("title,year,rating\n№ 10,1960,5\n№ 11,,4\n№ 12,1962,1\n№ 99,1970,3\n№ 13,1963,\n,1,1\n")}})
	})
	does("what was found", func() { p.Import.ShowFound, p.Import.ShowMissing = true, true })
	does("agreed", p.Import.AgreeImport)
	does("taken back", p.Import.TakeImportBack)
	does("a link handed out", func() { p.Sharing.handed(true, p.W.ShareCopied+" "+p.W.ShareLatest) })
	does("a list handed out", func() { p.Sharing.handed(false, p.W.ListCopied) })
	does("a link", func() { p.Received.Receive(link(v.t, []string{"id1", "id30", "№ 99"}, []string{"id31"})) })
	does("where it leads", p.Received.Look)
	does("a broken link", func() { p.Received.Receive("taste=!") })
	does("a bad file", func() { p.Import.Bring([]importer.File{{Name: "!", Data: []byte("a,b\n1,2\n")}}) })
	does("a file that is gone", func() { p.Import.BringUnread("!", false) })
	s.mu.Lock()
	s.fail = errors.New("no")
	s.mu.Unlock()
	does("no store", func() { p.Marking.Toggle(20, LikedIt) })
}

// Whatever a visitor sees or hears has gone through Words: there is no other text on the page.
func TestNothingIsSaidButWords(t *testing.T) {
	s := newMemory()
	v := come(t, learned{wordless(60)}, s)
	v.p.W = strange()
	names := []string{v.p.Name} // of the site and of languages
	for _, language := range Languages {
		names = append(names, language().Own)
	}
	states := 0
	walk(v, s, func(state string) {
		t.Helper()
		states++
		for _, stray := range strays(t, v.html()) {
			if !slices.Contains(names, stray) {
				t.Errorf("%s: not of Words: %q", state, stray)
			}
		}
		for what, text := range map[string]string{"announced": v.p.Said, "told on the map": v.p.Map.line(7)} {
			for _, stray := range strays(t, html.EscapeString(text)) {
				t.Errorf("%s: %s, and not of Words: %q", state, what, stray)
			}
		}
	})
	if states < 40 {
		t.Errorf("only %d states were looked at", states)
	}
}

// In each state a visitor can have the page in another language at once, and nothing of the first remains.
func TestLanguageIsChangedAtOnce(t *testing.T) {
	s := newMemory()
	v := come(t, learned{wordless(60)}, s)
	german := map[string]bool{}
	each(reflect.ValueOf(German().Texts), "", func(_ string, w reflect.Value) {
		if w.Kind() == reflect.String {
			german[w.String()] = true
		}
	})
	english := map[string]bool{}
	each(reflect.ValueOf(English().Texts), "", func(name string, w reflect.Value) {
		if w.Kind() == reflect.String && !german[w.String()] && strings.ContainsFunc(w.String(), unicode.IsLetter) && name != "Own" {
			english[w.String()] = true
		}
	})
	if !english["Undo"] || !english["Like"] {
		t.Fatal("there is nothing to look for")
	}
	said := regexp.MustCompile(`>([^<]+)<|(?:aria-label|title|placeholder)="([^"]+)"`)
	walk(v, s, func(state string) {
		t.Helper()
		v.does(func() { v.p.Looks.SetLanguage("de") })
		if v.p.Said != "Diese Seite ist jetzt auf Deutsch." {
			t.Errorf("%s: screen readers heard %q", state, v.p.Said)
		}
		for _, m := range said.FindAllStringSubmatch(v.html(), -1) {
			if text := html.UnescapeString(m[1] + m[2]); english[text] {
				t.Errorf("%s: in German there is %q", state, text)
			}
		}
		v.does(func() { v.p.Looks.SetLanguage("en") })
	})
}

// The choice is kept, comes to other tabs, goes into a backup, and is forgotten with everything.
func TestLanguageIsKept(t *testing.T) {
	s := newMemory()
	v := come(t, newLine(60), s)
	v.does(func() { v.p.Marking.Pick(1) })
	v.does(func() { v.p.Looks.SetLanguage("de") })
	v.sees("Wähle drei, die du liebst", "Weil dir <b dir=\"auto\">Film 1</b> gefällt", `lang="de"`)
	other := come(t, newLine(60), s)
	other.sees("Wähle drei, die du liebst")
	other.does(func() { other.p.Looks.SetLanguage("en") })
	v.p.Storage.changedElsewhere(false)
	v.p.Wait()
	v.sees("Pick three you love")
	v.does(func() { v.p.Looks.SetLanguage("de") })
	file := v.file()
	v.does(v.p.Data.EraseAll)
	v.sees("Pick three you love")
	v.opens(string(file))
	v.does(v.p.Backup.RestoreBackup)
	v.sees("Wähle drei, die du liebst")
	v.does(v.p.Data.EraseSaid)
	v.sees("Wähle drei, die du liebst")
}

// A title that is written in the other direction stands by itself in a sentence; one of the same direction as it is.
func TestDirections(t *testing.T) {
	e := newLine(60)
	e.items[3].Title = "שלום (1999)"
	v := come(t, e, newMemory())
	v.does(func() { v.p.Marking.Pick(2) })
	v.does(func() { v.p.Marking.Toggle(3, LikedIt) })
	v.sees("Liked: \u2068שלום (1999)\u2069", `<span class="title" dir="auto">שלום (1999)</span>`, `<b dir="auto">שלום (1999)</b>`)
	v.misses("\u2068Film")
	v.p.W.RightToLeft = true
	v.does(func() { v.p.Marking.Toggle(4, LikedIt) })
	v.sees("Liked: \u2068Film 4\u2069")
	for r, want := range map[rune]bool{'a': false, 'é': false, 'א': true, 'ع': true, 'ﷺ': true, '中': false, '1': false} {
		if rightToLeft(r) != want {
			t.Errorf("%q is written from right to left: %v", r, !want)
		}
	}
}

package words

import (
	"cmp"
	"strings"
	"unicode/utf8"
)

// Owner is what a site's owner says of its titles, as the page's meta elements hold it (docs/deploy.md). Each is ""
// where nothing was said; all but Services name the language before each text: "en films; de Filme".
type Owner struct {
	Nouns    string // what titles are, in the plural
	Known    string // what the mark of what a visitor knows already is called: "en Seen; de Gesehen"
	Groups   string // what a genre is called, and several: "en category/categories"
	Genres   string // how genres are named, and titles of one: "de War=Kriegsfilm/Kriegsfilme, Crime=Krimi/Krimis"
	Services string // whose exports visitors are told of: "Letterboxd, IMDb"
	Undated  bool   // the catalogue has no years: decades are not spoken of
}

// OwnerOf reads it from the meta elements of a page.
func OwnerOf(meta func(name string) string) Owner {
	return Owner{Nouns: meta("title-nouns"), Known: meta("title-known"), Groups: meta("title-groups"),
		Genres: meta("title-genres"), Services: meta("import-services")}
}

// genreName is how a genre of the catalogue is named, and what titles of it are called.
type genreName struct{ of, one, several string }

// in returns the text for the language of that tag; "": there is none.
func in(tag, texts string) string {
	for part := range strings.SplitSeq(texts, ";") {
		if t, text, _ := strings.Cut(strings.TrimSpace(part), " "); t == tag {
			return strings.TrimSpace(text)
		}
	}
	return ""
}

// For returns the words with what the owner says in place of what they say by themselves.
func (w *Words) For(o Owner) *Words {
	own := *w
	own.tell(o)
	return &own
}

// tell writes the texts that depend on what the owner says. It may be done again, for another owner.
func (w *Words) tell(o Owner) {
	w.Nouns = in(w.Tag, o.Nouns)

	known := cmp.Or(in(w.Tag, o.Known), w.KnownAs)
	inside := lowered(known)
	w.Seen, w.SeenHeading, w.BringUnratedAs[3], w.BringBecomes[3] = known, known, known, known
	w.Marks[2], w.MarkedAs[2] = [2]string{inside, inside}, inside
	w.SeenTitle = with(known + ": #")
	w.SawIt = w.SeenTitle
	w.NothingWithout = Fill(w.NothingWithoutOf, known)

	one, several, both := strings.Cut(in(w.Tag, o.Groups), "/")
	if !both {
		several = one
	}
	one, several = cmp.Or(one, w.GroupAs[0]), cmp.Or(several, w.GroupAs[1])
	of := func(pattern string) string {
		return capital(strings.ReplaceAll(strings.ReplaceAll(part(pattern, !o.Undated), "#", one), "%", several))
	}
	w.Genres, w.Legend, w.MadeOf = capital(one), of(w.LegendOf), of(w.MadeOfBy)
	w.BrowseNote, w.BrowseInstead = of(w.BrowseNoteBy), of(w.BrowseInsteadBy)
	w.AllGenres = lowered(of(w.AllGenresOf))

	services := strings.Split(o.Services, ", ")
	list := services[len(services)-1]
	if n := len(services) - 1; n > 0 {
		list = strings.Join(services[:n], ", ") + w.Or + list
	}
	w.BringNote = Fill(part(w.BringNoteOf, o.Services != ""), list)

	w.genres = nil
	for pair := range strings.SplitSeq(in(w.Tag, o.Genres), ",") {
		if genre, names, ok := strings.Cut(strings.TrimSpace(pair), "="); ok {
			one, several, both := strings.Cut(names, "/")
			if !both {
				several = one
			}
			w.genres = append(w.genres, genreName{genre, one, several})
		}
	}
}

// part returns a pattern with what stands in brackets, or without it.
func part(pattern string, with bool) string {
	before, rest, _ := strings.Cut(pattern, "[")
	inside, after, _ := strings.Cut(rest, "]")
	if !with {
		inside = ""
	}
	return before + inside + after
}

// GenreName is what a genre of the catalogue is called: as there, where the owner has not named it.
func (w *Words) GenreName(genre string) string {
	for i := range w.genres {
		if w.genres[i].of == genre {
			return w.genres[i].one
		}
	}
	return genre
}

// RegionName names titles of a genre ("": of all), or of either of two, of the years in [from, to); 0: no end.
func (w *Words) RegionName(genre, or string, from, to int) string {
	for _, g := range w.genres {
		if g.of == genre {
			genre = g.several
		}
	}
	for _, g := range w.genres {
		if g.of == or {
			or = g.several
		}
	}
	return w.Region(genre, or, from, to)
}

// capital begins a name with a capital letter.
func capital(name string) string {
	first, n := utf8.DecodeRuneInString(name)
	return strings.ToUpper(string(first)) + name[n:]
}

// lowered begins a name with a small letter.
func lowered(name string) string {
	first, n := utf8.DecodeRuneInString(name)
	return strings.ToLower(string(first)) + name[n:]
}

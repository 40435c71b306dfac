package words

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// Owner holds the site owner's texts about titles, from the page's meta elements (docs/deploy.md). Each is "" if not
// given. All but Services name the language before each text: "en film/films; de Film/Filme".
type Owner struct {
	Nouns    string // the noun for titles, in singular and plural, or plural alone: "en film/films"
	Known    string // the mark of titles that the visitor knows already: "en Seen; de Gesehen"
	Groups   string // the word for genre, in singular and plural: "en category/categories"
	Moods    string // filters in plain words, each with its genres: "en Cosy evening=Tea|Candles, A gift=Books"
	Genres   string // names of genres, and of titles in them: "de War=Kriegsfilm/Kriegsfilme, Crime=Krimi/Krimis"
	Services string // services that visitors can import from: "Letterboxd, IMDb"
	NoImport bool   // visitors cannot import ratings
	Undated  bool   // the catalogue has no years, so decades are not mentioned
}

// OwnerOf reads the texts from a page's meta elements.
func OwnerOf(meta func(name string) string) Owner {
	return Owner{Nouns: meta("title-nouns"), Known: meta("title-known"), Groups: meta("title-groups"),
		Genres: meta("title-genres"), Moods: meta("title-moods"), Services: meta("import-services"),
		NoImport: meta("import-ratings") == "off"}
}

// Mood is a filter in plain words: titles of any of the genres.
type Mood struct {
	Name   string
	Genres []string
}

// filmMoods are the genres of Texts.FilmMoods, for catalogues whose owner gives no moods.
var filmMoods = [...][]string{{"Comedy"}, {"Children", "Animation"}, {"Thriller", "Horror"}, {"Sci-Fi", "Fantasy"},
	{"Romance"}, {"Documentary"}}

// ListedMoods returns the owner's moods, or else moods of films.
func (w *Words) ListedMoods() []Mood { return w.moods }

// genreName is the owner's name of a genre, and of titles in it.
type genreName struct{ of, one, several string }

// in returns the text for a language tag, or "".
func in(tag, texts string) string {
	for part := range strings.SplitSeq(texts, ";") {
		if t, text, _ := strings.Cut(strings.TrimSpace(part), " "); t == tag {
			return strings.TrimSpace(text)
		}
	}
	return ""
}

// For returns a copy of the words with the owner's texts filled in.
func (w *Words) For(o Owner) *Words {
	base := cmp.Or(w.base, w)
	own := *base
	own.base = base
	own.call(nouns(in(w.Tag, o.Nouns)))
	own.tell(o)
	return &own
}

// tell sets the texts that depend on the owner.
func (w *Words) tell(o Owner) {
	known := cmp.Or(in(w.Tag, o.Known), w.KnownAs)
	inside := lowered(known)
	w.Seen, w.SeenHeading, w.BringUnratedAs[3], w.BringBecomes[3] = known, known, known, known
	w.Marks[2], w.MarkedAs[2] = [2]string{inside, inside}, inside
	w.SeenTitle = with(known + ": #")
	w.SawIt = w.SeenTitle
	w.NothingWithout = Fill(w.NothingWithoutOf, known)

	w.PickFor = with(part(w.PickForOf, !o.NoImport))

	one, several := nouns(in(w.Tag, o.Groups))
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

	w.moods = nil
	for mood := range strings.SplitSeq(in(w.Tag, o.Moods), ",") {
		if name, genres, ok := strings.Cut(strings.TrimSpace(mood), "="); ok {
			w.moods = append(w.moods, Mood{name, strings.Split(genres, "|")})
		}
	}
	for m, genres := range filmMoods {
		if o.Moods == "" {
			w.moods = append(w.moods, Mood{w.FilmMoods[m], genres})
		}
	}

	w.genres = nil
	for pair := range strings.SplitSeq(in(w.Tag, o.Genres), ",") {
		if genre, names, ok := strings.Cut(strings.TrimSpace(pair), "="); ok {
			one, several := nouns(names)
			w.genres = append(w.genres, genreName{genre, one, several})
		}
	}
}

// nouns returns the singular and the plural of "film/films". A noun without a slash is both.
func nouns(both string) (one, several string) {
	one, several, ok := strings.Cut(both, "/")
	if !ok {
		several = one
	}
	return one, several
}

// call writes the owner's noun for titles instead of the language's into all texts and phrases. A text that names a
// column of a file stays. Without a singular, English drops the plural's s.
func (w *Words) call(one, several string) {
	if several == "" {
		return
	}
	if one == several && w.Tag == "en" {
		one = strings.TrimSuffix(several, "s")
	}
	write := strings.NewReplacer("“Title”", "“Title”", w.Things, several, capital(w.Things), capital(several),
		w.Thing, one, capital(w.Thing), capital(one))
	replaceAll(reflect.ValueOf(&w.Texts).Elem(), write)
	w.Nouns, w.Thing, w.Things = several, one, several
	w.Phrases = w.phrases(&w.Numerals)
}

// replaceAll rewrites the texts in v.
func replaceAll(v reflect.Value, write *strings.Replacer) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(write.Replace(v.String()))
	case reflect.Struct:
		for i := range v.NumField() {
			replaceAll(v.Field(i), write)
		}
	case reflect.Array:
		for i := range v.Len() {
			replaceAll(v.Index(i), write)
		}
	}
}

// part returns a pattern with or without its part in brackets.
func part(pattern string, with bool) string {
	before, rest, _ := strings.Cut(pattern, "[")
	inside, after, _ := strings.Cut(rest, "]")
	if !with {
		inside = ""
	}
	return before + inside + after
}

// GenreName returns the owner's name of a genre, or else the catalogue's.
func (w *Words) GenreName(genre string) string {
	for i := range w.genres {
		if w.genres[i].of == genre {
			return w.genres[i].one
		}
	}
	return genre
}

// RegionName names titles that have one of the facts, such as genres, in the years [from, to). No facts mean all
// titles; a year of 0 leaves that end open.
func (w *Words) RegionName(facts []string, from, to int) string {
	names := slices.Clone(facts)
	for i, fact := range facts {
		for _, g := range w.genres {
			if g.of == fact {
				names[i] = g.several
			}
		}
	}
	return w.Region(w.Join(names), from, to)
}

// capital returns the name with an upper-case first letter.
func capital(name string) string {
	if name == "" {
		return ""
	}
	first, n := utf8.DecodeRuneInString(name)
	return strings.ToUpper(string(first)) + name[n:]
}

// lowered returns the name with a lower-case first letter.
func lowered(name string) string {
	if name == "" {
		return ""
	}
	first, n := utf8.DecodeRuneInString(name)
	return strings.ToLower(string(first)) + name[n:]
}

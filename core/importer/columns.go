package importer

import (
	"slices"
	"strings"

	"github.com/pmlam/pmlam/core/catalogue"
)

// role is the meaning of a column.
type role uint8

const (
	roleTitle role = iota
	roleOriginal
	roleYear
	roleAuthor
	roleIMDb
	roleTMDB
	roleISBN
	roleISBN13
	roleID
	roleUser
	roleShelf
	roleType
	roleEpisode // number of a season or an episode
	roleWatched // when the title was watched or read
	roleDated   // when it was rated, or else added
	rolePlays   // how often, or whether, it was played
	roleLiked   // whether it is a favourite
	roleListed  // whether it is on a list
	roleGuid    // several numbers in one text: "imdb://tt0078748 tmdb://348"
	roleRating  // found by findRating
	roles
)

// names lists the columns' names for each role, folded (catalogue.Fold), preferred ones first.
var names = [roles]string{
	roleTitle: "title|name|movie|film|book|movie title|film title|book title|primary title|titel|titre|titulo|titolo|" +
		"movie name|film name|title name|series title|manga title|track name|trackname|track|song|" +
		"master metadata track " +
		"name|русскоязычное название|русское название|название|标题|片名|电影名|书名|名称|nazwa|tytul|nazev|タイトル|作品名|" +
		"제목|naam|nombre|nom",
	roleOriginal: "original title|originaltitle|originaltitel|titre original|titulo original|titolo originale|" +
		"оригинальное название|原名|原題|oryginalny tytul|originele titel",
	roleYear: "original publication year|year|year published|release year|production year|productionyear|" +
		"movie year|jahr|" +
		"annee|ano|anno|год|年份|年|jaar|rok|연도|released|release date|start year|startyear|publication year|edition " +
		"published|简介",
	roleAuthor: "author|authors|author name|autor|auteur|autore|artist|artist name|artistname|master metadata album " +
		"artist name|作者",
	roleIMDb: "const|imdb id|imdbid|tconst|imdb|imdb url|imdb link|url|link|uri",
	roleTMDB: "tmdb id|tmdbid|tmdb|ids tmdb",
	roleISBN: "isbn|isbn uid|isbn 10|isbn10", roleISBN13: "isbn13|isbn 13",
	roleID: "movieid|movie id|itemid|item id", roleUser: "userid|user id|profile name",
	roleShelf: "exclusive shelf|read status|status|my status|watch status|watchlist|list",
	roleType: "type|title type|titletype|titelart|media type|mediatype|item type|series type|type de titre|" +
		"tipo|tipo de " +
		"titulo|kind|тип|类型",
	roleEpisode: "season number|episode number|season|episode",
	roleWatched: "watched date|watcheddate|date watched|watched at|last watched at|date read|last date read|" +
		"date finished|last viewed at|lastviewedat|ts|endtime|date uts|start time",
	roleDated: "date rated|rated at|ratedat|date|datum|fecha|data|дата|日期|标记日期|创建时间|timestamp|date added|added at|" +
		"added|created at",
	rolePlays:  "view count|viewcount|plays|play count|playcount|times watched|read count|played|watched|seen",
	roleLiked:  "is favorite|isfavorite|favorite|favourite|userdata isfavorite",
	roleListed: "position|listed at|listedat|created",
	roleGuid:   "guid id|guid",
}

// among reports whether name is in a list separated by bars.
//
//go:noinline
func among(names, name string) bool { return strings.Contains("|"+names+"|", "|"+name+"|") }

// hasAny reports whether s contains a word of a list separated by bars. It is not inlined, to keep the page's program
// small.
//
//go:noinline
func hasAny(s, words string) bool {
	for _, w := range strings.Split(words, "|") {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// isTitle reports whether a catalogue's column with this folded name holds titles in another language.
func isTitle(name string) bool {
	return hasAny(" "+name+" ", " title | titles | titel | titre | titulo | titolo | aka | akas |"+
		" originaltitle | alttitle ")
}

// valid tests the values of each role's columns; half of them must pass.
var valid = [roles]func(string) bool{
	roleIMDb:   func(s string) bool { return imdbIn(s) != 0 },
	roleYear:   func(s string) bool { return year(s) != 0 },
	roleTMDB:   func(s string) bool { _, rest, ok := number(s); return ok && (rest == "" || rest == ".0") },
	roleRating: isRating,
	roleDated:  isMoment,
}

// Words of a column of ratings, by its folded name, in any language, and words for the visitor's own. A name with a
// word of others holds other people's ratings ("IMDb Rating", "Average Rating"), or none ("Rating Count").
const (
	rates = "rating|rated|score|stars|bewertung|wertung|punkte|notation|puntuacion|calificacion|valoracion|" +
		"valutazione|" +
		"avaliacao|classificacao|beoordeling|waardering|cijfer|betyg|bedommelse|vurdering|terningkast|arvosana|ocena|" +
		"hodnoceni|hodnotenie|оценка|оцінка|puan|评分|打分|評価|評点|평점|별점|ertekeles|pontszam|βαθμολογ|thumbs| rate | " +
		"star | note | nota | voto | grade | mark | cote | karakter | sterne "
	own = " your | my | mine | you | user | personal | own | deine | meine | ihre | dein | mein | votre |" +
		" ma | mon | tu | " +
		"mi | tua | mia | sua | minha | jouw | mijn | ditt | mitt | din | min | twoja | moja | moje |" +
		" vase | моя | ваша | " +
		"твоя |userrating|userdata|我的|个人|あなた|自分|내 |나의|puaniniz"
	others = "average|avg|mean|critic|imdb|tmdb|trakt|metascore|tomato|meta|community|public|global|" +
		"audience|durchschnitt|" +
		"moyenne|promedio|gemiddeld|srednia|средн|豆瓣|平均|votes|count|content|certif|type|date|datum|fecha|position|" +
		"anzahl|nombre de|numero|goodreads|rotten| at | age | mal | all | site | num | number | rt | when | media "
)

// ratingName says how likely a column with a folded name holds the visitor's ratings: 0 no, 1 perhaps, 2 as its only
// word, 3 certainly.
func ratingName(name string) int {
	name = strings.TrimRight(name, " 0123456789")
	padded := " " + name + " "
	switch mine := hasAny(padded, own); {
	case !hasAny(padded, rates) || hasAny(padded, others) && !(mine && hasAny(padded, " imdb ")):
		return 0
	case mine:
		return 3
	case !strings.Contains(name, " "):
		return 2
	}
	return 1
}

// libraries lists columns that mark a listing of a library or a site, whose ratings are not the visitor's.
const libraries = "content rating|contentrating|studio|media id|sort title|resolution|container|bitrate|" +
	"communityrating|" +
	"audiencerating|vote average"

// header is the role of each column, and the site that wrote the table.
type header struct {
	at     [roles]int // the column, −1: none
	name   [roles]string
	fields int
	format Format
	rates  bool     // the column of ratings has values
	scale  float64  // stated by the column; 0: none
	days   bool     // dates have the day before the month
	thumbs int      // Netflix's column of thumbs, or −1
	more   []string // columns that may hold ratings, by name
}

// columns holds a table's folded column names, and some of the non-empty values.
type columns struct {
	row, names []string
	values     [][]string
	nested     bool // a name is a path within nested objects
}

// called reports whether column i has a folded name, or in nested objects ends with it.
//
//go:noinline
func (c *columns) called(i int, name string) bool {
	return c.names[i] == name || c.nested && strings.HasSuffix(c.names[i], " "+name)
}

// have reports whether every name in a list separated by commas is a column.
func (c *columns) have(names string) bool {
	for _, name := range strings.Split(names, ",") {
		found := false
		for i := range c.names {
			found = found || c.called(i, name)
		}
		if !found {
			return false
		}
	}
	return true
}

// share returns the share of a column's values that are valid, or 1 if it has none.
//
//go:noinline
func (c *columns) share(i int, is func(string) bool) float64 {
	n := 0
	for _, v := range c.values[i] {
		if is(v) {
			n++
		}
	}
	if len(c.values[i]) == 0 {
		return 1
	}
	return float64(n) / float64(len(c.values[i]))
}

// newHeader finds the columns' roles from a table's first row and some rows below it. A column's values must fit its
// name. In a table of nested objects a column's name is its path. as names columns that hold ratings, whatever their
// names suggest. ok is false if no column identifies items.
func newHeader(row []string, below [][]string, nested bool, as []string) (h header, ok bool) {
	c := columns{row: row, nested: nested}
	for i, f := range row {
		c.names = append(c.names, catalogue.Fold(text(f)))
		var values []string
		for _, r := range below {
			if i < len(r) {
				if v := text(r[i]); !isMissing(v) {
					values = append(values, v)
				}
			}
		}
		c.values = append(c.values, values)
	}
	h.fields = len(row)
	h.thumbs = slices.Index(c.names, "thumbs value")
	for r := range h.at {
		h.at[r] = -1
	}
	for r := range roleRating {
		for _, name := range strings.Split(names[r], "|") {
			for i := range row {
				if h.at[r] < 0 && c.called(i, name) && (valid[r] == nil || c.share(i, valid[r]) >= 0.5) &&
					(len(c.values[i]) > 0 || len(below) == 0 || r != roleTitle) {
					h.take(&c, r, i)
				}
			}
		}
	}
	for i, name := range c.names { // "Titre français", "公開年"
		switch {
		case slices.Contains(h.at[:], i):
		case h.at[roleTitle] < 0 && isTitle(name):
			h.take(&c, roleTitle, i)
		case h.at[roleYear] < 0 && len(c.values[i]) > 0 && c.share(i, isYear) == 1:
			h.take(&c, roleYear, i) // whatever its name
		}
	}
	for _, r := range [...]role{roleWatched, roleDated} {
		if i := h.at[r]; i >= 0 {
			h.days = h.days || dayFirst(c.values[i])
		}
	}
	h.format = formatOf(&c)
	h.findRating(&c, as)
	if h.format == Plain && h.at[roleID] >= 0 && h.at[roleRating] >= 0 {
		h.format = MovieLens
	}
	return h, max(h.at[roleTitle], h.at[roleID], h.at[roleIMDb], h.at[roleTMDB], h.at[roleGuid]) >= 0
}

func (h *header) take(c *columns, r role, i int) { h.at[r], h.name[r] = i, text(c.row[i]) }

// findRating finds the column of the visitor's ratings, and a column of IMDb numbers under any name.
func (h *header) findRating(c *columns, as []string) {
	strangers := h.format == TMDB || h.format == Plex || h.format == Jellyfin
	for _, name := range c.names {
		strangers = strangers || among(libraries, name)
	}
	best := 0
	for i, name := range c.names {
		has := len(c.values[i]) > 0
		taken := slices.Contains(h.at[:], i)
		if has && h.at[roleIMDb] < 0 && c.share(i, isIMDb) == 1 {
			h.take(c, roleIMDb, i)
		}
		sure := ratingName(name)
		switch {
		case slices.Contains(as, text(c.row[i])):
			sure = 4
		case c.share(i, isRating) < 0.5, sure < 3 && (strangers || has && c.share(i, isAverage) > 0):
			sure = 0
		case sure == 0 && has && !taken && c.share(i, hasScale) == 1:
			sure = 1 // "8/10", "★★★", whatever its name
		}
		if sure > best {
			best = sure
			h.take(c, roleRating, i)
		}
		if has && !taken && c.share(i, isRating) == 1 {
			h.more = append(h.more, text(c.row[i]))
		}
	}
	if i := h.at[roleRating]; i >= 0 && (len(c.values[i]) > 0 || h.thumbs >= 0) {
		h.rates, h.scale, h.more = true, scaleIn(c.names[i]), nil
	}
}

// isMissing reports whether a text stands for a missing value.
func isMissing(s string) bool {
	return among("|nan|n/a|na|null|none|-|–|--|unrated|not rated", strings.ToLower(s))
}

// isYear reports whether a text is a year in the history of film. Other numbers seldom all are.
func isYear(s string) bool { return len(s) == 4 && s >= "1870" && s < "2100" && year(s) != 0 }

// scaleIn returns the scale at the end of a folded name, such as "rating10" or "rating 1 5", or 0.
func scaleIn(name string) float64 {
	for _, s := range strings.Split("100|20|10|5", "|") {
		if strings.HasSuffix(name, s) {
			v, _ := decimal(s)
			return v
		}
	}
	return 0
}

// get returns a row's text for a role, or "".
//
//go:noinline
func (h *header) get(row []string, r role) string {
	if i := h.at[r]; i >= 0 && i < len(row) {
		return text(row[i])
	}
	return ""
}

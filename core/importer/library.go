package importer

import "strings"

// Format is the site that wrote a file.
type Format uint8

// The formats.
const (
	Plain Format = iota // any table
	Letterboxd
	IMDb
	Goodreads
	StoryGraph
	MovieLens
	Trakt
	Netflix
	Plex
	Jellyfin
	MyAnimeList
	Criticker
	Kinopoisk
	Douban
	Spotify
	LastFM
	TMDB
)

// sites say of each format how it is called, its highest rating (0: only the data show it), and columns that only it
// has, all of a group, in the order in which they are looked for.
var sites = [...]struct {
	name    string
	scale   float64
	columns string
}{
	Plain:       {"", 0, ""},
	Letterboxd:  {"Letterboxd", 5, "letterboxd uri|letterboxduri|position,name,year,url,description"},
	IMDb:        {"IMDb", 10, "const"},
	Goodreads:   {"Goodreads", 5, "exclusive shelf,my rating"},
	StoryGraph:  {"StoryGraph", 5, "read status,star rating"},
	MovieLens:   {"MovieLens", 5, ""},
	Trakt:       {"Trakt", 10, "trakt id|traktid|ids trakt"},
	Netflix:     {"Netflix", 0, "title name,thumbs value|title,supplemental video type"},
	Plex:        {"Plex", 10, "userrating|ratingkey|media id,content rating"},
	Jellyfin:    {"Jellyfin", 10, "userdata played"},
	MyAnimeList: {"MyAnimeList", 10, "my score"},
	Criticker:   {"Criticker", 100, "your score,tier"},
	Kinopoisk:   {"Кинопоиск", 10, "русскоязычное название|русское название,моя оценка"},
	Douban:      {"豆瓣", 5, "豆瓣评分"},
	Spotify:     {"Spotify", 0, "ms played|msplayed|master metadata track name"},
	LastFM:      {"Last.fm", 0, "artist,track,album|artist,track,albumid"},
	TMDB:        {"TMDB", 10, "tmdb id,imdb id,season number"},
}

// String returns what the site calls itself, "" for Plain.
func (f Format) String() string { return sites[f].name }

// formatOf returns the format of a table.
func formatOf(c *columns) Format {
	for f := range sites {
		for _, group := range strings.Split(sites[f].columns, "|") {
			if group != "" && c.have(group) {
				return Format(f)
			}
		}
	}
	if len(c.names) == 2 && c.have("title,date") {
		return Netflix // what was viewed
	}
	return Plain
}

// Source is a table that was read.
type Source struct {
	Name   string // "export.zip/ratings.csv"
	Format Format
	Rows   int
	Scale  float64 // the highest rating there is; the lowest is near 0
	Told   bool    // the format or the rows state Scale; false: it is a guess by the highest rating, and may be changed

	// The names of the columns that were taken for titles, years and the visitor's ratings; "": there is none. More are
	// columns of numbers, where there is none for ratings.
	Title, Year, Rating string
	More                []string
}

// Kind is what a table states about an entry besides its rating.
type Kind uint8

// The kinds, from weak to strong: where several tables list one title, the strongest counts.
const (
	Listed  Kind = iota // on a list, in a library, or in a table that does not say: no statement
	Wished              // on a watchlist or a shelf of books to read: no statement of taste
	Had                 // watched, read
	Hearted             // marked as liked
)

// Entry is one title of the visitor's.
type Entry struct {
	Title, Original string // Title is "" where the table has numbers only
	Author          string
	Year            int // 0: unknown
	IMDb, TMDB      int // external numbers; 0: unknown
	ISBN            int // as isbn reads it; 0: unknown
	ID              string
	Kind            Kind
	Form            Form
	Rated           bool
	Rating          float64 // as it is written
	Of              float64 // its highest where the rating states it, as in "8/10"; 0: the Scale of Source
	Source          int     // index into Library.Sources, of the rating where there is one
	Line            int
}

// Library is what was read. Each title is one entry, in the order of first appearance.
type Library struct {
	Sources []Source
	Entries []Entry
	Rows    int      // of all tables
	Bad     int      // rows that could not be read
	Why     []*Error // the errors of the first few of them
	LeftOut []*Error // files that could not be read, beside others that could
}

// Share returns an entry's rating as a share of its scale, in [0,1]; ok is false where it has none. On the scales up to
// 5 and 10 a zero is how tables write "not rated".
func (l *Library) Share(e *Entry) (share float64, ok bool) {
	if !e.Rated {
		return 0, false
	}
	scale := e.Of
	if scale == 0 {
		scale = l.Sources[e.Source].Scale
	}
	switch {
	case scale == 1 && e.Rating <= 0: // thumbs: 1 and 0, or 1 and −1
		return 0, true
	case e.Rating < 0, e.Rating == 0 && scale <= 10:
		return 0, false
	}
	return min(e.Rating/scale, 1), true
}

// Meaning maps an entry's rating to a Mark, in shares of the scale.
type Meaning struct {
	Like    float64 // smallest share of a like
	Dislike float64 // largest share of a dislike
	Unrated Mark    // what was watched or read and not rated
	Listed  Mark    // what is only listed
}

// DefaultMeaning is that of the training: four of five stars are a like, two are a dislike. A title without a rating
// counts as seen, and one that is only listed is left out.
var DefaultMeaning = Meaning{Like: 0.8, Dislike: 0.4, Unrated: Seen}

// Mark is what an entry becomes.
type Mark uint8

// The marks.
const (
	Ignored Mark = iota
	Liked
	Disliked
	Seen
)

// Mark returns the entry's mark: a heart is a like whatever its rating is, a wish without a rating is ignored.
func (m Meaning) Mark(l *Library, e *Entry) Mark {
	const rounding = 1e-9
	if e.Kind == Hearted {
		return Liked
	}
	share, ok := l.Share(e)
	switch {
	case !ok && e.Kind == Wished:
		return Ignored
	case !ok && e.Kind == Listed:
		return m.Listed
	case !ok:
		return m.Unrated
	case share >= m.Like-rounding:
		return Liked
	case share <= m.Dislike+rounding:
		return Disliked
	}
	return Seen
}

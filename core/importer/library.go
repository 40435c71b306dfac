package importer

import "strings"

// Format is the site that wrote a file.
type Format uint8

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

// sites gives each format's name, its highest rating (0: only known from the data), and the columns that identify it. A
// table with all columns of a group has the format; formats are tried in this order.
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

// String returns the site's name, "" for Plain.
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
		return Netflix // viewing history
	}
	return Plain
}

// Source describes a table that was read.
type Source struct {
	Name   string // "export.zip/ratings.csv"
	Format Format
	Rows   int
	Scale  float64 // the highest possible rating; the lowest is near 0
	Told   bool    // the format or the rows state Scale; false: a guess from the highest rating, may be changed

	// The names of the columns used for titles, years and the visitor's ratings, or "". Without a column of ratings,
	// More lists columns of numbers.
	Title, Year, Rating string
	More                []string
}

// Kind is a table's statement about an entry, apart from its rating.
type Kind uint8

// The kinds, from weak to strong. If several tables list a title, the strongest counts.
const (
	Listed  Kind = iota // on a list, in a library, or in a table that does not say: no statement
	Wished              // on a watchlist or a shelf of books to read: no statement of taste
	Had                 // watched, read
	Hearted             // marked as liked
)

// Entry is one of the visitor's titles.
type Entry struct {
	Title, Original string // Title is "" if the table has only numbers
	Author          string
	Year            int // 0: unknown
	IMDb, TMDB      int // external numbers; 0: unknown
	ISBN            int // as returned by isbn; 0: unknown
	ID              string
	Kind            Kind
	Form            Form
	Rated           bool
	Rating          float64 // as written
	Of              float64 // its highest possible value, if the rating states it as in "8/10"; 0: the Scale of Source
	When            uint32  // when it was watched or read, or else rated or added, in seconds since 1970; 0: unknown
	Source          int     // index into Library.Sources; of the rating, if there is one
	Line            int

	watched bool // When is of watching or reading
}

// Library is the result of Read. Each title is one entry, in the order of first appearance.
type Library struct {
	Sources []Source
	Entries []Entry
	Rows    int      // of all tables
	Bad     int      // rows that could not be read
	Why     []*Error // the errors of the first few bad rows
	LeftOut []*Error // files that could not be read, if others could
}

// Share returns an entry's rating as a share of its scale, in [0,1]; ok is false if the entry has no rating. On scales
// up to 5 and 10, a zero means "not rated".
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

// Meaning maps an entry's rating to a Mark, with thresholds as shares of the scale.
type Meaning struct {
	Like    float64 // least share of a like
	Dislike float64 // greatest share of a dislike
	Unrated Mark    // of titles watched or read, but not rated
	Listed  Mark    // of titles that are only listed
}

// DefaultMeaning agrees with the training: four of five stars are a like, two are a dislike. A title without a rating
// counts as seen, and a title that is only listed is left out.
var DefaultMeaning = Meaning{Like: 0.8, Dislike: 0.4, Unrated: Seen}

// Mark is the result of importing an entry.
type Mark uint8

const (
	Ignored Mark = iota
	Liked
	Disliked
	Seen
)

// Mark returns the entry's mark: a heart is a like whatever the rating, and a wish without a rating is ignored.
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

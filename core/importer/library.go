package importer

// Format is the site that wrote a file.
type Format uint8

// The formats.
const (
	Plain Format = iota // any table with a title and a rating
	Letterboxd
	IMDb
	Goodreads
	StoryGraph
	MovieLens
)

// scale is the highest rating of a format, 0 where only the data show it.
func (f Format) scale() float64 { return [...]float64{0, 5, 10, 5, 5, 5}[f] }

// Source is a table that was read.
type Source struct {
	Name   string // "export.zip/ratings.csv"
	Format Format
	Rows   int
	Scale  float64 // the highest rating there is; the lowest is near 0
	Told   bool    // the format or the rows state Scale; false: it is a guess by the highest rating, and may be changed
}

// Kind is what a table states about an entry besides its rating.
type Kind uint8

// The kinds, from weak to strong: where several tables list one title, the strongest counts.
const (
	Wished  Kind = iota // on a watchlist or a shelf of books to read: no statement of taste
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
	Rated           bool
	Rating          float64 // as it is written, on the scale of Source
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
}

// Share returns an entry's rating as a share of its scale, in [0,1]; ok is false where it has none. On the scales up to
// 5 and 10 a zero is how tables write "not rated".
func (l *Library) Share(e *Entry) (share float64, ok bool) {
	if !e.Rated {
		return 0, false
	}
	scale := l.Sources[e.Source].Scale
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
}

// DefaultMeaning is that of the training: four of five stars are a like, two are a dislike. A title without a rating
// counts as seen.
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
	case !ok:
		return m.Unrated
	case share >= m.Like-rounding:
		return Liked
	case share <= m.Dislike+rounding:
		return Disliked
	}
	return Seen
}

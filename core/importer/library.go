package importer

// Format is whose export a file is.
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

// scale is the highest rating that a format gives, 0 where only the data tell.
func (f Format) scale() float64 { return [...]float64{0, 5, 10, 5, 5, 5}[f] }

// Source is a table that was read.
type Source struct {
	Name   string // "export.zip/ratings.csv"
	Format Format
	Rows   int
	Scale  float64 // the highest rating there is; the lowest is near 0
	Told   bool    // the format or the rows say so; false: it is a guess by the highest rating, and may be changed
}

// Kind is what an entry says beside its rating.
type Kind uint8

// The kinds, a weaker one first: where several tables speak of one title, the strongest holds.
const (
	Wished  Kind = iota // on a watchlist or a shelf of books to read: says nothing of taste
	Had                 // watched, read
	Hearted             // marked as liked
)

// Entry is one title of somebody's.
type Entry struct {
	Title, Original string // Title is "" where the table has numbers only
	Author          string
	Year            int // 0: not told
	IMDb, TMDB      int // external numbers; 0: not told
	ISBN            int // as isbn reads it; 0: not told
	ID              string
	Kind            Kind
	Rated           bool
	Rating          float64 // as it is written, on the scale of Source
	Source          int     // index into Library.Sources, of the rating where there is one
	Line            int
}

// Library is what was read. Entries are in the order in which their titles were first met, each title once.
type Library struct {
	Sources []Source
	Entries []Entry
	Rows    int      // of all tables
	Bad     int      // rows that could not be read
	Why     []*Error // the first few of them
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

// Meaning says how an entry's rating becomes a mark, in shares of the scale.
type Meaning struct {
	Like    float64 // from here on it is liked
	Dislike float64 // up to here it is not for them
	Unrated Mark    // what was watched or read and not rated
}

// DefaultMeaning is that of the training: four of five stars are a like. Two are a dislike, and what was not rated was
// seen.
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

// Mark returns what the entry becomes: a heart is a like whatever was rated, a wish is nothing.
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

package dataset

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/internal/people"
)

// Dataset is a set of interactions of U users and I items, filtered and numbered, with a catalogue. Users and items are
// numbered by their first appearance in the source, after the filters. Its slices and matrices are read-only; it is
// safe for concurrent use.
type Dataset struct {
	Name      string // "MovieLens latest small", or the file's base name
	Users     *IDs
	Items     *IDs
	Positives *Matrix // U×I. From LoadFixed: train, validation and test together; train on Split.Train, never on this
	// seconds since 1970, aligned with Positives.Indices; 0 if a line has no time, nil if the source has none
	Times []int64
	// U×I: rated at most half of Read.MinRating (2 of 5); nil without ratings. From LoadFixed: of the training part
	Low *Matrix
	// U×I: rated below Read.MinRating, Low included; nil without ratings. From LoadFixed: of the training part
	Unliked     *Matrix
	Validation  *Matrix // U×I: the published validation part, from LoadFixed where the folder has one; nil otherwise
	Catalogue   *catalogue.Catalogue
	Licence     string // what the publisher allows, in short; "" if unknown
	Attribution string // text that the publisher asks to show; "" if unknown
	Read        Report
}

// CheckUsers returns an error if a user's id holds an e-mail address or a telephone number, and so must not be written
// to a model. O(U).
func (d *Dataset) CheckUsers() error {
	for u := range d.Users.Len() {
		id := d.Users.ID(u)
		if k := people.Find([]byte(id)); k != people.None {
			return fmt.Errorf("%s: the id of the user %q holds %s, and whoever has the model could read it: number "+
				"the users, or keep them out of the model (--with-users)", d.Name, people.Mask(id), k)
		}
	}
	return nil
}

// Options configure reading. The zero value detects everything and filters as the paper does.
type Options struct {
	Format string // a name of Formats; "": detect
	// smallest rating of a positive; nil: 80% of the scale (4 of 5, 8 of 10) if there are ratings
	MinRating *float64
	MinUser   int // fewest positives of a user; 0: 10, negative: 1. LoadFixed: 0 is 1
	MinItem   int // fewest positives of an item; 0: 5, negative: 1. LoadFixed: 0 is 1
	// count once and drop once, so kept users and items may end below the minima; false: repeat to the fixed point
	OnePass bool
	// leave bad lines out and count them in Report.Skipped; false: the first is an error
	SkipBadLines bool
	Columns      Columns // of delimited files and JSON lines
	Header       Header  // of delimited files
	Encoding     string  // of texts, as web pages name them: windows-1251, koi8-r, shift_jis, …; "": guess
	// the column that says what each line is, such as event_name or status, as Columns name one; "": found by names and
	// values; "-": all lines are likes
	EventColumn string
	Events      []string // the values of it that are likes; nil: known ones, and a question about others
	Delimiter   string   // of delimited files, 1 to 4 bytes; " " is any run of blanks; "": detect
	Items       string   // catalogue file or folder; "": the one in the folder of a known format
	Publish     Publish  // which of the catalogue's columns a model gets
	// MovieLens: the most frequent tags of an item to keep as the further column "tags"; 0: none
	Tags int
	// times are needed: those that cannot be read are errors, and a column that looks like one must be named
	Times           bool
	MaxInteractions int // most interactions to take, duplicates included; 0: 400 million
	// called with bytes of the files, about every megabyte and at the end, from the calling goroutine; may be nil
	Progress func(read, total int64)

	described bool // there is a catalogue: it has the titles, and Columns.Title is one of its columns
}

// Columns name the columns, by the header's name (or the JSON key) or by 1-based number. "" tries known names; "-" in
// Rating, Time or Title: read none.
type Columns struct{ User, Item, Rating, Time, Title string }

// open reports whether no column is named, so known formats apply.
func (c Columns) open() bool {
	for r := range roles {
		if asked := c.asked(r); asked != "" && asked != "-" {
			return false
		}
	}
	return true
}

// Header says whether a delimited file begins with a line of names.
type Header uint8

// The kinds of Header.
const (
	// a header is a first line with names that are known or asked for, or with text above numbers
	HeaderDetect Header = iota
	HeaderYes
	HeaderNo
)

// Report counts the lines: every interaction read is either kept or counted under one reason.
//
//	Interactions = WithheldLikes + OtherLikes + Duplicates + Unrated + BelowRating + BelowUser + BelowItem + Kept
//	               (+ InTrain, from LoadFixed)
type Report struct {
	Format       string        // a name of Formats
	Files        []string      // that interactions were read from
	Readings     []Reading     // one for each of them
	Lines        int           // with data: neither header nor blank; bad ones included
	Interactions int           // read, before anything is merged or dropped
	Skipped      int           // bad lines, of interactions and catalogue
	Examples     []*ParseError // the first few of them
	// with items that are not for the public; left out
	WithheldLikes int
	PageReport
	Duplicates  int       // merged: the same user and item once more
	Pairs       int       // of a user and an item, before ratings and minima count
	Repeats     int       // of them, those with times at least a day apart
	HasTimes    bool      //
	UnreadTimes int       // times that could not be read, of interactions that were
	LeftOut     []LeftOut // lines that are not likes, such as refunds; none of Interactions
	NotRows     int       // lines without data: comments, lines above the header, repeated headers
	OtherTables []string  // of a folder of several tables: those with other columns, which are not read
	Tidied      int       // ids stripped of invisible characters, or e-mail addresses brought to lower case
	Cut         int       // interactions with an address as item whose personal query was cut off
	RatingReport
	MinUser   int // as used
	MinItem   int // as used
	BelowUser int // positives whose user had too few
	BelowItem int // positives whose item had too few
	Rounds    int // of filtering that dropped something
	InTrain   int // LoadFixed: test or validation pairs that are also in train, left out there
	// users with such pairs
	InTrainUsers int
	Again        int // LoadAt: pairs from the moment on that were liked before too, left out of the test part
	Kept         int // positives left
	TitleReport
}

// RatingReport describes the ratings and how they were divided into positives and others.
type RatingReport struct {
	HasRatings  bool    //
	Counts      bool    // the ratings are counts, of plays or purchases
	Words       bool    // the ratings are words: 1 for like, up or yes, 0 for their opposites
	MaxRating   float64 // largest rating seen; 0 without ratings
	LeastRating float64 // smallest rating seen; 0 without ratings
	MinRating   float64 // smallest rating of a positive, as used; 0 without ratings
	Unrated     int     // interactions without a rating in a source with ratings
	BelowRating int     // rated below MinRating
	Liked       int     // rated MinRating or more, or all without ratings; before the minima
}

// TitleReport describes the items' titles and the catalogue.
type TitleReport struct {
	Titles       string      // the catalogue that was read, a file or folder, or the column of the titles; "": none
	Described    int         // items that it describes
	NamedByLines int         // items that it does not have, with a title in the interactions
	Others       int         // lines with titles of other items: nobody likes them, or too few
	CutItems     int         // lines of the catalogue with an address as id whose personal query was cut off
	Columns      []ColumnUse // of the catalogue, in its files' order
	// ids of items of the catalogue that are not for the public: drafts, archived, not published
	Withheld []string
	// of the catalogue, as in Reading; the example is a title
	ItemsEncoding, ItemsExample string
	Untitled                    string // the given catalogue file if it has no column of titles; "" otherwise
	YearColumn, GenreColumn     string // of the catalogue; "": none
	UnreadYears                 int    // lines of the catalogue whose year could not be read
	UnreadYear                  string // the first of them
	DroppedTitle                string // a column named title that differs between the lines of one item; "": none
	PlainHTML                   int    // lines of the catalogue with HTML in their texts, which was taken out
	Of                          int    // items left after the minima
	Matched                     string // how ids match if they are not equal, such as "as numbers"; "" if they are
	Cleaned                     int    // items with control characters in their texts, which were taken out
	Shortened                   int    // items with a title of more than 4,096 bytes, which was cut
}

// ComesAgain reports whether people choose items again, as groceries and songs: at least a fifth of the pairs of user
// and item have times a day or more apart. Films do not.
func (r *Report) ComesAgain() bool { return r.Repeats > 0 && r.Repeats*5 >= r.Pairs }

// String returns the report in a few lines for people.
func (r Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "read %d lines as %s: %d interactions", r.Lines, r.Format, r.Interactions)
	line := func(n int, what string, args ...any) {
		if n > 0 {
			fmt.Fprintf(&b, "\n%10d %s", n, fmt.Sprintf(what, args...))
		}
	}
	line(r.Skipped, "bad lines skipped")
	line(r.NotRows, "lines without data left out: comments, lines above the header, repeated headers")
	line(r.Excluded(), "%s", r.LeftOutText())
	line(r.Tidied, "ids had invisible characters or were e-mail addresses with capitals: read without")
	line(r.Cut, "of an address whose query held something personal (an e-mail address, a token, a click's number): it "+
		"was cut off")
	line(r.WithheldLikes, "with items that are drafts, archived or not published, left out")
	if r.Addresses > 0 {
		fmt.Fprintf(&b, "\n%10s %s", "", r.PageReport)
	}
	line(r.OtherLikes, "of other pages, left out")
	line(r.Duplicates, "merged with another of the same user and item")
	line(r.Repeats, "of %d pairs of user and item come again after a day or more", r.Pairs)
	line(r.Unrated, "without a rating, left out")
	line(r.BelowRating, "rated below %g, left out (largest rating: %g)", r.MinRating, r.MaxRating)
	line(r.BelowUser, "left out: the user has fewer than %d", r.MinUser)
	line(r.BelowItem, "left out: the item has fewer than %d", r.MinItem)
	line(r.InTrain, "left out of the test part: they are in the training part")
	line(r.Again, "left out of the test part: they were liked before the moment too")
	line(r.CutItems, "lines of the catalogue with such an address, cut in the same way")
	line(r.UnreadTimes, "times could not be read and count as not known")
	line(r.Kept, "kept")
	line(r.Cleaned, "items had control characters in their texts, taken out")
	line(r.Shortened, "items had titles of more than %d bytes, cut", maxTitle)
	return b.String()
}

// LearnedFrom returns the data set as seen by a training on train (U×I): without held-out pairs, also in the counts of
// its catalogue, since inference uses them. d is unchanged. O(nnz + I).
func (d *Dataset) LearnedFrom(train *Matrix) *Dataset {
	seen := *d
	seen.Positives = train
	seen.Catalogue = &catalogue.Catalogue{Items: slices.Clone(d.Catalogue.Items), Columns: d.Catalogue.Columns,
		LeftOut: d.Catalogue.LeftOut}
	for i := range seen.Catalogue.Items {
		seen.Catalogue.Items[i].Count = 0
	}
	for _, i := range train.Indices {
		seen.Catalogue.Items[i].Count++
	}
	return &seen
}

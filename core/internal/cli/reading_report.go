package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pmlam/pmlam/core/brief"
	"github.com/pmlam/pmlam/core/dataset"
)

// ReadingReport is a dataset.Report in JSON.
type ReadingReport struct {
	Files     []readFile `json:"files"`
	Like      string     `json:"like"` // in words
	MinRating float64    `json:"min_rating"`
	Likes     int        `json:"likes"` // before the minima
	Below     int        `json:"below"`
	Unrated   int        `json:"unrated"`
	NoTimes   int        `json:"unread_times"`
	Cut       int        `json:"cut_queries,omitempty"` // interactions whose address had a personal query
	Tidied    int        `json:"tidied_ids,omitempty"`  // ids cleaned of invisible characters and capitals
	NotRows   int        `json:"not_rows,omitempty"`
	LeftOut   []leftOut  `json:"left_out,omitempty"` // lines that are not likes
	Titles    string     `json:"titles,omitempty"`   // their source
	Titled    int        `json:"described"`          // items with a title
	// the catalogue's columns, and its withheld items with their interactions
	Columns       []catalogueColumn `json:"columns,omitempty"`
	Withheld      int               `json:"withheld_items,omitempty"`
	WithheldLikes int               `json:"withheld_interactions,omitempty"`
}

// leftOut is a dataset.LeftOut in JSON.
type leftOut struct {
	Column string `json:"column"`
	Value  string `json:"value"`
	Lines  int    `json:"lines"`
}

type readFile struct {
	File      string       `json:"file"`
	Format    string       `json:"format"`
	Packed    string       `json:"packed,omitempty"`
	Encoding  string       `json:"encoding,omitempty"`
	Delimiter string       `json:"delimiter,omitempty"`
	Header    bool         `json:"header"`
	Columns   []readColumn `json:"columns"`
	More      int          `json:"more_columns,omitempty"`
	Rows      [][]string   `json:"rows"`
}

type readColumn struct {
	Name string `json:"name"`
	Role string `json:"role"` // "unused" for none
}

// catalogueColumn is a dataset.ColumnUse in JSON.
type catalogueColumn struct {
	Name string `json:"name"`
	Use  string `json:"use"`           // "id", "title", "year", "genres", "published", "reduced" or "not published"
	Why  string `json:"why,omitempty"` // reason not to publish, suggested by the name
}

// NewReadingReport returns the report in its JSON form.
func NewReadingReport(r dataset.Report) ReadingReport {
	u := ReadingReport{
		Files: []readFile{}, Like: r.Meaning(), MinRating: r.MinRating, Likes: r.Liked, Below: r.BelowRating,
		Unrated: r.Unrated,
		NoTimes: r.UnreadTimes, Cut: r.Cut, Tidied: r.Tidied, NotRows: r.NotRows, Titles: r.Titles, Titled: r.Described,
	}
	for _, x := range r.LeftOut {
		u.LeftOut = append(u.LeftOut, leftOut(x))
	}
	for _, x := range r.Readings {
		f := readFile{x.File, x.Format, x.Packed, x.Encoding, x.Delimiter, x.Header, []readColumn{}, x.More, x.Rows}
		for _, c := range x.Columns {
			role := c.Role
			if role == "" {
				role = "unused"
			}
			f.Columns = append(f.Columns, readColumn{c.Name, role})
		}
		u.Files = append(u.Files, f)
	}
	u.Withheld, u.WithheldLikes = len(r.Withheld), r.WithheldLikes
	for _, c := range r.Columns {
		if c.Use == "" {
			c.Use = "not published"
		}
		u.Columns = append(u.Columns, catalogueColumn(c))
	}
	return u
}

// shownAlike is the maximum number of listed files with the columns of another.
const shownAlike = 8

// ReadingText returns the report as text: a table for each file, except for files with the columns of an earlier one,
// and the definition of a like.
func ReadingText(r dataset.Report) string {
	var b strings.Builder
	alike := 0
	for i, x := range r.Readings {
		like := slices.IndexFunc(r.Readings[:i], func(y dataset.Reading) bool {
			return slices.Equal(x.Columns, y.Columns) && x.Summary() == y.Summary()
		})
		if like >= 0 {
			if alike++; alike <= shownAlike {
				fmt.Fprintf(&b, "%s: the same columns\n", x.File)
			}
			continue
		}
		b.WriteString(x.String())
		encodingText(&b, x.Encoding, x.Example)
	}
	if alike > shownAlike {
		fmt.Fprintf(&b, "  … and %d more files with the same columns\n", alike-shownAlike)
	}
	if len(r.OtherTables) > 0 {
		fmt.Fprintf(&b, "  not read, since their columns differ: %s\n", brief.List(r.OtherTables))
	}
	fmt.Fprintf(&b, "  %s\n", r.Meaning())
	if r.UnreadTimes > 0 {
		fmt.Fprintf(&b, "  %d times could not be read and count as unknown; a split by time needs them\n",
			r.UnreadTimes)
	}
	if r.NotRows > 0 {
		fmt.Fprintf(&b, "  %d lines skipped as not data: comments, lines before the header, repeated headers\n",
			r.NotRows)
	}
	if r.Addresses > 0 {
		fmt.Fprintf(&b, "  %s\n", r.PageReport)
	}
	if n := r.Excluded(); n > 0 {
		fmt.Fprintf(&b, "  %d %s (--events)\n", n, r.LeftOutText())
	}
	if r.Tidied > 0 {
		fmt.Fprintf(&b, "  %d ids had invisible characters, or were e-mail addresses with capitals; both were "+
			"removed\n",
			r.Tidied)
	}
	switch {
	case r.Untitled != "":
		fmt.Fprintf(&b, "  %s has no column of titles: items are shown by their ids (--title-column)\n", r.Untitled)
	case r.Titles != "":
		encodingText(&b, r.ItemsEncoding, r.ItemsExample)
		fmt.Fprintf(&b, "  titles: %s, for %d of the %d remaining items", r.Titles, r.Described, r.Of)
		if r.NamedByLines > 0 {
			fmt.Fprintf(&b, "; the interactions name %d more", r.NamedByLines)
		}
		b.WriteByte('\n')
	}
	catalogueText(&b, r.TitleReport)
	return b.String() + ColumnsText(r.TitleReport)
}

// catalogueText describes how a catalogue's ids, years and genres were read, with counts of unreadable ones.
func catalogueText(b *strings.Builder, r dataset.TitleReport) {
	if r.Matched != "" {
		fmt.Fprintf(b, "  the ids of the catalogue match the ids of the interactions %s\n", r.Matched)
	}
	if r.DroppedTitle != "" {
		fmt.Fprintf(b, "  the column %q differs between the lines of one item: not used for titles\n", r.DroppedTitle)
	}
	if r.YearColumn+r.GenreColumn != "" {
		fmt.Fprintf(b, "  years: %s; genres: %s\n", cmp.Or(r.YearColumn, "none"), cmp.Or(r.GenreColumn, "none"))
	}
	if r.UnreadYears > 0 {
		fmt.Fprintf(b, "  %d years of the catalogue could not be read, such as %q\n", r.UnreadYears, r.UnreadYear)
	}
	if r.PlainHTML > 0 {
		fmt.Fprintf(b, "  %d lines of the catalogue had HTML in their texts: read as plain text\n", r.PlainHTML)
	}
}

// ColumnsText lists published and unpublished columns of a catalogue; "" if it has no further columns and no withheld
// items. Each line ends with a line feed.
func ColumnsText(r dataset.TitleReport) string {
	var b strings.Builder
	var public, reduced, private, mind []string
	for _, c := range r.Columns {
		switch why := c.Why; c.Use {
		case "published":
			if public = append(public, c.Name); why != "" {
				mind = append(mind, fmt.Sprintf("%s (%s)", c.Name, why))
			}
		case "reduced":
			reduced = append(reduced, c.Name)
		case "":
			if why != "" {
				why = " (" + why + ")"
			}
			private = append(private, c.Name+why)
		}
	}
	list := func(before string, names []string, behind string) {
		if len(names) > 0 {
			fmt.Fprintf(&b, "  %s: %s%s\n", before, strings.Join(names, ", "), behind)
		}
	}
	list("published columns", public, "")
	list("published as far as rules need it", reduced, "")
	list("published, though the names look private, because they are named or used", mind, "")
	list("not published", private, "")
	if n := len(r.Withheld); n > 0 {
		fmt.Fprintf(&b, "  %d catalogue items left out: drafts, archived or not published\n", n)
	}
	return b.String()
}

// encodingText writes a sample line of a text whose encoding was guessed.
func encodingText(b *strings.Builder, encoding, example string) {
	if encoding != "" && example != "" && !slices.Contains([]string{"UTF-8", "UTF-8 with a byte order mark", "UTF-16"},
		encoding) {
		fmt.Fprintf(b, "  read as %s, for example: %s (--encoding, if letters are wrong)\n", encoding, example)
	}
}

// printReading writes the report to standard error.
func (a *App) printReading(r dataset.Report) {
	io.WriteString(a.Err, ReadingText(r))
}

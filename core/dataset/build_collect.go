package dataset

import (
	"bytes"
	"math"
	"unicode/utf8"

	"github.com/pmlam/pmlam/core/internal/people"
)

// collector receives interactions from the readers: it interns the ids and keeps the records. One collector serves all
// files of a Load, so ids mean the same in each.
type collector struct {
	users, items *interner
	parts        [parts]records
	part         int // where add puts records
	// by item, of interactions that have them; shorter than the items where the last ones have none
	titles    []string
	titleName string // of their column
	// rows of items with an earlier title, and rows that differ from it; whether the column is certain
	titleAgain, titleDiffers int
	titleSure                bool
	lists                    *adjacency      // how the lines of an adjacency list begin; nil until one was read
	skip, times              bool            // as in Options
	withheld                 map[string]bool // ids of items that are not for the public
	known                    *IDs            // all items, if there is a catalogue
	like                     *likeness       // how the catalogue's ids match them
	// of Scan: receive lines instead of keeping records, and bad lines; nil otherwise
	line      func(Line) error
	badLine   func(*ParseError)
	described bool   // there is a catalogue
	pages     *pages // where the items are addresses of pages; nil: they are not
	limit     int
	report    Report
	// of the file that is read: the columns that its folder names; whether it may lack rows, as shards do
	partitions []partition
	mayBeEmpty bool
}

// The parts of a data set, in the order in which they are read.
const (
	partTrain = iota
	partValidation
	partTest
	parts
)

func newCollector(o Options) *collector {
	limit := o.MaxInteractions
	if limit <= 0 {
		limit = maxInteractions
	}
	c := &collector{users: newInterner(), items: publicInterner(), skip: o.SkipBadLines, times: o.Times,
		limit: min(limit, math.MaxInt32)}
	c.report.MaxRating, c.report.LeastRating = math.Inf(-1), math.Inf(1)
	c.items.tidied = &c.report.Tidied
	return c
}

// entry is one interaction as found by a reader, in bytes of the line.
type entry struct {
	values      [roles][]byte
	columns     [roles]int // 0-based, −1 if the format has no columns
	names       [roles]string
	has         [roles]bool // of rating, time and title
	days        dayOrder
	zeroUnrated bool // a rating of 0 means none
}

// add checks an entry and keeps it. A *ParseError is one bad line, which the caller passes to bad; any other error ends
// the reading.
func (c *collector) add(s *source, e *entry) error {
	var r record
	r.rating = float32(math.NaN())
	if e.has[roleRating] {
		v, word, ok := parseRating(trim(e.values[roleRating]))
		switch {
		case !ok && bytes.IndexByte(e.values[roleRating], ',') >= 0:
			return e.bad(s, roleRating, "a comma before three digits may separate thousands or decimals; write "+
				"numbers without separators of thousands, and decimals with a point")
		case !ok:
			return e.bad(s, roleRating, "a rating is a number such as 4 or 3.5, or a word such as like, up or yes")
		case word && c.report.MaxRating > 1, v > 1 && c.report.Words:
			return e.bad(s, roleRating, "some lines of this file rate by words, which count as 1 and 0, and some "+
				"by numbers above 1; use one of the two")
		}
		c.report.Words = c.report.Words || word
		if !(e.zeroUnrated && v == 0) {
			r.rating = v
		}
		c.report.HasRatings = true
	}
	if e.has[roleTime] {
		switch t, ok := parseTime(trim(e.values[roleTime]), e.days); {
		case ok:
			r.setTime(t)
			c.report.HasTimes = true
		case c.times:
			return e.bad(s, roleTime, timeRule)
		default:
			c.report.UnreadTimes++
		}
	}
	user, item, title := trim(e.values[roleUser]), trim(e.values[roleItem]), trim(e.values[roleTitle])
	// Everything is checked before anything is interned, so a bad line does not affect the numbering.
	if isNull(user) {
		return e.bad(s, roleUser, noID)
	}
	if isNull(item) {
		return e.bad(s, roleItem, noID)
	}
	if c.pages != nil {
		c.pages.count(item)
	}
	item, cut := people.CutURL(item)
	if cut {
		c.report.Cut++
	}
	if c.pages != nil {
		item = pageID(item)
	}
	user, wrong := c.checkUser(user)
	if wrong != nil {
		return e.bad(s, roleUser, wrong.what)
	}
	if c.described && (len(title) > maxTitle || !utf8.Valid(title) || people.Find(title) != people.None) {
		title = nil // the catalogue has better ones
	}
	if len(title) > maxTitle || !utf8.Valid(title) {
		return e.bad(s, roleTitle, "a title is UTF-8 of at most 4,096 bytes; is this the column of the titles?")
	}
	if k := people.Find(title); k != people.None {
		return e.bad(s, roleTitle, personal("a title", k))
	}
	var err *idError
	if r.item, err = c.items.add(item); err != nil {
		return c.idError(s, err, e, roleItem)
	}
	if r.user, err = c.users.add(user); err != nil {
		return c.idError(s, err, e, roleUser)
	}
	if e.has[roleTitle] {
		c.titleName = e.names[roleTitle]
		c.title(int(r.item), title)
	}
	if c.report.Interactions >= c.limit {
		return &LimitError{File: s.path, Line: s.line, What: "too many interactions; raise the limit if this is " +
			"what you want", Limit: int64(c.limit)}
	}
	if c.line != nil {
		l := Line{User: string(user), Item: string(c.items.at(r.item)), Rating: r.rating, Time: r.time(), Line: s.line}
		if err := c.line(l); err != nil {
			return err
		}
	} else {
		c.parts[c.part].add(r)
	}
	c.report.Interactions++
	if v := float64(r.rating); v > c.report.MaxRating { // false for NaN
		c.report.MaxRating = v
	}
	if v := float64(r.rating); v < c.report.LeastRating {
		c.report.LeastRating = v
	}
	return nil
}

// title keeps an item's first title.
func (c *collector) title(item int, text []byte) {
	for len(c.titles) <= item {
		c.titles = append(c.titles, "")
	}
	switch first := c.titles[item]; {
	case first == "" && !isNull(text):
		if plain, changed := plainHTML(text); !changed || people.Find(plain) == people.None {
			c.titles[item] = string(plain)
		}
	case first == string(text):
		c.titleAgain++
	case !isNull(text):
		if plain, _ := plainHTML(text); first != string(plain) {
			c.titleDiffers++
		}
		c.titleAgain++
	}
}

// bad describes a fault in one value of an entry.
func (e *entry) bad(s *source, r role, rule string) error {
	return s.bad(e.columns[r], e.names[r], e.values[r], rule)
}

// checkUser returns a user's id tidied by tidyID, and the result of checkID. The previous user passed both.
func (c *collector) checkUser(b []byte) ([]byte, *idError) {
	if in := c.users; in.last >= 0 && string(in.at(in.last)) == string(b) {
		return b, nil
	}
	b, tidied := tidyID(b)
	if tidied {
		c.report.Tidied++
		if isNull(b) {
			return b, &idError{what: noID}
		}
	}
	return b, checkID(b)
}

func (c *collector) idError(s *source, err *idError, e *entry, r role) error {
	if err.limit > 0 {
		return &LimitError{File: s.path, Line: s.line, What: err.what, Limit: err.limit}
	}
	return e.bad(s, r, err.what)
}

// bad handles an error of add or of a reader: it counts a bad line and returns nil if bad lines are skipped, and
// returns the error otherwise.
func (c *collector) bad(err error) error {
	if p, ok := err.(*ParseError); ok && c.badLine != nil {
		c.badLine(p)
	}
	return c.report.skip(err, c.skip)
}

func (r *Report) skip(err error, may bool) error {
	p, ok := err.(*ParseError)
	if !ok || !may {
		return err
	}
	r.Skipped++
	if len(r.Examples) < keptExamples {
		r.Examples = append(r.Examples, p)
	}
	return nil
}

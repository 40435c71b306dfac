package dataset

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/pmlam/pmlam/core/brief"
)

// role is the meaning of a column.
type role int

const (
	roleUser role = iota
	roleItem
	roleRating
	roleTime
	roleTitle // of the item
	roles
)

var roleNames = [roles]string{"user", "item", "rating", "time", "title"}

// layout holds the roles of a table's columns.
type layout struct {
	header  bool
	have    []string   // the columns' names as shown; numbers without a header
	columns [roles]int // 0-based, −1: none
	names   [roles]string
	fields  int      // that each line must have
	first   []string // the header of a delimited file, unshortened; nil without one

	counts      bool    // the rating is a count
	export      *export // that the table is; nil: none that is known
	filters     []*lineFilter
	otherItem   int      // of an export: the column to use if the id is empty; −1: none
	sureTitle   bool     // the titles' column was asked for
	noTitle     string   // a column named like titles that does not hold them; "": none
	addresses   bool     // the items are addresses of pages
	days        dayOrder // of the time
	zeroUnrated bool     // a rating of 0 means none: the Goodreads summary user_id,book_id,is_read,rating,is_reviewed
}

// sample is the first rows of a table, with each cell trimmed and shortened. Rows whose length differs from the first
// are left out.
type sample struct {
	names []string // the header; nil without one, or if the first row may be one
	rows  [][]string
	// names of the last columns, which the file's folder names
	partitions []string
}

// part adds columns that the file's folder names, unless the file has them itself, and returns their values.
func (s *sample) part(of []partition) (values [][]byte) {
	names := s.names
	if names == nil && len(s.rows) > 0 {
		names = s.rows[0]
	}
	for _, p := range of {
		if slices.Contains(names, p.name) || len(s.rows) == 0 && s.names == nil {
			continue
		}
		if s.names != nil {
			s.names = append(slices.Clip(s.names), p.name)
		}
		for i := range s.rows {
			s.rows[i] = append(s.rows[i], p.value)
		}
		s.partitions = append(s.partitions, p.name)
		values = append(values, []byte(p.value))
	}
	return values
}

const sampleRows = 500

// column returns the values of a column.
func (s *sample) column(i int) []string {
	out := make([]string, len(s.rows))
	for r, row := range s.rows {
		out[r] = row[i]
	}
	return out
}

// asked returns the column that the options name for a role.
func (c Columns) asked(r role) string {
	return [roles]string{c.User, c.Item, c.Rating, c.Time, c.Title}[r]
}

// number reads a 1-based column number.
func number(s string) (int, bool) {
	n, err := strconv.Atoi(s)
	return n - 1, err == nil && n >= 1 && n <= maxMatrixFields
}

// resolve finds the columns by the options and by their names, and checks them against the values of the first rows.
// Undecided cases, and unused columns that look like a rating, time or title, are errors that ask: *ColumnError,
// *QuestionError.
func (l *layout) resolve(path string, s *sample, o Options) error {
	l.otherItem = -1
	if s.names == nil && len(s.rows) > 0 && (o.Header == HeaderYes || o.Header == HeaderDetect &&
		looksLikeHeader(s, o.Columns)) {
		s.names, s.rows = s.rows[0], s.rows[1:]
		copy(s.names[len(s.names)-len(s.partitions):], s.partitions)
	}
	l.header = s.names != nil
	l.have = s.names
	if !l.header && len(s.rows) > 0 {
		for i := range s.rows[0] {
			l.have = append(l.have, strconv.Itoa(i+1))
		}
		copy(l.have[len(l.have)-len(s.partitions):], s.partitions)
	}
	l.fields = len(l.have)
	profiles := make([]*profile, l.fields)
	look := func(i int) *profile {
		if profiles[i] == nil {
			profiles[i] = profileOf(s.column(i))
		}
		return profiles[i]
	}
	if err := l.take(path, s, o, look); err != nil {
		return err
	}
	for r := range roles {
		if l.columns[r] < 0 && r <= roleItem {
			return &ColumnError{File: path, Role: roleNames[r], Have: l.numbered(s), NoHeader: !l.header}
		}
		l.names[r] = roleNames[r]
		if l.columns[r] >= 0 && l.header {
			l.names[r] = l.have[l.columns[r]]
		}
	}
	if c := l.columns[roleTime]; c >= 0 {
		l.days = dayOrderOf(s.column(c))
	}
	l.zeroUnrated = l.header && l.has("isread") && l.has("isreviewed")
	l.addresses = areAddresses(s.column(l.columns[roleItem]))
	if sep := listsOf(s.column(l.columns[roleItem])); sep != "" && !l.addresses {
		return &FormatError{Path: path, Reason: fmt.Sprintf("the column %q holds several items in a cell, %s (%s, …); "+
			"write one line for each item (explode in pandas, unnest in SQL)", brief.Text(l.have[l.columns[roleItem]]),
			sep, visible(s.rows[0][l.columns[roleItem]]))}
	}
	if err := l.findFilters(path, s, o, look); err != nil {
		return err
	}
	return l.ask(path, s, o, look)
}

func (l *layout) has(plain string) bool {
	return slices.ContainsFunc(l.have, func(name string) bool { return plainName(name) == plain })
}

// take assigns roles to the columns: first those asked for, then the rest by their names.
func (l *layout) take(path string, s *sample, o Options, look func(int) *profile) error {
	taken, err := l.takeAsked(path, s, o)
	if err != nil || !l.header {
		return err
	}
	l.takeByName(s, o, taken, look)
	l.takeOpinions(s, o, look)
	if at := addressColumn(s, l.have); at >= 0 && l.columns[roleItem] < 0 && !slices.Contains(l.columns[:], at) {
		l.columns[roleItem] = at
	}
	l.settleTitle(s, o)
	return nil
}

// takeAsked assigns roles to the columns that the options name, and returns which these are.
func (l *layout) takeAsked(path string, s *sample, o Options) (taken []bool, err error) {
	taken = make([]bool, l.fields)
	for r := range roles {
		l.columns[r] = -1
		asked := o.Columns.asked(r)
		if asked == "" || asked == "-" && r >= roleRating || r == roleTitle && o.described {
			continue
		}
		if l.header || slices.Contains(s.partitions, asked) {
			l.columns[r] = named(l.have, asked)
		}
		if n, ok := number(asked); ok && l.columns[r] < 0 && n < l.fields {
			l.columns[r] = n
		}
		if l.columns[r] < 0 {
			return nil, &ColumnError{File: path, Role: roleNames[r], Wanted: asked, Have: l.numbered(s)}
		}
		taken[l.columns[r]] = true
		l.sureTitle = l.sureTitle || r == roleTitle
		m, ok := meaningOf(l.have[l.columns[r]])
		l.counts = l.counts || r == roleRating && ok && m.count
	}
	return taken, nil
}

// takeByName assigns the other roles to the columns whose names fit best; the columns of a known export come first.
func (l *layout) takeByName(s *sample, o Options, taken []bool, look func(int) *profile) {
	var best [roles]int
	var counts bool
	for r := range best {
		best[r] = math.MaxInt
	}
	if l.export = l.exportOf(); l.export != nil {
		for r := range roles {
			asked := o.Columns.asked(r)
			// With a catalogue titles are read as well: it lacks goods that are no longer sold.
			if asked == "" || r == roleTitle && o.described && asked != "-" {
				best[r], l.columns[r] = -1, l.export.find(r, l, s)
			}
		}
		counts = l.columns[roleRating] >= 0 && o.Columns.Rating == ""
	}
	for i, name := range l.have {
		m, ok := meaningOf(name)
		if !ok || taken[i] || o.Columns.asked(m.role) != "" || m.rank >= best[m.role] || !m.fits(look(i)) {
			continue
		}
		best[m.role], l.columns[m.role] = m.rank, i
		if m.role == roleRating {
			counts = m.count
		}
	}
	l.counts = l.counts || counts
}

// settleTitle uses the titles as the items' ids if no other column identifies the items, and drops a title that does
// not belong to the item.
func (l *layout) settleTitle(s *sample, o Options) {
	if t := l.columns[roleTitle]; l.columns[roleItem] < 0 && t >= 0 && o.Columns.Title == "" {
		if m, _ := meaningOf(l.have[t]); !m.weak {
			l.columns[roleItem], l.columns[roleTitle] = t, -1
		}
	}
	if t := l.columns[roleTitle]; t >= 0 && o.Columns.Title == "" && l.columns[roleItem] >= 0 && l.export == nil {
		l.columns[roleTitle] = -1
		best := math.MaxInt
		for i, name := range l.have { // another column of titles may be the items'
			if m, ok := meaningOf(name); ok && m.role == roleTitle && m.rank < best &&
				(i == t || !slices.Contains(l.columns[:], i)) && s.titles(i, l.columns[roleItem], m.weak) {
				l.columns[roleTitle], best = i, m.rank
			}
		}
		if l.columns[roleTitle] < 0 && !o.described {
			l.noTitle = l.have[t]
		}
	}
	if o.described && l.export == nil {
		l.columns[roleTitle] = -1
	}
}

// fits reports whether the values agree with a name, if the name alone is not enough.
func (m meaning) fits(p *profile) bool {
	switch {
	case p.filled == 0:
		return !m.weak
	case m.count:
		return p.isCount()
	case m.weak && m.role == roleRating:
		return p.fitsRating()
	case m.weak && m.role == roleTime:
		return p.looksLikeTime()
	case m.role == roleRating && m.rank >= rankWords: // "feedback" may be a text, "likes" anything
		return p.opinions+p.numbers > 0 || len(p.distinct) <= fewRatings
	}
	return true
}

// ask returns a *QuestionError about a column that is not used but looks as if it should be, or nil.
func (l *layout) ask(path string, s *sample, o Options, look func(int) *profile) error {
	question := func(r role, i int, why string) error {
		return &QuestionError{File: path, Role: roleNames[r], Column: l.have[i], Values: examples(s.column(i)),
			Why: why}
	}
	for i, name := range l.have {
		if slices.Contains(l.columns[:], i) || l.filtered(i) {
			continue
		}
		p := look(i)
		m, known := meaningOf(name)
		grades := known && m.weak && m.role == roleRating && !m.count && p.numbers == 0 && len(p.distinct) >= 2 &&
			len(p.distinct) <= fewRatings
		switch {
		case l.columns[roleRating] < 0 && o.Columns.Rating == "" && l.export == nil &&
			(grades || p.looksLikeRating() && !(l.header && namesOther(name))):
			return question(roleRating, i, "looks like a rating")
		case l.columns[roleTime] < 0 && o.Times && o.Columns.Time != "-" && p.looksLikeTime():
			return question(roleTime, i, "looks like a time, and the split needs one")
		case l.columns[roleTitle] < 0 && o.Columns.Title == "" && !o.described &&
			!(known && m.role <= roleItem || l.header && namesOther(name)) && p.looksLikeText() &&
			s.follows(i, l.columns[roleItem]):
			return question(roleTitle, i, "looks like the items' titles")
		}
	}
	return nil
}

// Limits for a column of titles: at most one in fewDiffer rows may differ from the first row of its item, and there
// must be at least one different text for every fewTexts items.
const (
	fewDiffer = 5
	fewTexts  = 4
)

// titles reports whether a column may hold the items' titles: the rows of one item nearly always have the same text
// (always, if the name is weak), and the texts are not just a few words, such as Mr and Ms.
func (s *sample) titles(column, item int, weak bool) bool {
	if weak && !s.agrees(column, item) {
		return false
	}
	of, texts := map[string]string{}, map[string]bool{}
	again, differ := 0, 0
	for _, row := range s.rows {
		text := row[column]
		if isNull([]byte(text)) {
			continue
		}
		texts[text] = true
		if first, known := of[row[item]]; !known {
			of[row[item]] = text
		} else if again++; text != first {
			differ++
		}
	}
	return !manyDiffer(differ, again) && (len(of) < 10 || len(texts)*fewTexts >= len(of))
}

// manyDiffer reports whether too many rows differ from the earlier title of their item.
func manyDiffer(differ, again int) bool { return differ > 1 && differ*fewDiffer > again }

// agrees reports whether a column has the same text in all rows of an item.
func (s *sample) agrees(column, item int) bool {
	of := map[string]string{}
	for _, row := range s.rows {
		if text, known := of[row[item]]; known && text != row[column] {
			return false
		}
		of[row[item]] = row[column]
	}
	return true
}

// follows reports whether a column, like titles, has the same text in all rows of an item and mostly different texts
// for different items. It is false if no item has two rows.
func (s *sample) follows(column, item int) bool {
	items, texts := map[string]bool{}, map[string]bool{}
	for _, row := range s.rows {
		items[row[item]], texts[row[column]] = true, true
	}
	return len(items) < len(s.rows) && len(items) >= 3 && len(texts)*10 >= len(items)*8 && s.agrees(column, item)
}

// examples returns up to three different values.
func examples(values []string) (out []string) {
	for _, v := range values {
		if !isNull([]byte(v)) && !slices.Contains(out, v) {
			if out = append(out, v); len(out) == 3 {
				break
			}
		}
	}
	return out
}

// named finds a column by its exact name, or else by its plain form.
func named(have []string, asked string) int {
	if i := slices.Index(have, asked); i >= 0 {
		return i
	}
	return slices.IndexFunc(have, func(name string) bool {
		return plainName(name) == plainName(asked) &&
			plainName(asked) != ""
	})
}

// numbered lists at most 40 columns for an error: by name, or by number with the first value.
func (l *layout) numbered(s *sample) (out []string) {
	for i, name := range l.have {
		if i == 40 {
			return append(out, "…")
		}
		switch {
		case l.header:
			out = append(out, strconv.Quote(name))
		case len(s.rows) > 0:
			out = append(out, name+" ("+visible(s.rows[0][i])+")")
		}
	}
	return out
}

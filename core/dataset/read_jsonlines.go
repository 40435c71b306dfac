package dataset

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// The columns of known review files.
var (
	amazonKeys    = Columns{"reviewerID", "asin", "overall", "unixReviewTime", "-"}
	goodreadsKeys = Columns{"user_id", "book_id", "rating", "date_added", "-"}
)

// readAmazonReviews reads review JSON lines of 2014 and 2018; the release of 2023 has common names.
func readAmazonReviews(s *source, c *collector, o Options) error {
	l := knownKeys(s, amazonKeys)
	l.without(o.Columns)
	return readKeys(s, c, l)
}

// readGoodreads reads goodreads_interactions_*.json, where a rating of 0 means none.
func readGoodreads(s *source, c *collector, o Options) error {
	l := knownKeys(s, goodreadsKeys)
	l.zeroUnrated = true
	l.without(o.Columns)
	return readKeys(s, c, l)
}

// knownKeys is the layout of a file with known keys, even if the first lines lack some.
func knownKeys(s *source, of Columns) *layout {
	l := &layout{header: true, have: sampleKeys(s).names}
	for r := range roles {
		l.columns[r], l.names[r] = -1, of.asked(r)
		if l.names[r] == "-" {
			continue
		}
		if l.columns[r] = named(l.have, l.names[r]); l.columns[r] < 0 {
			l.columns[r] = len(l.have)
			l.have = append(l.have, l.names[r])
		}
	}
	return l
}

// readJSONLines reads objects with keys asked for, or with known names.
func readJSONLines(s *source, c *collector, o Options) error {
	sample := sampleKeys(s)
	if len(sample.names) == 0 {
		// No line is readable; reading them returns the error with its line.
		return readKeys(s, c, knownKeys(s, Columns{"user", "item", "rating", "time", "-"}))
	}
	var l layout
	if err := l.resolve(s.path, sample, o); err != nil {
		return err
	}
	return readKeys(s, c, &l)
}

const sampleKeysMost = 100 // keys of one file that are looked at

// sampleKeys reads the first objects as a table with a column for each key. Values other than texts, numbers and
// booleans are empty.
func sampleKeys(s *source) *sample { return sampleKeysWith(s, false) }

// sampleKeysWith is sampleKeys, with lists and objects as their JSON where nested is true.
func sampleKeysWith(s *source, nested bool) *sample {
	out := &sample{names: []string{}}
	var j jsonScanner
	var lines []map[string]string
	for _, line := range completeLines(s.head(), sampleRows) {
		values := map[string]string{}
		var order []string
		bad := j.object(line, func(key, value []byte, kind jsontext.Kind) {
			name := strings.ToValidUTF8(shorten(key), "�")
			if kind != 'n' && (nested || kind != '[' && kind != '{') {
				values[name] = strings.ToValidUTF8(shorten(trim(value)), "�")
			}
			order = append(order, name)
		})
		if bad != "" {
			continue // if it is not skipped, it will be an error with its line when it is read
		}
		for _, name := range order {
			if len(out.names) < sampleKeysMost && !slices.Contains(out.names, name) {
				out.names = append(out.names, name)
			}
		}
		lines = append(lines, values)
	}
	for _, values := range lines {
		row := make([]string, len(out.names))
		for i, name := range out.names {
			row[i] = values[name]
		}
		out.rows = append(out.rows, row)
	}
	out.part(s.partitions)
	return out
}

// readKeys reads one object per line. A rating, time or title that is missing or null is unknown.
func readKeys(s *source, c *collector, l *layout) error {
	rows := sampleKeys(s).rows
	c.reading(s, "", l, rows)
	c.report.Counts = c.report.Counts || l.counts
	if l.addresses && c.pages == nil {
		c.pages = newPages()
	}
	e := l.entryOf()
	c.titleLayout(l)
	for r := range e.columns {
		e.columns[r] = -1 // errors name the key, not its place
	}
	var j jsonScanner
	var want [roles][]byte
	for r := range roles {
		if e.has[r] {
			want[r] = []byte(l.names[r])
		}
	}
	var given [roles][]byte // by the file's folder
	for r := range roles {
		for _, p := range s.partitions {
			if e.has[r] && p.name == l.names[r] {
				given[r] = []byte(p.value)
			}
		}
	}
	wrong, wrongValue := role(roles), []byte(nil)
	cells := make([][]byte, len(l.have))
	cell := func(column int) []byte { return cells[column] }
	of := l.alsoWanted(nil)
	visit := func(key, value []byte, kind jsontext.Kind) {
		for _, at := range of {
			if string(key) == l.have[at] && kind != '[' && kind != '{' && kind != 'n' {
				cells[at] = value
			}
		}
		for r := range roles {
			if len(want[r]) == 0 || !bytes.Equal(key, want[r]) {
				continue
			}
			switch {
			case kind == 'n':
				e.values[r] = nil
			case kind == '[', kind == '{', (kind == 't' || kind == 'f') && r != roleRating:
				wrong, wrongValue = r, value
			default:
				e.values[r] = value
			}
		}
	}
	for {
		line, err := s.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return s.fail(err)
		}
		if len(trim(line)) == 0 {
			continue
		}
		c.report.Lines++
		e.values, wrong = given, roles
		clear(cells)
		for _, p := range s.partitions {
			if i := slices.Index(l.have, p.name); i >= 0 {
				cells[i] = []byte(p.value)
			}
		}
		out, failed := false, error(nil)
		if rule := j.object(line, visit); rule != "" {
			err = s.bad(-1, "", line, rule)
		} else if wrong < roles {
			err = s.bad(-1, l.names[wrong], wrongValue, "the value must be a string or a number")
		} else if out, failed = l.leavesOut(c, cell); out || failed != nil {
			err = failed
		} else if e.values[roleUser] == nil {
			err = s.bad(-1, l.names[roleUser], line, "the line lacks this key, which holds the user")
		} else if e.values[roleItem] == nil {
			err = s.bad(-1, l.names[roleItem], line, "the line lacks this key, which holds the item")
		} else {
			err = c.add(s, &e)
		}
		if err != nil {
			if err := c.bad(err); err != nil {
				return err
			}
		}
	}
}

package dataset

import (
	"bytes"
	"io"
	"strconv"
)

// readers maps formats to readers. The options' columns apply if a format leaves them open.
var readers = map[string]func(*source, *collector, Options) error{
	"movielens":        func(s *source, c *collector, o Options) error { return readDelimited(s, c, ",", o) },
	"movielens-100k":   readMovieLens100K,
	"movielens-dat":    readMovieLensDat,
	"amazon-ratings":   readAmazonRatings,
	"amazon-reviews":   readAmazonReviews,
	"goodreads":        readGoodreads,
	"gowalla":          readGowalla,
	"lightgcn":         readAdjacency,
	"adjacency":        readAdjacency,
	"adjacency-counts": readAdjacency,
	"csv":              readBy(","),
	"tsv":              readBy("\t"),
	"recbole":          readRecbole,
	"matrix":           readMatrix,
	"parquet":          notParquet,
	"delimited":        readGuessed,
	"jsonlines":        readJSONLines,
}

// notParquet returns the error for a file that should be Parquet but begins otherwise.
func notParquet(s *source, _ *collector, _ Options) error {
	return &FormatError{Path: s.path, Format: "parquet",
		Reason: "it does not begin like a Parquet file on the disk; unpack it if it is packed"}
}

// readRecbole reads an atomic file: columns cut by tabs, under a header with a type behind each name.
func readRecbole(s *source, c *collector, o Options) error {
	if o.Header == HeaderDetect {
		o.Header = HeaderYes
	}
	d := o.Delimiter
	if first := completeLines(s.head(), 1); d == "" && len(first) > 0 && bytes.IndexByte(first[0], '\t') < 0 {
		d = guessDelimiter(s.head())
	}
	if d == "" {
		d = "\t"
	}
	return readDelimited(s, c, d, o)
}

// readBy reads a table cut by a delimiter, unless the options name another.
func readBy(delimiter string) func(*source, *collector, Options) error {
	return func(s *source, c *collector, o Options) error {
		if o.Delimiter != "" {
			return readDelimited(s, c, o.Delimiter, o)
		}
		return readDelimited(s, c, delimiter, o)
	}
}

// readGuessed reads a delimited file by the delimiter asked for, or by the one its first lines show.
func readGuessed(s *source, c *collector, o Options) error {
	d := o.Delimiter
	if d == "" {
		d = guessDelimiter(s.peek(sniffed))
	}
	if d == "" && len(s.partitions) > 0 {
		d = "," // one column, and those that the folder names
	}
	if d == "" {
		return &FormatError{Path: s.path, Reason: "no delimiter cuts its first lines into columns; say which one it is",
			Ask: "delimiter"}
	}
	return readDelimited(s, c, d, o)
}

// without removes the columns that the options exclude.
func (l *layout) without(of Columns) {
	for r := range roles {
		if of.asked(r) == "-" {
			l.columns[r] = -1
		}
	}
}

// readFixed reads a known file without a header; −1: no such column.
func readFixed(s *source, c *collector, o Options, cut *cutter, names []string, columns [roles]int) error {
	l := &layout{have: names, fields: len(names), columns: columns, names: roleNames}
	l.without(o.Columns)
	rows, _ := sampleOf(s, cut) // an error in the first line is returned when it is read
	return readColumns(cut, c, l, rows)
}

// readMovieLens100K reads u.data and its cuts u1.base, u1.test, …: user, item, rating, time, separated by tabs.
func readMovieLens100K(s *source, c *collector, o Options) error {
	return readFixed(s, c, o, &cutter{s: s, delimiter: "\t"}, []string{"user", "item", "rating", "time"},
		[roles]int{0, 1, 2, 3, -1})
}

// readMovieLensDat reads ratings.dat of MovieLens 1M and 10M: user::item::rating::time.
func readMovieLensDat(s *source, c *collector, o Options) error {
	return readFixed(s, c, o, &cutter{s: s, delimiter: "::"}, []string{"user", "item", "rating", "time"},
		[roles]int{0, 1, 2, 3, -1})
}

// readGowalla reads Gowalla_totalCheckins.txt: user, time, latitude, longitude, location, separated by tabs.
func readGowalla(s *source, c *collector, o Options) error {
	return readFixed(s, c, o, &cutter{s: s, delimiter: "\t"},
		[]string{"user", "time", "latitude", "longitude", "location"}, [roles]int{0, 4, -1, 1, -1})
}

// readAmazonRatings reads ratings CSV: without a header `user,item,rating,timestamp` (2014) or
// `item,user,rating,timestamp` (2018), distinguished by the form of ASINs; with a header by its names (2023).
func readAmazonRatings(s *source, c *collector, o Options) error {
	if o.Columns.User != "" || o.Columns.Item != "" || o.Header == HeaderYes {
		return readDelimited(s, c, ",", o)
	}
	switch head := s.peek(sniffed); {
	case itemsFirst(head):
		return readFixed(s, c, o, newCutter(s, ","), []string{"item", "user", "rating", "timestamp"},
			[roles]int{1, 0, 2, 3, -1})
	case everyLine(completeLines(head, 100), ",", 4, func(f [][]byte) bool {
		return isASIN(f[1]) &&
			isAmazonRating(f)
	}):
		return readFixed(s, c, o, newCutter(s, ","), []string{"user", "item", "rating", "timestamp"},
			[roles]int{0, 1, 2, 3, -1})
	}
	return readDelimited(s, c, ",", o)
}

// itemsFirst reports whether the first column holds ASINs and the second reviewers, in most of the first lines.
func itemsFirst(head []byte) bool {
	lines, votes := completeLines(head, 20), 0
	for _, l := range lines {
		f := bytes.Split(l, []byte(","))
		if len(f) != 4 {
			return false
		}
		if isASIN(f[0]) && isReviewer(f[1]) && !isReviewer(f[0]) {
			votes++
		}
	}
	return votes*2 > len(lines)
}

// isASIN: ten capitals and digits, a B or a digit first.
func isASIN(b []byte) bool {
	return len(b) == 10 && (b[0] == 'B' || isDigit(b[0])) && isCapitals(b)
}

// isReviewer: an A, then 8 to 27 capitals and digits.
func isReviewer(b []byte) bool {
	return len(b) >= 9 && len(b) <= 28 && b[0] == 'A' && isCapitals(b)
}

func isCapitals(b []byte) bool {
	for _, c := range b {
		if !isDigit(c) && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return true
}

// readIndexed reads lines `user item` of 0-based indices in two lists of ids.
func readIndexed(users, items []string) func(*source, *collector, Options) error {
	return func(s *source, c *collector, _ Options) error {
		cut := &cutter{s: s, delimiter: " "}
		l := &layout{have: []string{"user", "item"}, columns: [roles]int{0, 1, -1, -1, -1}, names: roleNames, fields: 2}
		e := l.entryOf()
		rows, _ := sampleOf(s, cut)
		c.reading(s, " ", l, rows)
		for {
			f, err := cut.next()
			if err == io.EOF {
				return nil
			}
			c.report.Lines++
			if err == nil && len(f) != 2 {
				err = s.bad(-1, "", joined(f, " "), "a line holds two numbers: the places of the user in users.txt "+
					"and of the item in items.txt")
			}
			if err == nil {
				e.values[roleUser], err = lookUp(s, 0, "user", f[0], users)
			}
			if err == nil {
				e.values[roleItem], err = lookUp(s, 1, "item", f[1], items)
			}
			if err == nil {
				err = c.add(s, &e)
			}
			if err != nil {
				if err := c.bad(err); err != nil {
					return err
				}
			}
		}
	}
}

func lookUp(s *source, column int, name string, place []byte, ids []string) ([]byte, error) {
	n, ok := parseInt(place)
	if !ok || n < 0 || n >= int64(len(ids)) {
		return nil, s.bad(column, name, place, "the place must be a number from 0 to "+strconv.Itoa(len(ids)-1)+", "+
			"a line of "+name+"s.txt")
	}
	return []byte(ids[n]), nil
}

// readList reads a list with one id per line.
func readList(path string, o Options, p *progress) ([]string, error) {
	s, err := openSource(path, p, o.Encoding)
	if err != nil {
		return nil, err
	}
	defer s.close()
	s.skipComments()
	var out []string
	for {
		line, err := s.next()
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return nil, s.fail(err)
		}
		if bad := checkID(trim(line)); bad != nil {
			return nil, s.bad(-1, "", line, bad.what)
		}
		out = append(out, string(trim(line)))
	}
}

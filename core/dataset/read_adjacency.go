package dataset

import (
	"io"
	"strconv"
)

// adjacency is the form of an adjacency list's lines.
type adjacency int

const (
	userItems      adjacency = iota // `user item item …`
	countItems                      // `count item item …`, the user is the line's number from 0
	userCountItems                  // `user count item item …`
)

var adjacencyColumns = [...][]string{{"user", "items …"}, {"(count)", "items …"}, {"user", "(count)", "items …"}}

// adjacencyOf decides by the first lines. If the first number of every line counts the numbers that follow, and one of
// these counts occurs twice, it is a count, since a user has only one list. If none occurs twice, it may be a count or
// a user, and the error asks. If the second number of every line counts the rest, it is a count: so many lists are
// unlikely to begin with such an id by chance.
func adjacencyOf(s *source) (adjacency, error) {
	lines := completeLines(s.head(), sampleRows)
	first, second, twice := len(lines) > 0, len(lines) > 2, false
	seen := map[string]bool{}
	for _, l := range lines {
		head, rest := word(l)
		next, _ := word(rest)
		following := countWords(rest)
		n, ok := parseInt(head)
		first = first && ok && n == int64(following)
		twice = twice || seen[string(head)]
		seen[string(head)] = true
		n, ok = parseInt(next)
		second = second && ok && n == int64(following-1)
	}
	switch {
	case first && twice:
		return countItems, nil
	case first:
		return 0, &FormatError{Path: s.path, Reason: "in every line the first number is how many numbers follow, so " +
			"it may be a count or a user; " +
			"say which by the format: adjacency (a user) or adjacency-counts (a count, one line per user)",
			Ask: "format"}
	case second:
		return userCountItems, nil
	}
	return userItems, nil
}

func countWords(b []byte) (n int) {
	for {
		var w []byte
		if w, b = word(b); len(w) == 0 {
			return n
		}
		n++
	}
}

// readAdjacency reads lines `user item item …`, separated by blanks or tabs, as LightGCN and its successors publish
// their splits, also with a count. A line with only a user is an empty list.
func readAdjacency(s *source, c *collector, o Options) error {
	if c.lists != nil { // all parts have the training part's form
		return readLists(s, c, *c.lists)
	}
	kind, err := adjacencyOf(s)
	switch {
	case o.Format == "adjacency-counts":
		kind = countItems
	case o.Format == "adjacency" && kind != userCountItems:
		kind = userItems
	case err != nil:
		return err
	}
	if kind == countItems {
		c.report.Format = "adjacency-counts"
	}
	c.lists = &kind
	return readLists(s, c, kind)
}

// readLists reads lines of one kind, the lists of the users.
func readLists(s *source, c *collector, kind adjacency) error {
	e := entry{names: roleNames}
	l := &layout{have: adjacencyColumns[kind], columns: [roles]int{0, len(adjacencyColumns[kind]) - 1, -1, -1, -1}}
	if kind == countItems {
		l.columns[roleUser] = -1
	}
	c.reading(s, " ", l, sampleLists(s, len(l.have)))
	for n := 0; ; {
		line, err := s.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return s.fail(err)
		}
		if first, _ := word(line); len(first) == 0 {
			continue
		}
		c.report.Lines++
		user, items, column, err := listOf(s, line, kind, n)
		n++
		if err != nil {
			if err := c.bad(err); err != nil {
				return err
			}
			continue
		}
		e.values[roleUser] = user
		for ; ; column++ {
			var item []byte
			item, items = word(items)
			if len(item) == 0 {
				break
			}
			e.values[roleItem], e.columns[roleItem] = item, column
			if err := c.add(s, &e); err != nil {
				if err := c.bad(err); err != nil {
					return err
				}
			}
		}
	}
}

// listOf cuts a line into its user, which is number n if lines of this kind have no user, and its items, and checks the
// user and the count. column is the column of the first item.
func listOf(s *source, line []byte, kind adjacency, n int) (user, items []byte, column int, err error) {
	user, items = word(line)
	column = 1
	if kind != userItems {
		count := user
		if kind == userCountItems {
			count, items = word(items)
			column++
		} else {
			user = strconv.AppendInt(nil, int64(n), 10)
		}
		if have, ok := parseInt(count); !ok || have != int64(countWords(items)) {
			return nil, nil, 0, s.bad(column-1, "count", count, "the count must be the number of items that follow")
		}
	}
	if bad := checkID(user); bad != nil {
		return nil, nil, 0, s.bad(0, "user", user, bad.what)
	}
	return user, items, column, nil
}

// sampleLists returns the first lines, cut into n parts.
func sampleLists(s *source, n int) (rows [][]string) {
	for _, line := range completeLines(s.head(), shownRows) {
		var row []string
		for range n - 1 {
			var w []byte
			w, line = word(line)
			row = append(row, shorten(w))
		}
		rows = append(rows, append(row, shorten(trim(line))))
	}
	return rows
}

// word cuts the first run of characters other than blanks and tabs off b.
func word(b []byte) (word, rest []byte) {
	i := 0
	for i < len(b) && (b[i] == ' ' || b[i] == '\t') {
		i++
	}
	j := i
	for j < len(b) && b[j] != ' ' && b[j] != '\t' {
		j++
	}
	return b[i:j], b[j:]
}

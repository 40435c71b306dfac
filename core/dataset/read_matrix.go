package dataset

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// isMatrix reports whether rows form a user × item matrix: a header of items, whose first cell is empty or names users,
// and a row for each user, whose other cells are numbers, words of opinion or empty. No other name in the header may
// mean a user, an item, a rating or a time, and there must be at least three items; a table with fewer columns is not a
// matrix.
func isMatrix(rows [][]string) bool {
	if len(rows) < 2 || len(rows[0]) < 4 {
		return false
	}
	head := rows[0]
	if m, ok := meaningOf(head[0]); head[0] != "" && !(ok && (m.role == roleUser || m.weak && m.role == roleTitle)) {
		return false
	}
	for i, name := range head[1:] {
		m, ok := meaningOf(name)
		if name == "" || ok && m.role != roleTitle && m.rank < rankWords || slices.Contains(head[1:1+i], name) &&
			i < 100 {
			return false
		}
	}
	s := &sample{rows: rows[1:]}
	users := map[string]bool{}
	var cells []string
	for _, row := range s.rows {
		if users[row[0]] {
			return false
		}
		users[row[0]] = true
		cells = append(cells, row[1:]...)
	}
	p := profileOf(cells)
	return p.filled > 0 && (p.looksLikeRating() || len(p.distinct) == 1 && p.zeroOrOne() == p.filled)
}

// readMatrix reads a user × item matrix. An empty cell is not an interaction, and neither is 0, unless some numbers are
// below 0. First rows of only 0 and 1 mean that cells are not ratings.
func readMatrix(s *source, c *collector, o Options) error {
	delimiter := o.Delimiter
	if delimiter == "" {
		delimiter = guessDelimiter(s.head())
	}
	if delimiter == "" {
		return &FormatError{Path: s.path, Reason: "no delimiter cuts its first lines into columns; say which one it is",
			Ask: "delimiter"}
	}
	cut := newCutter(s, delimiter)
	cut.limit = maxMatrixFields
	rows, _ := sampleOf(s, cut) // an error in the first line is returned when it is read
	head, err := cut.next()
	if err != nil {
		if err == io.EOF {
			return nil
		}
		return err
	}
	items := make([][]byte, len(head))
	for i, f := range head {
		items[i] = append([]byte(nil), trim(f)...)
	}
	var cells []string
	for _, row := range rows[min(1, len(rows)):] {
		cells = append(cells, row[min(1, len(row)):]...)
	}
	p := profileOf(cells)
	m := matrixRows{s: s, c: c, items: items, negative: p.least < 0}
	m.rated = o.Columns.Rating != "-" && !(p.zeroOrOne() == p.filled && p.least >= 0)
	c.matrixReading(s, delimiter, rows, m.rated)
	m.e.names = roleNames
	m.e.has[roleRating] = m.rated
	for {
		f, err := cut.next()
		if err == io.EOF {
			return nil
		}
		c.report.Lines++
		if err == nil && len(f) != len(items) {
			err = s.bad(-1, "", joined(f, delimiter), fmt.Sprintf("the line has %d fields where the first line has %d",
				len(f), len(items)))
		}
		if err == nil {
			err = checkRow(s, f)
		}
		if err != nil {
			err = c.bad(err)
		} else {
			err = m.add(f)
		}
		if err != nil {
			return err
		}
	}
}

// matrixRows adds the rows of a matrix to a collector.
type matrixRows struct {
	s        *source
	c        *collector
	items    [][]byte // of the columns; the first is not one
	rated    bool     // cells are ratings, else 0, 1 or empty
	negative bool     // there are numbers below 0, so 0 is a rating
	e        entry
}

// add adds the cells of one row. It returns an error if the reading must end.
func (m *matrixRows) add(f [][]byte) error {
	m.e.values[roleUser] = f[0]
	for i := 1; i < len(f); i++ {
		if err := m.cell(i, trim(f[i])); err != nil {
			if err := m.c.bad(err); err != nil {
				return err
			}
		}
	}
	return nil
}

// cell adds a cell of column i, or returns its fault.
func (m *matrixRows) cell(i int, cell []byte) error {
	if isNull(cell) {
		return nil
	}
	v, _, ok := parseRating(cell)
	if ok && v == 0 && !(m.rated && m.negative) {
		return nil
	}
	if !ok && !m.rated {
		return m.s.bad(i, string(m.items[i]), cell, "a cell of a matrix is empty, a number, or a word such as like")
	}
	m.e.values[roleItem], m.e.values[roleRating] = m.items[i], cell
	m.e.columns[roleItem], m.e.columns[roleRating] = i, i
	return m.c.add(m.s, &m.e)
}

// checkRow checks the user of a row, once for all its cells.
func checkRow(s *source, f [][]byte) error {
	if user := trim(f[0]); isNull(user) {
		return s.bad(0, "user", f[0], noID)
	} else if bad := checkID(user); bad != nil {
		return s.bad(0, "user", f[0], bad.what)
	}
	return nil
}

// matrixReading reports the matrix as three columns: the users, the header and the cells.
func (c *collector) matrixReading(s *source, delimiter string, rows [][]string, rated bool) {
	if len(rows) == 0 {
		return
	}
	items := strings.Join(rows[0][1:], ", ")
	l := &layout{header: true, have: []string{"(first column)", "(header)", "(cells)"},
		columns: [roles]int{0, 1, -1, -1, -1}}
	if rated {
		l.columns[roleRating] = 2
	}
	var shown [][]string
	for _, row := range rows[1:min(len(rows), 1+shownRows)] {
		shown = append(shown, []string{row[0], items, strings.Join(row[1:], ", ")})
	}
	c.reading(s, delimiter, l, shown)
}

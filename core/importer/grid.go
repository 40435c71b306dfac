package importer

import (
	"bytes"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// grid is a table that was read as a whole: from JSON, XML, HTML or a workbook.
type grid struct {
	head   []string // for nested objects: paths such as "movie ids imdb"
	rows   [][]string
	nested bool
	at     int
	broken Reason // why the file ends too early; 0: it does not
	told   bool   // broken has been returned
	cells  int    // in all rows
}

func (g *grid) line() int  { return 0 }
func (g *grid) done() int  { return 0 } // the slow part is over
func (g *grid) skip() bool { return true }

func (g *grid) next() ([]string, error) {
	if g.at < len(g.rows) {
		g.at++
		return g.rows[g.at-1], nil
	}
	if g.broken != 0 && !g.told {
		g.told = true
		return nil, g.broken
	}
	return nil, io.EOF
}

func (g *grid) empty() error {
	if len(g.rows) == 0 {
		return io.EOF
	}
	return nil
}

// set puts a text into the column of that name, after any text already in the cell.
func (g *grid) set(at int, path, value string) {
	i := slices.Index(g.head, path)
	if i < 0 {
		if i = len(g.head); i == maxFields {
			return
		}
		g.head = append(g.head, path)
	}
	cell := g.cell(at, i)
	if cell == nil {
		return
	}
	if *cell != "" {
		value = *cell + " " + value
	}
	*cell = cut(value, maxText)
}

// cell returns a cell of a row, creating it if needed. It returns nil and sets broken if there are too many.
func (g *grid) cell(at, i int) *string {
	row := &g.rows[at]
	for len(*row) <= i {
		if g.cells++; g.cells > maxCells {
			g.broken = TooManyParts
			return nil
		}
		*row = append(*row, "")
	}
	return &(*row)[i]
}

// add begins a row.
func (g *grid) add() error {
	if len(g.rows) > maxRows {
		return TooManyRows
	}
	g.rows = append(g.rows, nil)
	return nil
}

// maxDeep is the greatest nesting depth of objects.
const maxDeep = 32

// readJSON reads objects in any nesting of lists as rows. If the file ends too early, or stops being JSON, the rows
// before that point stay.
func (g *grid) readJSON(data []byte, step func() error) error {
	for _, whole := range [...]bool{false, true} {
		// Objects in lists are rows. Without lists, the file's top-level objects are.
		d := jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowDuplicateNames(true),
			jsontext.AllowInvalidUTF8(true))
		for {
			row := -1
			if whole && d.PeekKind() == '{' {
				row = len(g.rows)
				if err := g.add(); err != nil {
					return err
				}
			}
			if err := g.value(d, "", row, 0, step); err == io.EOF {
				break
			} else if _, is := err.(*jsontext.SyntacticError); is || err == io.ErrUnexpectedEOF {
				g.broken = NotText
				break
			} else if err != nil {
				return err
			}
		}
		if g.compact(); len(g.rows) > 0 {
			return nil
		}
	}
	if g.broken != 0 {
		return g.broken
	}
	return nil
}

// compact drops empty rows.
func (g *grid) compact() {
	all := g.rows
	g.rows = nil
	for _, row := range all {
		if len(row) > 0 {
			g.rows = append(g.rows, row)
		}
	}
}

// lists names lists of rows within an object that is not itself a row.
const lists = "entries|items|movies|films|shows|books|titles|ratings|tracks"

// value reads a JSON value at path into a row. Outside of all rows, row is −1 and path the name of the enclosing list.
func (g *grid) value(d *jsontext.Decoder, path string, row, deep int, step func() error) error {
	if deep > maxDeep {
		return NotText
	}
	t, err := d.ReadToken()
	if err != nil {
		return err
	}
	switch t.Kind() {
	case '{':
		for d.PeekKind() != '}' {
			key, err := d.ReadToken()
			if err != nil {
				return err
			}
			name, of := cut(key.String(), maxText), row
			if of >= 0 && d.PeekKind() == '[' && among(lists, strings.ToLower(name)) {
				g.rows[of] = nil
				row, of = -1, -1
			}
			if of >= 0 {
				name = cut(strings.TrimSpace(path+" "+name), maxText)
			}
			if err := g.value(d, name, of, deep+1, step); err != nil {
				return err
			}
		}
		_, err = d.ReadToken()
	case '[':
		for d.PeekKind() != ']' {
			of, name := row, path
			if row < 0 && d.PeekKind() == '{' {
				if err := g.add(); err != nil {
					return err
				}
				of, name = len(g.rows)-1, ""
				if of%64 == 0 {
					if err := step(); err != nil {
						return err
					}
				}
				if path != "" {
					g.set(of, "list", path)
				}
			}
			if err := g.value(d, name, of, deep+1, step); err != nil {
				return err
			}
		}
		_, err = d.ReadToken()
	case 'n':
	default:
		if row >= 0 {
			g.set(row, path, t.String())
		}
	}
	return err
}

// readMarkup reads XML and HTML: the rows of HTML's tables, or else the children of the outermost element. Each child
// is a row of its attributes and of the content of its own elements.
func (g *grid) readMarkup(data []byte, step func() error) error {
	begin := strings.ToLower(string(data[:min(len(data), maxField)]))
	if strings.Contains(begin, "<tr") {
		return g.readCells(data, nil, step)
	}
	g.nested = true
	var path []string
	for x := (markup{data: data}); x.next(); {
		if x.tags%256 == 0 {
			if err := step(); err != nil {
				return err
			}
		}
		switch {
		case x.closes && len(path) > 0:
			path = path[:len(path)-1]
		case x.name == "" && len(path) > 2 && strings.TrimSpace(x.text) != "":
			g.set(len(g.rows)-1, strings.Join(path[2:], " "), x.text)
		case x.name != "" && !x.closes:
			if len(path) == maxDeep {
				return NotText
			}
			if path = append(path, x.name); len(path) == 2 {
				if err := g.add(); err != nil {
					return err
				}
			}
			for i := 0; len(path) > 1 && i < len(x.attributes); i += 2 {
				name := strings.Join(path[2:], " ") + " " + x.attributes[i]
				g.set(len(g.rows)-1, strings.TrimSpace(name), x.attributes[i+1])
			}
			if x.empty {
				path = path[:len(path)-1]
			}
		}
	}
	if g.compact(); len(g.rows) == 0 {
		if strings.Contains(begin, "<html") {
			return &Error{Reason: NotText, Value: "HTML"}
		}
		return &Error{Reason: NotText, Value: "XML"}
	}
	return nil
}

// readCells reads the rows of HTML's tables, or of a workbook's sheet, where some cells are indices into shared texts.
// Dates in a sheet are numbers, so only dates written as text are read.
func (g *grid) readCells(data []byte, shared []string, step func() error) error {
	at, isShared := 0, false
	for x := (markup{data: data}); x.next(); {
		if x.tags%256 == 0 {
			if err := step(); err != nil {
				return err
			}
		}
		name := strings.ToLower(x.name)
		cell := among("td|th|c", name)
		if among("tr|row", name) && !x.closes {
			if err := g.add(); err != nil {
				return err
			}
			at = -1
		}
		if len(g.rows) == 0 {
			continue
		}
		if cell && !x.closes {
			if at++; x.attribute("r") != "" {
				at = columnOf(x.attribute("r"))
			}
			if isShared = x.attribute("t") == "s"; at >= maxFields {
				return TooManyParts
			}
		}
		if at < 0 {
			continue
		}
		text := g.cell(len(g.rows)-1, at)
		if text == nil {
			return nil
		}
		if x.name == "" {
			*text = cut(*text+x.text, maxText)
		} else if cell && x.closes && isShared {
			n, err := strconv.Atoi(strings.TrimSpace(*text))
			if *text = ""; err == nil && n >= 0 && n < len(shared) {
				*text = shared[n]
			}
		}
	}
	return nil
}

// columnOf returns the column of a cell such as "AB12", from 0.
func columnOf(cell string) (n int) {
	for _, c := range cell {
		if c < 'A' || c > 'Z' || n > maxFields {
			break
		}
		n = 26*n + int(c-'A') + 1
	}
	return max(n-1, 0)
}

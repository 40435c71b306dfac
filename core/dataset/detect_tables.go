package dataset

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// partition is a column that the file lacks because its folder holds the value: year=2020/part-0.parquet.
type partition struct{ name, value string }

// foundTable is a file that may hold rows.
type foundTable struct {
	path       string
	partitions []partition
}

// Bounds on the shards of a folder.
const (
	maxTables   = 10_000 // files
	maxFolders  = 8      // folders above a file
	maxFamilies = 40     // groups of names; of each, some files are examined
	shownTables = 8
)

// several is a folder of tables that share their columns and are read as one: exports of several months, parts written
// by Spark, the folders of a partitioned table. If tables differ, those with users and items are taken, unless there
// are several kinds of these, which is an error.
func (p *plan) several(folder string, o Options) (found bool, err error) {
	if folderFormats[o.Format] {
		return false, nil
	}
	tables, err := tablesIn(folder, nil, 0, isTable)
	if err != nil || len(tables) == 0 {
		return false, err
	}
	o.described = p.items != ""
	groups := groupTables(tables, o)
	slices.SortStableFunc(groups, func(a, b *tableGroup) int { return cmp.Compare(a.rank(), b.rank()) })
	if len(groups) > 1 && groups[0].rank() == groups[1].rank() {
		return false, &FormatError{Path: folder, Reason: "holds tables whose columns differ: " + listTables(groups) +
			"; give the file itself, or a folder with tables of the same columns"}
	}
	p.format = o.Format
	p.partitions = map[string][]partition{}
	for _, t := range groups[0].tables {
		p.files[partTrain] = append(p.files[partTrain], t.path)
		p.partitions[t.path] = t.partitions
	}
	p.fixed = groups[0].columns
	for _, g := range groups[1:] {
		for _, t := range g.tables {
			p.others = append(p.others, t.path)
		}
	}
	p.catalogueOf(folder)
	return true, nil
}

// tablesIn returns the files that is accepts in a folder, or else in its subfolders, in natural order: part-2 before
// part-10.
func tablesIn(folder string, partitions []partition, depth int, is func(name string) bool) (tables []foundTable,
	err error) {
	names, err := list(folder)
	if err != nil {
		return nil, folderError(folder, err)
	}
	slices.SortStableFunc(names, naturalOrder)
	for _, name := range names {
		if name == "_delta_log/" || name == "metadata/" && slices.Contains(names, "data/") {
			return nil, &FormatError{Path: folder, Reason: "is a table of Delta Lake or Iceberg, whose folder also " +
				"holds files of earlier versions; write the present version as Parquet"}
		}
		if is(name) {
			tables = append(tables, foundTable{filepath.Join(folder, name), partitions})
		}
	}
	own := len(tables) > 0
	for _, name := range names {
		if own && depth == 0 && !strings.Contains(name, "=") || !strings.HasSuffix(name, "/") ||
			strings.HasPrefix(name, "_") || depth == maxFolders {
			continue
		}
		inner, err := tablesIn(filepath.Join(folder, name), partitionsOf(partitions, strings.TrimSuffix(name, "/")),
			depth+1, is)
		if err != nil {
			return nil, err
		}
		if tables = append(tables, inner...); len(tables) > maxTables {
			return nil, &LimitError{File: folder, What: "the folder holds too many tables; put them together",
				Limit: maxTables}
		}
	}
	return tables, nil
}

// partitionsOf adds the column that a folder such as year=2020 names, as Hive writes it: with escapes, and a word for
// no value.
func partitionsOf(of []partition, folder string) []partition {
	name, value, ok := strings.Cut(folder, "=")
	if !ok || name == "" {
		return of
	}
	if text, err := url.PathUnescape(value); err == nil {
		value = text
	}
	if value == "__HIVE_DEFAULT_PARTITION__" {
		value = ""
	}
	return append(slices.Clip(of), partition{cleanText(name), cleanText(value)})
}

// shardedName matches the names without an ending that Spark, Hive and BigQuery give to parts of a table.
var shardedName = regexp.MustCompile(`^(?:part-[\w-]+|\d{6}_\d+|[\w-]*-?\d{12})$`)

// isTable reports whether the name of a file suggests a table of interactions: not a catalogue, a read-me or a marker
// such as _SUCCESS.
func isTable(name string) bool {
	plain := strings.ToLower(unpackedName(name))
	return isCatalogue(name) && !slices.Contains(itemNames, strings.TrimSuffix(plain, path.Ext(plain)))
}

// isCatalogue is isTable for names that may also be a catalogue's.
func isCatalogue(name string) bool {
	if strings.HasPrefix(name, "_") || strings.HasSuffix(name, "/") {
		return false
	}
	plain := strings.ToLower(unpackedName(name))
	ext := path.Ext(plain)
	stem := strings.TrimSuffix(plain, ext)
	for _, about := range []string{"readme", "licen", "about"} {
		if strings.HasPrefix(stem, about) {
			return false
		}
	}
	return slices.Contains(tableEnds, ext) || shardedName.MatchString(plain)
}

// naturalOrder compares texts with their numbers as numbers: part-2 comes before part-10.
func naturalOrder(a, b string) int {
	x, y := a, b
	for x != "" && y != "" {
		if i, j := digits(x), digits(y); i > 0 && j > 0 {
			m, n := strings.TrimLeft(x[:i], "0"), strings.TrimLeft(y[:j], "0")
			if c := cmp.Or(cmp.Compare(len(m), len(n)), strings.Compare(m, n)); c != 0 {
				return c
			}
			x, y = x[i:], y[j:]
			continue
		}
		if x[0] != y[0] {
			return cmp.Compare(x[0], y[0])
		}
		x, y = x[1:], y[1:]
	}
	return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(a, b))
}

// digits returns how many digits text begins with.
func digits(text string) int {
	if i := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsDigit(r) || r > '9' }); i >= 0 {
		return i
	}
	return len(text)
}

// tableGroup is tables with the same columns.
type tableGroup struct {
	key     string
	tables  []foundTable
	names   []string // of the columns
	columns *Columns // nil if users or items were not found
	lists   bool     // adjacency lists; many a plain text can be read as such
}

// rank is 0 for tables with users and items, 1 for lists, 2 for other tables.
func (g *tableGroup) rank() int {
	switch {
	case g.columns == nil:
		return 2
	case g.lists:
		return 1
	}
	return 0
}

// variable matches the parts in which the names of a table's shards differ.
var variable = regexp.MustCompile(`=[^/\\]*|[0-9a-fA-F]{8}-[0-9a-fA-F-]{20,}|\d+`)

// groupTables groups tables by their columns, in the order of their first files. Of shards whose names differ only in
// numbers it reads the first, middle and last, or all of them if these differ.
func groupTables(tables []foundTable, o Options) (groups []*tableGroup) {
	var order []string
	families := map[string][]foundTable{}
	for _, t := range tables {
		family := variable.ReplaceAllString(t.path, "#")
		if families[family] == nil {
			order = append(order, family)
		}
		families[family] = append(families[family], t)
	}
	enter := func(look *tableGroup, tables []foundTable) {
		at := slices.IndexFunc(groups, func(g *tableGroup) bool { return g.key == look.key })
		if at < 0 {
			groups, at = append(groups, look), len(groups)
		}
		groups[at].tables = append(groups[at].tables, tables...)
	}
	for _, family := range order {
		all := families[family]
		if len(groups) > maxFamilies {
			enter(groups[0], nil)
			break
		}
		var looks []*tableGroup
		for _, at := range []int{0, len(all) / 2, len(all) - 1} {
			if look := lookAt(all[at], o); look != nil {
				looks = append(looks, look)
			}
		}
		alike := len(looks) > 0
		for _, look := range looks {
			alike = alike && look.key == looks[0].key
		}
		if alike {
			enter(looks[0], all)
			continue
		}
		for _, t := range all {
			if look := lookAt(t, o); look != nil {
				enter(look, []foundTable{t})
			}
		}
	}
	if len(groups) == 0 { // all are empty: reading the first says so
		groups = []*tableGroup{{tables: tables[:1]}}
	}
	return groups
}

// lookAt finds the columns of a table by its first lines; nil if it has no rows.
func lookAt(t foundTable, o Options) *tableGroup {
	c := newCollector(o)
	c.partitions, c.mayBeEmpty = t.partitions, true
	c.line = func(Line) error { return errFirstLine }
	err := c.read(t.path, readers[o.Format], o, nil)
	g := &tableGroup{}
	if len(c.report.Readings) > 0 && (err == nil || len(c.report.Readings[0].Rows) > 0) {
		r := c.report.Readings[0]
		if err == nil && c.report.Lines == 0 {
			return nil
		}
		g.columns = &Columns{Rating: "-", Time: "-", Title: "-"}
		g.lists = r.Format == "adjacency" || r.Format == "adjacency-counts"
		for _, column := range r.Columns {
			switch g.names = append(g.names, column.Name); column.Role {
			case "user":
				g.columns.User = column.Name
			case "item":
				g.columns.Item = column.Name
			case "rating", "count":
				g.columns.Rating = column.Name
			case "time":
				g.columns.Time = column.Name
			case "title":
				g.columns.Title = column.Name
			}
		}
		g.key = fmt.Sprintf("%s %q", r.Format, *g.columns)
		if g.lists || r.Format == "matrix" {
			g.columns = &o.Columns
		}
		return g
	}
	var column *ColumnError
	var question *QuestionError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &column):
		g.names = column.Have
		g.key = fmt.Sprintf("column %q", column.Have)
	case errors.As(err, &question):
		g.names = []string{question.Column}
		g.key = fmt.Sprintf("question %q %q", question.Role, question.Column)
	default:
		g.key = fmt.Sprintf("%T %s", err, filepath.Ext(unpackedName(t.path)))
	}
	return g
}

// listTables lists tables with their columns for an error.
func listTables(groups []*tableGroup) string {
	var out []string
	for _, g := range groups {
		if len(out) == shownTables {
			out = append(out, "…")
			break
		}
		text := filepath.Base(g.tables[0].path)
		if n := len(g.tables) - 1; n > 0 {
			text += fmt.Sprintf(" and %d like it", n)
		}
		if names := g.names[:min(len(g.names), 6)]; len(names) > 0 {
			if len(g.names) > len(names) {
				names = append(slices.Clip(names), "…")
			}
			text += " (" + strings.Join(names, ", ") + ")"
		}
		out = append(out, text)
	}
	return strings.Join(out, "; ")
}

package visit

import (
	"strconv"
	"strings"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/ui/keep"
)

// Backup returns both people's marks and the settings as a file. catalogue is the name of this catalogue.
func (l *Log) Backup(now uint64, catalogue string) *keep.Backup {
	settings := l.Settings
	return &keep.Backup{
		Written: now, Catalogue: catalogue, Settings: &settings,
		Items: l.items(0), Other: l.Other, Others: l.items(1),
	}
}

// items returns one person's marks in the form of the file.
func (l *Log) items(who int) (out []keep.Item) {
	columns := l.catalogue.Columns()
	for _, e := range l.Entries(who) {
		if e.Mark == keep.Unmarked {
			continue
		}
		it := keep.Item{Entry: e}
		if i, known := l.index[e.ID]; known {
			l.name(&it.Entry, keep.Entry{})
			for c, v := range l.catalogue.Item(i).Values {
				if v != "" && c < len(columns) && external(columns[c]) {
					it.Other = append(it.Other, keep.ID{Name: columns[c], Value: v})
				}
			}
		}
		out = append(out, it)
	}
	return out
}

// external reports whether a column holds ids of another catalogue, such as imdbId or tmdbId.
func external(column string) bool { return strings.HasSuffix(strings.ToLower(column), "id") }

// Match looks up the titles of a backup in this catalogue, whose name is given, and replaces their ids by the ids used
// here. A title that is not found is kept under an id of its own; unknown maps these ids to titles. Match may run
// concurrently with the other methods.
func (l *Log) Match(b *keep.Backup, catalogue string) (unknown map[string]string, count int) {
	match := l.matcher(b, catalogue)
	unknown = map[string]string{}
	for _, items := range [...][]keep.Item{b.Items, b.Others} {
		for i := range items {
			it := &items[i]
			id, known := match(it)
			if it.ID = id; known {
				continue
			}
			count++
			if unknown[id] = it.Title; it.Title == "" {
				unknown[id] = id
			}
		}
	}
	return unknown, count
}

// matcher returns a function that finds a backup's title in this catalogue, or gives it an id. An id counts if the
// backup is of the same data, or has the same title for it. Ids of other catalogues come next, then title and year.
func (l *Log) matcher(b *keep.Backup, catalogue string) func(it *keep.Item) (id string, known bool) {
	columns := l.catalogue.Columns()
	other := map[keep.ID]int{}
	titles := map[string]int{}
	const several = -1
	for i := range l.catalogue.Len() {
		item := l.catalogue.Item(i)
		for c, v := range item.Values {
			if v != "" && c < len(columns) && external(columns[c]) {
				other[keep.ID{Name: columns[c], Value: v}] = i
			}
		}
		key := titleKey(item.Title, item.Year)
		if _, twice := titles[key]; twice {
			i = several
		}
		titles[key] = i
	}
	same := func(it *keep.Item, i int) bool {
		item := l.catalogue.Item(i)
		return b.Catalogue == catalogue || it.Title == "" ||
			titleKey(it.Title, int(it.Year)) == titleKey(item.Title, item.Year)
	}
	return func(it *keep.Item) (string, bool) {
		i, known := l.index[it.ID]
		if known && same(it, i) {
			return it.ID, true
		}
		for _, o := range it.Other {
			if j, found := other[o]; found {
				return l.catalogue.Item(j).ID, true
			}
		}
		if j, found := titles[titleKey(it.Title, int(it.Year))]; found && j != several && it.Title != "" {
			return l.catalogue.Item(j).ID, true
		}
		if !known && it.ID != "" {
			return it.ID, false
		}
		// here the id is missing, or belongs to another title
		name := it.ID
		if name == "" {
			name = it.Title
		}
		return keep.Shorten(strings.TrimSpace(b.Catalogue + " " + name)), false
	}
}

// titleKey is equal for titles that read the same.
func titleKey(title string, year int) string {
	return catalogue.Fold(title) + "\x00" + strconv.Itoa(year)
}

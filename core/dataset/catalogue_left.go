package dataset

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/internal/people"
)

// leftOutBytes bounds the names of Catalogue.LeftOut, 21 KB after brotli.
const leftOutBytes = 58_000

// leftItem is an item of the interactions that the minima dropped.
type leftItem struct {
	name       string
	likes, all int32
	year       int
}

// popularity counts the likes and all interactions of each item that was read.
func (c *collector) popularity() (likes, all []int32) {
	likes, all = make([]int32, c.items.len()), make([]int32, c.items.len())
	for p := range c.parts {
		for _, chunk := range c.parts[p].chunks {
			for i := range chunk {
				r := &chunk[i]
				if all[r.item]++; c.positive(r, float32(c.report.MinRating)) {
					likes[r.item]++
				}
			}
		}
	}
	return likes, all
}

// leave notes an item that is not in the data set, if the interactions have it. Items that nobody has touched are not
// noted: their owner may not have shown them yet. text is the title without HTML.
func (d *describer) leave(id, text []byte, movies bool) {
	if d.likes == nil || d.pages || len(text) > maxTitle || !utf8.Valid(text) || people.Find(text) != people.None {
		return
	}
	id, _ = itemID(id)
	i, ok := d.known.Index(string(d.like.id(id)))
	if !ok {
		return
	}
	name, year := SplitTitle(cleanText(string(trim(text))))
	if movies {
		name = RestoreArticles(name)
	}
	if name = catalogue.Main(name); name != "" {
		d.left = append(d.left, leftItem{name, d.likes[i], d.touched[i], year})
	}
}

// leftOut returns names of noted items, ascending: those with most likes, the newest first.
func (d *describer) leftOut() []string {
	listed := map[string]bool{}
	for i := range d.catalogue.Items {
		listed[catalogue.Main(d.catalogue.Items[i].Title)] = true
	}
	slices.Reverse(d.left) // later lines of a catalogue are newer
	slices.SortStableFunc(d.left, func(a, b leftItem) int {
		return cmp.Or(cmp.Compare(b.likes, a.likes), cmp.Compare(b.year, a.year), cmp.Compare(b.all, a.all))
	})
	var names []string
	bytes := 0
	for _, x := range d.left {
		if listed[x.name] {
			continue
		}
		if bytes += len(x.name) + 1; bytes > leftOutBytes {
			break
		}
		listed[x.name] = true
		names = append(names, x.name)
	}
	slices.Sort(names)
	return names
}

package postgres

import (
	"cmp"
	"math"
	"slices"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
)

// placing gives each item a place. Its distance from a visitor's place is the item's cost, apart from links, so the
// index finds the items of the lowest cost, and not only the nearest ones by W2. An item's place is its row, then s for
// each of its genres and t for each count in levels that it reaches, and 0 for the others. A cost of −w for a genre
// becomes
//
//	(s·has − q)² = −w·has + q²    with has ∈ {0, 1}, q = (s² + w)/(2s)
//
// The cost of being well known is a sum over the levels in the same way. A level stands for the counts up to the next
// one, so no item costs less than its distance says.
type placing struct {
	genres           []string // those with a coordinate, of the largest share first
	levels           []int    // counts, ascending; the first has no coordinate
	genreSize, level float64  // s, t
}

// placedGenres is the maximum number of genres with a coordinate. Tests change it.
var placedGenres = 64

// Sizes of the coordinates in units of √τ. With .6 and .3 a search for 400 of a million items finds .998 of the ten
// items of the lowest cost; with .3 for both, .94 (core/lab/docs/server.md).
const (
	genreSize  = 0.6
	levelSize  = 0.3
	levelRatio = 1.5 // of the counts of two levels
)

// newPlacing returns the placing of a model's items.
func newPlacing(m *model.Model, f *recommend.Formula) *placing {
	p := &placing{levels: []int{0}, genreSize: genreSize * math.Sqrt(f.Unit), level: levelSize * math.Sqrt(f.Unit)}
	items, room := m.Catalogue.Items, maxWidth-2*m.Items.Dim()
	if f.Rarity > 0 && len(items) > 0 {
		byCount := func(a, b catalogue.Item) int { return cmp.Compare(a.Count, b.Count) }
		levels := []int{slices.MinFunc(items, byCount).Count}
		for most := slices.MaxFunc(items, byCount).Count; ; {
			next := int(levelRatio*float64(levels[len(levels)-1])) + 1
			if next > most {
				break
			}
			levels = append(levels, next)
		}
		if len(levels) <= room {
			p.levels, room = levels, room-len(levels)
		}
	}
	if f.GenreScale > 0 {
		for g, share := range f.GenreShares {
			if share > 0 && share < 1 {
				p.genres = append(p.genres, g)
			}
		}
		slices.SortFunc(p.genres, func(a, b string) int {
			return cmp.Or(cmp.Compare(f.GenreShares[b], f.GenreShares[a]), cmp.Compare(a, b))
		})
		p.genres = p.genres[:min(len(p.genres), placedGenres, room)]
	}
	return p
}

// width returns the number of coordinates for rows of a width.
func (p *placing) width(row int) int { return row + len(p.genres) + len(p.levels) - 1 }

// of returns the place of an item. O(width).
func (p *placing) of(row []float32, it *catalogue.Item) []float32 {
	place := make([]float32, 0, p.width(len(row)))
	place = append(place, row...)
	flag := func(has bool, size float64) {
		if !has {
			size = 0
		}
		place = append(place, float32(size))
	}
	for _, g := range p.genres {
		flag(slices.Contains(it.Genres, g), p.genreSize)
	}
	for _, level := range p.levels[1:] {
		flag(it.Count >= level, p.level)
	}
	return place
}

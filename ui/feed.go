package ui

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"github.com/pmlam/pmlam/core/projection"
	"github.com/pmlam/pmlam/core/recommender"
)

// feedPart names parts of what the map is fed with.
type feedPart uint8

const (
	feedMarks     feedPart = 1 << iota // marks, the next titles, the taste
	feedSelected                       // the title that is opened
	feedDistances                      // which view, and its radii
	feedDim                            // what the filters leave out, and the colours
	feedColours                        // light or dark
	feedSize                           // the map may have been hidden
	feedWords                          // another language
	feedTurn                           // all of an answer has come
	feedAll       feedPart = 1<<iota - 1
)

// feed is what stands between Page and the painted map: what has changed since the last render.
type feed struct {
	dirty   feedPart
	radii   []float32 // Engine.Radii; nil until the map shows distances
	turn    uint64    // of the last question whose whole answer is here
	painter *painter
	undrawn bool // the map cannot be drawn

	pictured *pictured // what the map is made of, until it is made
}

// pictured is what of the catalogue is on the map.
type pictured struct {
	titles  string // with their years, a line each
	points  []byte // x and y of each in turn, little-endian float32
	weights []byte // how well known each is, little-endian float32: the better known are named first
	undrawn bool   // it cannot be drawn: a place is no number
}

// drawable tells whether numbers can be drawn: they are numbers, and float32 holds them.
func drawable(numbers ...float64) bool {
	for _, v := range numbers {
		if !(math.Abs(v) <= math.MaxFloat32) {
			return false
		}
	}
	return true
}

// drawableEllipses tells whether all of them can be drawn.
func drawableEllipses(es *recommender.Ellipses) bool {
	for _, e := range es {
		if !drawable(e.X, e.Y, e.A, e.B, e.Angle) {
			return false
		}
	}
	return true
}

// partUndrawn tells whether something of the map is left out, because it cannot be drawn: the rings of a visitor or of a title
// that is named, or the distances.
func (p *Page) partUndrawn() bool {
	if p.Taste == nil {
		return false
	}
	if !drawableEllipses(&p.Ellipses) || p.Second != nil && !drawableEllipses(p.Second) || p.Log.Settings.Distances && p.feed.radii != nil && !p.drawnByDistance() {
		return true
	}
	for _, s := range p.OnMap() {
		if es := p.Engine.ItemEllipses(s.Item); !drawableEllipses(&es) {
			return true
		}
	}
	return false
}

// drawnByDistance tells whether the map shows distances: the visitor asks for them, and they can be drawn.
func (p *Page) drawnByDistance() bool {
	if !p.Log.Settings.Distances || p.feed.radii == nil || !drawableEllipses(&p.Ellipses) {
		return false
	}
	for _, r := range p.feed.radii {
		if !drawable(float64(r)) {
			return false
		}
	}
	return true
}

// pictureOf works out what the map is made of. O(I·h).
func pictureOf(e recommender.Engine, rest func()) *pictured {
	n := e.Len()
	var titles strings.Builder
	m := &pictured{points: make([]byte, 0, 8*n), weights: make([]byte, 0, 4*n)}
	for i := range n {
		if i&511 == 511 {
			rest()
		}
		it := e.Item(i)
		titles.WriteString(strings.ReplaceAll(titled(it), "\n", " "))
		titles.WriteByte('\n')
		x, y := e.Point(i)
		m.points = appendFloat(appendFloat(m.points, x), y)
		m.undrawn = m.undrawn || !drawable(x, y)
		m.weights = appendFloat(m.weights, float64(it.Count))
	}
	m.titles = titles.String()
	return m
}

// nextOnMap is how many of the list's titles are named on the map.
const nextOnMap = 10

// OnMap returns the titles that the map names: the first of the list.
func (p *Page) OnMap() []recommender.Suggestion { return p.List[:min(len(p.List), nextOnMap)] }

// mapGroups returns each item's colour in the low four bits and its shape above; 15 is no colour. While genres are
// filtered, an item of several is shown as what it was filtered by.
func (p *Page) mapGroups() []byte {
	all := p.Engine.Genres()
	var filtered []int // by rank
	for rank, name := range all[:min(len(all), noGenre)] {
		if p.View.Kind == GenreView && name == p.View.Genre || !p.Browsing() && p.HasGenre(name) {
			filtered = append(filtered, rank)
		}
	}
	b := make([]byte, p.Engine.Len())
	for i, g := range p.genreGroups {
		for _, rank := range filtered {
			if slices.Contains(p.Item(i).Genres, all[rank]) {
				g = uint8(rank)
				break
			}
		}
		b[i] = 15
		if g != noGenre {
			b[i] = g%genreColours | genreShape(g)<<4
		}
	}
	return b
}

// mapRadii returns the radii as little-endian float32.
func mapRadii(radii []float32) []byte {
	b := make([]byte, 0, 4*len(radii))
	for _, v := range radii {
		b = appendFloat(b, float64(v))
	}
	return b
}

// Ordered tells whether the list goes by Engine.Radii: whether nearest is first.
func (p *Page) Ordered() bool {
	s := &p.Log.Settings
	return p.View.Kind == OwnView && !p.Looking() && len(p.Instead) == 0 && p.Mode() != recommender.OutsideBubble && s.Exploration == 0 && s.Diversity == 0
}

// told is what the map says of item i beside its title: what was said of it or its place in the list, and how far it is.
func (p *Page) told(i int) string {
	var parts []string
	if m := p.Log.Now().ByItem[i]; m != Unmarked {
		parts = append(parts, p.W.MarkedAs[m-LikedIt])
	}
	for place, s := range p.List {
		if s.Item == i {
			parts = append(parts, p.W.PlaceInList(place+1))
		}
	}
	if p.Taste != nil {
		parts = append(parts, p.W.FromYou(p.Engine.Distance(p.Taste, i)))
	}
	return strings.Join(parts, " · ")
}

// find answers the map's own search, and says how much it found.
func (p *Page) find(query string) (found []recommender.Found, told string) {
	found = p.Engine.Search(query, searchShows)
	if len(found) == 0 {
		return nil, p.W.NoMatch(p.W.isolate(query), p.Engine.Len())
	}
	return found, p.W.Matches(len(found))
}

// mapMarks returns each item's Mark.
func (p *Page) mapMarks() []byte {
	b := make([]byte, len(p.Log.Now().ByItem))
	for i, m := range p.Log.Now().ByItem {
		b[i] = byte(m)
	}
	return b
}

// mapDim returns 1 for each item that the filters, or the genre or decade that is browsed, leave out; nil where that is none.
func (p *Page) mapDim() []byte {
	f := p.filter()
	if p.Browsing() {
		f = p.View.filter()
	}
	if len(f.Genres) == 0 && f.FromYear == 0 {
		return nil
	}
	b := make([]byte, p.Engine.Len())
	for i := range b {
		it := p.Item(i)
		if f.FromYear > 0 && (it.Year < f.FromYear || it.Year > f.ToYear) || len(f.Genres) > 0 && !meet(it.Genres, f.Genres) {
			b[i] = 1
		}
	}
	return b
}

// meet tells whether the two lists have a text in common.
func meet(a, b []string) bool {
	for _, x := range a {
		for _, y := range b {
			if x == y {
				return true
			}
		}
	}
	return false
}

// mapEllipses returns the three ellipses, widest last, five float32 each: x, y, a, b, angle. What cannot be drawn is nothing.
func mapEllipses(b []byte, es recommender.Ellipses) []byte {
	if !drawableEllipses(&es) {
		es = recommender.Ellipses{}
	}
	for _, e := range es {
		for _, v := range [...]float64{e.X, e.Y, e.A, e.B, e.Angle} {
			b = appendFloat(b, v)
		}
	}
	return b
}

// mapTop returns the named titles' 95% ellipses, five float32 each: their narrower ones would hide under their dots.
func (p *Page) mapTop() []byte {
	var b []byte
	for _, s := range p.OnMap() {
		e := p.Engine.ItemEllipses(s.Item)[2]
		if !drawable(e.X, e.Y, e.A, e.B, e.Angle) {
			e = projection.Ellipse{}
		}
		for _, v := range [...]float64{e.X, e.Y, e.A, e.B, e.Angle} {
			b = appendFloat(b, v)
		}
	}
	return b
}

func appendFloat(b []byte, v float64) []byte {
	return binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v)))
}

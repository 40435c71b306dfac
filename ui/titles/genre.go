package titles

import (
	"slices"
	"strconv"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/yield"
)

// Genres have a colour and a shape, since people can tell only about six colours apart. The six most frequent are
// circles, the next six diamonds, then come triangles; all others are squares.
const (
	GenreColours = 6
	genreShapes  = 4
	NoGenre      = 255 // grey circle: unknown genre
)

// IsFormat reports whether a genre is a word that MovieLens lists as one although it does not describe content.
func IsFormat(genre string) bool { return formats[genre] }

// Genres returns the genres of item i, without formats.
func (c *Catalogue) Genres(i int) []string {
	return slices.DeleteFunc(slices.Clone(c.Entry(i).Genres), IsFormat)
}

// formats are these words.
var formats = map[string]bool{"IMAX": true, "(no genres listed)": true}

// groupGenres returns each item's rarest genre, the most distinctive one, as an index in Engine.Genres. O(items).
func groupGenres(e recommend.Engine) []uint8 {
	rank := make(map[string]int)
	for i, g := range e.Genres() {
		rank[g] = i
	}
	groups := make([]uint8, e.Len())
	for i := range groups {
		if i&1023 == 1023 {
			yield.Now()
		}
		best := -1
		for _, g := range e.Item(i).Genres {
			if r, ok := rank[g]; ok && !formats[g] && r > best {
				best = r
			}
		}
		groups[i] = NoGenre
		if best >= 0 {
			groups[i] = uint8(min(best, NoGenre-1))
		}
	}
	return groups
}

// GenreClass returns the CSS class of genre g's colour: "g0" to "g5", or "gx".
func GenreClass(g uint8) string {
	if g == NoGenre {
		return "gx"
	}
	return "g" + strconv.Itoa(int(g)%GenreColours)
}

// GenreShape returns the shape of genre g: 0 circle, 1 diamond, 2 triangle, 3 square.
func GenreShape(g uint8) uint8 {
	if g == NoGenre {
		return 0
	}
	return min(g/GenreColours, genreShapes-1)
}

// ShapePaths draw the shapes in a square of 10 by 10.
var ShapePaths = [genreShapes]string{
	"M1 5a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
	"M5 .4L9.6 5L5 9.6L.4 5z",
	"M5 .8L9.8 9.2H.2z",
	"M1.3 1.3h7.4v7.4H1.3z",
}

// Genre is a genre with the catalogue's Name, and its Label in the page's language.
type Genre struct {
	Name, Label, Class, Path string
}

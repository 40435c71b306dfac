// Package taste shows the visitor's marks, and the genres and decades of their likes.
package taste

import (
	"slices"
	"strconv"

	"github.com/pmlam/pmlam/ui/history"
	"github.com/pmlam/pmlam/ui/importing"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/marking"
	"github.com/pmlam/pmlam/ui/markup"
	"github.com/pmlam/pmlam/ui/sharing"
	"github.com/pmlam/pmlam/ui/titles"
	"github.com/pmlam/pmlam/ui/words"
)

// Taste shows the visitor's marks, and the genres and decades of their likes.
type Taste struct {
	Marking *marking.Marking
	History *history.State
	Sharing *sharing.Sharing
	Import  *importing.State
}

// heading says whose taste it is.
func (c *Taste) heading() string {
	if w := c.Marking.W; c.Marking.Who() == 1 {
		return words.Fill(w.TasteOf, w.Isolate(c.Marking.Other()))
	}
	return c.Marking.W.Taste
}

// Slice is the share of a genre or decade among the likes.
type Slice struct {
	Name, Class string
	Count       int
	Share       float64 // relative to the largest slice
}

func (s Slice) width() string { return markup.Decimal(max(s.Share*100, 2), 1) }
func (s Slice) count() string { return strconv.Itoa(s.Count) }

// madeOf counts the likes by the names of each, and returns at most n, largest first.
func (c *Taste) madeOf(n int, names func(i int) []string) []Slice {
	var out []Slice
	for _, i := range c.Marking.Now().Visit.Likes {
		for _, name := range names(i) {
			at := slices.IndexFunc(out, func(s Slice) bool { return s.Name == name })
			if at < 0 {
				at = len(out)
				out = append(out, Slice{Name: name})
			}
			out[at].Count++
		}
	}
	// A slices.SortStableFunc of its own type would add 9 KB to the program.
	for i := range out {
		for ; i > 0 && out[i].Count > out[i-1].Count; i-- {
			out[i], out[i-1] = out[i-1], out[i]
		}
	}
	out = out[:min(len(out), n)]
	for i := range out {
		out[i].Share = markup.Fraction(float64(out[i].Count), float64(out[0].Count))
	}
	return out
}

func (c *Taste) genres() []Slice {
	out := c.madeOf(5, func(i int) []string {
		return c.Marking.Genres(i)
	})
	all := c.Marking.Engine.Genres()
	for i := range out {
		out[i].Class = "gx"
		if g := slices.Index(all, out[i].Name); g >= 0 && g < titles.NoGenre {
			out[i].Class = titles.GenreClass(uint8(g))
		}
		out[i].Name = c.Marking.W.GenreName(out[i].Name)
	}
	return out
}

func (c *Taste) decades() []Slice {
	return c.madeOf(4, func(i int) []string {
		if y := c.Marking.Entry(i).Year; y > 0 {
			return []string{c.Marking.W.Decade(y / 10 * 10)}
		}
		return nil
	})
}

func (c *Taste) any() bool { return len(c.lists()) > 0 }

// lists returns the marks that occur, titles kept for later first.
func (c *Taste) lists() (out []keep.Mark) {
	for _, m := range [...]keep.Mark{keep.Later, keep.Liked, keep.NotForMe, keep.Seen} {
		if len(c.Marking.Now().Items[m]) > 0 {
			out = append(out, m)
		}
	}
	return out
}

package ui

import (
	"html"
	"strings"

	"github.com/pmlam/pmlam/core/recommend"
)

// shared returns what the card's title is to each of two people, where it stands in a list for both.
func (c *Card) shared() *recommend.Shared {
	for i := range c.P.Pair {
		if c.P.Pair[i].Item == c.S.Item {
			return &c.P.Pair[i]
		}
	}
	return nil
}

// forBoth says of each of the two, as HTML, how sure it is that they like the title, and why.
func (c *Card) forBoth(s *recommend.Shared) string {
	var lines []string
	for who := range s.Each {
		one := &s.Each[who]
		lines = append(lines, c.P.W.BothBecause(html.EscapeString(c.P.W.isolate(c.P.Called(who))), c.loudest(one), c.P.W.certainty(one.Certainty)))
	}
	return strings.Join(lines, "<br>")
}

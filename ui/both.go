package ui

import (
	"html"
	"strings"

	"github.com/pmlam/pmlam/core/recommender"
)

// shared returns what the card's title is to each of two people, where it stands in a list for both.
func (c *Card) shared() *recommender.Shared {
	for i := range c.List.Pair {
		if c.List.Pair[i].Item == c.S.Item {
			return &c.List.Pair[i]
		}
	}
	return nil
}

// forBoth says of each of the two, as HTML, how sure it is that they like the title, and why.
func (c *Card) forBoth(s *recommender.Shared) string {
	var lines []string
	for who := range s.Each {
		one := &s.Each[who]
		lines = append(lines, c.List.W.BothBecause(html.EscapeString(c.List.W.Isolate(c.List.Called(who))), c.loudest(one), c.List.W.Certainty(one.Certainty)))
	}
	return strings.Join(lines, "<br>")
}

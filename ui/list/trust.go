package list

import (
	"math"

	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/ui/markup"
)

// Trust answers "How do we know?" with this model's reliability diagram. Each dot is a group of chances stated for
// people held out of a training: the stated chance across, the observed frequency up, the number of chances as its
// area. On the line the two are equal.
type Trust struct {
	List *State
}

func (c *Trust) bins() []model.LikeBin { return c.List.About.Reliability.Bins }

func (c *Trust) note() string { return c.List.W.HowKnownNote(c.List.About.Reliability) }

// said reports whether chances are stated.
func (c *Trust) said() bool { return c.List.About.Reliability.People > 0 }

func (c *Trust) circle() string { return c.List.W.CircleNote(c.List.About.Reliability.Of) }

func (c *Trust) point(b model.LikeBin) string {
	return c.List.W.HowKnownPoint(float64(b.Predicted), float64(b.Observed), int(b.Count))
}

// The plot has a margin of 8 in a square of 100.
func (c *Trust) x(b model.LikeBin) string { return markup.Decimal(8+84*float64(b.Predicted), 1) }
func (c *Trust) y(b model.LikeBin) string { return markup.Decimal(92-84*float64(b.Observed), 1) }

func (c *Trust) r(b model.LikeBin) string {
	most := int32(1)
	for _, o := range c.bins() {
		most = max(most, o.Count)
	}
	return markup.Decimal(1.5+2.5*math.Sqrt(float64(b.Count)/float64(most)), 1)
}

package uncertainty

import (
	"slices"

	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
)

// shop is a Case with what makes lists at hand: those of recommend.Recommend without the words around them, which a
// simulation does not read.
type shop struct {
	*Case
	index   *recommend.Index
	links   *model.LinksBySource // nil: none
	spreads []float32            // I×h: how well the items' means are known
	popular []int                // all items, the best known first
}

func newShop(c *Case) (*shop, error) {
	s := &shop{Case: c, index: recommend.NewIndex(c.Model.Items, nil)}
	if c.Model.ItemItem != nil {
		s.links = c.Model.ItemItem.BySource()
	}
	f, err := recommend.NewInferrer(recommend.InferenceSettingsOf(c.Model))
	if err != nil {
		return nil, err
	}
	n, h := c.Model.Items.Len(), c.Model.Items.Dim()
	s.spreads = make([]float32, n*h)
	s.popular = make([]int, n)
	for i := range n {
		f.ItemSpread(s.spreads[i*h:(i+1)*h], i)
		s.popular[i] = i
	}
	slices.SortStableFunc(s.popular, func(a, b int) int { return c.Engine.Item(b).Count - c.Engine.Item(a).Count })
	return s, nil
}

// spread returns how well item i's mean is known.
func (s *shop) spread(i int) []float32 {
	h := s.Model.Items.Dim()
	return s.spreads[i*h : (i+1)*h]
}

// list returns the k first of keep for a taste of what the session has said, by draws of the amount; 0: by cost.
func (s *session) list(t *recommend.Taste, k int, amount float64, keep recommend.ItemSet) []recommend.Hit {
	n := s.index.Len()
	var bonus []float32
	if s.links != nil {
		bonus = make([]float32, n)
		s.links.Add(bonus, ascending(s.visit.Likes))
		s.links.Subtract(bonus, ascending(s.visit.Dislikes))
	}
	if amount > 0 {
		return s.index.Draw(nil, t.Row, t.Spread, s.spread, bonus, k, keep, amount, s.random.Uint64())
	}
	distances := make([]float32, n)
	s.index.Distances(distances, t.Row)
	return s.index.NearestOf(nil, t.Row, distances, bonus, k, keep)
}

// unsaid is what the visitor has not mentioned, askable what of it may be asked for.
func (s *session) unsaid() recommend.ItemSet {
	keep := recommend.FullItemSet(s.index.Len())
	for _, said := range [][]int{s.visit.Likes, s.visit.Dislikes, s.visit.Seen} {
		for _, i := range said {
			keep.Remove(i)
		}
	}
	return keep
}

func (s *session) askable() recommend.ItemSet {
	keep := s.unsaid()
	for _, i := range s.closed {
		keep.Remove(i)
	}
	return keep
}

func ascending(x []int) []int32 {
	out := make([]int32, len(x))
	for k, i := range x {
		out[k] = int32(i)
	}
	slices.Sort(out)
	return out
}

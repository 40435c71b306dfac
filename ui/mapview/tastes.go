package mapview

import (
	"math"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/address"
	"github.com/pmlam/pmlam/ui/titles"
)

// leastOfLikes is the least share of a taste's likes that must have the genre it is called after.
const leastOfLikes = 0.8

// labels returns the label of each taste of one person, such as "Horror · 69% of your taste".
func (m *State) labels(p *recommend.Places, who int) (out []string) {
	owner := m.Called(who)
	if owner == m.W.You {
		owner = ""
	}
	for k := range p.Tastes {
		t := &p.Tastes[k]
		name := ""
		if g := m.genre(t.Likes); g != "" {
			name = m.W.RegionName([]string{g}, 0, 0)
		}
		share := ""
		if len(p.Tastes) > 1 {
			share = m.W.Percentage(t.Share)
		}
		out = append(out, m.W.TasteLabel(name, share, owner))
	}
	return out
}

// genre returns the genre that a taste is called after, or "": the most over-represented one among those that
// leastOfLikes of its likes have, by f·ln(f/b) with f their share and b the share of all titles.
func (m *State) genre(likes []int) (best string) {
	counts := map[string]float64{}
	for _, i := range likes {
		for _, g := range m.Entry(i).Genres {
			counts[g]++
		}
	}
	most := 0.0
	for _, g := range m.Engine.Genres() {
		f := counts[g] / float64(len(likes))
		if f < leastOfLikes || titles.IsFormat(g) {
			continue
		}
		b := float64(m.Count(address.View{Kind: address.Genre, Genre: g})) / float64(m.Engine.Len())
		if score := f * math.Log(f/b); score > most {
			best, most = g, score
		}
	}
	return best
}

// because lists the likes that led to each title named on the map: the title, their number, and they.
func (m *State) because() (out []int) {
	for _, s := range m.list.OnMap() {
		if len(s.Reasons) > 0 {
			out = append(out, s.Item, len(s.Reasons))
			for _, r := range s.Reasons {
				out = append(out, r.Item)
			}
		}
	}
	return out
}

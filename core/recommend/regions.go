package recommend

import (
	"sync"

	"github.com/pmlam/pmlam/core/model"
)

// regions tells which items lie in which region of the map: at each level, an item belongs to the region whose centre
// is nearest, the first of those that are equally near. It is safe for concurrent use.
type regions struct {
	layout *model.Map
	mu     sync.Mutex
	of     [model.MaxLevel + 1][]int32 // by level, made when it is first asked for: each item's region
}

// members takes out of keep what does not lie in that region. One that the map does not have leaves nothing. O(I), and
// O(I·R) the first time that one of the R regions of its level is asked for.
func (m *regions) members(keep ItemSet, region int) {
	if region < 0 || region >= len(m.layout.Regions) {
		clear(keep)
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	level := m.layout.Regions[region].Level
	if m.of[level] == nil {
		m.of[level] = m.assign(level)
	}
	for i, of := range m.of[level] {
		if of != int32(region) {
			keep.Remove(i)
		}
	}
}

// assign returns the region of each item at a level.
func (m *regions) assign(level int) []int32 {
	out := make([]int32, len(m.layout.X))
	for i := range out {
		yieldAfter(i)
		least := float32(-1)
		for k := range m.layout.Regions {
			r := &m.layout.Regions[k]
			dx, dy := m.layout.X[i]-r.X, m.layout.Y[i]-r.Y
			if d := float32(dx*dx) + float32(dy*dy); r.Level == level && (least < 0 || d < least) {
				least, out[i] = d, int32(k)
			}
		}
	}
	return out
}

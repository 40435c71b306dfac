package recommend

import (
	"sync"

	"github.com/pmlam/pmlam/core/model"
)

// regions assigns items to the regions of the map: at each level, an item belongs to the region with the nearest
// centre, ties to the first. It is safe for concurrent use.
type regions struct {
	layout *model.Map
	mu     sync.Mutex
	of     [model.MaxLevel + 1][]int32 // by level, made at the first use: each item's region
}

// members removes items outside of the region from keep; an unknown region leaves nothing. O(I), and O(I·R) at the
// first use of one of the R regions of a level.
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

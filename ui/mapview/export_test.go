package mapview

import "github.com/pmlam/pmlam/core/recommend"

// For the tests outside of the package.
var (
	Drawable  = drawable
	MapTastes = mapTastes
)

func (m *State) Labels(p *recommend.Places, who int) []string { return m.labels(p, who) }

func (m *State) Groups() []byte     { return m.groups() }
func (m *State) Marks() []byte      { return m.marks() }
func (m *State) Provenance() string { return m.provenance() }

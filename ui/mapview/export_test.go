package mapview

// For the tests outside of the package.
var (
	Drawable  = drawable
	MapTastes = mapTastes
)

func (m *State) Groups() []byte     { return m.groups() }
func (m *State) Marks() []byte      { return m.marks() }
func (m *State) Provenance() string { return m.provenance() }

package people

// For the tests outside of the package.
func (p *State) Typed() string { return p.typed }

package list

// For the tests outside of the package.
const (
	BrowsePage = browsePage
	MaxShown   = maxShown
)

var ReasonsOf = reasonsOf

func (l *State) Refresh(announce bool) { l.refresh(announce) }
func (l *State) ListTitle() string     { return l.listTitle() }
func (c *Card) Shares() []string       { return c.shares() }
func (c *Card) Sure() string           { return c.sure() }
func (c *Card) Filled() string         { return c.filled() }

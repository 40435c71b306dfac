package importing

import "github.com/pmlam/pmlam/ui/blocks"

// For the tests outside of the package.
func (m *State) ReviewBlocks() []blocks.Block { return m.reviewBlocks() }

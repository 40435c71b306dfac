package importing

import "github.com/pmlam/pmlam/ui/blocks"

// ReviewBlocks gives external tests the review.
func (m *State) ReviewBlocks() []blocks.Block { return m.reviewBlocks() }

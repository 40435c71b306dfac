package importing

import (
	"github.com/pmlam/pmlam/ui/blocks"
	"github.com/pmlam/pmlam/ui/markup"
)

// Import is "Import your ratings": a file is chosen or dropped, read in the browser, reviewed, and added or dropped.
// The progress and the review appear as Blocks below the button for choosing a file.
type Import struct {
	Import *State
}

func (c *Import) stage() string {
	return [...]string{"waiting", "working", "reviewing"}[c.Import.Stage]
}

func (c *Import) blocks() []blocks.Block {
	m, w := c.Import, c.Import.W
	switch {
	case m.Stage == Working:
		return []blocks.Block{{Class: "bring-work", Text: m.Doing, Progress: markup.Decimal(m.Done, 2),
			Choices: []blocks.Choice{blocks.Button("quiet", w.BringStop, m.CancelImport)}}}
	case m.Stage == Reviewing:
		return m.reviewBlocks()
	case m.Problem != nil:
		return []blocks.Block{{Class: "notice", Text: m.Problem(w)}}
	case m.Last != nil:
		back := blocks.Button("link", w.BringTakeBack, m.TakeImportBack)
		return []blocks.Block{{Class: "bring-last", Text: m.Last.Text(w), Choices: []blocks.Choice{back}}}
	}
	return nil
}

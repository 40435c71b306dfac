package ui

// Import is "Import your ratings": a file is chosen or dropped, read here, reviewed, and added or not. What it shows of
// that are Blocks below the file's place.
type Import struct {
	Import *Importing
}

func (c *Import) stage() string {
	return [...]string{"waiting", "working", "reviewing"}[c.Import.Stage]
}

func (c *Import) blocks() []Block {
	m, w := c.Import, c.Import.W
	switch {
	case m.Stage == Working:
		return []Block{{Class: "bring-work", Text: m.Doing, Progress: decimal(m.Done, 2),
			Choices: []Choice{{"quiet", w.BringStop, false, m.CancelImport}}}}
	case m.Stage == Reviewing:
		return m.reviewBlocks()
	case m.Problem != nil:
		return []Block{{Class: "notice", Text: m.Problem(w)}}
	case m.Last != nil:
		return []Block{{Class: "bring-last", Text: m.Last.Text(w), Choices: []Choice{{"link", w.BringTakeBack, false,
			m.TakeImportBack}}}}
	}
	return nil
}

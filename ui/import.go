package ui

// Import is "Bring your taste": a file is chosen or dropped, read here, reviewed, and added or not. What it shows of that are
// Blocks below the file's place.
type Import struct {
	P *Page
}

func (c *Import) stage() string {
	return [...]string{"waiting", "working", "reviewing"}[c.P.Import.Stage]
}

func (c *Import) blocks() []Block {
	p, m, w := c.P, &c.P.Import, c.P.W
	switch {
	case m.Stage == Working:
		return []Block{{Class: "bring-work", Text: m.Doing, Progress: decimal(m.Done, 2), Choices: []Choice{{"quiet", w.BringStop, false, p.CancelImport}}}}
	case m.Stage == Reviewing:
		return p.reviewBlocks()
	case m.Problem != nil:
		return []Block{{Class: "notice", Text: m.Problem(w)}}
	case m.Last != nil:
		return []Block{{Class: "bring-last", Text: m.Last.Text(w), Choices: []Choice{{"link", w.BringTakeBack, false, p.TakeImportBack}}}}
	}
	return nil
}

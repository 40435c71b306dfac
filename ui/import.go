package ui

// Import is "Bring your taste": a file is chosen or dropped, read here, reviewed, and added or not. What it shows below
// the file's place are blocks of one kind: a line of text, further lines, and buttons.
type Import struct {
	P *Page
}

// Block is a part of what Import shows. The zero value of each field leaves it out.
type Block struct {
	Class    string
	Text     string
	Lines    []string
	Progress string // in [0,1]
	Choices  []Choice
}

// Choice is a button. Its class says what it is: one of several ("chip"), one that opens a list ("link open"), or one
// that does something.
type Choice struct {
	Class string
	Text  string
	On    bool // it is the chosen one, or the list is open
	Do    func()
}

// Attributes that are nil are not there.

func (b *Block) role() any {
	switch b.Class {
	case "chips":
		return "group"
	case "notice":
		return "alert"
	}
	return nil
}

func (b *Block) name() any {
	if b.Class == "chips" {
		return b.Text
	}
	return nil
}

func (x *Choice) pressed() any {
	if x.Class == "chip" {
		return yes(x.On)
	}
	return nil
}

func (x *Choice) expanded() any {
	if x.Class == "link open" {
		return yes(x.On)
	}
	return nil
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

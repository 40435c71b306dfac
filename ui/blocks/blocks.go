// Package blocks is a component that shows an outcome and its choices.
package blocks

import "github.com/pmlam/pmlam/ui/markup"

// Blocks shows an outcome and its choices in parts of one kind: a line of text, further lines, and buttons.
type Blocks struct {
	Blocks []Block
}

// Block is one part. Fields with the zero value are left out.
type Block struct {
	Class    string
	Text     string
	Lines    []string
	Progress string // in [0,1]
	Choices  []Choice
}

// Choice is a button. Its class is its kind: one of several ("chip"), opening a list ("link open"), or an action.
type Choice struct {
	Class string
	Text  string
	On    bool // it is chosen, or its list is open
	Do    func()
}

// Button returns a choice that is an action, Chip one of several, and Opener one that opens a list.
func Button(class, text string, do func()) Choice       { return Choice{class, text, false, do} }
func Chip(text string, on bool, do func()) Choice       { return Choice{"chip", text, on, do} }
func Opener(text string, isOpen bool, do func()) Choice { return Choice{"link open", text, isOpen, do} }

// nil attributes are left out.

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
		return markup.Yes(x.On)
	}
	return nil
}

func (x *Choice) expanded() any {
	if x.Class == "link open" {
		return markup.Yes(x.On)
	}
	return nil
}

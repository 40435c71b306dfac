// Package blocks shows an outcome and the choices that it offers, part by part.
package blocks

import "github.com/pmlam/pmlam/ui/markup"

// Blocks show an outcome and the choices that it offers, in parts of one kind: a line of text, further lines, and
// buttons.
type Blocks struct {
	Blocks []Block
}

// Block is such a part. The zero value of each field leaves it out.
type Block struct {
	Class    string
	Text     string
	Lines    []string
	Progress string // in [0,1]
	Choices  []Choice
}

// Choice is a button. Its class is its kind: one of several ("chip"), one that opens a list ("link open"), or one
// that does something.
type Choice struct {
	Class string
	Text  string
	On    bool // it is the chosen one, or the list is open
	Do    func()
}

// Button returns a choice that does something, Chip one of several, Opener one that opens a list.
func Button(class, text string, do func()) Choice       { return Choice{class, text, false, do} }
func Chip(text string, on bool, do func()) Choice       { return Choice{"chip", text, on, do} }
func Opener(text string, isOpen bool, do func()) Choice { return Choice{"link open", text, isOpen, do} }

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

package ui

import "github.com/pmlam/pmlam/ui/share"

// manyShared is how many titles of a received taste are named.
const manyShared = 24

// receivedBlocks show what was received, and ask what is to become of it.
func (p *Page) receivedBlocks() []Block {
	r, w := p.Received, p.W
	does := Block{Class: "shared-does", Text: w.SharedNote}
	do := func(class, text string, what func()) {
		does.Choices = append(does.Choices, Choice{class, text, false, what})
	}
	drop := w.SharedDrop
	switch r.Unread {
	case nil:
	case share.ErrNewer:
		does.Text, drop = w.SharedNewer, w.Close
	default:
		does.Text, drop = w.SharedBroken, w.Close
	}
	if len(r.Likes)+len(r.Dislikes) > 0 {
		do("quiet review-agree", w.BringAgree, p.AddReceived)
	}
	if len(r.Likes) > 0 {
		look := w.SharedLook
		if r.Looking {
			look = w.Back
		}
		do("quiet", look, p.Look)
		if p.Log.Other == "" && !r.Joining {
			do("quiet", w.SharedTogether, p.TogetherWithReceived)
		}
	}
	do("quiet", drop, p.DropReceived)
	out := []Block{does}
	if p.Looking() {
		return out
	}
	out = p.titleBlock(out, w.SharedLikes, r.Likes)
	out = p.titleBlock(out, w.SharedDislikes, r.Dislikes)
	if n := len(r.Missing); n > 0 {
		out = append(out, Block{Class: "shared-list", Text: w.SharedMissing, Lines: []string{w.some(n, r.Missing[:min(n, manyShared)])}})
	}
	return out
}

// titleBlock appends a list of titles, with what the visitor has said of them.
func (p *Page) titleBlock(out []Block, heading string, items []int) []Block {
	var lines []string
	for k, i := range items {
		if k == manyShared {
			lines = append(lines, p.W.some(len(items)-k, nil))
			break
		}
		s := p.Titled(i)
		if m := p.Log.Now().ByItem[i]; m != Unmarked {
			s += " · " + p.W.MarkedAs[m-LikedIt]
		}
		lines = append(lines, s)
	}
	if lines == nil {
		return out
	}
	return append(out, Block{Class: "shared-list", Text: heading + " (" + p.W.number(len(items)) + ")", Lines: lines})
}

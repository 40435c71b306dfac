package sharing

import (
	"cmp"

	"github.com/pmlam/pmlam/ui/blocks"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/share"
)

// manyShared is the most titles of a received taste that are named.
const manyShared = 24

// Blocks shows the received taste and the visitor's choices.
func (r *Receiving) Blocks() []blocks.Block {
	got, w := r.Got, r.W
	does := blocks.Block{Class: "shared-does", Text: w.SharedNote}
	do := func(class, text string, what func()) {
		does.Choices = append(does.Choices, blocks.Button(class, text, what))
	}
	drop := w.SharedDrop
	switch got.Unread {
	case nil:
	case share.ErrNewer:
		does.Text, drop = w.SharedNewer, w.Close
	default:
		does.Text, drop = w.SharedBroken, w.Close
	}
	if len(got.Likes)+len(got.Dislikes)+len(got.Later) > 0 {
		do("quiet review-agree", w.BringAgree, r.AddReceived)
	}
	if len(got.Likes) > 0 {
		look := w.SharedLook
		if r.list.Borrowed() {
			look = w.Back
		}
		do("quiet", look, r.Look)
		if r.Other() == "" && !r.people.Expects() {
			do("quiet", w.SharedTogether, r.TogetherWithReceived)
		}
	}
	do("quiet", drop, r.DropReceived)
	out := []blocks.Block{does}
	if r.list.Borrowing() {
		return out
	}
	out = r.titleBlock(out, w.SharedLikes, got.Likes)
	out = r.titleBlock(out, w.SharedDislikes, got.Dislikes)
	out = r.titleBlock(out, cmp.Or(keep.ListCalled(got.Taste.List), w.LaterHeading), got.Later)
	if n := len(got.Missing); n > 0 {
		out = append(out, blocks.Block{Class: "shared-list", Text: w.SharedMissing,
			Lines: []string{w.Some(n, got.Missing[:min(n, manyShared)])}})
	}
	return out
}

// titleBlock appends a list of titles with the visitor's marks.
func (r *Receiving) titleBlock(out []blocks.Block, heading string, items []int) []blocks.Block {
	var lines []string
	for k, i := range items {
		if k == manyShared {
			lines = append(lines, r.W.Some(len(items)-k, nil))
			break
		}
		s := r.Titled(i)
		if m := r.Now().ByItem[i]; m != keep.Unmarked {
			s += " · " + r.W.MarkedAs[m-keep.Liked]
		}
		lines = append(lines, s)
	}
	if lines == nil {
		return out
	}
	heading += " (" + r.W.Number(len(items)) + ")"
	return append(out, blocks.Block{Class: "shared-list", Text: heading, Lines: lines})
}

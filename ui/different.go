package ui

import "slices"

// mostInstead is how many of the titles that were shown make way at most; after that the earliest may come again.
const mostInstead = 60

// Different shows something different: what is shown makes way, and what comes lies as far from it as what is near the
// visitor can. It is for whom the list does not tempt, and who likes more than they have told. It is not for a better guess:
// on MovieLens small a visitor's own list has more of what they like (docs/uncertainty.md). It can be undone.
func (l *ListState) Different() {
	gone := make([]int, len(l.Titles))
	for k, s := range l.Titles {
		gone[k] = s.Item
	}
	all := slices.Concat(l.Instead, gone)
	l.Instead = all[max(len(all)-mostInstead, 0):]
	l.Shown, l.Why = pageSize, -1
	l.ask(question{gone: gone})
}

// Usual shows the list as it comes.
func (l *ListState) Usual() {
	l.Instead, l.Shown, l.Why = nil, pageSize, -1
	l.refresh(true)
}

// dealt says what has gone and what has come, and offers to take it back.
func (l *ListState) dealt(gone []int) {
	var went, came []string
	for _, i := range gone {
		went = append(went, l.W.Isolate(l.Item(i).Title))
	}
	for _, s := range l.Titles {
		came = append(came, l.W.Isolate(l.Item(s.Item).Title))
	}
	before := l.Instead[:max(len(l.Instead)-len(gone), 0)]
	l.offer.offer(l.W.Dealt(went, came), func() {
		l.Instead, l.Shown, l.Why = before, pageSize, -1
		l.refresh(false)
	})
}

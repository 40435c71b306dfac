package ui

// mostInstead is how many of the titles that were shown make way at most; after that the earliest may come again.
const mostInstead = 60

// Different shows something different: what is shown makes way, and what comes lies as far from it as what is near the
// visitor can. It is for whom the list does not tempt, and who likes more than they have told. It is not for a better guess:
// on MovieLens small a visitor's own list has more of what they like (docs/uncertainty.md). It can be undone.
func (p *Page) Different() {
	p.gone = make([]int, len(p.List))
	for k, s := range p.List {
		p.gone[k] = s.Item
	}
	all := append(append([]int(nil), p.Instead...), p.gone...)
	p.Instead = all[max(len(all)-mostInstead, 0):]
	p.Shown, p.Why = pageSize, -1
	p.refresh(false)
	p.gone = nil
}

// Usual shows the list as it comes.
func (p *Page) Usual() {
	p.Instead, p.Shown, p.Why = nil, pageSize, -1
	p.refresh(true)
}

// dealt says what has gone and what has come, and offers to take it back.
func (p *Page) dealt(gone []int) {
	var went, came []string
	for _, i := range gone {
		went = append(went, p.W.isolate(p.Item(i).Title))
	}
	for _, s := range p.List {
		came = append(came, p.W.isolate(p.Item(s.Item).Title))
	}
	before := p.Instead[:max(len(p.Instead)-len(gone), 0)]
	p.offer(&Undo{Text: p.W.Dealt(went, came), back: func() {
		p.Instead, p.Shown, p.Why = before, pageSize, -1
		p.refresh(false)
	}})
}

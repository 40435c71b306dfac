package ui

import (
	"errors"

	"github.com/pmlam/pmlam/core/recommender"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/share"
)

// Received is a taste that came with the page's address. Nothing of it is kept before the visitor says so.
type Received struct {
	Taste   share.Taste
	Unread  *share.Error // why the link cannot be read, then there is nothing else; or nil
	Looking bool         // the list shows where that taste leads
	All     bool         // all of its titles are shown
	Joining bool         // it is to become the second person's, once they have a name
}

// Receive shows what came in a fragment of an address, or says what is wrong with it.
func (p *Page) Receive(fragment string) {
	looked := p.Looking()
	taste, err := share.Decode(fragment)
	p.Received = &Received{Taste: taste}
	p.Received.Unread, _ = errors.AsType[*share.Error](err)
	p.SetTab(TabNext)
	if looked {
		p.refresh(false)
	}
	p.announce(p.receivedTitle())
	if p.Ready { // who comes by a link begins at the top of the page, as always
		focus("#shared")
	}
}

// receivedTitle says what was received.
func (p *Page) receivedTitle() string {
	if p.Received.Unread != nil {
		return p.W.SharedUnread
	}
	return p.W.SharedWith(p.Received.Taste.Titles())
}

// Looking tells whether the list shows where a received taste leads.
func (p *Page) Looking() bool {
	return p.Received != nil && p.Received.Looking && p.View.Kind == OwnView
}

// Look has the list show where the received taste leads, or the visitor's own recommendations again.
func (p *Page) Look(on bool) {
	p.Received.Looking = on
	p.Why, p.Shown, p.Instead = -1, pageSize, nil
	if p.View.Kind == OwnView {
		p.refresh(true)
	} else {
		p.Go(View{})
	}
	focus("#shared")
}

// known returns those of the ids that this catalogue has, by index, and the others as they are.
func (p *Page) known(ids []string) (items []int, others []string) {
	for _, id := range ids {
		if i, ok := p.index[id]; ok {
			items = append(items, i)
		} else {
			others = append(others, id)
		}
	}
	return items, others
}

// lookFor returns whose recommendations the list shows while Looking: what was received, and all that the visitor has marked
// themselves counts as seen.
func (p *Page) lookFor() recommender.Visit {
	var v recommender.Visit
	v.Likes, _ = p.known(p.Received.Taste.Likes)
	v.Dislikes, _ = p.known(p.Received.Taste.Dislikes)
	theirs := make(map[int]struct{}, p.Received.Taste.Titles())
	for _, items := range [...][]int{v.Likes, v.Dislikes} {
		for _, i := range items {
			theirs[i] = struct{}{}
		}
	}
	for i, m := range p.marks {
		if _, said := theirs[i]; m != Unmarked && !said {
			v.Seen = append(v.Seen, i)
		}
	}
	return v
}

// additions returns what adding would mark: what was received, is in this catalogue and has no mark here yet.
func (p *Page) additions(dislikes bool) []keep.Change {
	var out []keep.Change
	add := func(ids []string, m Mark) {
		items, _ := p.known(ids)
		for _, i := range items {
			if p.marks[i] == Unmarked {
				out = append(out, keep.Change{ID: p.Item(i).ID, Mark: m})
			}
		}
	}
	add(p.Received.Taste.Likes, LikedIt)
	if dislikes {
		add(p.Received.Taste.Dislikes, NotForMe)
	}
	return out
}

// AddReceived adds what was received to what the visitor said: the likes, and with dislikes these too. What they have
// marked themselves stays as it is. It can be undone.
func (p *Page) AddReceived(dislikes bool) {
	changes := p.additions(dislikes)
	before := p.State
	p.State.Apply(changes)
	p.Received = nil
	dropShared()
	p.offerUndo(p.W.SharedAdded(len(changes)), before)
	p.changed()
	focus("#next")
}

// TogetherWithReceived asks what whoever sent the taste is called, so that both can choose together (Add).
func (p *Page) TogetherWithReceived() {
	p.Received.Joining = true
	p.Go(View{Kind: TogetherView})
	focus("#person")
}

// DropReceived puts away what was received; nothing of it was kept.
func (p *Page) DropReceived() {
	looked := p.Looking()
	p.forgetReceived()
	if looked {
		p.refresh(true)
	}
	focus("#next")
}

func (p *Page) forgetReceived() {
	p.Received = nil
	dropShared()
}

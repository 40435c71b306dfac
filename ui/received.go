package ui

import (
	"slices"

	"github.com/pmlam/pmlam/core/recommender"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/share"
)

// Received is a taste that came with the page's address. Nothing of it is kept before the visitor says so.
type Received struct {
	Taste    share.Taste
	Likes    []int    // those of its titles that this catalogue has
	Dislikes []int    // the same, of what is not for them
	Missing  []string // what the others are called
	Unread   error    // why the link cannot be read, then there is nothing else; or nil
	Looking  bool     // the list shows where that taste leads
	All      bool     // all of its titles are shown
	Joining  bool     // it is to become the second person's, once they have a name
}

// Receive shows what came in a fragment of an address, or says what is wrong with it.
func (p *Page) Receive(fragment string) {
	looked := p.Looking()
	taste, err := share.Decode(fragment)
	r := &Received{Taste: taste, Unread: err}
	known := func(ids []string) (items []int) {
		for _, id := range ids {
			if i, ok := p.Log.Item(id); ok {
				items = append(items, i)
				continue
			}
			r.Missing = append(r.Missing, id)
		}
		return items
	}
	r.Likes, r.Dislikes = known(taste.Likes), known(taste.Dislikes)
	p.Received = r
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

// Look has the list show where the received taste leads, or again the visitor's own recommendations.
func (p *Page) Look() {
	p.Received.Looking = !p.Received.Looking
	p.Why, p.Shown, p.Instead = -1, pageSize, nil
	if p.View.Kind == OwnView {
		p.refresh(true)
	} else {
		p.Go(View{})
	}
	focus("#shared")
}

// lookFor returns whose recommendations the list shows while Looking: what was received, and all that the visitor has marked
// themselves counts as seen.
func (p *Page) lookFor() recommender.Visit {
	return recommender.Visit{
		Likes: p.Received.Likes, Dislikes: p.Received.Dislikes,
		Seen: slices.Concat(p.Log.Now().Visit.Likes, p.Log.Now().Visit.Dislikes, p.Log.Now().Visit.Seen),
	}
}

// AddReceived adds what was received to what the visitor said, likes to likes and what is not for them likewise; what they have
// marked themselves stays as it is. It can be undone.
func (p *Page) AddReceived() {
	var changes []keep.Change
	add := func(items []int, m Mark) int {
		n := len(changes)
		for _, i := range items {
			if p.Log.Now().ByItem[i] == Unmarked {
				changes = append(changes, keep.Change{ID: p.Item(i).ID, Mark: m})
			}
		}
		return len(changes) - n
	}
	added := Tally{Likes: add(p.Received.Likes, LikedIt), Dislikes: add(p.Received.Dislikes, NotForMe)}
	e := p.Log.Mark(changes...)
	p.forgetReceived()
	p.offerUndo(p.W.BringDone(p.W.SharedLink, added), e)
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

package sharing

import (
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/address"
	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/list"
	"github.com/pmlam/pmlam/ui/people"
	"github.com/pmlam/pmlam/ui/share"
	"github.com/pmlam/pmlam/ui/store"
	"github.com/pmlam/pmlam/ui/tabs"
	"github.com/pmlam/pmlam/ui/undo"
	"github.com/pmlam/pmlam/ui/words"
)

// Receiving is the taste that came with the page's address. Nothing of it is stored unless the visitor agrees.
type Receiving struct {
	*store.Store
	list   *list.State
	people *people.State
	tabs   *tabs.State
	offer  *undo.Offer

	Got *Received // nil: nothing
}

// Received is a taste that was shared.
type Received struct {
	Taste    share.Taste
	Likes    []int    // its titles in this catalogue
	Dislikes []int    // the same, of its dislikes
	Later    []int    // the same, of titles kept for later
	Missing  []string // the ids of the others
	Unread   error    // why the link cannot be read, then there is nothing else; or nil
}

// NewReceiving returns the state of a first visit.
func NewReceiving(
	s *store.Store, list *list.State, people *people.State, tabs *tabs.State, offer *undo.Offer,
) *Receiving {
	r := &Receiving{Store: s, list: list, people: people, tabs: tabs, offer: offer}
	s.Subscribe(func(e store.Event) {
		if e.Erased {
			r.forget()
		}
	})
	return r
}

// Receive shows the taste in a fragment of an address, or the error in it.
func (r *Receiving) Receive(fragment string) {
	taste, err := share.Decode(fragment)
	got := &Received{Taste: taste, Unread: err}
	known := func(ids []string) (items []int) {
		for _, id := range ids {
			if i, ok := r.Find(id); ok {
				items = append(items, i)
				continue
			}
			got.Missing = append(got.Missing, id)
		}
		return items
	}
	got.Likes, got.Dislikes, got.Later = known(taste.Likes), known(taste.Dislikes), known(taste.Later)
	r.Got = got
	r.people.ExpectNobody()
	r.tabs.SetTab(tabs.Next)
	r.list.Return(false)
	r.Announce(r.Title())
	if r.Ready { // a page that is opened by a link begins at its top, as always
		browser.Focus("#shared")
	}
}

// Title is the heading of the received taste.
func (r *Receiving) Title() string {
	if r.Got.Unread != nil {
		return r.W.SharedUnread
	}
	return r.W.SharedWith(r.Got.Taste.Titles())
}

// Look has the list show where the received taste leads, or again the visitor's own recommendations.
func (r *Receiving) Look() {
	if r.list.Borrowed() {
		r.list.Borrow(nil)
	} else {
		r.list.Borrow(&recommend.Visit{Likes: r.Got.Likes, Dislikes: r.Got.Dislikes})
	}
	browser.Focus("#shared")
}

// AddReceived adds the received taste to the visitor's marks, likes to likes and the others likewise; titles that they
// have marked themselves stay as they are. It can be undone.
func (r *Receiving) AddReceived() {
	var changes []keep.Change
	add := func(items []int, m keep.Mark) int {
		n := len(changes)
		for _, i := range items {
			if r.Now().ByItem[i] == keep.Unmarked {
				changes = append(changes, keep.Change{ID: r.Entry(i).ID, Mark: m})
			}
		}
		return len(changes) - n
	}
	added := words.Tally{Likes: add(r.Got.Likes, keep.Liked), Dislikes: add(r.Got.Dislikes, keep.NotForMe),
		Later: add(r.Got.Later, keep.Later)}
	r.list.Return(false)
	r.forget()
	r.offer.Events(r.W.BringDone(r.W.SharedLink, added), r.Change(changes...))
	browser.Focus("#next")
}

// TogetherWithReceived asks for the name of the sender, so that both can choose together (people.State.AddWith).
func (r *Receiving) TogetherWithReceived() {
	r.people.Expect(keep.State{Likes: r.Got.Taste.Likes, Dislikes: r.Got.Taste.Dislikes}, r.put)
	r.Go(address.View{Kind: address.Together})
	browser.Focus("#person")
}

// DropReceived drops the received taste; nothing of it was stored.
func (r *Receiving) DropReceived() {
	r.list.Return(true)
	r.forget()
	browser.Focus("#next")
}

// put drops the received taste, once it is the second person's.
func (r *Receiving) put() {
	r.list.Return(false)
	r.forget()
}

func (r *Receiving) forget() {
	r.Got = nil
	r.people.ExpectNobody()
	browser.DropShared()
}

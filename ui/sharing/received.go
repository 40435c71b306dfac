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

// Receiving is the taste that came with the page's address. None of it is stored without the visitor's consent.
type Receiving struct {
	*store.Store
	list   *list.State
	people *people.State
	tabs   *tabs.State
	offer  *undo.Offer

	Got *Received // nil: none
}

// Received is a taste that somebody shared.
type Received struct {
	Taste    share.Taste
	Likes    []int    // liked titles of this catalogue
	Dislikes []int    // disliked titles of this catalogue
	Later    []int    // titles of this catalogue that are kept for later
	Missing  []string // ids that this catalogue lacks
	Unread   error    // why the link cannot be read, the other fields being empty; or nil
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

// Receive shows the taste in an address's fragment, or its error.
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
	if r.Ready { // a page opened by a link begins at its top
		browser.Focus("#shared")
	}
}

// Title returns the heading of the received taste.
func (r *Receiving) Title() string {
	if r.Got.Unread != nil {
		return r.W.SharedUnread
	}
	if name := keep.ListCalled(r.Got.Taste.List); name != "" {
		return words.Fill(r.W.SharedNamed, r.W.Isolate(name))
	}
	return r.W.SharedWith(r.Got.Taste.Titles())
}

// Look switches the list between the received taste and the visitor's own.
func (r *Receiving) Look() {
	if r.list.Borrowed() {
		r.list.Borrow(nil)
	} else {
		r.list.Borrow(&recommend.Visit{Likes: r.Got.Likes, Dislikes: r.Got.Dislikes})
	}
	browser.Focus("#shared")
}

// AddReceived gives the visitor the received marks, except for titles that they have marked themselves, and a received
// list. It can be undone.
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
	from := r.W.SharedLink
	added := words.Tally{Likes: add(r.Got.Likes, keep.Liked), Dislikes: add(r.Got.Dislikes, keep.NotForMe)}
	if name := keep.ListCalled(r.Got.Taste.List); name != "" {
		from = name
		for _, i := range r.Got.Later {
			d, mark := r.Now().Details[i], r.Now().ByItem[i]
			if d.Put(name, true); mark == keep.Unmarked {
				mark = keep.Later
			}
			changes = append(changes, keep.Change{ID: r.Entry(i).ID, Mark: mark, Details: &d})
		}
		added.Later = len(r.Got.Later)
	} else {
		added.Later = add(r.Got.Later, keep.Later)
	}
	r.list.Return(false)
	r.forget()
	r.offer.Events(r.W.BringDone(from, added), r.Change(changes...))
	browser.Focus("#next")
}

// TogetherWithReceived asks for the sender's name, so that both can choose together (people.State.AddWith).
func (r *Receiving) TogetherWithReceived() {
	r.people.Expect(keep.State{Likes: r.Got.Taste.Likes, Dislikes: r.Got.Taste.Dislikes}, r.put)
	r.Go(address.View{Kind: address.Together})
	browser.Focus("#person")
}

// DropReceived drops the received taste, which was not stored.
func (r *Receiving) DropReceived() {
	r.list.Return(true)
	r.forget()
	browser.Focus("#next")
}

// put drops the received taste, now that it is the second person's.
func (r *Receiving) put() {
	r.list.Return(false)
	r.forget()
}

func (r *Receiving) forget() {
	r.Got = nil
	r.people.ExpectNobody()
	browser.DropShared()
}

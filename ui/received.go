package ui

import (
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/share"
	"github.com/pmlam/pmlam/ui/words"
)

// ReceivedState is the taste that came with the page's address. Nothing of it is stored unless the visitor agrees.
type ReceivedState struct {
	*Session
	list    *ListState
	marking *Marking
	tabs    *TabState

	Got *Received // nil: nothing
}

// Received is a taste that was shared.
type Received struct {
	Taste    share.Taste
	Likes    []int    // those of its titles that this catalogue has
	Dislikes []int    // the same, of what is not for them
	Later    []int    // the same, of what they keep for later
	Missing  []string // the ids of the others
	Unread   error    // why the link cannot be read, then there is nothing else; or nil
	Joining  bool     // it is to become the second person's, once they have a name
}

// Receive shows what came in a fragment of an address, or what is wrong with it.
func (r *ReceivedState) Receive(fragment string) {
	looked := r.list.Borrowing()
	taste, err := share.Decode(fragment)
	got := &Received{Taste: taste, Unread: err}
	known := func(ids []string) (items []int) {
		for _, id := range ids {
			if i, ok := r.Log.Item(id); ok {
				items = append(items, i)
				continue
			}
			got.Missing = append(got.Missing, id)
		}
		return items
	}
	got.Likes, got.Dislikes, got.Later = known(taste.Likes), known(taste.Dislikes), known(taste.Later)
	r.Got, r.list.borrowed = got, nil
	r.tabs.SetTab(TabNext)
	if looked {
		r.list.refresh(false)
	}
	r.announce(r.receivedTitle())
	if r.Ready { // who comes by a link begins at the top of the page, as always
		browser.Focus("#shared")
	}
}

// receivedTitle is the heading of what was received.
func (r *ReceivedState) receivedTitle() string {
	if r.Got.Unread != nil {
		return r.W.SharedUnread
	}
	return r.W.SharedWith(r.Got.Taste.Titles())
}

// Look has the list show where the received taste leads, or again the visitor's own recommendations.
func (r *ReceivedState) Look() {
	if r.list.borrowed != nil {
		r.list.borrow(nil)
	} else {
		r.list.borrow(&recommend.Visit{Likes: r.Got.Likes, Dislikes: r.Got.Dislikes})
	}
	browser.Focus("#shared")
}

// AddReceived adds what was received to the visitor's marks, likes to likes and the others likewise; what they
// have marked themselves stays as it is. It can be undone.
func (r *ReceivedState) AddReceived() {
	var changes []keep.Change
	add := func(items []int, m Mark) int {
		n := len(changes)
		for _, i := range items {
			if r.Log.Now().ByItem[i] == Unmarked {
				changes = append(changes, keep.Change{ID: r.Item(i).ID, Mark: m})
			}
		}
		return len(changes) - n
	}
	added := words.Tally{Likes: add(r.Got.Likes, LikedIt), Dislikes: add(r.Got.Dislikes, NotForMe),
		Later: add(r.Got.Later, ForLater)}
	e := r.Log.Mark(changes...)
	r.forget()
	r.marking.offerUndo(r.W.BringDone(r.W.SharedLink, added), e)
	r.marking.changed()
	browser.Focus("#next")
}

// TogetherWithReceived asks what whoever sent the taste is called, so that both can choose together (Add).
func (r *ReceivedState) TogetherWithReceived() {
	r.Got.Joining = true
	r.list.Go(View{Kind: TogetherView})
	browser.Focus("#person")
}

// DropReceived puts away what was received; nothing of it was kept.
func (r *ReceivedState) DropReceived() {
	looked := r.list.Borrowing()
	r.forget()
	if looked {
		r.list.refresh(true)
	}
	browser.Focus("#next")
}

func (r *ReceivedState) forget() {
	r.Got, r.list.borrowed = nil, nil
	browser.DropShared()
}

package sharing

import (
	"github.com/pmlam/pmlam/ui/blocks"
	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/list"
	"github.com/pmlam/pmlam/ui/share"
	"github.com/pmlam/pmlam/ui/store"
)

// Sharing turns the visitor's taste into a link.
type Sharing struct {
	*store.Store
	list *list.State

	Dislikes bool   // the link carries dislikes too
	Later    bool   // and titles kept for later
	Result   string // the outcome of the latest link, or ""
}

// New returns the state of a first visit.
func New(s *store.Store, list *list.State) *Sharing {
	h := &Sharing{Store: s, list: list}
	s.Subscribe(func(e store.Event) {
		if e.Erased {
			h.Dislikes, h.Later = false, false
		}
		if e.Erased || e.Words {
			h.Result = ""
		}
	})
	return h
}

// ToggleShareDislikes switches dislikes in the link on or off.
func (s *Sharing) ToggleShareDislikes() { s.toggle(&s.Dislikes) }

// ToggleShareLater switches titles kept for later in the link on or off.
func (s *Sharing) ToggleShareLater() { s.toggle(&s.Later) }

func (s *Sharing) toggle(part *bool) {
	*part, s.Result = !*part, ""
	s.list.ForgetCopied()
}

// ShareLink gives the browser a link with the likes in its fragment.
func (s *Sharing) ShareLink() { s.hand(s.taste()) }

// ShareList gives the browser a link with the titles kept for later alone.
func (s *Sharing) ShareList() { s.hand(share.Taste{Later: s.Now().Later}) }

// ShareOwn gives the browser a link with one of the visitor's own lists.
func (s *Sharing) ShareOwn(ids []string, name string) { s.hand(share.Taste{Later: ids, List: name}) }

func (s *Sharing) taste() share.Taste {
	taste := share.Taste{Likes: s.Now().Likes}
	if s.Dislikes {
		taste.Dislikes = s.Now().Dislikes
	}
	if s.Later {
		taste.Later = s.Now().Later
	}
	return taste
}

func (s *Sharing) hand(taste share.Taste) {
	fragment, carried := share.Encode(&taste)
	more := ""
	if carried < taste.Titles() {
		more = " " + s.W.ShareLatest
	}
	browser.ShareLink(s.Name, fragment, s.W.ShareCopied+more, s.W.ShareByHand+more, s.W.Close)
}

// Handed shows the outcome of a link.
func (s *Sharing) Handed(text string) {
	s.Result = text
	s.Announce(text)
}

// Blocks shows the controls for sharing.
func (s *Sharing) Blocks() []blocks.Block {
	does := []blocks.Choice{blocks.Button("quiet", s.W.ShareLink, s.ShareLink)}
	if len(s.Now().Dislikes) > 0 {
		does = append(does, blocks.Chip(s.W.ShareDislikes, s.Dislikes, s.ToggleShareDislikes))
	}
	if len(s.Now().Later) > 0 {
		does = append(does, blocks.Chip(s.W.ShareLater, s.Later, s.ToggleShareLater),
			blocks.Button("quiet", s.W.ShareList, s.ShareList))
	}
	return []blocks.Block{
		{Class: "shared-does", Text: s.W.ShareNote, Choices: does},
		{Class: "shared-does", Text: s.Result},
	}
}

package ui

import (
	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/share"
)

// Sharing is what the visitor hands out.
type Sharing struct {
	*Session
	list *ListState

	Dislikes bool   // what is not for them goes along with the link
	Later    bool   // and what they keep for later
	Result   string // what came of the latest link, or ""
}

// ToggleShareDislikes has the link carry what is not for the visitor, or leave it out.
func (s *Sharing) ToggleShareDislikes() { s.toggle(&s.Dislikes) }

// ToggleShareLater has the link carry what the visitor keeps for later, or leave it out.
func (s *Sharing) ToggleShareLater() { s.toggle(&s.Later) }

func (s *Sharing) toggle(part *bool) { *part, s.Result, s.list.Copied = !*part, "", "" }

// ShareLink hands out a link that carries the likes in its fragment.
func (s *Sharing) ShareLink() {
	taste := share.Taste{Likes: s.Log.Now().Likes}
	if s.Dislikes {
		taste.Dislikes = s.Log.Now().Dislikes
	}
	if s.Later {
		taste.Later = s.Log.Now().Later
	}
	fragment, carried := share.Encode(&taste)
	more := ""
	if carried < taste.Titles() {
		more = " " + s.W.ShareLatest
	}
	browser.ShareLink(s.Name, fragment, s.W.ShareCopied+more, s.W.ShareByHand+more, s.W.Close)
}

// handed shows what came of a link, or of the list.
func (s *Sharing) handed(link bool, text string) {
	if link {
		s.Result = text
	} else {
		s.list.Copied = text
	}
	s.announce(text)
}

// shareBlocks hand out a link.
func (s *Sharing) shareBlocks() []Block {
	does := []Choice{{"quiet", s.W.ShareLink, false, s.ShareLink}}
	if len(s.Log.Now().Dislikes) > 0 {
		does = append(does, Choice{"chip", s.W.ShareDislikes, s.Dislikes, s.ToggleShareDislikes})
	}
	if len(s.Log.Now().Later) > 0 {
		does = append(does, Choice{"chip", s.W.ShareLater, s.Later, s.ToggleShareLater})
	}
	return []Block{{Class: "shared-does", Text: s.W.ShareNote, Choices: does}, {Class: "shared-does", Text: s.Result}}
}

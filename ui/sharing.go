package ui

import (
	"github.com/pmlam/pmlam/core/recommender"
	"github.com/pmlam/pmlam/ui/share"
)

// Sharing is what the visitor hands out.
type Sharing struct {
	_        [0]func() // as Texts
	Dislikes bool      // what is not for them goes along with the link
	Told     string    // what came of the latest link, or ""
	Copied   string    // what came of the list as text, or ""
}

// ToggleShareDislikes has the link carry what is not for the visitor, or leave it out.
func (p *Page) ToggleShareDislikes() {
	p.Sharing = Sharing{Dislikes: !p.Sharing.Dislikes}
}

// ShareLink hands out a link that carries the likes in its fragment.
func (p *Page) ShareLink() {
	taste := share.Taste{Likes: p.Log.Now().Likes}
	if p.Sharing.Dislikes {
		taste.Dislikes = p.Log.Now().Dislikes
	}
	fragment, carried := share.Encode(&taste)
	more := ""
	if carried < taste.Titles() {
		more = " " + p.W.ShareLatest
	}
	p.handLink(fragment, more)
}

// CopyList copies the first ten of the list as text, or saves them as a file where the page may not copy.
func (p *Page) CopyList() {
	because := p.W.ListBecause
	if p.Looking() {
		because = p.W.BecauseTheyLike
	}
	p.handList(p.listTitle(), because)
}

// handed says what came of a link, or of the list.
func (p *Page) handed(link bool, text string) {
	if link {
		p.Sharing.Told = text
	} else {
		p.Sharing.Copied = text
	}
	p.announce(text)
}

// shareBlocks hand out a link.
func (p *Page) shareBlocks() []Block {
	does := []Choice{{"quiet", p.W.ShareLink, false, p.ShareLink}}
	if len(p.Log.Now().Dislikes) > 0 {
		does = append(does, Choice{"chip", p.W.ShareDislikes, p.Sharing.Dislikes, p.ToggleShareDislikes})
	}
	return []Block{{Class: "shared-does", Text: p.W.ShareNote, Choices: does}, {Class: "shared-does", Text: p.Sharing.Told}}
}

// listTitle is what the list is called as text.
func (p *Page) listTitle() string {
	if p.View.Kind == OwnView && !p.Looking() && len(p.List) >= pageSize {
		return p.W.ListTitle
	}
	return p.heading()
}

// reasonsOf returns the one or two likes that speak loudest; a like that says little beside the first is left out.
func reasonsOf(s *recommender.Suggestion) []recommender.Reason {
	n := min(len(s.Reasons), 2)
	if n == 2 && s.Reasons[1].Share < s.Reasons[0].Share/3 {
		n = 1
	}
	return s.Reasons[:n]
}

// provenance says where a picture of the map is from.
func (p *Page) provenance() string {
	a := &p.About
	return p.Name + " · " + p.W.MapCanvas(p.Engine.Len()) + " · " + a.Dataset + " · " + a.Digest[:min(len(a.Digest), 12)]
}

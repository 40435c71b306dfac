package ui

import (
	"strconv"
	"strings"

	"github.com/pmlam/pmlam/core/recommender"
	"github.com/pmlam/pmlam/ui/share"
)

// Sharing is what the visitor hands out.
type Sharing struct {
	Dislikes bool   // what is not for them goes along with the link
	Told     string // what came of the latest link, or ""
	Link     string // to be copied by hand, where the browser lets the page do nothing else; else ""
	Copied   string // what came of the list as text, or ""
}

// handed is what came of handing something to the browser.
type handed string

const (
	refused handed = "refused"
	givenUp handed = "given up"
	copied  handed = "copied"
	shared  handed = "shared"
)

// ToggleShareDislikes has the link carry what is not for the visitor, or leave it out.
func (p *Page) ToggleShareDislikes() {
	p.Sharing = Sharing{Dislikes: !p.Sharing.Dislikes}
}

// ShareLink hands out a link that carries the likes in its fragment.
func (p *Page) ShareLink() {
	taste := share.Taste{Likes: p.State.Likes}
	if p.Sharing.Dislikes {
		taste.Dislikes = p.State.Dislikes
	}
	fragment, carried := share.Encode(&taste)
	link := address() + "#" + fragment
	p.handOut(p.Name, link, true, func(how handed) {
		p.linkHanded(how, link, carried, taste.Titles())
	})
}

func (p *Page) linkHanded(how handed, link string, carried, of int) {
	s := &p.Sharing
	s.Told, s.Link = "", ""
	switch how {
	case givenUp:
		return
	case shared:
		s.Told = p.W.ShareDone
	case copied:
		s.Told = p.W.ShareCopied
	case refused:
		s.Told, s.Link = p.W.ShareByHand, link
		focus("#share-link")
	}
	if carried < of {
		s.Told += " " + p.W.ShareLatest(carried, of)
	}
	p.announce(s.Told)
}

// CopyList copies the first ten of the list as text; where the browser does not let the page do that, it becomes a file.
func (p *Page) CopyList() {
	p.handOut("", p.ListText(), false, func(how handed) {
		if how == refused {
			p.SaveList()
			return
		}
		p.Sharing.Copied = p.W.ListCopied
		p.announce(p.Sharing.Copied)
	})
}

// SaveList hands the visitor the first ten of the list as a file.
func (p *Page) SaveList() {
	name := strings.ToLower(p.Name) + ".txt"
	download(name, "text/plain", []byte(p.ListText()))
	p.Sharing.Copied = p.W.BackupSaved(name)
	p.announce(p.Sharing.Copied)
}

// ListText is the first ten of the list as plain text: title, year and reason of each, a line for each.
func (p *Page) ListText() string {
	list := p.List[:min(len(p.List), pageSize)]
	b := []byte(p.listTitle(len(list)) + "\n\n")
	for k, s := range list {
		it := p.Item(s.Item)
		b = append(strconv.AppendInt(b, int64(k)+1, 10), ". "...)
		b = append(b, it.Title...)
		if it.Year > 0 {
			b = append(strconv.AppendInt(append(b, " ("...), int64(it.Year), 10), ')')
		}
		if reasons := reasonsOf(&s); len(reasons) > 0 {
			titles := make([]string, len(reasons))
			for i, r := range reasons {
				titles[i] = p.Item(r.Item).Title
			}
			because := p.W.ListBecause
			if p.Looking() {
				because = p.W.BecauseTheyLike
			}
			b = append(append(b, ": "...), because(titles)...)
		}
		b = append(b, '\n')
	}
	return string(b) + "\n" + p.Name + ", " + address() + "\n"
}

func (p *Page) listTitle(n int) string {
	switch {
	case p.Similar >= 0:
		return p.W.Similar(p.Titled(p.Similar))
	case p.View.Kind != OwnView || p.Looking():
		return p.heading()
	}
	return p.W.ListTitle(n)
}

// reasonsOf returns the one or two likes that speak loudest; a like that says little beside the first is left out.
func reasonsOf(s *recommender.Suggestion) []recommender.Reason {
	n := min(len(s.Reasons), 2)
	if n == 2 && s.Reasons[1].Share < s.Reasons[0].Share/3 {
		n = 1
	}
	return s.Reasons[:n]
}

package ui

import (
	"strings"
	"time"

	"github.com/pmlam/pmlam/ui/keep"
)

// picture is what stands around the map when its present view is saved as a picture.
type picture struct {
	file   string
	title  string
	legend []legendItem
	notes  []string // a line each, or more where it is long
}

// legendItem is a genre of the legend.
type legendItem struct {
	name  string
	group byte // its colour in the low four bits, its shape above, as of mapGroups
	faint bool // the filter leaves it out
}

// SavePicture hands the visitor a picture of the map as it is shown, with a title, the genres' legend, and where it is from.
func (p *Page) SavePicture() {
	c := p.picture(keep.Date(uint64(time.Now().UnixMilli())))
	p.paint(c, func(saved bool) {
		text := p.W.PictureFailed
		if saved {
			text = p.W.BackupSaved(c.file)
		}
		p.announce(text)
	})
}

func (p *Page) picture(date string) *picture {
	m := TasteMap{P: p}
	c := &picture{file: strings.ToLower(p.Name) + "-map-" + date + ".png", title: p.W.Map, notes: []string{m.note()}}
	if m.rings() {
		c.notes = append(c.notes, p.W.MapRings+".")
	}
	a := &p.About
	c.notes = append(c.notes, p.W.PictureFrom(p.Name, a.Dataset, p.Engine.Len(), a.Digest[:min(len(a.Digest), 12)], p.W.day(date), address()))
	for g, name := range p.Engine.Genres() {
		if g < noGenre && !formats[name] {
			c.legend = append(c.legend, legendItem{p.W.GenreName(name), groupCode(uint8(g)), len(p.State.Settings.Genres) > 0 && !p.HasGenre(name)})
		}
	}
	return c
}

package ui

import (
	"errors"
	"strings"
	"time"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/ui/keep"
)

// SaveBackup hands the visitor a file with all that they and the second person have said.
func (p *Page) SaveBackup() {
	now := uint64(time.Now().UnixMilli())
	b := p.backup(now)
	name := strings.ToLower(p.Name) + "-" + keep.Date(now) + ".json"
	download(name, "application/json", b.Bytes())
	p.announce(p.W.BackupSaved(name))
}

// backup returns what was said as a file.
func (p *Page) backup(now uint64) *keep.Backup {
	settings := p.State.Settings
	return &keep.Backup{
		Written: now, Catalogue: p.About.Dataset, Settings: &settings,
		Items: p.items(0), Other: p.Other, Others: p.items(1),
	}
}

// items are what one of the two has said, as in a file.
func (p *Page) items(who int) (out []keep.Item) {
	l := p.keeper.books[who].ledger()
	columns := p.columns()
	for _, e := range l.Entries {
		if e.Mark == Unmarked {
			continue
		}
		it := keep.Item{Entry: e}
		if i, ok := p.index[e.ID]; ok {
			p.name(&it.Entry, nil)
			for c, v := range p.Item(i).Values {
				if v != "" && c < len(columns) && external(columns[c]) {
					it.Other = append(it.Other, keep.ID{Name: columns[c], Value: v})
				}
			}
		}
		out = append(out, it)
	}
	return out
}

// columns returns the names of the catalogue's further columns, where the engine tells them.
func (p *Page) columns() []string {
	if e, ok := p.Engine.(interface{ Columns() []string }); ok {
		return e.Columns()
	}
	return nil
}

// external tells whether a column holds what another catalogue calls an item: imdbId, tmdbId and the like.
func external(column string) bool { return strings.HasSuffix(strings.ToLower(column), "id") }

// OpenBackup looks at a file, in the background; nil is one that could not be read. Nothing is done before MergeBackup
// or RestoreBackup.
func (p *Page) OpenBackup(name string, file []byte) {
	p.background(func() {
		o := p.readBackup(name, file)
		p.env.Lock()
		if p.Opened = o; o.backup != nil {
			p.plan()
		}
		focus("#opened")
		p.env.UnlockRender()
	})
}

// readBackup reads a backup and finds its titles in the catalogue. It may be called without the render lock.
func (p *Page) readBackup(name string, file []byte) *Opened {
	o := &Opened{Name: name, titles: map[string]string{}}
	if file == nil {
		o.Problem = p.W.BackupUnread
		return o
	}
	b, err := keep.ReadBackup(file, uint64(time.Now().UnixMilli()))
	if err != nil {
		e, _ := errors.AsType[*keep.BackupError](err)
		o.Problem = p.W.BackupBad(e.Line)
		if e.Newer {
			o.Problem = p.W.BackupNewer
		}
		return o
	}
	o.backup, o.Count = b, len(b.Items)+len(b.Others)
	if b.Written > 0 {
		o.Date = keep.Date(b.Written)
	}
	match := p.matcher(b)
	for _, items := range [...][]keep.Item{b.Items, b.Others} {
		for i := range items {
			it := &items[i]
			id, known := match(it)
			if it.ID = id; !known {
				o.Unknown++
				o.titles[id] = or(it.Title, id)
			}
		}
	}
	return o
}

// matcher returns what finds a backup's title in this catalogue, and gives an id to what is not in it, under which it is
// kept. An id counts where the backup is of the same data, or has the same title for it; then the ids of other
// catalogues count, then title and year.
func (p *Page) matcher(b *keep.Backup) func(it *keep.Item) (id string, known bool) {
	columns := p.columns()
	other := map[keep.ID]int{}
	titles := map[string]int{}
	const several = -1
	for i := range p.Engine.Len() {
		item := p.Item(i)
		for c, v := range item.Values {
			if v != "" && c < len(columns) && external(columns[c]) {
				other[keep.ID{Name: columns[c], Value: v}] = i
			}
		}
		key := titleKey(item.Title, item.Year)
		if _, twice := titles[key]; twice {
			i = several
		}
		titles[key] = i
	}
	return func(it *keep.Item) (string, bool) {
		i, known := p.index[it.ID]
		if known && (b.Catalogue == p.About.Dataset || it.Title == "" || titleKey(it.Title, int(it.Year)) == titleKey(p.Item(i).Title, p.Item(i).Year)) {
			return it.ID, true
		}
		for _, o := range it.Other {
			if j, ok := other[o]; ok {
				return p.Item(j).ID, true
			}
		}
		if j, ok := titles[titleKey(it.Title, int(it.Year))]; ok && j != several && it.Title != "" {
			return p.Item(j).ID, true
		}
		if !known && it.ID != "" {
			return it.ID, false
		}
		// The id is another title's here, or there is none.
		return keep.Shorten(strings.TrimSpace(b.Catalogue + " " + or(it.ID, it.Title))), false
	}
}

// titleKey is the same for titles that read the same.
func titleKey(title string, year int) string {
	return catalogue.Fold(title) + "\x00" + decimal(float64(year), 0)
}

// keep shows a State whose entries are pending already, or whose settings may differ.
func (p *Page) keep(now State) {
	was := p.State.Settings
	p.State = now
	p.look(&was)
	p.feed.dirty |= feedDim | feedDistances
}

// SaveAside hands the visitor what was stored and could not be read.
func (p *Page) SaveAside() {
	p.background(func() {
		var b []byte
		err := p.keeper.store.Update([]string{AsideKey}, func(values [][]byte) error {
			b = values[0]
			return nil
		})
		p.env.Lock()
		if err == nil && b != nil {
			download(strings.ToLower(p.Name)+"-set-aside.msgpack", "application/octet-stream", b)
		}
		p.env.UnlockRender()
	})
}

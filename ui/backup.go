package ui

import (
	"errors"
	"strings"
	"time"

	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/visit"
)

// Opened is a backup that the visitor has opened: what would come of it, before anything is done.
type Opened struct {
	Name    string // of the file
	Date    string // on which it was written; "": unknown
	Count   int    // titles in it
	Unknown int    // of which this catalogue does not have
	Merge   visit.Plans
	Restore visit.Plans
	Problem string // why it cannot be read; then there is nothing else

	backup *keep.Backup
	titles map[string]string // of what the catalogue does not have, by id
}

// SaveBackup hands the visitor a file with all that they and the second person have marked.
func (p *Page) SaveBackup() {
	now := uint64(time.Now().UnixMilli())
	b := p.backup(now)
	name := strings.ToLower(p.Name) + "-" + keep.Date(now) + ".json"
	download(name, "application/json", b.Bytes())
	p.announce(p.W.BackupSaved(name))
}

// backup returns what was marked as a file.
func (p *Page) backup(now uint64) *keep.Backup { return p.Log.Backup(now, p.About.Dataset) }

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
	o := &Opened{Name: name}
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
	o.titles, o.Unknown = p.Log.Match(b, p.About.Dataset)
	return o
}

// plan works out what would come of the opened backup now.
func (p *Page) plan() {
	o := p.Opened
	o.Merge, o.Restore = p.Log.Plan(o.backup)
}

// CloseBackup puts the opened backup away; nothing was done.
func (p *Page) CloseBackup() {
	p.Opened = nil
	focus("#backup-file")
}

// MergeBackup adds what is in the opened backup. It can be undone.
func (p *Page) MergeBackup() {
	if p.ready() {
		p.plan()
		p.apply(p.Opened.Merge, false)
	}
}

// RestoreBackup makes everything as it is in the opened backup, the settings too. It can be undone.
func (p *Page) RestoreBackup() {
	if p.ready() {
		p.plan()
		p.apply(p.Opened.Restore, true)
	}
}

// ready tells whether there is a backup to be taken in.
func (p *Page) ready() bool { return p.Opened != nil && p.Opened.backup != nil }

// apply does what is planned.
func (p *Page) apply(plans visit.Plans, restore bool) {
	b := p.Opened.backup
	p.Opened = nil
	who, other, was := p.Log.Who, p.Log.Other, p.Log.Settings
	events := p.Log.Apply(b, plans, restore)
	if p.Log.Who != who {
		p.show()
	}
	if p.Log.Other != other {
		p.feed.dirty |= feedMarks
	}
	p.look(&was)
	p.feed.dirty |= feedDim | feedDistances
	added, changed, removed := 0, 0, 0
	for _, plan := range plans {
		if plan != nil {
			added, changed, removed = added+len(plan.Added), changed+len(plan.Changed), removed+len(plan.Removed)
		}
	}
	p.offerUndo(p.W.BackupApplied(added, changed, removed), events...)
	p.changed()
	focus("#next")
}

// SaveAside hands the visitor what was stored and could not be read.
func (p *Page) SaveAside() {
	p.background(func() {
		var b []byte
		err := p.keeper.store.Update([]string{visit.AsideKey}, func(values [][]byte) error {
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

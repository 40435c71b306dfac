package ui

import (
	"errors"
	"strings"
	"time"

	"github.com/pmlam/pmlam/ui/browser"
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

// BackupState is the backup that the visitor saves or opens.
type BackupState struct {
	*Session
	marking *Marking

	Opened *Opened // nil: none
}

// SaveBackup hands the visitor a file with all that they and the second person have marked.
func (b *BackupState) SaveBackup() {
	now := uint64(time.Now().UnixMilli())
	name := strings.ToLower(b.Name) + "-" + keep.Date(now) + ".json"
	browser.Download(name, "application/json", b.backup(now).Bytes())
	b.announce(b.W.BackupSaved(name))
}

// backup returns what was marked as a file.
func (b *BackupState) backup(now uint64) *keep.Backup { return b.Log.Backup(now, b.About.Dataset) }

// OpenBackup looks at a file, in the background; nil is one that could not be read. Nothing is done before MergeBackup
// or RestoreBackup.
func (b *BackupState) OpenBackup(name string, file []byte) {
	b.background(func() {
		o := b.readBackup(name, file)
		b.env.Lock()
		if b.Opened = o; o.backup != nil {
			b.plan()
		}
		browser.Focus("#opened")
		b.env.UnlockRender()
	})
}

// readBackup reads a backup and finds its titles in the catalogue. It may be called without the render lock.
func (b *BackupState) readBackup(name string, file []byte) *Opened {
	o := &Opened{Name: name}
	if file == nil {
		o.Problem = b.W.BackupUnread
		return o
	}
	read, err := keep.ReadBackup(file, uint64(time.Now().UnixMilli()))
	if err != nil {
		e, _ := errors.AsType[*keep.BackupError](err)
		o.Problem = b.W.BackupBad(e.Line)
		if e.Newer {
			o.Problem = b.W.BackupNewer
		}
		return o
	}
	o.backup, o.Count = read, len(read.Items)+len(read.Others)
	if read.Written > 0 {
		o.Date = keep.Date(read.Written)
	}
	o.titles, o.Unknown = b.Log.Match(read, b.About.Dataset)
	return o
}

// plan works out what would come of the opened backup now.
func (b *BackupState) plan() {
	o := b.Opened
	o.Merge, o.Restore = b.Log.Plan(o.backup)
}

// CloseBackup puts the opened backup away; nothing was done.
func (b *BackupState) CloseBackup() {
	b.Opened = nil
	browser.Focus("#backup-file")
}

// MergeBackup adds what is in the opened backup. It can be undone.
func (b *BackupState) MergeBackup() {
	if b.ready() {
		b.plan()
		b.apply(b.Opened.Merge, false)
	}
}

// RestoreBackup makes everything as it is in the opened backup, the settings too. It can be undone.
func (b *BackupState) RestoreBackup() {
	if b.ready() {
		b.plan()
		b.apply(b.Opened.Restore, true)
	}
}

// ready reports whether there is a backup to be taken in.
func (b *BackupState) ready() bool { return b.Opened != nil && b.Opened.backup != nil }

// apply does what is planned.
func (b *BackupState) apply(plans visit.Plans, restore bool) {
	file := b.Opened.backup
	b.Opened = nil
	who, other, was := b.Log.Who, b.Log.Other, b.Log.Settings
	events := b.Log.Apply(file, plans, restore)
	if b.Log.Who != who {
		b.on.person()
	}
	if b.Log.Other != other {
		b.feed.dirty |= feedMarks
	}
	b.on.settings(&was)
	b.feed.dirty |= feedDim | feedDistances
	added, changed, removed := 0, 0, 0
	for _, plan := range plans {
		if plan != nil {
			added, changed, removed = added+len(plan.Added), changed+len(plan.Changed), removed+len(plan.Removed)
		}
	}
	b.marking.offerUndo(b.W.BackupApplied(added, changed, removed), events...)
	b.marking.changed()
	browser.Focus("#next")
}

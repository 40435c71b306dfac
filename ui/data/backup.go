package data

import (
	"errors"
	"strings"
	"time"

	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/store"
	"github.com/pmlam/pmlam/ui/undo"
	"github.com/pmlam/pmlam/ui/visit"
)

// Opened is a backup that the visitor has opened, with its possible effects, before anything is done.
type Opened struct {
	Name    string // the file's
	Date    string // when it was written; "": unknown
	Count   int    // titles in it
	Unknown int    // titles that this catalogue lacks
	Merge   visit.Plans
	Restore visit.Plans
	Problem string // why it cannot be read; the other fields are empty then

	backup *keep.Backup
	titles map[string]string // titles that the catalogue lacks, by id
}

// Backup is the backup that the visitor saves or opens.
type Backup struct {
	*store.Store
	offer *undo.Offer

	Opened *Opened // nil: none
}

// NewBackup returns the state of a first visit.
func NewBackup(s *store.Store, offer *undo.Offer) *Backup {
	b := &Backup{Store: s, offer: offer}
	s.Subscribe(func(e store.Event) {
		if e.Person || e.Erased || e.Words && b.Opened != nil && b.Opened.Problem != "" {
			b.Opened = nil
		}
	})
	return b
}

// SaveBackup gives the visitor a file with both people's marks.
func (b *Backup) SaveBackup() {
	now := uint64(time.Now().UnixMilli())
	name := strings.ToLower(b.Name) + "-" + keep.Date(now) + ".json"
	browser.Download(name, "application/json", b.Store.Backup(now).Bytes())
	b.Announce(b.W.BackupSaved(name))
}

// OpenBackup reads a file in the background; nil means that it could not be read. Nothing changes before MergeBackup or
// RestoreBackup.
func (b *Backup) OpenBackup(name string, file []byte) {
	b.Tasks.Background(func() {
		o := b.readBackup(name, file)
		b.Tasks.Lock()
		if b.Opened = o; o.backup != nil {
			b.plan()
		}
		browser.Focus("#opened")
		b.Tasks.UnlockRender()
	})
}

// readBackup reads a backup and looks up its titles in the catalogue. It may be called without the render lock.
func (b *Backup) readBackup(name string, file []byte) *Opened {
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
	o.titles, o.Unknown = b.Match(read)
	return o
}

// plan computes the effects of the opened backup at this moment.
func (b *Backup) plan() {
	o := b.Opened
	o.Merge, o.Restore = b.Plan(o.backup)
}

// CloseBackup closes the opened backup without changes.
func (b *Backup) CloseBackup() {
	b.Opened = nil
	browser.Focus("#backup-file")
}

// MergeBackup merges the opened backup. It can be undone.
func (b *Backup) MergeBackup() {
	if b.ready() {
		b.plan()
		b.apply(b.Opened.Merge, false)
	}
}

// RestoreBackup restores the opened backup, including the settings. It can be undone.
func (b *Backup) RestoreBackup() {
	if b.ready() {
		b.plan()
		b.apply(b.Opened.Restore, true)
	}
}

// ready reports whether an opened backup can be applied.
func (b *Backup) ready() bool { return b.Opened != nil && b.Opened.backup != nil }

func (b *Backup) apply(plans visit.Plans, restore bool) {
	file := b.Opened.backup
	b.Opened = nil
	events := b.Apply(file, plans, restore)
	added, changed, removed := 0, 0, 0
	for _, plan := range plans {
		if plan != nil {
			added, changed, removed = added+len(plan.Added), changed+len(plan.Changed), removed+len(plan.Removed)
		}
	}
	b.offer.Events(b.W.BackupApplied(added, changed, removed), events...)
	browser.Focus("#next")
}

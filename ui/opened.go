package ui

import (
	"time"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/ui/keep"
)

// Opened is a backup that the visitor has opened: what would come of it, before anything is done.
type Opened struct {
	Name    string // of the file
	Date    string // on which it was written; "": unknown
	Count   int    // titles in it
	Unknown int    // of which this catalogue does not have
	Merge   plans
	Restore plans
	Problem string // why it cannot be read; then there is nothing else

	backup *keep.Backup
	titles map[string]string // of what the catalogue does not have, by id
}

// plans are what would come of a file. One of two people is for the visitor and for the second person; one of one person is for
// whoever's page it is, and has the first plan alone.
type plans [people]*keep.Plan

// plan works out what would come of the opened backup now. Nobody is merged with somebody of another name.
func (p *Page) plan() {
	o, b := p.Opened, p.Opened.backup
	clock := p.keeper.clock
	now := uint64(time.Now().UnixMilli())
	planned := func(who int, items []keep.Item) (merge, restore *keep.Plan) {
		entries := make([]keep.Entry, len(items))
		for i := range items {
			entries[i] = items[i].Entry
		}
		l := p.keeper.books[who].ledger()
		return l.PlanMerge(entries), l.PlanRestore(entries, func() uint64 { return clock.Tick(now) })
	}
	o.Merge, o.Restore = plans{}, plans{}
	if b.Other == "" {
		o.Merge[0], o.Restore[0] = planned(p.Who, b.Items)
		return
	}
	o.Merge[0], o.Restore[0] = planned(0, b.Items)
	o.Merge[1], o.Restore[1] = planned(1, b.Others)
	if p.Other != "" && catalogue.Fold(p.Other) != catalogue.Fold(b.Other) {
		o.Merge[1] = nil
	}
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

// apply does what is planned. What is of both makes the page the visitor's own.
func (p *Page) apply(plans plans, restore bool) {
	b := p.Opened.backup
	p.Opened = nil
	p.note()
	if b.Other != "" && p.Who == 1 {
		p.Who = 0
		p.show()
	}
	back := p.applyOther(plans[1], b.Other, restore)
	before := p.State
	plan := plans[0]
	p.take(p.Who, plan)
	after := plan.After
	after.Settings = before.Settings
	if s := b.Settings; restore && s != nil && p.Who == 0 {
		after.Settings = *s
		after.Settings.Asked = before.Settings.Asked
		after.Settings.Person = or(s.Person, before.Settings.Person)
	}
	p.keep(after)
	p.keeper.books[p.Who].said = after // its entries are there already
	added, changed, removed := len(plan.Added), len(plan.Changed), len(plan.Removed)
	if other := plans[1]; other != nil {
		added, changed, removed = added+len(other.Added), changed+len(other.Changed), removed+len(other.Removed)
	}
	p.offerUndo(p.W.BackupApplied(added, changed, removed), before)
	u := p.Undo
	u.settings = restore
	if back != nil {
		u.back = func() {
			back()
			p.unsay(u)
		}
	}
	p.changed()
	focus("#next")
}

// take adds what is planned to what is to be stored.
func (p *Page) take(who int, plan *keep.Plan) {
	b := &p.keeper.books[who]
	b.pending = append(b.pending, plan.Entries...)
	p.keeper.clock.Saw(plan.Entries)
}

// applyOther does what is planned for the second person, whom the file calls so, and returns what takes it back; nil: nothing is
// planned. The page is the visitor's own.
func (p *Page) applyOther(plan *keep.Plan, name string, restore bool) (back func()) {
	if plan == nil {
		return nil
	}
	was, before := p.Other, p.keeper.books[1].state()
	if was == "" {
		p.join(name, nil)
		before = State{}
	} else if restore {
		p.Other = name
	}
	p.take(1, plan)
	called, after := p.Other, p.keeper.books[1].state()
	return func() {
		switch {
		case was == "":
			p.part()
		case p.Other != "":
			now := p.keeper.books[1].state()
			undone := keep.Undo(&now, &before, &after)
			p.write(1, &now, &undone)
			if p.Other == called {
				p.Other = was
			}
		}
	}
}

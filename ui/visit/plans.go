package visit

import (
	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/ui/keep"
)

// Plans are the effects of a backup, by person. A backup of two people changes the visitor and the second person. A
// backup of one person changes only the person whose page it is, by the first plan. A nil plan changes nothing.
type Plans [People]*keep.Plan

// Plan computes the effects of a backup: merged with the current marks, or replacing them. Second people with different
// names are not merged.
func (l *Log) Plan(b *keep.Backup) (merge, restore Plans) {
	clock := l.clock
	now := l.now()
	plan := func(who int, items []keep.Item) (merge, restore *keep.Plan) {
		entries := make([]keep.Entry, len(items))
		for i := range items {
			entries[i] = items[i].Entry
		}
		ledger := &l.people[who].ledger
		return ledger.PlanMerge(entries), ledger.PlanRestore(entries, func() uint64 { return clock.Tick(now) })
	}
	if b.Other == "" {
		merge[0], restore[0] = plan(l.Who, b.Items)
		return merge, restore
	}
	merge[0], restore[0] = plan(0, b.Items)
	merge[1], restore[1] = plan(1, b.Others)
	if l.Other != "" && catalogue.Fold(l.Other) != catalogue.Fold(b.Other) {
		merge[1] = nil
	}
	return merge, restore
}

// Apply carries out the plans of a backup. With restore, the second person gets the name in the backup, and the
// visitor's page its settings. A backup of two people ends on the visitor's own page.
func (l *Log) Apply(b *keep.Backup, plans Plans, restore bool) (events []Event) {
	if b.Other != "" {
		l.Become(0)
	}
	if plans[1] != nil {
		events = append(events, l.applyOther(plans[1], b.Other, restore))
	}
	e := l.take(l.Who, plans[0])
	if s := b.Settings; restore {
		e.Settings = &SettingsChange{Before: l.Settings, After: l.Settings}
		if s != nil && l.Who == 0 {
			after := *s
			after.Asked = l.Settings.Asked
			if after.Picks == nil {
				after.Picks = l.Settings.Picks
			}
			if after.Person == "" {
				after.Person = l.Settings.Person
			}
			l.Settings, e.Settings.After = after, after
		}
	}
	return append(events, e)
}

// applyOther carries out the plan for the second person, with their name in the file.
func (l *Log) applyOther(plan *keep.Plan, name string, restore bool) Event {
	was := l.Other
	if was == "" {
		return l.Join(name, plan.Entries)
	}
	if restore {
		l.Other = name
	}
	e := l.take(1, plan)
	if was != l.Other {
		e.Person = &PersonChange{Before: was, After: l.Other}
	}
	return e
}

// take appends the entries of one person's plan.
func (l *Log) take(who int, plan *keep.Plan) Event {
	p := &l.people[who]
	return l.append(who, plan.Entries, former(p.ledger.Entries, plan.Entries, entryID))
}

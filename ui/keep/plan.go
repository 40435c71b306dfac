package keep

// Plan is a preview of taking in a file.
type Plan struct {
	Entries                 []Entry // to be merged into the ledger
	After                   State   // the resulting state; its settings are the ledger's
	Added, Changed, Removed []string
}

// PlanMerge plans to add a file to l: the later of two entries of one title counts, and no mark is removed.
func (l *Ledger) PlanMerge(file []Entry) *Plan {
	after := *l
	after.Merge(file)
	p := &Plan{Entries: file, After: after.State()}
	p.compare(l, &after)
	return p
}

// PlanRestore plans to replace l's marks by the file's, with new times from the clock.
func (l *Ledger) PlanRestore(file []Entry, tick func() uint64) *Plan {
	f := New()
	f.Merge(file)
	p := &Plan{After: f.State()}
	p.After.Settings = l.Settings
	p.compare(l, &f)
	for _, id := range p.Removed {
		p.Entries = append(p.Entries, Entry{ID: id, At: tick()})
	}
	for _, e := range f.Entries {
		e.At = tick()
		p.Entries = append(p.Entries, e)
	}
	return p
}

// compare lists the plan's changes of l, which give it the entries of after.
func (p *Plan) compare(l, after *Ledger) {
	before := l.State()
	marked := map[string]bool{}
	for _, m := range Marks {
		for _, id := range *before.list(m) {
			marked[id] = true
		}
	}
	for _, c := range Changes(&before, &p.After) {
		switch {
		case c.Mark == Unmarked:
			p.Removed = append(p.Removed, c.ID)
		case marked[c.ID]:
			p.Changed = append(p.Changed, c.ID)
		default:
			p.Added = append(p.Added, c.ID)
		}
	}
	was := map[string]*Entry{}
	for i := range l.Entries {
		was[l.Entries[i].ID] = &l.Entries[i]
	}
	for i := range after.Entries {
		e := &after.Entries[i]
		if o := was[e.ID]; o != nil && o.Mark == e.Mark && o.Details != e.Details {
			p.Changed = append(p.Changed, e.ID)
		}
	}
}

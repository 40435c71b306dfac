package keep

// Layout of a ledger in MessagePack: [version, [[id, mark, at, title, year], …], {setting: value, …}].

// named is a setting's stored name and its field.
type named struct {
	name  string
	field any // *uint8, *uint16, *uint64, *float64, *bool, *string or *[]string
}

// named returns all settings in stored order.
func (s *Settings) named() []named {
	return []named{
		{"mode", &s.Mode}, {"exploration", &s.Exploration}, {"diversity", &s.Diversity}, {"seed", &s.Seed},
		{"genres", &s.Genres}, {"decade", &s.Decade}, {"theme", &s.Theme}, {"distances", &s.Distances},
		{"language", &s.Language}, {"person", &s.Person}, {"picks", &s.Picks}, {"asked", &s.Asked},
	}
}

// ledger appends l. O(entries).
func (p *packer) ledger(l *Ledger) {
	p.array(3)
	p.uint(uint64(l.Version))
	p.array(len(l.Entries))
	for i := range l.Entries {
		e := &l.Entries[i]
		p.array(5)
		p.text(e.ID)
		p.uint(uint64(e.Mark))
		p.uint(e.At)
		p.text(e.Title)
		p.uint(uint64(e.Year))
	}
	var values packer
	stored := 0
	for _, n := range l.Settings.named() {
		value := len(values)
		values.text(n.name)
		if values.value(n.field) {
			stored++
		} else {
			values = values[:value]
		}
	}
	p.mapping(stored)
	*p = append(*p, values...)
}

// value appends a setting and reports whether it has to be stored: false for the zero value.
func (p *packer) value(field any) bool {
	switch v := field.(type) {
	case *uint8:
		p.uint(uint64(*v))
		return *v != 0
	case *uint16:
		p.uint(uint64(*v))
		return *v != 0
	case *uint64:
		p.uint(*v)
		return *v != 0
	case *float64:
		p.float(*v)
		return *v != 0
	case *bool:
		p.truth(*v)
		return *v
	case *string:
		p.text(*v)
		return *v != ""
	case *[]string:
		p.array(len(*v))
		for _, s := range *v {
			p.text(s)
		}
		return len(*v) > 0
	}
	panic("keep: setting of an unknown kind")
}

// ledger reads a ledger after its outermost array head. O(remaining bytes).
func (u *unpacker) ledger(l *Ledger) {
	l.Version = uint8(u.uint(8))
	// An entry takes six bytes at least, so the count cannot make us allocate much more than the input's size.
	n := u.array()
	if n > uint64(min(len(u.b)/6, maxEntries)) {
		u.fail(errMany)
	}
	if u.err != nil {
		return
	}
	l.Entries = make([]Entry, n)
	for i := range l.Entries {
		if u.array() != 5 {
			u.fail(errKind)
		}
		e := &l.Entries[i]
		e.ID = u.text()
		e.Mark = Mark(u.uint(8))
		e.At = u.uint(64)
		e.Title = u.text()
		e.Year = uint16(u.uint(16))
	}
	settings := l.Settings.named()
	for k := u.mapping(); k > 0 && u.err == nil; k-- {
		u.setting(settings, u.name())
	}
}

// setting reads the value of the setting with this name, and skips an unknown one.
func (u *unpacker) setting(settings []named, name string) {
	for _, n := range settings {
		if n.name != name {
			continue
		}
		switch v := n.field.(type) {
		case *uint8:
			*v = uint8(u.uint(8))
		case *uint16:
			*v = uint16(u.uint(16))
		case *uint64:
			*v = u.uint(64)
		case *float64:
			*v = u.float()
		case *bool:
			*v = u.truth()
		case *string:
			*v = u.text()
		case *[]string:
			*v = u.texts(maxEntries)
		}
		return
	}
	u.skip()
}

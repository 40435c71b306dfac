package dataset

import "math"

// collector takes what the readers find: it interns the ids and keeps the records. One collector serves all files of
// a Load, so that ids mean the same in each.
type collector struct {
	users, items *interner
	parts        [parts]records
	part         int // where add puts records
	skip         bool
	limit        int
	report       Report
}

// The parts of a data set, in the order in which they are read.
const (
	partTrain = iota
	partValidation
	partTest
	parts
)

func newCollector(o Options) *collector {
	limit := o.MaxInteractions
	if limit <= 0 {
		limit = maxInteractions
	}
	c := &collector{users: newInterner(), items: newInterner(), skip: o.SkipBadLines, limit: min(limit, math.MaxInt32)}
	c.report.MaxRating = math.Inf(-1)
	return c
}

// entry is one interaction as a reader finds it, in bytes of the line.
type entry struct {
	user, item           []byte
	rating, time         []byte
	userColumn           int // 0-based, −1 where there are no columns
	itemColumn           int
	ratingColumn         int
	timeColumn           int
	hasRating, hasTime   bool
	zeroUnrated          bool // a rating of 0 means none
	userName, itemName   string
	ratingName, timeName string
}

// add checks an entry and keeps it. A *ParseError tells of a bad line, which the caller hands to bad; any other error
// ends the reading.
func (c *collector) add(s *source, e *entry) error {
	var r record
	r.rating = float32(math.NaN())
	if e.hasRating {
		v, ok := parseRating(trim(e.rating))
		if !ok {
			return s.bad(e.ratingColumn, e.ratingName, e.rating, "a rating is a number such as 4 or 3.5")
		}
		if !(e.zeroUnrated && v == 0) {
			r.rating = v
		}
		c.report.HasRatings = true
	}
	if e.hasTime {
		t, ok := parseTime(trim(e.time))
		if !ok {
			return s.bad(e.timeColumn, e.timeName, e.time, timeRule)
		}
		r.setTime(t)
		c.report.HasTimes = true
	}
	user, item := trim(e.user), trim(e.item)
	// Both ids are checked before either is interned: a bad line leaves no trace in the numbering.
	if len(user) == 0 {
		return s.bad(e.userColumn, e.userName, e.user, "an id must not be empty")
	}
	var err *idError
	if err = checkItem(c.items, item); err != nil {
		return s.bad(e.itemColumn, e.itemName, e.item, err.what)
	}
	if r.user, err = c.users.add(user); err != nil {
		return c.idError(s, err, e.userColumn, e.userName, e.user)
	}
	if r.item, err = c.items.add(item); err != nil {
		return c.idError(s, err, e.itemColumn, e.itemName, e.item)
	}
	if c.report.Interactions >= c.limit {
		return &LimitError{File: s.path, Line: s.line, What: "too many interactions; raise the limit if this is what you want", Limit: int64(c.limit)}
	}
	c.parts[c.part].add(r)
	c.report.Interactions++
	if v := float64(r.rating); v > c.report.MaxRating { // false for NaN
		c.report.MaxRating = v
	}
	return nil
}

// checkItem is checkID but for the item that came last, which passed.
func checkItem(in *interner, b []byte) *idError {
	if in.last >= 0 && string(in.at(in.last)) == string(b) {
		return nil
	}
	return checkID(b)
}

func (c *collector) idError(s *source, e *idError, column int, name string, value []byte) error {
	if e.limit > 0 {
		return &LimitError{File: s.path, Line: s.line, What: e.what, Limit: e.limit}
	}
	return s.bad(column, name, value, e.what)
}

// bad takes an error of add or of a reader. It counts a bad line and returns nil where bad lines are skipped, and
// returns the error otherwise.
func (c *collector) bad(err error) error {
	return c.report.skip(err, c.skip)
}

func (r *Report) skip(err error, may bool) error {
	p, ok := err.(*ParseError)
	if !ok || !may {
		return err
	}
	r.Skipped++
	if len(r.Examples) < keptExamples {
		r.Examples = append(r.Examples, p)
	}
	return nil
}

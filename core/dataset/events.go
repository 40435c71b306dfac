package dataset

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// LeftOut counts lines that are not likes according to the value of one column.
type LeftOut struct {
	Column string
	Value  string // such as "refunded"; "" if the column is empty
	Lines  int
}

// lineFilter leaves out lines by the values of one column.
type lineFilter struct {
	column int
	name   string
	of     func(value string) verdict // nil: every value means filled
	filled verdict
	empty  verdict             // for an empty value
	seen   map[string]*outcome // by value, at most mostEvents
	order  int                 // the column of the order's number if only an order's first line has its state; −1: none
	last   []byte              // the order before
	before *outcome            // and its outcome
	asks   func(value string) error
}

// outcome is the verdict on a value, and the index of its count in Report.LeftOut, −1 before the first line.
type outcome struct {
	verdict
	value string
	count int
}

const (
	mostEvents   = 1000 // different values of one column that are counted by name
	fewCodes     = 12   // most different numbers of one
	fewEvents    = 50   // most different values of a column of events
	shownLeftOut = 12   // counts that a report names
)

// findFilters finds the columns that tell which lines are likes: events and states, flags, times of cancellation. If a
// column has both known and unknown values, the error asks.
func (l *layout) findFilters(path string, s *sample, o Options, look func(int) *profile) error {
	if !l.header || o.EventColumn == "-" {
		return nil
	}
	named := l.eventColumn(o)
	if o.EventColumn != "" && named < 0 {
		return &ColumnError{File: path, Role: "event", Wanted: o.EventColumn, Have: l.numbered(s)}
	}
	for i, name := range l.have {
		if slices.Contains(l.columns[:], i) && i != named {
			continue
		}
		f := &lineFilter{column: i, name: name, empty: isLike, order: -1, seen: map[string]*outcome{}}
		f.asks = func(value string) error {
			return &QuestionError{File: path, Role: "event", Column: name, Values: some(s.column(i), value),
				Unknown: value}
		}
		plain := plainName(name)
		switch {
		case i == named:
			f.of = l.eventsOf(s.column(i), o)
		case flagNames[plain] && isFlag(s.column(i)):
			f.of = func(v string) verdict {
				if yesWords[plainName(v)] {
					return notLike
				}
				return isLike
			}
		case filledNames[plain]:
			f.filled = notLike
		case named >= 0:
			continue // only that column was asked for
		default:
			f.of = l.guessEvents(name, s.column(i), look(i), o)
		}
		if f.of == nil && f.filled == unknownEvent {
			continue
		}
		l.filters = append(l.filters, f)
	}
	l.exportFilters(s)
	return l.askUnknown(s, o)
}

// eventColumn is the column that the options name, or −1.
func (l *layout) eventColumn(o Options) int {
	if o.EventColumn == "" {
		return -1
	}
	if i := named(l.have, o.EventColumn); i >= 0 {
		return i
	}
	if n, ok := number(o.EventColumn); ok && n < l.fields {
		return n
	}
	return -1
}

// guessEvents returns the meaning of the values of a possible column of events; nil if it holds none.
func (l *layout) guessEvents(name string, values []string, p *profile, o Options) func(string) verdict {
	plain := plainName(name)
	if l.addresses && httpStatusNames[plain] && p.numbers == p.filled && p.filled > 0 && p.least >= 100 &&
		p.most < 600 {
		return httpStatus
	}
	asks := eventNames[plain] || orderStates[plain]
	if asks && p.filled > 0 && p.numbers == p.filled && len(p.distinct) > 1 && len(p.distinct) <= fewCodes &&
		p.coarse &&
		!isFlag(values) {
		return l.eventsOf(values, o) // codes, which are asked about
	}
	if p.filled == 0 || p.numbers > 0 || p.dates > 0 || len(p.distinct) > fewEvents {
		return nil
	}
	known, against, unknown := 0, 0, 0
	for v := range p.distinct {
		switch {
		case httpMethods[v]:
			known++
		case eventOf(v) == isLike:
			known++
		case eventOf(v) == notLike:
			known++
			against++
		default:
			unknown++
		}
	}
	switch {
	case sentNames[plain]:
		if against == 0 && known < len(p.distinct) {
			return nil
		}
		return func(v string) verdict { // delivery says nothing about taste
			if eventOf(v) == notLike {
				return notLike
			}
			return isLike
		}
	case asks && !isFlag(values):
	case stateNames[plain] && known > 0 && (unknown == 0 || against > 0):
	case namesOther(name):
		return nil
	case unknown == 0 && against > 0 && len(p.distinct) > 1:
	case against > 0 && unknown > 0 && l.mostly(values):
	default:
		return nil
	}
	return l.eventsOf(values, o)
}

// mostly reports whether at least half of the values are known events.
func (l *layout) mostly(values []string) bool {
	known, all := 0, 0
	for _, v := range values {
		if isNull([]byte(v)) {
			continue
		}
		if all++; eventOf(v) != unknownEvent {
			known++
		}
	}
	return known*2 >= all
}

// eventsOf returns the meaning of the values of a column of events: as asked for, or by the vocabularies. In a log of
// pages only page views count, if there are any.
func (l *layout) eventsOf(values []string, o Options) func(string) verdict {
	if len(o.Events) > 0 {
		likes := map[string]bool{}
		for _, v := range o.Events {
			likes[plainName(v)] = true
		}
		return func(v string) verdict {
			if likes[plainName(v)] {
				return isLike
			}
			return notLike
		}
	}
	isView := func(v string) bool { return pageViews[plainName(v)] }
	if l.addresses && slices.ContainsFunc(values, isView) {
		return func(v string) verdict {
			if isView(v) {
				return isLike
			}
			return notLike
		}
	}
	if l.addresses && slices.ContainsFunc(values, func(v string) bool { return httpMethods[v] }) {
		return func(v string) verdict {
			if v == "GET" {
				return isLike
			}
			return notLike
		}
	}
	return eventOf
}

var (
	pageViews   = words(`pageview pageviews screenview action view aufruf seitenaufruf`)
	httpMethods = map[string]bool{"GET": true, "POST": true, "HEAD": true, "PUT": true, "DELETE": true,
		"OPTIONS": true, "PATCH": true}
	httpStatusNames = words(`status statuscode httpstatus httpstatuscode scstatus responsecode httpcode code`)
)

// httpStatus accepts answers that showed the page.
func httpStatus(v string) verdict {
	if n, err := strconv.ParseFloat(v, 64); err == nil && (n >= 200 && n < 300 || n == 304) {
		return isLike
	}
	return notLike
}

// isFlag reports whether a column holds only yes and no, or 1 and 0.
func isFlag(values []string) bool {
	some := false
	for _, v := range values {
		if isNull([]byte(v)) {
			continue
		}
		if plain := plainName(v); !noWords[plain] && !yesWords[plain] {
			return false
		}
		some = true
	}
	return some
}

// exportFilters adds the filters of an export: lines without a user are left out, and the state of an order is only in
// its first line.
func (l *layout) exportFilters(s *sample) {
	l.otherItem = -1
	if l.export == nil {
		return
	}
	if l.export.order != "" {
		if at := named(l.have, l.export.order); at >= 0 {
			for _, f := range l.filters {
				f.order = at
			}
		}
	}
	user := l.columns[roleUser]
	l.filters = append(l.filters, &lineFilter{column: user, name: l.have[user], filled: isLike, empty: notLike,
		order: -1})
	if all := l.export.columns[roleItem]; len(all) > 1 && l.have[l.columns[roleItem]] != all[1] {
		l.otherItem = named(l.have, all[1])
	}
}

// askUnknown returns an error that asks about values in the first rows that no vocabulary has.
func (l *layout) askUnknown(s *sample, o Options) error {
	for _, f := range l.filters {
		for _, row := range s.rows {
			if v := row[f.column]; f.of != nil && !isNull([]byte(v)) && f.of(v) == unknownEvent {
				return f.asks(v)
			}
		}
	}
	return nil
}

// leavesOut reports whether a line is not a like, and counts it. value returns the text of a column.
func (l *layout) leavesOut(c *collector, value func(column int) []byte) (out bool, err error) {
	for _, f := range l.filters {
		x, err := f.read(value)
		if err != nil {
			return false, err
		}
		if x.verdict == notLike && !out {
			c.countLeftOut(f.name, x)
			out = true // read the other states nevertheless: they may apply to the lines below
		}
	}
	return out, nil
}

// read returns the outcome for one line.
func (f *lineFilter) read(value func(int) []byte) (*outcome, error) {
	v := trim(value(f.column))
	inherits := false
	if f.order >= 0 {
		order := trim(value(f.order))
		inherits = f.before != nil && len(order) > 0 && bytes.Equal(order, f.last)
		f.last = append(f.last[:0], order...)
	}
	var x *outcome
	switch {
	case isNull(v) && inherits:
		x = f.before
	case isNull(v):
		x = f.outcome("", f.empty)
	case f.of == nil:
		x = f.outcome("filled", f.filled)
	default:
		var known bool
		if x, known = f.seen[string(v)]; !known {
			text := strings.ToValidUTF8(string(v), "�")
			verdict := f.of(text)
			if verdict == unknownEvent {
				return nil, f.asks(shorten(v))
			}
			x = f.outcome(string(v), verdict)
		}
	}
	f.before = x
	return x, nil
}

// outcome keeps the verdict on a value.
func (f *lineFilter) outcome(value string, v verdict) *outcome {
	if x, ok := f.seen[value]; ok {
		return x
	}
	x := &outcome{verdict: v, value: shorten([]byte(value)), count: -1}
	if f.seen == nil {
		f.seen = map[string]*outcome{}
	}
	if len(f.seen) < mostEvents {
		f.seen[value] = x
	}
	return x
}

// leaveOut adds the lines of another report.
func (r *Report) leaveOut(x LeftOut) {
	i := slices.IndexFunc(r.LeftOut, func(y LeftOut) bool { return y.Column == x.Column && y.Value == x.Value })
	if i < 0 {
		r.LeftOut = append(r.LeftOut, x)
	} else {
		r.LeftOut[i].Lines += x.Lines
	}
}

// Excluded is the number of lines that were left out because they are not likes.
func (r Report) Excluded() (n int) {
	for _, x := range r.LeftOut {
		n += x.Lines
	}
	return n
}

// LeftOutText describes the lines left out, the most frequent kind first: "lines left out that are not likes:
// event_name scroll (1,204), refund (31)".
func (r Report) LeftOutText() string {
	all := slices.Clone(r.LeftOut)
	slices.SortStableFunc(all, func(a, b LeftOut) int {
		return cmp.Or(strings.Compare(a.Column, b.Column), b.Lines-a.Lines)
	})
	var b strings.Builder
	b.WriteString("lines left out that are not likes:")
	for i, x := range all {
		if i == shownLeftOut {
			fmt.Fprintf(&b, ", … and %d more", len(all)-i)
			break
		}
		switch {
		case i == 0:
			b.WriteString(" " + x.Column)
		case all[i-1].Column != x.Column:
			b.WriteString("; " + x.Column)
		default:
			b.WriteString(",")
		}
		value := visible(x.Value)
		if x.Value == "" {
			value = "empty"
		}
		fmt.Fprintf(&b, " %s (%s)", value, thousands(x.Lines))
	}
	return b.String()
}

// countLeftOut counts one line.
func (c *collector) countLeftOut(column string, x *outcome) {
	all := &c.report.LeftOut
	if x.count < 0 || x.count >= len(*all) {
		x.count = slices.IndexFunc(*all, func(o LeftOut) bool { return o.Column == column && o.Value == x.value })
		if x.count < 0 {
			x.count = len(*all)
			*all = append(*all, LeftOut{Column: column, Value: x.value})
		}
	}
	(*all)[x.count].Lines++
}

// some returns up to eight different values, starting with first.
func some(values []string, first string) []string {
	out := []string{first}
	for _, v := range values {
		if !isNull([]byte(v)) && !slices.Contains(out, v) && len(out) < 8 {
			out = append(out, v)
		}
	}
	return out
}

// takeOpinions uses a column that holds only words of liking and disliking as the rating, whatever its name.
func (l *layout) takeOpinions(s *sample, o Options, look func(int) *profile) {
	if l.columns[roleRating] >= 0 || o.Columns.Rating != "" || l.export != nil {
		return
	}
	for i, name := range l.have {
		p := look(i)
		if slices.Contains(l.columns[:], i) || plainName(name) == plainName(o.EventColumn) ||
			p.filled == 0 || p.opinions < p.filled || len(p.distinct) < 2 || isFlag(s.column(i)) {
			continue
		}
		sure := false
		for v := range p.distinct {
			sure = sure || sureOpinions[plainName(v)]
		}
		if sure {
			l.columns[roleRating] = i
			return
		}
	}
}

// sureOpinions have no other meaning, unlike up and yes.
var sureOpinions = words(`like likes liked dislike disliked dislikes love loved hate hated thumbsup thumbsdown thumbup
	thumbdown upvote downvote favorite favourite gefaellt gefallt aime negative positive negativ positiv negatif positif
	negativo positivo 喜欢 不喜欢`)

// filtered reports whether a filter uses a column.
func (l *layout) filtered(column int) bool {
	return slices.ContainsFunc(l.filters, func(f *lineFilter) bool { return f.column == column })
}

// alsoWanted adds the columns of the filters to those wanted.
func (l *layout) alsoWanted(wanted []int) []int {
	also := func(column int) {
		if column >= 0 && !slices.Contains(wanted, column) {
			wanted = append(wanted, column)
		}
	}
	for _, f := range l.filters {
		also(f.column)
		also(f.order)
	}
	if l.otherItem > 0 {
		also(l.otherItem)
	}
	return wanted
}

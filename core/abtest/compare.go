package abtest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pmlam/pmlam/core/brief"
)

// Bounds of a report. Exports are not authenticated, and their senders choose the names in them.
const (
	maxReported = 20 // experiments, and interleaved lists: those with the most visitors
	maxNames    = 3  // of variants left out
	// Without declared variants, those with less than this share of the largest variant's visitors are left out.
	leastVariant = 0.05
)

// Options select the data to compare.
type Options struct {
	Experiment string   // one experiment; "": all
	Variants   []string // of Experiment, all others are left out; nil: those in the exports
	Control    string   // the variant to compare others with; "": the first of Variants, or by name
	List       string   // count only lists of this name; "": all
	Likes      bool     // count likes instead of clicks
	PerList    bool     // the rate is answers per list, instead of sessions with an answer
	Lift       float64  // relative change for stated sample sizes; 0: 5%
}

// Report holds the results of a comparison.
type Report struct {
	Exports     int           `json:"exports"`
	Visitors    int           `json:"visitors"`
	Sessions    int           `json:"sessions"`
	Lists       int           `json:"lists"`
	Answers     int           `json:"answers"` // clicks or likes
	From        string        `json:"from"`
	To          string        `json:"to"`
	Again       int           `json:"again"`
	Orphans     int           `json:"orphans"`
	Keyless     bool          `json:"keyless"`
	Wrong       int           `json:"wrong"`       // lines that are not exports, left out
	FirstWrong  []string      `json:"first_wrong"` // places and errors of the first of them
	Rate        string        `json:"rate"`
	Lift        float64       `json:"lift"`
	Experiments []Experiment  `json:"experiments"`
	Interleaved []Interleaved `json:"interleaved"`
	Others      int           `json:"others"` // further experiments and interleaved lists, with fewer visitors
}

// Experiment is one experiment by variant.
type Experiment struct {
	Name     string    `json:"name"`
	Variants []Variant `json:"variants"` // the control first
	Mixed    int       `json:"mixed"`    // visitors with several variants, not counted
	Declared bool      `json:"declared"` // the variants come from Options
	// Variants left out because they are not declared or have too few visitors; the first of their names; and their
	// visitors.
	LeftOut         int      `json:"left_out"`
	LeftOutNames    []string `json:"left_out_names"`
	LeftOutVisitors int      `json:"left_out_visitors"`
	// The chance of numbers of visitors at least this unequal, among those shown a list, if each variant is equally
	// likely. A small value means that one variant loses visitors.
	Even float64 `json:"even_p"`
}

// Variant is one variant of an experiment. Difference is relative to the control; null for the control, and if the
// visitors are too few to compare.
type Variant struct {
	Name string `json:"name"`
	Rate
	Difference *Difference `json:"difference"`
}

// Interleaved is a list made by two teams.
type Interleaved struct {
	List  string    `json:"list"`
	Teams [2]string `json:"teams"` // in alphabetical order
	Shown int       `json:"shown"`
	Won   [2]int    `json:"won"`
	Even  int       `json:"even"` // lists with equally many answers for both, at least one
	Preference
}

// Compare compares the variants of every experiment, and the teams of every interleaved list, of at most 20 each. An
// unknown experiment, control or list is an error. O(events).
func Compare(v *Visits, o Options) (*Report, error) {
	if o.Lift == 0 {
		o.Lift = 0.05
	}
	r := &Report{Exports: v.Exports, Visitors: len(v.Visitors), From: v.From, To: v.To, Again: v.Again,
		Orphans: v.Orphans, Keyless: v.Keyless, Rate: o.rate(), Lift: o.Lift, Experiments: []Experiment{},
		Interleaved: []Interleaved{}, Wrong: v.Wrong, FirstWrong: []string{}}
	for _, err := range v.Errors {
		r.FirstWrong = append(r.FirstWrong, err.Error())
	}
	names, lists := map[string]int{}, map[string]bool{} // visitors of each experiment
	for _, visitor := range v.Visitors {
		r.Sessions += len(visitor.Sessions)
		mine := map[string]bool{}
		for _, s := range visitor.Sessions {
			for name := range s.Variants {
				if !mine[name] {
					mine[name] = true
					names[name]++
				}
			}
			for _, l := range s.Lists {
				lists[l.Name] = true
				if o.counts(l) {
					r.Lists++
					r.Answers += l.answers[o.kind()]
				}
			}
		}
	}
	if o.List != "" && !lists[o.List] {
		return nil, missing("list", o.List, lists)
	}
	if o.Experiment != "" {
		if names[o.Experiment] == 0 {
			return nil, missing("experiment", o.Experiment, names)
		}
		names = map[string]int{o.Experiment: 1}
	}
	reported := largest(names, strings.Compare)
	r.Others = len(names) - len(reported)
	for _, name := range reported {
		e, err := o.experiment(v, name)
		if err != nil {
			return nil, err
		}
		r.Experiments = append(r.Experiments, e)
	}
	if o.Experiment == "" {
		lists, others := o.interleaved(v)
		r.Interleaved = append(r.Interleaved, lists...)
		r.Others += others
	}
	return r, nil
}

// largest returns at most maxReported of the keys with the largest numbers, in order.
func largest[K comparable](numbers map[K]int, order func(a, b K) int) []K {
	keys := slices.SortedFunc(maps.Keys(numbers), func(a, b K) int {
		return cmp.Or(cmp.Compare(numbers[b], numbers[a]), order(a, b))
	})
	keys = keys[:min(len(keys), maxReported)]
	slices.SortFunc(keys, order)
	return keys
}

func missing[V any](what, name string, there map[string]V) error {
	if len(there) == 0 {
		return fmt.Errorf("unknown %s %q; the exports have none", what, brief.Text(name))
	}
	names := slices.Sorted(maps.Keys(there))
	more := ""
	if n := len(names) - maxReported; n > 0 {
		names, more = names[:maxReported], fmt.Sprintf(" and %d more", n)
	}
	return fmt.Errorf("unknown %s %q; choose from %s%s", what, brief.Text(name), strings.Join(names, ", "), more)
}

func (o Options) kind() kind {
	if o.Likes {
		return liked
	}
	return clicked
}

// rate describes the rates in words.
func (o Options) rate() string {
	what := "click"
	if o.Likes {
		what = "like"
	}
	if o.PerList {
		return what + "s a list"
	}
	return "sessions with a " + what
}

func (o Options) counts(l List) bool { return o.List == "" || l.Name == o.List }

// count returns a session's count; the session must have lists.
func (o Options) count(s Visit) (c Count) {
	for _, l := range s.Lists {
		if !o.counts(l) {
			continue
		}
		answers := float64(l.answers[o.kind()])
		if o.PerList {
			c.Hits += answers
			c.Of++
		} else {
			c.Hits = max(c.Hits, min(answers, 1))
			c.Of = 1
		}
	}
	return c
}

// experiment compares the variants of one experiment. Sessions without a variant or without a list are left out.
func (o Options) experiment(v *Visits, name string) (Experiment, error) {
	e := Experiment{Name: name, Variants: []Variant{}, Declared: o.Variants != nil, LeftOutNames: []string{}}
	by := map[string][]Count{}
	leftOut := map[string]int{} // visitors
	for _, visitor := range v.Visitors {
		var c Count
		variant, mixed, other := "", false, ""
		for _, s := range visitor.Sessions {
			is, ok := s.Variants[name]
			if !ok {
				continue
			}
			if e.Declared && !slices.Contains(o.Variants, is) {
				leftOut[is] += 0
				other = is
				continue
			}
			mixed = mixed || variant != "" && variant != is
			variant = is
			more := o.count(s)
			c.Hits, c.Of = c.Hits+more.Hits, c.Of+more.Of
		}
		if other != "" {
			leftOut[other]++
		}
		switch {
		case mixed:
			e.Mixed++
		case variant != "":
			by[variant] = append(by[variant], c)
		}
	}
	order := o.Variants
	if !e.Declared {
		most := 0
		for _, counts := range by {
			most = max(most, len(counts))
		}
		for n, counts := range by {
			if n == o.Control || float64(len(counts)) >= leastVariant*float64(most) {
				order = append(order, n)
			} else {
				leftOut[n] = len(counts)
			}
		}
		slices.Sort(order)
	}
	for _, n := range slices.Sorted(maps.Keys(leftOut)) {
		e.LeftOutVisitors += leftOut[n]
		if e.LeftOut++; e.LeftOut <= maxNames {
			e.LeftOutNames = append(e.LeftOutNames, n)
		}
	}
	control := o.Control
	if control == "" && e.Declared {
		control = o.Variants[0]
	}
	if control != "" {
		if _, ok := by[control]; !ok {
			return e, fmt.Errorf("experiment %s: %w", name, missing("variant", control, by))
		}
		order = slices.DeleteFunc(slices.Clone(order), func(n string) bool { return n == control })
		order = append([]string{control}, order...)
	}
	for i, n := range order {
		x := Variant{Name: n, Rate: NewRate(by[n])}
		if i > 0 {
			x.Difference = NewDifference(e.Variants[0].Rate, x.Rate, len(order)-1, o.Lift)
		}
		e.Variants = append(e.Variants, x)
	}
	e.Even = even(e.Variants)
	return e, nil
}

// even is Pearson's χ² test for equal numbers of visitors who were shown a list; 1 with fewer than two variants.
func even(variants []Variant) float64 {
	all := 0.0
	for _, v := range variants {
		all += float64(v.Visitors)
	}
	if len(variants) < 2 || all == 0 {
		return 1
	}
	mean, chi := all/float64(len(variants)), 0.0
	for _, v := range variants {
		d := float64(v.Visitors) - mean
		chi += d * d / mean
	}
	return distuv.ChiSquared{K: float64(len(variants) - 1)}.Survival(chi)
}

// interleaved compares the teams of every interleaved list, by name and teams; others is the number of further ones
// that are not compared. The team with more answers wins a list.
func (o Options) interleaved(v *Visits) (all []Interleaved, others int) {
	type key struct {
		list  string
		teams [2]string
	}
	found := map[key]*Interleaved{}
	visitors := map[key]int{}
	wins := map[key][]Wins{}
	for _, visitor := range v.Visitors {
		mine, seen := map[key]Wins{}, map[key]bool{}
		for _, s := range visitor.Sessions {
			for _, l := range s.Lists {
				if l.Teams == ([2]string{}) || !o.counts(l) {
					continue
				}
				k := key{l.Name, l.Teams}
				if found[k] == nil {
					found[k] = &Interleaved{List: l.Name, Teams: l.Teams}
				}
				if !seen[k] {
					seen[k] = true
					visitors[k]++
				}
				of := found[k]
				of.Shown++
				credit := l.credit[o.kind()]
				switch {
				case credit[0] == 0 && credit[1] == 0:
				case credit[0] == credit[1]:
					of.Even++
				default:
					winner := max(0, sign(credit[1]-credit[0]))
					of.Won[winner]++
					w := mine[k]
					w[winner]++
					mine[k] = w
				}
			}
		}
		for k, w := range mine {
			wins[k] = append(wins[k], w)
		}
	}
	keys := largest(visitors, func(a, b key) int {
		return cmp.Or(strings.Compare(a.list, b.list), slices.Compare(a.teams[:], b.teams[:]))
	})
	for _, k := range keys {
		found[k].Preference = NewPreference(wins[k])
		all = append(all, *found[k])
	}
	return all, len(found) - len(all)
}

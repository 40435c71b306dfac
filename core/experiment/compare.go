package experiment

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"
)

// Options say what is compared.
type Options struct {
	Experiment string  // one experiment; "": all
	Control    string  // the variant that others are compared with; "": the first in alphabetical order
	List       string  // only lists of this name count; "": all
	Likes      bool    // likes count, not clicks
	PerList    bool    // the rate is of answers a list; otherwise it is that of sessions with one
	Lift       float64 // relative change that sample sizes are stated for; 0: 5%
}

// Report is what visits say.
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
	Rate        string        `json:"rate"`
	Lift        float64       `json:"lift"`
	Experiments []Experiment  `json:"experiments"`
	Interleaved []Interleaved `json:"interleaved"`
}

// Experiment is one experiment by variant.
type Experiment struct {
	Name     string    `json:"name"`
	Variants []Variant `json:"variants"` // the control first
	Mixed    int       `json:"mixed"`    // visitors with several variants, who do not count
	// How likely numbers as unequal as these, of visitors who were shown a list, are where each variant is as likely:
	// small values say that something loses visitors of one variant.
	Even float64 `json:"even_p"`
}

// Variant is one variant of an experiment. Difference is to the control; null for the control itself, and where
// nothing can be said.
type Variant struct {
	Name string `json:"name"`
	Rate
	Difference *Difference `json:"difference"`
}

// Interleaved is a list that two teams made.
type Interleaved struct {
	List  string    `json:"list"`
	Teams [2]string `json:"teams"` // in alphabetical order
	Shown int       `json:"shown"`
	Won   [2]int    `json:"won"`
	Even  int       `json:"even"` // lists with as many answers for both, one at least
	Preference
}

// Compare says what visits tell of every experiment and every list that was interleaved. An experiment, control or list
// that is not there is an error. O(events).
func Compare(v *Visits, o Options) (*Report, error) {
	if o.Lift == 0 {
		o.Lift = 0.05
	}
	r := &Report{Exports: v.Exports, Visitors: len(v.Visitors), From: v.From, To: v.To, Again: v.Again,
		Orphans: v.Orphans, Keyless: v.Keyless, Rate: o.rate(), Lift: o.Lift, Experiments: []Experiment{},
		Interleaved: []Interleaved{}}
	names, lists := map[string]bool{}, map[string]bool{}
	for _, visitor := range v.Visitors {
		r.Sessions += len(visitor.Sessions)
		for _, s := range visitor.Sessions {
			for name := range s.Variants {
				names[name] = true
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
		if !names[o.Experiment] {
			return nil, missing("experiment", o.Experiment, names)
		}
		names = map[string]bool{o.Experiment: true}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		e, err := o.experiment(v, name)
		if err != nil {
			return nil, err
		}
		r.Experiments = append(r.Experiments, e)
	}
	if o.Experiment == "" {
		r.Interleaved = append(r.Interleaved, o.interleaved(v)...)
	}
	return r, nil
}

func missing(what, name string, there map[string]bool) error {
	if len(there) == 0 {
		return fmt.Errorf("there is no %s %q; the exports have none", what, name)
	}
	return fmt.Errorf("there is no %s %q; there is %s", what, name,
		strings.Join(slices.Sorted(maps.Keys(there)), ", "))
}

func (o Options) kind() kind {
	if o.Likes {
		return liked
	}
	return clicked
}

// rate says in words what the rates are.
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

// count returns what counts of a session that has lists.
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

// experiment compares the variants of one experiment. Sessions without a variant do not count, nor do those without a
// list.
func (o Options) experiment(v *Visits, name string) (Experiment, error) {
	e := Experiment{Name: name, Variants: []Variant{}}
	by := map[string][]Count{}
	for _, visitor := range v.Visitors {
		var c Count
		variant, mixed := "", false
		for _, s := range visitor.Sessions {
			is, ok := s.Variants[name]
			if !ok {
				continue
			}
			mixed = mixed || variant != "" && variant != is
			variant = is
			more := o.count(s)
			c.Hits, c.Of = c.Hits+more.Hits, c.Of+more.Of
		}
		switch {
		case mixed:
			e.Mixed++
		case variant != "":
			by[variant] = append(by[variant], c)
		}
	}
	order := slices.Sorted(maps.Keys(by))
	if o.Control != "" {
		if _, ok := by[o.Control]; !ok {
			there := map[string]bool{}
			for _, n := range order {
				there[n] = true
			}
			return e, fmt.Errorf("experiment %s: %w", name, missing("variant", o.Control, there))
		}
		order = slices.DeleteFunc(order, func(n string) bool { return n == o.Control })
		order = append([]string{o.Control}, order...)
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

// even is Pearson's χ² test of equal numbers of visitors who were shown a list; 1 with fewer than two variants.
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

// interleaved compares the teams of every list that was interleaved, by name and teams. A list is won by the team with
// more answers.
func (o Options) interleaved(v *Visits) (all []Interleaved) {
	type key struct {
		list  string
		teams [2]string
	}
	found := map[key]*Interleaved{}
	wins := map[key][]Wins{}
	for _, visitor := range v.Visitors {
		mine := map[key]Wins{}
		for _, s := range visitor.Sessions {
			for _, l := range s.Lists {
				if l.Teams == ([2]string{}) || !o.counts(l) {
					continue
				}
				k := key{l.Name, l.Teams}
				if found[k] == nil {
					found[k] = &Interleaved{List: l.Name, Teams: l.Teams}
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
	for k, of := range found {
		of.Preference = NewPreference(wins[k])
		all = append(all, *of)
	}
	slices.SortFunc(all, func(a, b Interleaved) int {
		return strings.Compare(a.List+"\x00"+a.Teams[0]+"\x00"+a.Teams[1], b.List+"\x00"+b.Teams[0]+"\x00"+b.Teams[1])
	})
	return all
}

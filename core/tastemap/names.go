package tastemap

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/model"
)

const (
	leastPart = 0.2     // least share of a region's titles for each part of a name of several
	maxParts  = 12      // most facts of a region that are tried in names
	mostYears = 2. / 3. // largest share of all titles that the years of a name may fit

	leastUses = 5  // titles that share a value of a further column, at least
	maxValue  = 32 // bytes of such a value: a name, not a sentence
)

// names holds everything that names can say of titles: facts, which are genres and values of further columns, and
// decades.
type names struct {
	facts   []string // genres first, each kind sorted
	genres  int      // the first facts are genres
	decades []int    // ascending
	of      [][]int  // facts of each title, ascending
	decade  []int    // index of each title's decade, from 1; 0: unknown year
	shares  map[int]float64
	used    []model.Region // names given so far
}

// namesOf lists the facts of a catalogue. O(text of the further columns).
func namesOf(c *catalogue.Catalogue) *names {
	genres, values, decades, known := map[string]int{}, map[string]int{}, map[int]int{}, map[string]bool{"": true}
	for i := range c.Items {
		item := &c.Items[i]
		for _, g := range item.Genres {
			genres[g]++
			known[strings.ToLower(g)] = true
		}
		for _, v := range valuesOf(item) {
			values[v]++
		}
		decades[max(item.Year, 0)/10*10]++
	}
	maps.DeleteFunc(values, func(v string, uses int) bool { return uses < leastUses || known[strings.ToLower(v)] })
	delete(genres, "")
	delete(decades, 0)
	n := &names{decades: slices.Sorted(maps.Keys(decades)), genres: len(genres), shares: map[int]float64{}}
	n.facts = append(slices.Sorted(maps.Keys(genres)), slices.Sorted(maps.Keys(values))...)
	number := map[string]int{}
	for f, fact := range n.facts {
		number[fact] = f
	}
	for i := range c.Items {
		item := &c.Items[i]
		var own []int
		for _, fact := range slices.Concat(item.Genres, valuesOf(item)) {
			if f, ok := number[fact]; ok && !slices.Contains(own, f) {
				own = append(own, f)
			}
		}
		slices.Sort(own)
		at, known := slices.BinarySearch(n.decades, item.Year/10*10)
		if known {
			at++
		} else {
			at = 0
		}
		n.of, n.decade = append(n.of, own), append(n.decade, at)
	}
	for i := range n.of {
		n.each(i, func(name int) { n.shares[name] += 1 / float64(len(n.of)) })
	}
	return n
}

// valuesOf returns the texts in an item's further columns that can name a region. Parts are separated by |. Numbers and
// addresses name nothing.
func valuesOf(item *catalogue.Item) (out []string) {
	for _, value := range item.Values {
		for part := range strings.SplitSeq(value, "|") {
			if _, err := strconv.ParseFloat(part, 64); part != "" && len(part) <= maxValue && err != nil &&
				!strings.ContainsAny(part, "/\t\n") {
				out = append(out, part)
			}
		}
	}
	return out
}

// each calls f with the number of each name of one fact, of a decade, or of both, that fits title i.
func (n *names) each(i int, f func(name int)) {
	width, decade := len(n.decades)+1, n.decade[i]
	if decade > 0 {
		f(decade)
	}
	for _, fact := range n.of[i] {
		f((fact + 1) * width)
		if decade > 0 {
			f((fact+1)*width + decade)
		}
	}
}

// alike reports whether two titles share a fact, or one has none.
func (n *names) alike(i, j int) bool {
	return len(n.of[i]) == 0 || len(n.of[j]) == 0 ||
		slices.ContainsFunc(n.of[i], func(f int) bool { return slices.Contains(n.of[j], f) })
}

// either is up to three facts, of which a title has one: ascending, and −1 after the last.
type either [3]int

var whatever = either{-1, -1, -1}

// call names regions, given the titles in each: up to three facts, years, or both. The highest scores come first.
// O(titles · sets of facts).
func (n *names) call(ctx context.Context, in [][]int, called []model.Region) error {
	type found struct {
		name  model.Region
		score float64
		at    int
	}
	var all []found
	periods := n.periods()
	overall := map[either][]int{}
	for at, titles := range in {
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, e := range n.options(titles) {
			if overall[e] == nil {
				overall[e] = n.byDecade(nil, e)
			}
			here, everywhere := n.byDecade(titles, e), overall[e]
			for _, period := range periods {
				name := n.name(e, period)
				if !name.Claims() {
					continue
				}
				share := float64(n.within(everywhere, period)) / float64(len(n.of))
				if score, ok := score(n.within(here, period), len(titles), share); ok {
					all = append(all, found{name, float64(score * plain(e, period)), at})
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b found) int { return cmp.Compare(b.score, a.score) })
	for _, f := range all {
		if !called[f.at].Claims() && !slices.Contains(n.used, f.name) {
			called[f.at] = f.name
			n.used = append(n.used, f.name)
		}
	}
	return nil
}

// plain returns a factor that prefers plain names: one fact, and one decade or any year.
func plain(e either, p period) float64 {
	factor := 1.0
	for _, f := range e[1:] {
		if f >= 0 {
			factor -= 0.1
		}
	}
	if p[0] > 0 && p[1] > p[0] {
		factor -= 0.1
	}
	return factor
}

// options returns no fact, each fact that leastPart of the titles have, each two of them, and each three values.
func (n *names) options(titles []int) []either {
	counts := map[int]int{}
	for _, i := range titles {
		for _, f := range n.of[i] {
			counts[f]++
		}
	}
	var parts []int
	for _, f := range slices.Sorted(maps.Keys(counts)) {
		if float64(counts[f]) >= leastPart*float64(len(titles)) {
			parts = append(parts, f)
		}
	}
	slices.SortStableFunc(parts, func(a, b int) int { return counts[b] - counts[a] })
	parts = parts[:min(len(parts), maxParts)]
	slices.Sort(parts)
	out := []either{whatever}
	for a, f := range parts {
		out = append(out, either{f, -1, -1})
		for b, g := range parts[a+1:] {
			out = append(out, either{f, g, -1})
			for _, h := range parts[a+1+b+1:] {
				if f >= n.genres {
					out = append(out, either{f, g, h})
				}
			}
		}
	}
	return out
}

// byDecade counts the titles that fit, by decade; the first count is of unknown years. nil: of all titles.
func (n *names) byDecade(titles []int, e either) []int {
	counts := make([]int, len(n.decades)+1)
	among := func(f int) bool { return slices.Contains(e[:], f) }
	count := func(i int) {
		if e == whatever || slices.ContainsFunc(n.of[i], among) {
			counts[n.decade[i]]++
		}
	}
	if titles == nil {
		for i := range n.of {
			count(i)
		}
	}
	for _, i := range titles {
		count(i)
	}
	return counts
}

// period is a range of decades by index from 1; {0, all of them}: any year, known or not.
type period [2]int

// within sums the counts of a period's decades.
func (n *names) within(counts []int, p period) (sum int) {
	for _, c := range counts[p[0] : p[1]+1] {
		sum += c
	}
	return sum
}

// name returns a name for one of the facts in a period.
func (n *names) name(e either, p period) (name model.Region) {
	var values []string
	for _, f := range e {
		switch {
		case f < 0:
		case f >= n.genres:
			values = append(values, n.facts[f])
		case name.Genre == "":
			name.Genre = n.facts[f]
		default:
			name.Or = n.facts[f]
		}
	}
	name.Words = strings.Join(values, "|")
	if p[0] > 0 {
		last := len(n.decades)
		if p[0] > 1 || p[1] == 1 {
			name.From = n.decades[p[0]-1]
		}
		if p[1] < last || p[0] == last {
			name.To = n.decades[p[1]-1] + 10
		}
	}
	return name
}

// periods returns each decade, each two consecutive ones, all years before a decade, all from one on, and any year. Two
// decades at either end become all years before, or from, a decade. Periods that fit most titles are left out.
func (n *names) periods() []period {
	var out []period
	last := len(n.decades)
	for d := 1; d <= last; d++ {
		out = append(out, period{d, d})
		if 1 < d && d+1 < last && n.decades[d] == n.decades[d-1]+10 {
			out = append(out, period{d, d + 1})
		}
		if d > 2 {
			out = append(out, period{1, d - 1})
		}
		if 1 < d && d < last {
			out = append(out, period{d, last})
		}
	}
	all := n.byDecade(nil, whatever)
	out = slices.DeleteFunc(out, func(p period) bool {
		return float64(n.within(all, p)) > mostYears*float64(len(n.of))
	})
	return append(out, period{0, last})
}

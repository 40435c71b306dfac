package recommend

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pmlam/pmlam/core/brief"
	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/model"
)

// Rules are a site owner's rules for every list. The zero value has none. The tags are the names in pmlam.toml and in
// requests.
//
// Exclusions come first: items that are excluded, out of stock, in the visit or rejected by the filter are never
// listed. Then AtMost, Pinned and Boosts apply, in that order.
type Rules struct {
	// InStock is the column that says whether an item is available (Available). Unavailable items are never listed, but
	// can be liked and found by a search.
	InStock string `toml:"in-stock" json:"inStock,omitzero"`
	// Excluded are ids of items that are never listed.
	Excluded []string `toml:"excluded" json:"excluded,omitempty"`
	// Pinned are ids of items that come first in every list, in this order, and are marked (Suggestion.Pinned).
	Pinned []string `toml:"pinned" json:"pinned,omitempty"`
	// Boosts move items up or down; several add up. At most MaxBoosts.
	Boosts []Boost `toml:"boost" json:"boost,omitempty"`
	// AtMost limits the number of items of a group in a list, over all its pages.
	AtMost AtMost `toml:"at-most" json:"atMost,omitzero"`
}

// Boost lowers the cost of items by Weight·τ·share, where τ is the unit of W2² that the model was trained with
// (AnswerTemperature is a multiple of it). With a Value, share is 1 for items whose column equals it, and 0 for others.
// Without, the column holds numbers, and share is the part of the catalogue with a lower number, in [0,1); a text that
// is not a number has the share 0.
//
// In a softmax model a weight of 1 makes an item e = 2.7 times as likely. A negative weight moves items down.
type Boost struct {
	Column string  `toml:"column" json:"column"`
	Value  string  `toml:"value" json:"value,omitzero"`
	Weight float64 `toml:"weight" json:"weight"` // from −MaxWeight to MaxWeight, not 0
}

// AtMost limits groups of items with the same text in a column. Items without a text are not limited. N is at least 1,
// or 0 for no limit.
type AtMost struct {
	N      int    `toml:"n" json:"n"`
	Column string `toml:"column" json:"column"`
}

// MaxBoosts is the greatest number of boosts: each costs O(I log I) every time that rules are set.
const MaxBoosts = 16

// MaxWeight is the greatest weight of a Boost; e¹⁰⁰ already outweighs any other order.
const MaxWeight = 100

// RuleError says what is wrong with a rule.
type RuleError struct {
	Rule     string // as named in requests: "inStock", "boost", "atMost"
	Sentence string
}

func (e *RuleError) Error() string { return e.Sentence }

func ruleErrorf(rule, format string, args ...any) *RuleError {
	return &RuleError{rule, rule + ": " + fmt.Sprintf(format, args...)}
}

// IsZero reports whether there are no rules.
func (o *Rules) IsZero() bool {
	return o.InStock == "" && len(o.Excluded)+len(o.Pinned)+len(o.Boosts) == 0 && o.AtMost == AtMost{}
}

// Check returns a *RuleError for rules that are invalid for every catalogue.
func (o *Rules) Check() error {
	if n := len(o.Boosts); n > MaxBoosts {
		return ruleErrorf("boost", "there are %d; at most %d are allowed", n, MaxBoosts)
	}
	for _, b := range o.Boosts {
		switch {
		case b.Column == "":
			return ruleErrorf("boost", "each needs a column")
		case b.Weight == 0 || !(b.Weight >= -MaxWeight && b.Weight <= MaxWeight):
			return ruleErrorf("boost", "the weight of %q is %v; it must be between %d and %d, and not 0",
				brief.Text(b.Column), b.Weight, -MaxWeight, MaxWeight)
		}
	}
	if m := o.AtMost; m != (AtMost{}) && (m.N < 1 || m.Column == "") {
		return ruleErrorf("atMost", "it needs a column and n of 1 or more, such as n = 2, column = \"artist\"")
	}
	return nil
}

// Available reports whether a text in a stock column means that the item is available. It does not if the text has no
// letters or digits, is a number of 0 or less, or is one of: false, no, n, nein, none, out, out of stock, sold out,
// unavailable, discontinued. Words are compared as in a search (catalogue.Fold).
func Available(text string) bool {
	text = strings.TrimSpace(text)
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		return x > 0
	}
	switch catalogue.Fold(text) {
	case "", "false", "no", "n", "nein", "none", "out", "out of stock", "outofstock", "sold out", "unavailable",
		"discontinued":
		return false
	}
	return true
}

// rules are the Rules applied to a catalogue. The zero value has none.
type rules struct {
	any    bool
	out    ItemSet   // items that are never listed; nil: none
	pinned []int     // in their order
	boost  []float32 // I: amounts subtracted from costs; nil: none
	limits []limit
}

// limit is an AtMost applied to a catalogue.
type limit struct {
	n     int
	group []int32 // I: from 0; −1: none
}

// WithRules returns a recommender of the same model whose lists follow these rules and the rules of r. unknown holds
// the distinct ids that the catalogue lacks; the rules apply without them. It returns a *RuleError for a column that
// the catalogue lacks, and for an error of Rules.Check. r is unchanged; both share their memory. O(I) for each rule on
// a column, O(I log I) for a boost by numbers.
func (r *Recommender) WithRules(o Rules) (with *Recommender, unknown []string, err error) {
	if o.IsZero() {
		return r, nil, nil
	}
	if err := o.Check(); err != nil {
		return nil, nil, err
	}
	c := *r
	c.rules = rules{any: true, out: slices.Clone(r.rules.out), pinned: slices.Clip(r.rules.pinned),
		boost: slices.Clone(r.rules.boost), limits: slices.Clip(r.rules.limits)}
	if unknown, err = c.add(&o); err != nil {
		return nil, nil, err
	}
	c.starters = c.newStarters()
	return &c, unknown, nil
}

// add adds rules to r and returns the ids that the catalogue lacks.
func (r *Recommender) add(o *Rules) (unknown []string, err error) {
	to := &r.rules
	if to.out == nil && (o.InStock != "" || len(o.Excluded) > 0) {
		to.out = NewItemSet(r.Len())
	}
	if o.InStock != "" {
		stock, err := r.column("inStock", o.InStock)
		if err != nil {
			return nil, err
		}
		for i := range r.Len() {
			if yieldAfter(i); !Available(stock(i)) {
				to.out.Add(i)
			}
		}
	}
	missing := map[string]bool{}
	for _, i := range r.itemsOf(o.Excluded, missing, &unknown) {
		to.out.Add(i)
	}
	isPinned := NewItemSet(r.Len())
	for _, i := range to.pinned {
		isPinned.Add(i)
	}
	for _, i := range r.itemsOf(o.Pinned, missing, &unknown) {
		if !isPinned.Has(i) {
			isPinned.Add(i)
			to.pinned = append(to.pinned, i)
		}
	}
	for _, b := range o.Boosts {
		if err := r.addBoost(b); err != nil {
			return nil, err
		}
	}
	if o.AtMost.N > 0 {
		return unknown, r.addLimit(o.AtMost)
	}
	return unknown, nil
}

// itemsOf returns the items with these ids. It appends ids that the catalogue lacks to unknown, unless missing already
// has them.
func (r *Recommender) itemsOf(ids []string, missing map[string]bool, unknown *[]string) (items []int) {
	for _, id := range ids {
		if i, ok := r.IDs()[id]; ok {
			items = append(items, i)
		} else if !missing[id] {
			missing[id] = true
			*unknown = append(*unknown, id)
		}
	}
	return items
}

// addBoost lowers the costs of the items that b boosts.
func (r *Recommender) addBoost(b Boost) error {
	if b.Value == "" && r.whole != r.Len() {
		return ruleErrorf("boost", "column %q can only be boosted by a value: numbers are ranked among all items, "+
			"and only a part of them is loaded", brief.Text(b.Column))
	}
	column, err := r.column("boost", b.Column)
	if err != nil {
		return err
	}
	if r.rules.boost == nil {
		r.rules.boost = make([]float32, r.Len())
	}
	for i, share := range boosted(r.Len(), column, b.Value) {
		r.rules.boost[i] += float32(float64(b.Weight*r.tau) * share)
	}
	return nil
}

// addLimit groups the items by the column's text; items without a text are in no group.
func (r *Recommender) addLimit(m AtMost) error {
	column, err := r.column("atMost", m.Column)
	if err != nil {
		return err
	}
	l := limit{m.N, make([]int32, r.Len())}
	groups := map[string]int32{}
	for i := range l.group {
		yieldAfter(i)
		text := strings.TrimSpace(column(i))
		group, known := groups[text]
		if !known {
			group = int32(len(groups))
			groups[text] = group
		}
		if l.group[i] = group; text == "" {
			l.group[i] = -1
		}
	}
	r.rules.limits = append(r.rules.limits, l)
	return nil
}

// column returns a function that gives an item's text in the column.
func (t *titles) column(rule, name string) (func(i int) string, error) {
	c := t.cat.Column(name)
	if c < 0 {
		has := "none besides id, title, year and genres"
		if len(t.cat.Columns) > 0 {
			has = brief.List(t.cat.Columns)
		}
		return nil, ruleErrorf(rule, "the catalogue has no column %q; it has %s", brief.Text(name), has)
	}
	return func(i int) string {
		if values := t.cat.Items[i].Values; c < len(values) {
			return values[c]
		}
		return ""
	}, nil
}

// boosted returns the share of each of n items, see Boost.
func boosted(n int, column func(i int) string, value string) []float64 {
	shares, numbers, ascending := make([]float64, n), make([]float64, n), make([]int, 0, n)
	for i := range n {
		yieldAfter(i)
		text := strings.TrimSpace(column(i))
		if value != "" {
			if text == value {
				shares[i] = 1
			}
		} else if x, ok := Number(text); ok {
			numbers[i] = x
			ascending = append(ascending, i)
		}
	}
	slices.SortFunc(ascending, func(a, b int) int { return cmp.Compare(numbers[a], numbers[b]) })
	less := 0
	for k, i := range ascending {
		if numbers[i] > numbers[ascending[less]] {
			less = k
		}
		shares[i] = float64(less) / float64(len(ascending))
	}
	return shares
}

// Number parses a number with a decimal point or comma: 3.5, 3,5.
func Number(text string) (x float64, ok bool) {
	x, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
	return x, err == nil && x-x == 0
}

// Pinned reports whether the rules pin item i.
func (r *Recommender) Pinned(i int) bool { return slices.Contains(r.rules.pinned, i) }

// fill sets keep to the items that pass the filter and may be listed.
func (r *Recommender) fill(keep ItemSet, f Filter) {
	r.titles.fill(keep, f)
	for k, w := range r.rules.out {
		keep[k] &^= w
	}
}

// takePinned removes the pinned items from keep and returns those that were in it, within the limits.
func (r *Recommender) takePinned(keep ItemSet) (hits []Hit) {
	if len(r.rules.pinned) == 0 {
		return nil
	}
	room := r.rules.room(nil)
	for _, i := range r.rules.pinned {
		if keep.Has(i) && room.take(i) {
			hits = append(hits, Hit{Item: i})
		}
		keep.Remove(i)
	}
	return hits
}

// ranking returns w.bonus plus the boosts, which lists subtract from the costs; nil without either. Descriptions of an
// item, such as its match and its chance, use w.bonus alone.
func (r *Recommender) ranking(w *work) []float32 {
	boost := r.rules.boost
	if boost == nil || w.bonus == nil {
		if boost != nil {
			return boost
		}
		return w.bonus
	}
	w.ranking = grow(w.ranking, r.Len())
	for i, b := range w.bonus {
		w.ranking[i] = b + boost[i]
	}
	return w.ranking
}

// cheapest fills w.hits with the first k of w.keep by cost minus bonus, within the limits that the pinned items leave.
// A longer list extends a shorter one. O(I + I log k), several times that if the limits drop many items.
func (r *Recommender) cheapest(w *work, row, bonus []float32, pinned []Hit, k int) {
	for n := k; ; n *= 4 {
		w.hits = r.index.NearestOf(w.hits[:0], row, w.distances, bonus, n, w.keep)
		if len(r.rules.limits) == 0 {
			return
		}
		all := len(w.hits) < n || n <= 0
		room := r.rules.room(pinned)
		w.hits = slices.DeleteFunc(w.hits, func(h Hit) bool { return !room.take(h.Item) })
		if all || len(w.hits) >= k {
			w.hits = w.hits[:min(k, len(w.hits))]
			return
		}
	}
}

// within returns, in order, the items that fit the limits together with the pinned items.
func (o *rules) within(items []int, pinned []Hit) []int {
	if len(o.limits) == 0 {
		return items
	}
	room := o.room(pinned)
	return slices.DeleteFunc(items, func(i int) bool { return !room.take(i) })
}

// countWithin returns the number of items that a list can hold. With several limits, the list may be shorter. O(I).
func (o *rules) countWithin(keep ItemSet) int {
	n := keep.Len()
	for _, l := range o.limits {
		held := keep.Len()
		for _, size := range l.sizes(keep) {
			held -= max(size-l.n, 0)
		}
		n = min(n, held)
	}
	return n
}

// sizes returns the number of items of keep in each group.
func (l *limit) sizes(keep ItemSet) map[int32]int {
	sizes := map[int32]int{}
	for i := range keep.All() {
		sizes[l.group[i]]++
	}
	delete(sizes, -1)
	return sizes
}

// room counts the free places of each limit.
type room struct {
	limits []limit
	taken  []map[int32]int
}

// room returns the free places that the pinned items leave.
func (o *rules) room(pinned []Hit) room {
	left := room{o.limits, make([]map[int32]int, len(o.limits))}
	for k := range left.taken {
		left.taken[k] = map[int32]int{}
	}
	for _, h := range pinned {
		left.take(h.Item)
	}
	return left
}

// take reports whether there is room for an item, and takes it.
func (o *room) take(item int) bool {
	for k, l := range o.limits {
		if g := l.group[item]; g >= 0 && o.taken[k][g] >= l.n {
			return false
		}
	}
	for k, l := range o.limits {
		o.taken[k][l.group[item]]++
	}
	return true
}

// guarantee returns the guarantees that hold with these rules: any rule voids the model's guarantee, which was measured
// on lists without rules.
func (o *rules) guarantee(of []model.Guarantee) []model.Guarantee {
	if o.any {
		return nil
	}
	return of
}

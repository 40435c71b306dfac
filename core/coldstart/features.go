package coldstart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/pmlam/pmlam/core/catalogue"
)

// Items holds items with their catalogue entries and vectors.
type Items struct {
	*catalogue.Catalogue
	Vectors *Vectors // one for each item; nil: none
	// largest share of the places in lists of similar items for items without likes, enforced by AddHeld; 0: their
	// share of the catalogue; 1: no limit
	Share float64
}

// check returns an error if the number of vectors is not the number of items.
func (t *Items) check() error {
	if v := t.Vectors; v != nil && v.Len() != t.Len() {
		return fmt.Errorf("%d vectors for %d items; give one vector for each item, in the same order", v.Len(),
			t.Len())
	}
	return nil
}

// described is one item with all its facts.
type described struct {
	*catalogue.Item
	columns []string  // names of Values
	vector  []float32 // nil: none
}

func (t *Items) item(i int) described {
	d := described{Item: &t.Items[i], columns: t.Columns}
	if t.Vectors != nil {
		d.vector = t.Vectors.Row(i)
	}
	return d
}

// value returns the text of a further column, or "".
func (d *described) value(column string) string {
	if c := slices.Index(d.columns, column); c >= 0 && c < len(d.Values) {
		return strings.TrimSpace(d.Values[c])
	}
	return ""
}

const (
	maxFeatures = 1024 // of tokens and numbers; the rarest tokens beyond that are left out
	leastItems  = 2    // warm items with a token; a rarer one is dropped
	knots       = 8    // quantiles of a number
	numbersFrom = 0.9  // share of numbers among a column's values that makes it a column of numbers
	textFrom    = 4    // words on average in a column of text
	leastLetter = 3    // bytes of a word; a shorter one is dropped
)

// kind is how a field's values are read.
type kind uint8

const (
	category kind = iota // the whole value is one token
	genres               // several tokens, each at full weight
	list                 // several tokens that share the weight
	text                 // words that share the weight
	number
)

// field is one kind of fact about items: the genres, the year, the words of the title, or a column.
type field struct {
	name string
	kind kind
	of   func(d *described) []string // tokens, or the number as a text; none: unknown

	tokens map[string]int32 // the feature of each token
	knots  []float64        // of a number, ascending
	first  int32            // feature of the first knot
}

// features turns an item's facts into f numbers, most of them 0:
//
//	token t of a field              √ln(I/df_t), where df_t of I warm items have it; in lists and texts divided by the
//	                                root of the number of the item's tokens that are features
//	number v between knots a ≤ v ≤ b (b−v)/(b−a) at a and (v−a)/(b−a) at b: a linear function of these is piecewise
//	                                linear in v; the knots are quantiles of the warm items' numbers
//	vector                          divided by the root mean square of the lengths of the warm items' vectors
//
// Unknown facts are 0.
type features struct {
	fields []*field
	weight []float64 // of a token, by its feature
	count  int       // f
	dim    int       // of vectors, whose features come last
	scale  float64   // of vectors
}

// row is a sparse vector of features.
type row struct {
	at    []int32
	value []float64
}

func (r *row) add(at int32, value float64) { r.at, r.value = append(r.at, at), append(r.value, value) }

// newFeatures finds the features of the warm items. O(n log n) in the number of tokens.
func newFeatures(warm []described) *features {
	f := &features{fields: []*field{
		{name: "genres", kind: genres, of: func(d *described) []string { return d.Genres }},
		{name: "year", kind: number, of: func(d *described) []string {
			if d.Year == 0 {
				return nil
			}
			return []string{strconv.Itoa(d.Year)}
		}},
		{name: "title", kind: text, of: func(d *described) []string { return words(d.Title) }},
	}}
	seen := map[string]bool{}
	for i := range warm {
		for _, c := range warm[i].columns {
			if seen[c] {
				continue
			}
			seen[c] = true
			if x := columnField(c, warm); x != nil {
				f.fields = append(f.fields, x)
			}
		}
	}
	f.number(warm)
	return f
}

// columnField detects the kind of a column from the warm items' values. It returns nil if the column is empty, or if it
// holds distinct whole numbers, which are ids.
func columnField(name string, warm []described) *field {
	var filled, numbers, whole, length int
	lists, distinct := false, map[string]bool{}
	for i := range warm {
		v := warm[i].value(name)
		if v == "" {
			continue
		}
		filled++
		distinct[v] = true
		if x, ok := parse(v); ok {
			numbers++
			if x == math.Trunc(x) {
				whole++
			}
		}
		lists = lists || strings.Contains(v, "|")
		length += len(strings.Fields(v))
	}
	f := &field{name: name}
	switch {
	case filled == 0, whole == filled && len(distinct) == filled:
		return nil
	case float64(numbers) >= numbersFrom*float64(filled):
		f.kind = number
	case lists:
		f.kind = list
	case length >= textFrom*filled:
		f.kind = text
	}
	f.of = func(d *described) (out []string) {
		v := d.value(name)
		switch {
		case v == "":
			return nil
		case f.kind == text:
			return words(v)
		case f.kind != list:
			return []string{v}
		}
		for _, t := range strings.Split(v, "|") {
			if t = strings.ToLower(strings.TrimSpace(t)); t != "" && !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
		return out
	}
	return f
}

// parse accepts finite numbers only.
func parse(text string) (float64, bool) {
	x, err := strconv.ParseFloat(text, 64)
	return x, err == nil && !math.IsNaN(x) && !math.IsInf(x, 0)
}

// words returns the distinct words of a text in lower case, sorted.
func words(s string) []string {
	out := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r)
	})
	out = slices.DeleteFunc(out, func(w string) bool { return len(w) < leastLetter })
	slices.Sort(out)
	return slices.Compact(out)
}

// number assigns indices to the features: numbers first, then the most frequent tokens, then vectors.
func (f *features) number(warm []described) {
	type token struct {
		field *field
		text  string
		count int
	}
	var all []token
	for _, x := range f.fields {
		if x.kind == number {
			x.knots = quantiles(x, warm)
			x.first = int32(f.count)
			f.count += len(x.knots)
			continue
		}
		x.tokens = map[string]int32{}
		counts := map[string]int{}
		for i := range warm {
			for _, t := range x.of(&warm[i]) {
				counts[t]++
			}
		}
		for t, n := range counts {
			if n >= leastItems && n < len(warm) {
				all = append(all, token{x, t, n})
			}
		}
	}
	slices.SortFunc(all, func(a, b token) int {
		return cmp.Or(b.count-a.count, strings.Compare(a.field.name, b.field.name), strings.Compare(a.text, b.text))
	})
	f.weight = make([]float64, f.count, max(f.count, maxFeatures))
	for _, t := range all[:min(len(all), max(maxFeatures-f.count, 0))] {
		t.field.tokens[t.text] = int32(f.count)
		f.weight = append(f.weight, math.Sqrt(math.Log(float64(len(warm))/float64(t.count))))
		f.count++
	}
	sum, n := 0.0, 0.0
	for i := range warm {
		for _, v := range warm[i].vector {
			sum += float64(v) * float64(v)
		}
		if warm[i].vector != nil {
			f.dim = len(warm[i].vector)
			n++
		}
	}
	if sum == 0 {
		f.dim = 0
		return
	}
	f.scale = math.Sqrt(n / sum)
	f.count += f.dim
}

// quantiles returns the knots of a number, ascending, or nil if no warm item has it.
func quantiles(x *field, warm []described) (out []float64) {
	var all []float64
	for i := range warm {
		for _, t := range x.of(&warm[i]) {
			if v, ok := parse(t); ok {
				all = append(all, v)
			}
		}
	}
	if len(all) == 0 {
		return nil
	}
	slices.Sort(all)
	for k := range knots {
		out = append(out, all[k*(len(all)-1)/(knots-1)])
	}
	return slices.Compact(out)
}

// row returns the features of an item.
func (f *features) row(d *described) (r row) {
	for _, x := range f.fields {
		from := len(r.at)
		for _, t := range x.of(d) {
			if x.kind == number {
				if v, ok := parse(t); ok && len(x.knots) > 0 {
					x.spread(&r, v)
				}
			} else if at, ok := x.tokens[t]; ok {
				r.add(at, f.weight[at])
			}
		}
		if x.kind == list || x.kind == text {
			for k := from; k < len(r.at); k++ {
				r.value[k] /= math.Sqrt(float64(len(r.at) - from))
			}
		}
	}
	if f.dim > 0 {
		for k, v := range d.vector {
			r.add(int32(f.count-f.dim+k), float64(v)*f.scale)
		}
	}
	return r
}

// spread adds a number to r. Outside the knots, the nearest one counts.
func (x *field) spread(r *row, v float64) {
	v = min(max(v, x.knots[0]), x.knots[len(x.knots)-1])
	k, found := slices.BinarySearch(x.knots, v)
	if found {
		r.add(x.first+int32(k), 1)
		return
	}
	share := (v - x.knots[k-1]) / (x.knots[k] - x.knots[k-1])
	r.add(x.first+int32(k-1), 1-share)
	r.add(x.first+int32(k), share)
}

package query

import (
	"math"
	"slices"

	"github.com/pmlam/pmlam/core/brief"
	"github.com/pmlam/pmlam/core/recommend"
)

// DefaultResults is the default of k.
const DefaultResults = 10

// Reader parses requests. All fields except Unknown must be set.
type Reader struct {
	Engine  *recommend.Recommender // with the items, columns and rules that requests refer to
	Results int                    // greatest k and skip
	Marks   int                    // greatest number of entries in a list

	// Unknown holds the distinct ids in the requests so far that the engine lacks, in order. They are left out of the
	// lists.
	Unknown []string
	listed  map[string]bool
}

// options are the fields of a request, as documented in pmlam.js; similarOptions is the same for the method similar.
var (
	options = []string{
		"likes", "dislikes", "seen", "k", "mode", "genres", "fromYear", "toYear", "where", "order", "skip", "instead",
		"recent", "again", "diversity", "exploration", "seed", "rules",
	}
	similarOptions = []string{"likes", "dislikes", "seen", "k", "rules"}
)

// Read parses a request to the method of that name, except its rules (Rules). Errors are of type *Error. A missing
// field has its zero value, and k is DefaultResults. O(entries of the lists).
func (r *Reader) Read(method string, v Value) (visit recommend.Visit, q recommend.Request, err error) {
	if err := known(method, v, options); err != nil {
		return visit, q, err
	}
	if visit, err = r.marks(v); err != nil {
		return visit, q, err
	}
	if visit.Recent, err = r.items("recent", v.Field("recent")); err != nil {
		return visit, q, err
	}
	if again := v.Field("again"); again.Kind() == Bool {
		visit.Again = again.Bool()
	} else if again.Kind() != Absent {
		return visit, q, wrong("again", "again must be true or false")
	} else {
		visit.Again = r.Engine.Again()
	}
	if q.Instead, err = r.items("instead", v.Field("instead")); err != nil {
		return visit, q, err
	}
	if err := r.numbers(&q, v); err != nil {
		return visit, q, err
	}
	if q.Mode, err = word("mode", `"for-you", "hidden-gems" or "outside-bubble"`, v, modes); err != nil {
		return visit, q, err
	}
	if q.Order, err = word("order", `"best", "known", "new" or "title"`, v, orders); err != nil {
		return visit, q, err
	}
	if q.Filter.Genres, err = r.Texts("genres", v.Field("genres")); err != nil {
		return visit, q, err
	}
	q.Filter.Columns, err = r.columns(v.Field("where"))
	return visit, q, err
}

// ReadSimilar parses a request to the method similar, except the item and the rules: the visit and k. Errors are of
// type *Error.
func (r *Reader) ReadSimilar(v Value) (mentioned recommend.Visit, k int, err error) {
	if err := known("similar", v, similarOptions); err != nil {
		return mentioned, 0, err
	}
	if mentioned, err = r.marks(v); err != nil {
		return mentioned, 0, err
	}
	n, err := Bounded("k", v.Field("k"), 1, float64(r.Results), DefaultResults, true)
	return mentioned, int(n), err
}

// known checks that v is an object with no other fields than these options.
func known(method string, v Value, options []string) error {
	if v.Kind() != Object {
		return wrong("", "%s takes an object, such as {likes: [\"6\"], k: 10}", method)
	}
	for _, name := range v.Names() {
		if !slices.Contains(options, name) {
			return noOption(method, name, options)
		}
	}
	return nil
}

// marks parses the visitor's likes, dislikes and seen items.
func (r *Reader) marks(v Value) (visit recommend.Visit, err error) {
	for _, l := range []struct {
		name string
		to   *[]int
	}{{"likes", &visit.Likes}, {"dislikes", &visit.Dislikes}, {"seen", &visit.Seen}} {
		if *l.to, err = r.items(l.name, v.Field(l.name)); err != nil {
			return visit, err
		}
	}
	return visit, nil
}

func (r *Reader) numbers(q *recommend.Request, v Value) (err error) {
	whole := func(name string, min, max, zero float64) float64 {
		x, e := Bounded(name, v.Field(name), min, max, zero, true)
		if err == nil {
			err = e
		}
		return x
	}
	share := func(name string) float64 {
		x, e := Bounded(name, v.Field(name), 0, 1, 0, false)
		if err == nil {
			err = e
		}
		return x
	}
	q.K = int(whole("k", 1, float64(r.Results), DefaultResults))
	q.Filter.FromYear = int(whole("fromYear", -10_000, 10_000, 0))
	q.Filter.ToYear = int(whole("toYear", -10_000, 10_000, 0))
	q.Diversity, q.Exploration = share("diversity"), share("exploration")
	q.Seed = uint64(whole("seed", 0, 1<<53, 0))
	q.Skip = int(whole("skip", 0, float64(r.Results), 0))
	return err
}

// items parses a list of items; a missing one is empty.
func (r *Reader) items(name string, v Value) ([]int, error) {
	ids, err := r.ids(name, name, v)
	if ids == nil || err != nil {
		return nil, err
	}
	out := make([]int, 0, len(ids))
	for _, id := range ids {
		if item, ok := r.Engine.IDs()[id]; ok {
			out = append(out, item)
		} else {
			r.addUnknown(id)
		}
	}
	return out, nil
}

// IDs parses a list of ids, whether or not the model has them; a missing one is nil. Errors are of type *Error.
func (r *Reader) IDs(name string, v Value) ([]string, error) { return r.ids(name, name, v) }

// ids parses a list of ids in a field or in a part of it.
func (r *Reader) ids(field, name string, v Value) ([]string, error) {
	if err := r.isList(field, name, "ids", v); v.Kind() == Absent || err != nil {
		return nil, err
	}
	out := make([]string, v.Len())
	for i := range out {
		id, ok := ID(v.At(i))
		if !ok {
			return nil, wrong(field, "%s, entry %d: %s", name, i+1, NoID)
		}
		out[i] = id
	}
	return out, nil
}

func (r *Reader) addUnknown(id string) {
	if !r.listed[id] {
		if r.listed == nil {
			r.listed = map[string]bool{}
		}
		r.listed[id] = true
		r.Unknown = append(r.Unknown, id)
	}
}

// isList checks that v is a list of at most Marks entries, or missing.
func (r *Reader) isList(field, name, of string, v Value) error {
	switch {
	case v.Kind() == Absent:
		return nil
	case v.Kind() != List:
		return wrong(field, "%s must be an array of %s", name, of)
	case v.Len() > r.Marks:
		return TooMany(field, name, r.Marks)
	}
	return nil
}

// Texts parses a list of texts; a missing one is nil. Errors are of type *Error.
func (r *Reader) Texts(name string, v Value) ([]string, error) {
	if err := r.isList(name, name, "texts", v); v.Kind() == Absent || err != nil {
		return nil, err
	}
	out := make([]string, v.Len())
	for i := range out {
		t := v.At(i)
		if t.Kind() != Text {
			return nil, wrong(name, "%s, entry %d must be a text", name, i+1)
		}
		out[i] = t.Text()
	}
	return out, nil
}

// columns parses the option where.
func (r *Reader) columns(v Value) (map[string]string, error) {
	switch v.Kind() {
	case Absent:
		return nil, nil
	case Object:
	default:
		return nil, wrong("where", "where must be an object of columns and texts")
	}
	out := map[string]string{}
	for _, name := range v.Names() {
		text, ok := Plain(v.Field(name))
		switch {
		case !slices.Contains(r.Engine.Columns(), name):
			return nil, wrong("where", "where: the catalogue has no column %q%s", brief.Text(name),
				r.columnNames())
		case !ok:
			return nil, wrong("where", "where: %q must be a text", brief.Text(name))
		}
		out[name] = text
	}
	return out, nil
}

// columnNames lists the columns for an error.
func (r *Reader) columnNames() string {
	columns := r.Engine.Columns()
	if len(columns) == 0 {
		return "; it only has id, title, year and genres"
	}
	return "; it has " + brief.List(columns)
}

// word parses an option that takes one of some words, or the zero value if it is missing.
func word[T any](name, all string, v Value, words map[string]T) (value T, err error) {
	f := v.Field(name)
	if f.Kind() == Absent {
		return value, nil
	}
	text, _ := Plain(f)
	value, ok := words[text]
	if !ok {
		return value, wrong(name, "%s is %q; it must be %s", name, brief.Text(text), all)
	}
	return value, nil
}

// Bounded parses a number from min to max; a missing one is zero.
func Bounded(name string, v Value, min, max, zero float64, whole bool) (float64, error) {
	if v.Kind() == Absent {
		return zero, nil
	}
	if v.Kind() == Number {
		if x := v.Number(); x >= min && x <= max && (!whole || x == math.Trunc(x)) {
			return x, nil
		}
	}
	kind := "a number"
	if whole {
		kind = "a whole number"
	}
	return 0, wrong(name, "%s must be %s between %v and %v", name, kind, min, max)
}

// NoID is the error for a value that ID refuses.
const NoID = "give an item's id, a text or a number, or an item of an earlier answer"

// ID returns the id in a value: a text, a number, or an object with such an id, for example an item of an earlier
// answer or a row of a database. ok is false for other values.
func ID(v Value) (id string, ok bool) {
	if v.Kind() == Object {
		v = v.Field("id")
	}
	switch v.Kind() {
	case Text, Number:
		return Plain(v)
	}
	return "", false
}

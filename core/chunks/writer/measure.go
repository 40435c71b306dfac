package writer

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/pmlam/pmlam/core/chunks"
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/recommend"
)

// Cost describes the cost and quality of first lists of ten, for visitors with an empty cache, without even the index.
type Cost struct {
	Likes  int     `json:"likes"`  // of each visitor
	People int     `json:"people"` // number of visitors
	Recall float64 `json:"recall"` // share of the whole model's ten that are listed
	Items  float64 `json:"items"`  // gathered; this and the fields below are means
	Parts  float64 `json:"parts"`  // fetched
	Rounds float64 `json:"rounds"` // of fetching, one after the other, including the index
	Bytes  float64 `json:"bytes"`  // of the parts
	Packed float64 `json:"packed"` // Bytes after gzip, each part by itself
	Most   float64 `json:"most"`   // the largest Packed of a visitor
}

// listed is the length of the lists.
const listed = 10

// Measure asks for a list for each of the visitors, given by the ids of their likes, the same number for each. It
// compares the lists with the whole model's. read returns a part.
func Measure(ctx context.Context, whole *recommend.Recommender, visitors [][]string, workers int,
	read func(name string) ([]byte, error)) (Cost, error) {
	costs, err := each(ctx, len(visitors), workers, func(k int) (Cost, error) {
		return measure(whole, visitors[k], read)
	})
	return mean(costs), err
}

// each returns the cost of each of n questions.
func each(ctx context.Context, n, workers int, of func(k int) (Cost, error)) ([]Cost, error) {
	costs, errs := make([]Cost, n), make([]error, n)
	err := parallel.Each(ctx, n, workers, func() func(k int) {
		return func(k int) { costs[k], errs[k] = of(k) }
	})
	if err = errors.Join(append(errs, err)...); err != nil {
		return nil, err
	}
	return costs, nil
}

func mean(costs []Cost) (sum Cost) {
	for _, c := range costs {
		sum.Likes, sum.People = c.Likes, sum.People+1
		sum.Recall += c.Recall / float64(len(costs))
		sum.Items += c.Items / float64(len(costs))
		sum.Parts += c.Parts / float64(len(costs))
		sum.Rounds += c.Rounds / float64(len(costs))
		sum.Bytes += c.Bytes / float64(len(costs))
		sum.Packed += c.Packed / float64(len(costs))
		sum.Most = max(sum.Most, c.Packed)
	}
	return sum
}

// measure asks for one list.
func measure(whole *recommend.Recommender, likes []string, read func(name string) ([]byte, error)) (Cost, error) {
	cost := Cost{Likes: len(likes)}
	c, err := opened(&cost, read)
	if err != nil {
		return cost, err
	}
	var part *recommend.Recommender
	err = c.fetch(func() (err error) {
		part, err = c.Gather(chunks.Question{People: []chunks.Person{{Likes: likes}}})
		return err
	})
	if err != nil {
		return cost, err
	}
	cost.Items = float64(part.Len())
	want := map[string]bool{}
	for _, id := range ids(whole, likes) {
		want[id] = true
	}
	for _, id := range ids(part, likes) {
		if want[id] {
			cost.Recall += 1 / float64(len(want))
		}
	}
	return cost, nil
}

// metered counts the parts that its catalogue fetches.
type metered struct {
	*chunks.Catalogue
	read func(name string) ([]byte, error)
	cost *Cost
}

func opened(cost *Cost, read func(name string) ([]byte, error)) (*metered, error) {
	m := &metered{read: read, cost: cost}
	index, err := m.part(chunks.IndexName)
	if err != nil {
		return nil, err
	}
	cost.Rounds++
	m.Catalogue, err = chunks.Open(index, recommend.Options{})
	return m, err
}

func (m *metered) part(name string) ([]byte, error) {
	b, err := m.read(name)
	m.cost.Parts, m.cost.Bytes, m.cost.Packed = m.cost.Parts+1, m.cost.Bytes+float64(len(b)), m.cost.Packed+packed(b)
	return b, err
}

// fetch repeats ask and puts missing parts until none is missing.
func (m *metered) fetch(ask func() error) error {
	for {
		err := ask()
		missing, ok := errors.AsType[*chunks.Missing](err)
		if !ok {
			return err
		}
		m.cost.Rounds++
		for _, name := range missing.Names {
			b, err := m.part(name)
			if err == nil {
				err = m.Put(name, b)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
}

// MeasureSearch runs each query and compares it with the whole model. Recall is the share of the whole model's first
// ten that are found, over queries that it answers. The index is cached, and nothing else. read returns a part.
func MeasureSearch(ctx context.Context, whole *recommend.Recommender, queries []string, workers int,
	read func(name string) ([]byte, error)) (Cost, error) {
	costs, err := each(ctx, len(queries), workers, func(k int) (Cost, error) {
		return measureSearch(whole, queries[k], read)
	})
	return mean(slices.DeleteFunc(costs, func(c Cost) bool { return c.Items == 0 })), err
}

// measureSearch searches once; Items is the number of titles that the whole model finds.
func measureSearch(whole *recommend.Recommender, query string, read func(name string) ([]byte, error)) (Cost, error) {
	c, err := opened(new(Cost), read)
	if err != nil {
		return Cost{}, err
	}
	cost := Cost{}
	c.cost = &cost
	var found []chunks.TitleFound
	err = c.fetch(func() (err error) {
		found, err = c.Search(query, listed)
		return err
	})
	want := whole.Search(query, listed)
	cost.Items = float64(len(want))
	for _, f := range want {
		id := whole.Item(f.Item).ID
		if slices.ContainsFunc(found, func(t chunks.TitleFound) bool { return t.ID == id }) {
			cost.Recall += 1 / float64(len(want))
		}
	}
	return cost, err
}

// ids returns the ids of a visitor's list.
func ids(r *recommend.Recommender, likes []string) (out []string) {
	var v recommend.Visit
	for _, id := range likes {
		if i, ok := r.IDs()[id]; ok {
			v.Likes = append(v.Likes, i)
		}
	}
	for _, s := range r.Recommend(v, r.Taste(v, nil), recommend.Request{K: listed, Bare: true}) {
		out = append(out, r.Item(s.Item).ID)
	}
	return out
}

// packed returns the size after gzip, as a host may send it.
func packed(b []byte) float64 {
	n := new(counter)
	w := gzip.NewWriter(n)
	w.Write(b) // a counter never fails
	w.Close()
	return float64(*n)
}

type counter int

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}

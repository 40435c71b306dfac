package chunking

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"

	"github.com/pmlam/pmlam/core/chunked"
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/recommend"
)

// Cost is what first lists of ten cost, and how good they are: of visitors who have nothing yet, not even the index.
type Cost struct {
	Likes  int     `json:"likes"`  // of each visitor
	People int     `json:"people"` // who were asked for
	Recall float64 `json:"recall"` // share of the whole model's ten that are listed
	Items  float64 `json:"items"`  // that were gathered; this and what follows are means
	Parts  float64 `json:"parts"`  // that were fetched
	Rounds float64 `json:"rounds"` // of fetching, one after the other, that of the index included
	Bytes  float64 `json:"bytes"`  // of the parts
	Packed float64 `json:"packed"` // of the same after gzip, each by itself
	Most   float64 `json:"most"`   // Packed of the visitor with the most
}

// listed is how long the lists are.
const listed = 10

// Measure asks for a list for each of the visitors, who have as many likes each, by their ids, and compares it with
// that of the whole model. read returns a part.
func Measure(ctx context.Context, whole *recommend.Recommender, visitors [][]string, workers int,
	read func(name string) ([]byte, error)) (Cost, error) {
	costs := make([]Cost, len(visitors))
	errs := make([]error, len(visitors))
	err := parallel.Each(ctx, len(visitors), workers, func() func(k int) {
		return func(k int) { costs[k], errs[k] = measure(whole, visitors[k], read) }
	})
	if err = errors.Join(append(errs, err)...); err != nil {
		return Cost{}, err
	}
	var sum Cost
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
	return sum, nil
}

// measure asks for one list.
func measure(whole *recommend.Recommender, likes []string, read func(name string) ([]byte, error)) (Cost, error) {
	cost := Cost{Likes: len(likes), Rounds: 1}
	fetch := func(name string) ([]byte, error) {
		b, err := read(name)
		cost.Parts, cost.Bytes, cost.Packed = cost.Parts+1, cost.Bytes+float64(len(b)), cost.Packed+packed(b)
		return b, err
	}
	index, err := fetch(chunked.IndexName)
	if err != nil {
		return cost, err
	}
	c, err := chunked.Open(index, recommend.Options{})
	if err != nil {
		return cost, err
	}
	part, err := fetchAll(c, chunked.Question{People: []chunked.Person{{Likes: likes}}}, fetch, &cost)
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

// fetchAll puts what a question needs.
func fetchAll(c *chunked.Catalogue, q chunked.Question, fetch func(name string) ([]byte, error),
	cost *Cost) (*recommend.Recommender, error) {
	for {
		r, err := c.Gather(q)
		missing, ok := errors.AsType[*chunked.Missing](err)
		if !ok {
			return r, err
		}
		cost.Rounds++
		for _, name := range missing.Names {
			b, err := fetch(name)
			if err == nil {
				err = c.Put(name, b)
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
}

// ids returns a visitor's list.
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

// packed returns the bytes after gzip, as a host may send them.
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

package main

import (
	"fmt"
	"math"

	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
)

// score is the quality of one person's list.
type score struct{ ndcg, recall float64 }

// engine is an opened model.
type engine struct {
	*recommend.Recommender
	place map[string]int
}

func open(file string) (*engine, error) {
	m, err := model.ReadFile(file)
	if err != nil {
		return nil, err
	}
	r, err := recommend.Open(m, recommend.Options{})
	if err != nil {
		return nil, err
	}
	e := &engine{r, map[string]int{}}
	for i := range m.Catalogue.Items {
		e.place[m.Catalogue.Items[i].ID] = i
	}
	return e, nil
}

// score asks for the list of a visitor with the person's told likes, and returns NDCG@10 and Recall@20 of their later
// likes. Items that the model lacks count as not found.
func (e *engine) score(p person, asked map[string]bool) (s score) {
	const short, long = 10, 20
	var v recommend.Visit
	for _, id := range p.told {
		if i, ok := e.place[id]; ok {
			v.Likes = append(v.Likes, i)
		}
	}
	wanted := map[int]bool{}
	for id := range asked {
		if i, ok := e.place[id]; ok {
			wanted[i] = true
		}
	}
	best := 0.0
	for k := range min(short, len(asked)) {
		best += 1 / math.Log2(float64(k+2))
	}
	for k, x := range e.Recommend(v, e.Taste(v, nil), recommend.Request{K: long, Bare: true}) {
		if !wanted[x.Item] {
			continue
		}
		s.recall += 1 / float64(len(asked))
		if k < short {
			s.ndcg += 1 / math.Log2(float64(k+2)) / best
		}
	}
	return s
}

// lists measures people's lists by the day's models and by the model of day 0. Targets are items that the day's models
// have.
func (d *day) lists(people []person, first string) error {
	var engines [3]*engine
	for k, file := range []string{d.newer.file, d.refreshed.file, first} {
		var err error
		if engines[k], err = open(file); err != nil {
			return err
		}
	}
	if a, b := len(engines[0].place), len(engines[1].place); a != b {
		return fmt.Errorf("the model trained anew has %d items, and the refreshed one %d", a, b)
	}
	for _, p := range people {
		told, asked := map[string]bool{}, map[string]bool{}
		for _, id := range p.told {
			if _, ok := engines[0].place[id]; ok {
				told[id] = true
			}
		}
		for _, id := range p.asked {
			if _, ok := engines[0].place[id]; ok && !told[id] {
				asked[id] = true
			}
		}
		if len(told) == 0 || len(asked) == 0 {
			continue
		}
		d.people++
		d.ids = append(d.ids, p.id)
		d.full = append(d.full, engines[0].score(p, asked))
		d.fresh = append(d.fresh, engines[1].score(p, asked))
		d.unchanged = append(d.unchanged, engines[2].score(p, asked))
	}
	return nil
}

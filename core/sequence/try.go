package sequence

import (
	"context"
	"math"
	"slices"

	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/recommend"
)

// Trial tells whether the order of likes helps to predict each person's latest step, which is hidden.
type Trial struct {
	People  int     // with a step to predict, at most MostPeople
	NDCG    float64 // mean NDCG@10 of the links in order, from the recent items
	Without float64 // of links that ignore the order, from all items
	Pays    bool    // NDCG is larger by more than two standard errors of the paired difference
}

// LeastPeople is the least number of people for a Trial to pay, and MostPeople the most that it takes. Links are
// counted on the likes of everybody, or of every k-th person so that they have about MostLikes.
const (
	LeastPeople = 30
	MostPeople  = 20000
	MostLikes   = 2_000_000
)

// Try hides the latest step of every person with two steps or more, counts the links of the rest twice, with and
// without their order, and predicts the new items of the hidden steps. People beyond MostPeople and likes beyond
// MostLikes are taken evenly. The only possible error is ctx's. It costs at most two calls of Links.
func Try(ctx context.Context, s *Sequences, set Settings, workers int) (Trial, error) {
	rest := &Sequences{Items: s.Items, Steps: make([][]Step, len(s.Steps))}
	likes := 0
	for _, steps := range s.Steps {
		for _, step := range steps {
			likes += len(step)
		}
	}
	var people []int
	for u := 0; u < len(s.Steps); u += 1 + likes/MostLikes {
		steps := s.Steps[u]
		rest.Steps[u] = steps
		if n := len(steps); n >= 2 {
			people = append(people, u)
			rest.Steps[u] = steps[:n-1]
		}
	}
	blind := set
	blind.Gap, blind.Back = 1, 1
	ordered, err := targets(ctx, rest, set, workers)
	if err != nil {
		return Trial{}, err
	}
	unordered, err := targets(ctx, rest, blind, workers)
	if err != nil {
		return Trial{}, err
	}
	t := Trial{People: min(len(people), MostPeople)}
	list := lister{sums: make([]float32, s.Items), heap: eval.NewHeap(min(trialLength, max(s.Items, 1)))}
	var squares float64
	for k := range t.People {
		u := people[k*len(people)/t.People]
		next := s.Steps[u][len(rest.Steps[u])]
		history := slices.Concat(rest.Steps[u]...)
		with := ndcg(list.best(ordered, history, recommend.RecentDecay, recommend.RecentItems), next)
		without := ndcg(list.best(unordered, history, 1, len(history)), next)
		t.NDCG += with
		t.Without += without
		squares += float64((with - without) * (with - without))
	}
	if t.People == 0 {
		return t, nil
	}
	n := float64(t.People)
	t.NDCG, t.Without = t.NDCG/n, t.Without/n
	gain := t.NDCG - t.Without
	t.Pays = t.People >= LeastPeople && gain > 2*math.Sqrt(max(squares/n-float64(gain*gain), 0)/n)
	return t, nil
}

// trialLength is the length of the lists of a Trial.
const trialLength = 10

// lister makes lists from links.
type lister struct {
	sums    []float32 // I, all 0 between lists
	touched []int32
	heap    *eval.Heap
}

// best returns the items with the largest sums of links from the last most items of a history, each of which weighs
// decay times the one after it, without the history's items. The result is valid until the next call.
func (l *lister) best(links [][]eval.Scored, history []int32, decay float32, most int) []eval.Scored {
	l.heap.Reset()
	l.touched = l.touched[:0]
	weight := float32(1)
	for k := len(history) - 1; k >= max(0, len(history)-most); k-- {
		for _, b := range links[history[k]] {
			if l.sums[b.Item] == 0 {
				l.touched = append(l.touched, b.Item)
			}
			l.sums[b.Item] += float32(weight * b.Score)
		}
		weight *= decay
	}
	for _, i := range history {
		l.sums[i] = 0
	}
	for _, i := range l.touched {
		if l.sums[i] > 0 {
			l.heap.Offer(i, l.sums[i])
		}
		l.sums[i] = 0
	}
	return l.heap.Sorted()
}

// ndcg returns the NDCG of a list with the items of next as the relevant ones.
func ndcg(list []eval.Scored, next Step) float64 {
	var sum, ideal float64
	for k := range min(len(next), trialLength) {
		ideal += 1 / math.Log2(float64(k+2))
	}
	for k, at := range list {
		if slices.Contains(next, at.Item) {
			sum += 1 / math.Log2(float64(k+2))
		}
	}
	return sum / ideal
}

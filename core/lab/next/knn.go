package next

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"github.com/pmlam/pmlam/core/eval"
)

// KNN are the settings of the neighbour methods of Ludewig and Jannach (2018), which compare the user's history, as a
// session, with the histories of others.
type KNN struct {
	Neighbours int     // k, the most similar histories that count
	Decay      float64 // weight of an item of the history for each later one, in (0,1]; 1 is SKNN, less is V-SKNN
	IDF        bool    // items count by the logarithm of their rarity
}

// NewKNN returns the scorer
//
//	score(u,i) = Σ_{v ∈ the k nearest of u, v has i} sim(u,v) · Decay^(items of u after the latest one that v has)
//	sim(u,v)   = Σ_{j ∈ u ∩ v} Decay^(items of u after j) · idf_j / √|v|
//
// where idf_j is ln(U/n_j) with IDF, else 1. u itself is no neighbour. O(Σ_j n_j) for each user.
func NewKNN(s *Set, set KNN) eval.Scorer {
	k := &knn{set: set, histories: s.Histories, items: s.Data.Items.Len()}
	k.of, k.idf = make([][]int32, k.items), make([]float64, k.items)
	for u, h := range s.Histories {
		for _, i := range h {
			k.of[i] = append(k.of[i], int32(u))
		}
	}
	for i, users := range k.of {
		k.idf[i] = 1
		if set.IDF && len(users) > 0 {
			k.idf[i] = math.Log(float64(len(s.Histories)) / float64(len(users)))
		}
	}
	k.pool.New = func() any {
		all := make([]near, len(s.Histories))
		return &all
	}
	return k
}

type knn struct {
	set       KNN
	histories [][]int
	of        [][]int32 // by item, the users who have it
	idf       []float64
	items     int
	pool      sync.Pool // of *[]near, zero
}

// near is a user as a neighbour.
type near struct {
	user        int32 // plus 1
	sim, latest float64
}

func (k *knn) NumItems() int { return k.items }

func (k *knn) Score(user int, dst []float32) {
	pooled := k.pool.Get().(*[]near)
	all := *pooled
	h, met := k.histories[user], []int32(nil)
	weight := 1.0
	for at := len(h) - 1; at >= 0; at-- {
		for _, v := range k.of[h[at]] {
			if int(v) == user {
				continue
			}
			if all[v].user != v+1 {
				met = append(met, v)
				all[v] = near{user: v + 1, latest: weight}
			}
			all[v].sim += weight * k.idf[h[at]]
		}
		weight *= k.set.Decay
	}
	nearest := make([]near, 0, len(met))
	for _, v := range met {
		n := all[v]
		n.sim /= math.Sqrt(float64(len(k.histories[v])))
		nearest = append(nearest, n)
		all[v] = near{}
	}
	k.pool.Put(pooled)
	slices.SortFunc(nearest, func(a, b near) int {
		return cmp.Or(cmp.Compare(b.sim, a.sim), cmp.Compare(a.user, b.user))
	})
	clear(dst)
	for _, n := range nearest[:min(len(nearest), k.set.Neighbours)] {
		for _, i := range k.histories[n.user-1] {
			dst[i] += float32(n.sim * n.latest)
		}
	}
}

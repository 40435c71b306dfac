package synth

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Config sets the sizes.
type Config struct {
	Users        int
	Items        int
	Interactions int    // in all
	Tastes       int    // 0: one for 200 items
	Seed         uint64 // any
}

// Least is the smallest number of interactions of a user.
const Least = 5

const (
	zipfBend   = 200             // the popularity is flat for the best known Items/zipfBend
	activity   = 1.1             // σ of the logarithm of a user's number of interactions
	own        = 0.75            // share of likes that are of a user's own tastes
	fromStart  = 1.0 / 3         // share of items that are there from the beginning
	years      = 8               // over which everything happens
	year       = 365 * 24 * 3600 // s
	begin      = 1_500_000_000   // s since 1970: the earliest time
	wait       = 3600            // s between two likes of a user, on average
	ageing     = year            // s after which an item is passed over with a chance of (1 − 1/e)/2
	mostTries  = 64              // draws of one like before any item is taken that is left
	mostItems  = 1 << 30
	mostLikes  = 1 << 40
	mostPeople = 1 << 31
)

// shares are the weights of a user's tastes.
var shares = [...]float64{0.5, 0.8, 1} // cumulative

// check returns an error if the sizes cannot be drawn.
func (c Config) check() error {
	switch {
	case c.Users < 1 || c.Users > mostPeople:
		return fmt.Errorf("%d users cannot be drawn; 1 to %d can", c.Users, mostPeople)
	case c.Items < 2*Least || c.Items > mostItems:
		return fmt.Errorf("%d items cannot be drawn; %d to %d can", c.Items, 2*Least, mostItems)
	case c.Tastes < 0 || c.Tastes > c.Items:
		return fmt.Errorf("%d tastes cannot be drawn for %d items; 0 (one for 200 items) to %[2]d can", c.Tastes,
			c.Items)
	case c.Interactions < Least*c.Users:
		return fmt.Errorf("%d interactions are too few for %d users with at least %d each", c.Interactions,
			c.Users, Least)
	case c.Interactions > mostLikes || c.Interactions > c.Users*(c.Items/4):
		return fmt.Errorf("%d interactions are too many for %d users and %d items: a user has a quarter of them at "+
			"most on average", c.Interactions, c.Users, c.Items)
	}
	return nil
}

// Interaction is one like.
type Interaction struct {
	User, Item int   // numbered from 0; an item's number says nothing about it
	Time       int64 // s since 1970
}

// Draw calls f with all interactions, user after user, each user's in the order of time, and stops at f's first error.
// It also returns an error if c cannot be drawn. O(N log I) time, O(U + I) memory.
func Draw(c Config, f func(Interaction) error) error {
	if err := c.check(); err != nil {
		return err
	}
	w := newWorld(c)
	for user, likes := range w.likes {
		if err := w.draw(user, int(likes), f); err != nil {
			return err
		}
	}
	return nil
}

// world is the state that all users share.
type world struct {
	Config
	likes  []int32   // U: number of interactions
	items  []int32   // I: items, grouped by taste
	first  []int     // T+1: where in items each taste begins
	sum    []float64 // I: popularity of items, summed up in that order
	born   []int64   // I: when each item appears, s after begin
	marked []int32   // I: the latest user who likes the item, counted from 1
}

func newWorld(c Config) *world {
	if c.Tastes == 0 {
		c.Tastes = max(1, c.Items/200)
	}
	r := rand.New(rand.NewPCG(c.Seed, 0))
	w := &world{Config: c, items: make([]int32, c.Items), first: make([]int, c.Tastes+1), sum: make([]float64, c.Items),
		born: make([]int64, c.Items), marked: make([]int32, c.Items)}
	taste := make([]int32, c.Items)
	for i := range taste {
		w.items[i], taste[i] = int32(i), int32(r.IntN(c.Tastes))
		if r.Float64() >= fromStart {
			w.born[i] = r.Int64N(years * year)
		}
	}
	slices.SortStableFunc(w.items, func(a, b int32) int { return int(taste[a] - taste[b]) })
	for _, t := range taste {
		w.first[t+1]++
	}
	for t := range c.Tastes {
		w.first[t+1] += w.first[t]
	}
	sum := 0.0
	for k, rank := range r.Perm(c.Items) {
		sum += 1 / (float64(rank) + 1 + float64(c.Items)/zipfBend)
		w.sum[k] = sum
	}
	w.likes = dealOut(c, r)
	return w
}

// dealOut sets the number of interactions of each user: N in total, Least to I/2 each.
func dealOut(c Config, r *rand.Rand) []int32 {
	weights, sum := make([]float64, c.Users), 0.0
	for u := range weights {
		weights[u] = math.Exp(activity * r.NormFloat64())
		sum += weights[u]
	}
	likes, most := make([]int32, c.Users), c.Items/2
	free, dealt, at, over := c.Interactions-Least*c.Users, 0, 0.0, 0
	for u, weight := range weights {
		at += weight
		upTo := int(at / sum * float64(free))
		if u == c.Users-1 {
			upTo = free
		}
		n := Least + upTo - dealt
		dealt = upTo
		likes[u] = int32(min(n, most))
		over += n - int(likes[u])
	}
	// The excess of some users is spread over the others; check made sure that there is room.
	for over > 0 {
		for u := range likes {
			n := min(over, most-int(likes[u]), over/c.Users+1)
			likes[u] += int32(n)
			over -= n
		}
	}
	return likes
}

// draw calls f with one user's interactions.
func (w *world) draw(user, likes int, f func(Interaction) error) error {
	r := rand.New(rand.NewPCG(w.Seed, uint64(user)+1))
	var tastes [len(shares)]int
	for k := range tastes {
		tastes[k] = r.IntN(w.Tastes)
	}
	now := r.Int64N(years * year)
	for range likes {
		now += 1 + int64(r.ExpFloat64()*wait)
		item := w.like(r, tastes, now, int32(user)+1)
		if err := f(Interaction{User: user, Item: int(item), Time: begin + now}); err != nil {
			return err
		}
	}
	return nil
}

// like draws an item that this user has not liked yet, and marks it. After many tries it accepts any, even one that has
// not appeared.
func (w *world) like(r *rand.Rand, tastes [len(shares)]int, now int64, user int32) int32 {
	for range mostTries {
		from, to := 0, w.Items
		if r.Float64() < own {
			which := r.Float64()
			for k, share := range shares {
				if which < share {
					from, to = w.first[tastes[k]], w.first[tastes[k]+1]
					break
				}
			}
		}
		if from == to {
			continue // nothing is of this taste
		}
		item := w.items[w.popular(r, from, to)]
		age := now - w.born[item]
		if w.marked[item] == user || age < 0 || r.Float64() < (1-math.Exp(-float64(age)/ageing))/2 {
			continue
		}
		w.marked[item] = user
		return item
	}
	for i := r.IntN(w.Items); ; i = (i + 1) % w.Items { // it ends: a user likes half of the items at most
		if w.marked[i] != user {
			w.marked[i] = user
			return int32(i)
		}
	}
}

// popular draws an index of items between from and to by popularity. O(log I).
func (w *world) popular(r *rand.Rand, from, to int) int {
	before := 0.0
	if from > 0 {
		before = w.sum[from-1]
	}
	at := before + r.Float64()*(w.sum[to-1]-before)
	k, _ := slices.BinarySearch(w.sum[from:to], at)
	return min(from+k, to-1)
}

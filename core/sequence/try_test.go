package sequence

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
)

// seasons returns people who like one item after another of a series, from a random place on, and the same likes at
// shuffled times.
func seasons(users, items int) (ordered, shuffled *dataset.Dataset) {
	r := rand.New(rand.NewPCG(5, 9))
	var pairs []dataset.Pair
	of := map[dataset.Pair]int64{}
	for u := range users {
		from := r.IntN(items)
		for k := range 8 {
			p := dataset.Pair{Row: int32(u), Col: int32((from + k) % items)}
			pairs, of[p] = append(pairs, p), int64(1000+k)
		}
	}
	ordered = &dataset.Dataset{Positives: dataset.NewMatrix(users, items, pairs)}
	for u := range users {
		for _, i := range ordered.Positives.Row(u) {
			ordered.Times = append(ordered.Times, of[dataset.Pair{Row: int32(u), Col: i}])
		}
	}
	shuffled = &dataset.Dataset{Positives: ordered.Positives, Times: append([]int64(nil), ordered.Times...)}
	for u := range users {
		row := shuffled.Times[8*u : 8*u+8]
		r.Shuffle(8, func(i, j int) { row[i], row[j] = row[j], row[i] })
	}
	return ordered, shuffled
}

// TestTryTellsOrderFromNone tries data whose order says what comes next, the same data in random order, at equal times,
// and of few people.
func TestTryTellsOrderFromNone(t *testing.T) {
	try := func(d *dataset.Dataset) Trial {
		t.Helper()
		s, err := Of(d, d.Positives)
		if err != nil {
			t.Fatal(err)
		}
		one, err := Try(context.Background(), s, Default(), 1)
		if many, _ := Try(context.Background(), s, Default(), 5); err != nil || one != many {
			t.Fatalf("one worker finds %+v, five %+v; %v", one, many, err)
		}
		return one
	}
	ordered, shuffled := seasons(400, 60)
	if got := try(ordered); !got.Pays || got.People != 400 || got.NDCG < 0.99 || got.Without > 0.9 {
		t.Errorf("in order: %+v", got)
	}
	if got := try(shuffled); got.Pays || got.People != 400 {
		t.Errorf("shuffled: %+v", got)
	}
	for k := range shuffled.Times {
		shuffled.Times[k] = 7
	}
	if got := try(shuffled); got != (Trial{}) {
		t.Errorf("at equal times: %+v", got)
	}
	s, err := Of(shuffled, shuffled.Positives)
	if err != nil || s.AtOnce != 400 {
		t.Errorf("%d users have all likes at one time, want 400; %v", s.AtOnce, err)
	}
	few, _ := seasons(LeastPeople-1, 60)
	if got := try(few); got.Pays || got.People != LeastPeople-1 {
		t.Errorf("few people: %+v", got)
	}
	s, _ = Of(ordered, ordered.Positives)
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := Try(ctx, s, Default(), 2); !errors.Is(err, context.Canceled) {
		t.Errorf("a stopped trial says %v", err)
	}
}

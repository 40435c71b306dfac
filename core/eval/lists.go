package eval

import (
	"context"
	"runtime"
	"sync"

	"github.com/pmlam/pmlam/core/dataset"
)

// Lists returns for every user of train (U×I) the k best items outside their row, best first: TopK of the scores, by
// the scorer's fastest method. It has the errors of Evaluate. O(U·(cost of Score + I + k log k)) time, 4·U·k bytes.
func Lists(ctx context.Context, s Scorer, train *dataset.Matrix, k, workers int) ([][]int32, error) {
	users := make([]int32, train.Rows())
	for u := range users {
		users[u] = int32(u)
	}
	return ListsFor(ctx, s, train, users, k, workers)
}

// ListsFor is Lists for some of the users of train, in their order.
func ListsFor(ctx context.Context, s Scorer, train *dataset.Matrix, users []int32, k, workers int) ([][]int32, error) {
	if _, err := (Options{Ks: []int{k}}).check(s, train, train); err != nil {
		return nil, err
	}
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	e := &evaluation{users: users}
	all := make([][]int32, len(users))
	newRanker := newRankers(s, train, min(k, train.Cols))
	var wg sync.WaitGroup
	for range workers {
		r := newRanker()
		wg.Go(func() {
			lists := make([][]int32, r.width())
			for {
				from, to := e.take(ctx, r.width())
				if from == to {
					return
				}
				err := r.rank(e.users[from:to], lists)
				for i, list := range lists[:to-from] {
					all[from+i] = append([]int32(nil), list...)
				}
				e.finish(from, to, err)
			}
		})
	}
	wg.Wait()
	return all, e.stopped(ctx)
}

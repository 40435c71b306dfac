// Command fewer measures lists by the nearest items when only some likes of each user count (pmlam-batch neighbours
// --user-likes): core/lab/docs/scale.md.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/pmlam/pmlam/core/baseline"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
)

func main() {
	data := flag.String("data", "assets/data/ml-latest-small", "interactions; tests on a fifth of each user's items")
	flag.Parse()
	if err := run(*data); err != nil {
		fmt.Fprintln(os.Stderr, "fewer:", err)
		os.Exit(1)
	}
}

func run(data string) error {
	d, err := dataset.Load(data, dataset.Options{})
	if err != nil {
		return err
	}
	s := d.Fold(5, 0, 1)
	fmt.Println("| likes of a user that count | pairs | NDCG@20 |\n| --- | --- | --- |")
	all := 0
	for _, most := range []int{0, 1000, 500, 300, 200, 100, 50} {
		m := &dataset.Matrix{Cols: s.Train.Cols, Offsets: []int{0}}
		pairs := 0
		for u := range s.Train.Rows() {
			row := dataset.Drawn(s.Train.Row(u), u, most)
			pairs += len(row) * len(row)
			m.Indices = append(m.Indices, row...)
			m.Offsets = append(m.Offsets, len(m.Indices))
		}
		all = max(all, pairs)
		near, err := baseline.Neighbours(context.Background(), m, 20, baseline.Cosine, 0)
		if err != nil {
			return err
		}
		r, err := eval.Evaluate(context.Background(), newLists(s.Train, near), s.Train, s.Test,
			eval.Options{Ks: []int{20}})
		if err != nil {
			return err
		}
		fmt.Printf("| %d | %.1f%% | %.4f |\n", most, 100*float64(pairs)/float64(all), r.NDCG[0])
	}
	return nil
}

// lists scores an item by the cosines of its nearest items among the user's, by all likes of the user.
type lists struct {
	train   *dataset.Matrix
	targets [][]eval.Scored // by source
}

func newLists(train *dataset.Matrix, near [][]eval.Scored) *lists {
	l := &lists{train, make([][]eval.Scored, train.Cols)}
	for i, list := range near {
		for _, n := range list {
			l.targets[n.Item] = append(l.targets[n.Item], eval.Scored{Item: int32(i), Score: n.Score})
		}
	}
	return l
}

func (l *lists) NumItems() int { return l.train.Cols }

func (l *lists) Score(user int, dst []float32) {
	clear(dst)
	for _, j := range l.train.Row(user) {
		for _, t := range l.targets[j] {
			dst[t.Item] += t.Score
		}
	}
}

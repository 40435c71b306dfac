// Command shards simulates a training on several machines in one process: each has a part of the users, trains an epoch
// from the same item rows, which are stale from then on, and then all exchange their changes. core/lab/docs/scale.md
// has the results.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/pmlam"
)

func main() {
	data := flag.String("data", "assets/data/ml-latest-small", "interactions; tests on a fifth of each user's items")
	epochs := flag.Int("epochs", 10, "epochs to train")
	often := flag.String("exchanges", "1,4", "numbers of exchanges an epoch")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var exchanges []int
	for _, s := range strings.Split(*often, ",") {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 {
			fmt.Fprintln(os.Stderr, "shards: -exchanges", *often, "is not a list of numbers from 1")
			os.Exit(2)
		}
		exchanges = append(exchanges, n)
	}
	if err := run(ctx, *data, *epochs, exchanges); err != nil {
		fmt.Fprintln(os.Stderr, "shards:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, data string, epochs int, exchanges []int) error {
	d, err := dataset.Load(data, dataset.Options{})
	if err != nil {
		return err
	}
	s := d.Fold(5, 0, 1)
	cfg, err := pmlam.Preset("best")
	if err != nil {
		return err
	}
	cfg.Batch, cfg.LearnRate, cfg.Epochs = 4000, 0.02, epochs
	fmt.Println("| machines | rows exchanged | Recall@20 | NDCG@20 | MB an epoch and machine |")
	fmt.Println("| --- | --- | --- | --- | --- |")
	t, err := pmlam.New(ctx, s.Train, cfg, 0)
	if err != nil {
		return err
	}
	whole, err := t.Run(ctx, nil)
	if err != nil {
		return err
	}
	if err := report(ctx, "1", "every step", whole, s, 0); err != nil {
		return err
	}
	bytes := float64(4*2*cfg.Dim*s.Train.Cols) / 1e6
	for _, k := range []int{1, 2, 4, 8} {
		for _, times := range exchanges {
			r, err := sharded(ctx, s.Train, cfg, k, times)
			if err != nil {
				return err
			}
			sent := bytes * float64(2*times) * min(float64(k-1), 1) // there and back
			if err := report(ctx, fmt.Sprint(k), fmt.Sprintf("%d an epoch", times), r, s, sent); err != nil {
				return err
			}
		}
	}
	return nil
}

// report prints a row of the table.
func report(ctx context.Context, k, every string, r *pmlam.Result, s dataset.Split, mb float64) error {
	m, err := eval.Evaluate(ctx, eval.NewW2(r.Users, r.Items), s.Train, s.Test, eval.Options{Ks: []int{20}})
	if err != nil {
		return err
	}
	fmt.Printf("| %s | %s | %.4f | %.4f | %.0f |\n", k, every, m.Recall[0], m.NDCG[0], mb)
	return nil
}

// sharded trains with k shards of users. After each of times parts of an epoch, which are parts of the users too, an
// item's row changes by the sum of the shards' changes. Adam starts from zero in each part, as at a machine that
// received new rows.
func sharded(ctx context.Context, train *dataset.Matrix, cfg pmlam.Config, k, times int) (*pmlam.Result, error) {
	parts := make([]*dataset.Matrix, k*times) // by time, then by shard
	for part := range parts {
		m := &dataset.Matrix{Cols: train.Cols, Offsets: []int{0}}
		for u := range train.Rows() {
			if u%len(parts) == part {
				m.Indices = append(m.Indices, train.Row(u)...)
			}
			m.Offsets = append(m.Offsets, len(m.Indices))
		}
		parts[part] = m
	}
	same := make([]int32, train.Cols)
	for i := range same {
		same[i] = int32(i)
	}
	epochs, rate := cfg.Epochs, cfg.LearnRate
	c := cfg
	c.Epochs = 0
	t, err := pmlam.New(ctx, train, c, 0)
	if err != nil {
		return nil, err
	}
	last, err := t.Run(ctx, nil)
	if err != nil {
		return nil, err
	}
	rows := last.Own.Clone() // the initial ones
	for step := range epochs * times {
		next := rows.Clone()
		for shard := range k {
			part := step%times*k + shard
			c := cfg
			// The rate falls linearly over all epochs, here by steps.
			c.Epochs, c.Decay = 1, false
			c.LearnRate = rate * (1 - (float64(step)+.5)/float64(epochs*times))
			c.Seed = uint64(1 + step*k + shard)
			t, err := pmlam.New(ctx, parts[part], c, 0)
			if err != nil {
				return nil, err
			}
			if err := t.Begin(&pmlam.Beginning{Name: "rows", Items: rows, ItemOf: same, Own: true}); err != nil {
				return nil, err
			}
			if last, err = t.Run(ctx, nil); err != nil {
				return nil, err
			}
			to, from := next.Data(), last.Own.Data()
			for x, before := range rows.Data() {
				to[x] += from[x] - before
			}
		}
		for i := range next.Len() { // within the bounds of a training
			gaussian.Bound(next.Row(i), float32(cfg.Radius))
		}
		rows = next
	}
	last.Items, last.Own = rows, rows
	users := make([]int, train.Rows())
	for u := range users {
		users[u] = u
	}
	last.Compose(users, train, cfg)
	return last, nil
}

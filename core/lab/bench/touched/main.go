// Command touched counts the lists of nearest items that a share of new interactions changes: core/lab/docs/scale.md.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"

	"github.com/pmlam/pmlam/core/baseline"
	"github.com/pmlam/pmlam/core/dataset"
)

func main() {
	data := flag.String("data", "assets/data/ml-latest-small", "interactions with times")
	share := flag.Float64("share", .01, "share of new ones, the latest")
	flag.Parse()
	if err := run(*data, *share); err != nil {
		fmt.Fprintln(os.Stderr, "touched:", err)
		os.Exit(1)
	}
}

func run(data string, share float64) error {
	d, err := dataset.Load(data, dataset.Options{})
	if err != nil {
		return err
	}
	// The latest likes of all, or where times are missing the last ones of the file.
	order := make([]int, d.Positives.Len())
	for i := range order {
		order[i] = i
	}
	if d.Times != nil {
		slices.SortStableFunc(order, func(a, b int) int { return int(max(min(d.Times[a]-d.Times[b], 1), -1)) })
	}
	old := make([]bool, len(order))
	for _, at := range order[:len(order)-int(share*float64(len(order)))] {
		old[at] = true
	}
	before := &dataset.Matrix{Cols: d.Positives.Cols, Offsets: []int{0}}
	touched := make([]bool, d.Positives.Cols)
	at, users, pairs, all := 0, 0, 0, 0
	for u := range d.Positives.Rows() {
		n, more := len(d.Positives.Row(u)), 0
		for _, i := range d.Positives.Row(u) {
			if old[at] {
				before.Indices = append(before.Indices, i)
			} else {
				touched[i] = true
				more++
			}
			at++
		}
		all += n * n
		if more > 0 {
			users++
			pairs += 2*more*n - more*more
		}
		before.Offsets = append(before.Offsets, len(before.Indices))
	}
	one, err := baseline.Neighbours(context.Background(), before, 20, baseline.Cosine, 0)
	if err != nil {
		return err
	}
	two, err := baseline.Neighbours(context.Background(), d.Positives, 20, baseline.Cosine, 0)
	if err != nil {
		return err
	}
	changed, items := 0, 0
	for i := range one {
		if !slices.Equal(one[i], two[i]) {
			changed++
		}
		if touched[i] {
			items++
		}
	}
	of := func(n, all int) float64 { return 100 * float64(n) / float64(all) }
	fmt.Printf("%.1f%% new likes: of %.1f%% of the users; %.1f%% of the items get one, %.1f%% of the lists change; "+
		"%.2f%% of the pairs are new\n", 100*share, of(users, d.Positives.Rows()), of(items, len(one)),
		of(changed, len(one)), of(pairs, all))
	return nil
}

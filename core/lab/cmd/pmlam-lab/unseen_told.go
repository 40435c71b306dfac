package main

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/internal/cli"
)

// tell splits users' items into n random ones that they tell and the others. Users with at most n items are left out of
// both.
func tell(m *dataset.Matrix, users []int, n int, seed uint64) dataset.Split {
	var told, others []dataset.Pair
	for _, u := range users {
		row := m.Row(u)
		if len(row) <= n {
			continue
		}
		for k, at := range rand.New(rand.NewPCG(seed, uint64(u))).Perm(len(row)) {
			pair := dataset.Pair{Row: int32(u), Col: row[at]}
			if k < n {
				told = append(told, pair)
			} else {
				others = append(others, pair)
			}
		}
	}
	return dataset.Split{Train: dataset.NewMatrix(m.Rows(), m.Cols, told),
		Test: dataset.NewMatrix(m.Rows(), m.Cols, others)}
}

// printTold prints the mean over the users of all draws for each number of items told.
func (t *unseenTraining) printTold(in *cli.Input, all []leftOutRun, told []int) error {
	left := 0
	for _, a := range all {
		left += a.held
	}
	t.Printf("%d users, left out of the training, inferred from some of their items and measured on all others:\n",
		left)
	ks := all[0].told[0].Ks
	heading := " told  users"
	for _, metric := range []string{eval.Recall, eval.NDCG} {
		for _, k := range ks {
			heading += fmt.Sprintf("  %9s", eval.Key(metric, k))
		}
	}
	t.Printf("%s\n", heading)
	var out []map[string]any
	for i, n := range told {
		users, reports := 0, make([]leftOutRun, 0, len(all))
		for _, a := range all {
			users += a.told[i].Users
			reports = append(reports, leftOutRun{told: a.told[i : i+1]})
		}
		mean := meanOf(reports, func(a leftOutRun) *eval.Report { return a.told[0] })
		var line strings.Builder
		fmt.Fprintf(&line, "%5d  %5d", n, users)
		for _, metric := range []string{eval.Recall, eval.NDCG} {
			for _, k := range ks {
				fmt.Fprintf(&line, "  %9.4f", mean[eval.Key(metric, k)])
			}
		}
		t.Printf("%s\n", line.String())
		out = append(out, map[string]any{"told": n, "measured": users, "inferred": mean})
	}
	if !t.JSON {
		return nil
	}
	return t.PrintJSON(map[string]any{"users": in.Users.Len(), "draws": len(all), "left_out": left, "told": out,
		"reading": cli.NewReadingReport(in.Read), "config": all[0].config})
}

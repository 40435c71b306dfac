// Package next measures the next item: each user's last item is hidden, and every method ranks all items that the user
// has not had. Settings are chosen on the item before, for which the last two are hidden.
package next

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
)

// Set is a data set of sequences with hidden items.
type Set struct {
	Data      *dataset.Dataset
	Split     dataset.Split
	Histories [][]int // U: the items of the training part, earliest first
}

// Read reads a file of S3-Rec: a user and their items in order on each line. hidden is the number of items to hide from
// the end, 1 to test and 2 to validate; the first of them is to be predicted.
func Read(path string, hidden int) (*Set, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var users []string
	var sequences [][]string
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) < hidden+2 {
			return nil, fmt.Errorf("%s:%d: %d items, want at least %d", path, len(users)+1, len(fields)-1, hidden+1)
		}
		users, sequences = append(users, fields[0]), append(sequences, fields[1:])
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	return newSet(users, sequences, hidden)
}

func newSet(users []string, sequences [][]string, hidden int) (*Set, error) {
	number, ids := map[string]int32{}, []string(nil)
	var all, train, test []dataset.Pair
	times := make([]map[int32]int64, len(users))
	s := &Set{Histories: make([][]int, len(users))}
	for u, sequence := range sequences {
		times[u] = map[int32]int64{}
		for k, id := range sequence {
			i, ok := number[id]
			if !ok {
				i = int32(len(ids))
				number[id], ids = i, append(ids, id)
			}
			pair := dataset.Pair{Row: int32(u), Col: i}
			all = append(all, pair)
			times[u][i] = int64(k + 1)
			switch rest := len(sequence) - k; {
			case rest > hidden:
				train = append(train, pair)
				s.Histories[u] = append(s.Histories[u], int(i))
			case rest == hidden:
				test = append(test, pair)
			}
		}
	}
	d := &dataset.Dataset{Positives: dataset.NewMatrix(len(users), len(ids), all)}
	for u := range users {
		for _, i := range d.Positives.Row(u) {
			d.Times = append(d.Times, times[u][i])
		}
	}
	var err error
	if d.Users, err = dataset.NewIDs(users); err != nil {
		return nil, err
	}
	if d.Items, err = dataset.NewIDs(ids); err != nil {
		return nil, err
	}
	s.Data = d
	s.Split.Train = dataset.NewMatrix(len(users), len(ids), train)
	s.Split.Test = dataset.NewMatrix(len(users), len(ids), test)
	return s, nil
}

// Measure returns the report of a scorer for lists of 5, 10 and 20.
func (s *Set) Measure(ctx context.Context, by eval.Scorer) (*eval.Report, error) {
	return eval.Evaluate(ctx, by, s.Split.Train, s.Split.Test, eval.Options{Ks: []int{5, 10, 20}})
}

package batch

import (
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/pmlam/pmlam/core/baseline"
	"github.com/pmlam/pmlam/core/eval"
)

func init() {
	beam.RegisterDoFn(reflect.TypeFor[nearFn]())
	beam.RegisterDoFn(reflect.TypeFor[writeNear]())
}

// Weighted are items related to one item, with weights: its nearest ones, best first, or its sources, ascending.
type Weighted struct {
	Item    int32
	Items   []int32
	Weights []float32
}

// nearRow is a row of the files of Neighbours.
type nearRow struct {
	Item      string  `parquet:"item,dict,zstd"`
	Rank      int32   `parquet:"rank,zstd"` // from 1
	Neighbour string  `parquet:"neighbour,dict,zstd"`
	Cosine    float32 `parquet:"cosine,zstd"`
}

// Neighbours writes the k nearest items of each item by the cosine of their users in the training part, as
// baseline.Neighbours finds them with baseline.Cosine in the likes that count. Files are named
// near-00000-of-00016.parquet and so on, at most shards of them (0 means 16), with items in the order of their numbers.
// The folder appears atomically.
func Neighbours(ctx context.Context, run Runner, from, to string, k, shards int, c Counting) error {
	if k < 1 {
		return fmt.Errorf("%d neighbours: set at least 1", k)
	}
	if err := c.check(); err != nil {
		return err
	}
	f, err := openFolder(from)
	if err != nil {
		return err
	}
	tasks, err := f.tasks()
	if err != nil {
		return err
	}
	t, err := newTarget(to)
	if err != nil {
		return err
	}
	defer t.close()
	shards = f.parts(shards)
	if err := run.job(ctx, "finding neighbours", func(s beam.Scope) {
		near := beam.ParDo(s, &nearFn{Counter: Counter{Work: t.work, Shards: len(tasks)}, K: k,
			Items: f.Manifest.Items, Shards: shards}, f.blocks(s, tasks, c, t.work, shards))
		beam.ParDo0(s, &writeNear{ItemFiles{Folder: *f, Out: t.out, Shards: shards}}, beam.GroupByKey(s, near))
	}); err != nil {
		return err
	}
	if err := fillUp[nearRow](t.out, nearName, shards); err != nil {
		return err
	}
	return t.finish()
}

// parts returns the number of files by item: shards, or 16 if it is not positive, and no more than items.
func (f *Folder) parts(shards int) int {
	if shards <= 0 {
		shards = 16
	}
	return max(min(shards, f.Manifest.Items), 1)
}

func nearName(i, n int) string { return fmt.Sprintf("near-%05d-of-%05d.parquet", i, n) }

// numbers returns the items' ids, and their numbers by id.
func (f *Folder) numbers() (ids []string, number map[string]int32, err error) {
	if ids, err = f.items(); err != nil {
		return nil, nil, err
	}
	number = make(map[string]int32, len(ids))
	for i, id := range ids {
		number[id] = int32(i)
	}
	return ids, number, nil
}

// nearFn keeps the best k for each item of a block.
type nearFn struct {
	Counter          Counter
	K, Items, Shards int
}

func (f *nearFn) ProcessElement(block int, emit func(int, Weighted)) error {
	heap := eval.NewHeap(min(f.K, f.Items))
	return f.Counter.count(block, func(item int32, with, common []int32) {
		users := f.Counter.plan.Users
		heap.Reset()
		target := float64(users[item])
		for _, j := range with {
			heap.Offer(j, baseline.Cosine.Of(float64(common[j]), target, float64(users[j])))
		}
		near := Weighted{Item: item}
		for _, n := range heap.Sorted() {
			near.Items, near.Weights = append(near.Items, n.Item), append(near.Weights, n.Score)
		}
		emit(int(int64(item)*int64(f.Shards)/int64(f.Items)), near)
	})
}

// ItemFiles are files with a row range of all items in each.
type ItemFiles struct {
	Folder Folder // the folder of the items
	Out    string // the folder of the files
	Shards int    // number of files
	ids    []string
}

// read returns the content of one of the files, in the order of the items' numbers, and the ids of all items.
func (f *ItemFiles) read(next func(*Weighted) bool) (all []Weighted, ids []string, err error) {
	if f.ids == nil {
		if f.ids, err = f.Folder.items(); err != nil {
			return nil, nil, err
		}
	}
	for w := (Weighted{}); next(&w); {
		all = append(all, w)
	}
	slices.SortFunc(all, func(a, b Weighted) int { return int(a.Item) - int(b.Item) })
	return all, f.ids, nil
}

// writeNear writes one file.
type writeNear struct{ Files ItemFiles }

func (f *writeNear) ProcessElement(shard int, near func(*Weighted) bool) error {
	all, ids, err := f.Files.read(near)
	if err != nil {
		return err
	}
	var rows []nearRow
	for _, n := range all {
		for r, j := range n.Items {
			rows = append(rows, nearRow{ids[n.Item], int32(r + 1), ids[j], n.Weights[r]})
		}
	}
	return writeParquet(filepath.Join(f.Files.Out, nearName(shard, f.Files.Shards)), rows)
}

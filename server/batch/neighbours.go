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
	beam.RegisterDoFn(reflect.TypeFor[shareFn]())
	beam.RegisterDoFn(reflect.TypeFor[addFn]())
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
// baseline.Neighbours finds them with baseline.Cosine. Files are near-00000-of-00016.parquet and so on, at most shards
// of them (0 means 16), with items in the order of their numbers. The folder appears atomically.
//
// Each shard of users counts, for each item, the users it shares with other items (a stripe). A worker therefore adds
// as many stripes per item as there are shards, however popular the item is. A user's row costs its square, as on one
// machine.
func Neighbours(ctx context.Context, run Runner, from, to string, k, shards int) error {
	if k < 1 {
		return fmt.Errorf("%d neighbours: set at least 1", k)
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
	if shards <= 0 {
		shards = 16
	}
	shards = max(min(shards, f.Manifest.Items), 1)
	if err := run.job(ctx, "finding neighbours", func(s beam.Scope) {
		rows, degrees := f.shared(s, tasks)
		near := beam.ParDo(s, &nearFn{K: k, Items: f.Manifest.Items, Shards: shards}, rows,
			beam.SideInput{Input: degrees})
		beam.ParDo0(s, &writeNear{ItemFiles{Folder: *f, Out: t.out, Shards: shards}}, beam.GroupByKey(s, near))
	}); err != nil {
		return err
	}
	if err := fillUp[nearRow](t.out, nearName, shards); err != nil {
		return err
	}
	return t.finish()
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

// shareFn counts the shared users of items in one shard, and the users of each item.
type shareFn struct {
	Folder Folder
	number map[string]int32
}

func (f *shareFn) ProcessElement(task Task, stripe func(int64, Stripe), degree func(int64, int64)) error {
	if f.number == nil {
		var err error
		if _, f.number, err = f.Folder.numbers(); err != nil {
			return err
		}
	}
	p, err := readPart(task.Users, task.Train, f.number)
	if err != nil {
		return err
	}
	m := p.positives(f.Folder.Manifest, len(f.number))
	counts := make([]int64, m.Cols)
	for _, i := range m.Indices {
		counts[i]++
	}
	baseline.Shared(m, func(item int32, with, users []int32) {
		degree(int64(item), counts[item])
		stripe(int64(item), Stripe{With: slices.Clone(with), Users: slices.Clone(users)})
	})
	return nil
}

// shared returns the users of the training part that each item shares with others, KV<int64, Stripe>, and the number of
// users of each item, a Numbers. An item whose users like nothing else has no stripe.
func (f *Folder) shared(s beam.Scope, tasks []Task) (rows, degrees beam.PCollection) {
	stripes, counts := beam.ParDo2(s, &shareFn{Folder: *f}, beam.Reshuffle(s, beam.CreateList(s, tasks)))
	rows = beam.ParDo(s, &addFn{Items: f.Manifest.Items}, beam.GroupByKey(s, stripes))
	return rows, sumNumbers(s, counts)
}

// addFn adds up the stripes of an item.
type addFn struct {
	Items int
	users []int32 // I: zero between items
}

func (f *addFn) ProcessElement(item int64, stripes func(*Stripe) bool, emit func(int64, Stripe)) {
	if f.users == nil {
		f.users = make([]int32, f.Items)
	}
	var row Stripe
	for s := (Stripe{}); stripes(&s); {
		for k, j := range s.With {
			if f.users[j] == 0 {
				row.With = append(row.With, j)
			}
			f.users[j] += s.Users[k]
		}
	}
	slices.Sort(row.With)
	for _, j := range row.With {
		row.Users = append(row.Users, f.users[j])
		f.users[j] = 0
	}
	emit(item, row)
}

// nearFn keeps the best k for an item.
type nearFn struct{ K, Items, Shards int }

func (f *nearFn) ProcessElement(item int64, row Stripe, degrees Numbers, emit func(int, Weighted)) {
	heap, target := eval.NewHeap(min(f.K, f.Items)), float64(degrees.of(item))
	for k, j := range row.With {
		heap.Offer(j, baseline.Cosine.Of(float64(row.Users[k]), target, float64(degrees.of(int64(j)))))
	}
	near := Weighted{Item: int32(item)}
	for _, n := range heap.Sorted() {
		near.Items, near.Weights = append(near.Items, n.Item), append(near.Weights, n.Score)
	}
	emit(int(item*int64(f.Shards)/int64(f.Items)), near)
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

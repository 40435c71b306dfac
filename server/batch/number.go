package batch

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
)

func init() {
	beam.RegisterDoFn(reflect.TypeFor[saveFirsts]())
	beam.RegisterDoFn(reflect.TypeFor[countKept]())
	beam.RegisterDoFn(reflect.TypeFor[numberItems]())
	beam.RegisterDoFn(reflect.TypeFor[shardFn]())
	beam.RegisterDoFn(reflect.TypeFor[numberUsers]())
}

// Users and items are numbered as in dataset.Load: by their first position in the source, without those that the filter
// dropped. Items fit one worker and are sorted there. Users are counted by buckets of positions, which gives each
// bucket's first number; a run of buckets is a shard, which one worker sorts and writes.

// bucketBits sets the size of a bucket: 4,096 interactions of the source, with at most as many first positions.
const bucketBits = 12

// Files in the work folder: first positions, and positives of the remaining items, each a Counts.
const (
	firstsName     = "firsts.gob"
	itemCountsName = "items.gob"
)

// saveFirsts writes the first position of each item, a Counts.
type saveFirsts struct{ Work string }

func (f *saveFirsts) ProcessElement(c Counts) error {
	return writeGob(filepath.Join(f.Work, firstsName), c)
}

// countKept counts in a file the rows that the filter keeps: their positives by item, in parts of the items, in both
// parts and in the training part, and the first positions of users by bucket.
type countKept struct{ Filter Filter }

func (f *countKept) ProcessElement(path string, dropped Counts, both, train func(int, Counts),
	bucket func(int64, int64)) error {
	var items [2]map[string]int64
	items[0], items[1] = map[string]int64{}, map[string]int64{}
	buckets := map[int64]int64{}
	if err := f.Filter.kept(path, &dropped, func(r Row) error {
		r.countInto(items[0], false)
		r.countInto(items[1], true)
		buckets[r.First>>bucketBits]++
		return nil
	}); err != nil {
		return err
	}
	emitParts(items[0], both)
	emitParts(items[1], train)
	for b, n := range buckets {
		bucket(b, n)
	}
	return nil
}

// kept calls use with the rows of a file that the filter keeps.
func (f *Filter) kept(path string, dropped *Counts, use func(Row) error) error {
	return eachRow(path, func(r Row) error {
		if left, _ := f.strip(&r, dropped, 0); left < f.Least {
			return nil
		}
		return use(r)
	})
}

// Items are the remaining items, in the order of their numbers.
type Items struct{ IDs []string }

// itemIndex finds the number of an item. It is built once for a bundle's Items.
type itemIndex struct {
	of     *string // the first id of the Items it was built for
	number map[string]int32
}

func (x *itemIndex) load(items *Items) map[string]int32 {
	if len(items.IDs) == 0 {
		return nil
	}
	if x.of != &items.IDs[0] {
		x.of, x.number = &items.IDs[0], make(map[string]int32, len(items.IDs))
		for i, id := range items.IDs {
			x.number[id] = int32(i)
		}
	}
	return x.number
}

// numberItems sorts the remaining items by first position, and writes the list of their ids and their positives in both
// parts.
type numberItems struct{ Work, Out string }

func (f *numberItems) ProcessElement(left, both Counts) (Items, error) {
	var firsts Counts
	if err := readGob(filepath.Join(f.Work, firstsName), &firsts); err != nil {
		return Items{}, err
	}
	order := make([]Count, len(left.All)) // the items with their first positions
	for i, c := range left.All {
		order[i] = Count{c.Name, firsts.of(c.Name)}
	}
	slices.SortFunc(order, func(a, b Count) int { return cmp.Compare(a.N, b.N) })
	var items Items
	for _, c := range order {
		items.IDs = append(items.IDs, c.Name)
	}
	for i := range left.All {
		left.All[i].N = both.of(left.All[i].Name)
	}
	if err := writeGob(filepath.Join(f.Work, itemCountsName), left); err != nil {
		return Items{}, err
	}
	return items, writeList(filepath.Join(f.Out, "items"), items.IDs)
}

// writeList writes one id per line.
func writeList(path string, ids []string) error {
	return writeFile(path, func(w io.Writer) error {
		b := bufio.NewWriter(w)
		for _, id := range ids {
			b.WriteString(id)
			b.WriteByte('\n')
		}
		return b.Flush()
	})
}

// shardFn writes the rows of a file that the filter keeps by shard: shards have about equal numbers of users, and whole
// buckets.
type shardFn struct {
	Filter Filter
	Shards int
	Work   string
}

func (f *shardFn) ProcessElement(path string, dropped Counts, buckets Numbers, emit func(int, Pieces)) error {
	before, total := make([]int64, len(buckets.All)), int64(0) // users in earlier buckets
	for at, b := range buckets.All {
		before[at] = total
		total += b.N
	}
	name := "kept-" + filepath.Base(path)
	all, err := writePieces(filepath.Join(f.Work, name), f.Shards, func(add func(int, Row) error) error {
		return f.Filter.kept(path, &dropped, func(r Row) error {
			at, _ := buckets.at(r.First >> bucketBits)
			return add(int(before[at]*int64(f.Shards)/total), r)
		})
	})
	if err != nil {
		return err
	}
	for shard, p := range all {
		if len(p.Blocks) > 0 {
			emit(shard, p)
		}
	}
	return nil
}

// numberUsers writes a shard: the list of its users, and their interactions by the numbers of users and items, with
// separate training and test files if split. It counts users by their number of positives in both parts ("u17"),
// interactions ("rows"), and the outcomes of test positives.
type numberUsers struct {
	Out   string
	Split bool
	index itemIndex
}

// shardPart is the name of a shard before the number of shards is known.
func shardPart(kind string, shard int) string { return fmt.Sprintf("part-%05d.%s", shard, kind) }

const (
	tallyRows   = "rows"
	tallyDegree = "u"
	tallyTested = "tested"
	tallyAgain  = "again"
)

func (f *numberUsers) ProcessElement(shard int, pieces func(*Pieces) bool, items Items, sum Summary,
	tally func(string, int64)) error {
	number := f.index.load(&items)
	var all []Row
	for p := (Pieces{}); pieces(&p); {
		if err := p.each(func(r Row) error {
			all = append(all, r)
			return nil
		}); err != nil {
			return err
		}
	}
	slices.SortFunc(all, func(a, b Row) int { return cmp.Compare(a.First, b.First) })
	var ids []string
	var train, test []shardRow
	for _, r := range all {
		ids = append(ids, r.User)
		degree := 0
		type cell struct {
			item int32
			*Entry
		}
		var cells []cell
		for i := range r.Entries {
			e := &r.Entries[i]
			n, ok := number[e.Item]
			switch {
			case e.Late && !ok:
				tally(tallyLateItems, 1)
			case e.Again:
				tally(tallyAgain, 1)
			case ok && (e.Liked || !sum.Counts):
				cells = append(cells, cell{n, e})
			}
		}
		slices.SortFunc(cells, func(a, b cell) int { return int(a.item - b.item) })
		for _, c := range cells {
			row := shardRow{User: r.User, Item: c.Item}
			if sum.HasRatings && !sum.Counts {
				row.Rating = &c.Rating
			}
			if sum.HasTimes {
				row.Time = &c.Time
			}
			if c.Late {
				test = append(test, row)
			} else {
				train = append(train, row)
			}
			if c.Liked {
				degree++
			}
		}
		tally(tallyDegree+fmt.Sprint(degree), 1)
	}
	tally(tallyRows, int64(len(train)+len(test)))
	tally(tallyTested, int64(len(test)))
	if err := writeList(filepath.Join(f.Out, shardPart("users", shard)), ids); err != nil {
		return err
	}
	if !f.Split {
		return writeShard(filepath.Join(f.Out, shardPart("interactions", shard)), train)
	}
	if err := writeShard(filepath.Join(f.Out, shardPart("train", shard)), train); err != nil {
		return err
	}
	return writeShard(filepath.Join(f.Out, shardPart("test", shard)), test)
}

// number adds the numbering and writing of shards to a pipeline, and returns the counts of numberUsers. paths are the
// files of rows. With minima of the training part, items need positives there to stay; otherwise, any positives.
func number(s beam.Scope, paths, dropped, summary beam.PCollection, t *target, shards int, least minima,
	split bool) beam.PCollection {
	gone := beam.SideInput{Input: dropped}
	filter := Filter{least.user, least.train}
	inBoth, inTrain, firsts := beam.ParDo3(s, &countKept{filter}, paths, gone)
	sum := func(parts beam.PCollection) beam.PCollection {
		return joinNames(s, beam.ParDo(s, sumPart, beam.GroupByKey(s, parts)))
	}
	both := sum(inBoth)
	left := both
	if least.train {
		left = sum(inTrain)
	}
	items := beam.ParDo(s, &numberItems{Work: t.work, Out: t.out}, left, beam.SideInput{Input: both})
	sharded := beam.GroupByKey(s, beam.ParDo(s, &shardFn{filter, shards, t.work}, paths, gone,
		beam.SideInput{Input: sumNumbers(s, firsts)}))
	return beam.ParDo(s, &numberUsers{Out: t.out, Split: split}, sharded, beam.SideInput{Input: items},
		beam.SideInput{Input: summary})
}

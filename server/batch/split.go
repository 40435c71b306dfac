package batch

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/pmlam/pmlam/core/dataset"
)

func init() {
	beam.RegisterDoFn(reflect.TypeFor[countTimes]())
	beam.RegisterDoFn(reflect.TypeFor[findCut]())
	beam.RegisterDoFn(reflect.TypeFor[splitFn]())
}

// Task is one shard of a folder, and the number of its first user.
type Task struct {
	Shard, FirstUser   int
	Users, Train, Test string // files; Test is "" where there is none
}

// tasks lists the shards of a folder. It reads the lists of users to count them.
func (f *Folder) tasks() ([]Task, error) {
	users, train, test := f.files("users"), f.training(), f.files("test")
	var all []Task
	first := 0
	for i := range users {
		ids, err := readList(users[i])
		if err != nil {
			return nil, err
		}
		t := Task{Shard: i, FirstUser: first, Users: users[i], Train: train[i]}
		if len(test) > 0 {
			t.Test = test[i]
		}
		all = append(all, t)
		first += len(ids)
	}
	return all, nil
}

// Cut is the first time that is tested on.
type Cut struct{ Time int64 }

// SplitBy is how interactions are split.
type SplitBy struct {
	Folds, Fold int     // hold this fold out, of so many; 0 folds: not by folds
	Seed        uint64  // of the folds
	Latest      float64 // hold the latest share of each user's positives out; 0: not by the users' times
	After       float64 // hold the latest share of all positives out; 0: not by time
}

func (b SplitBy) check(m *dataset.Manifest) error {
	ways := 0
	for _, used := range []bool{b.Folds != 0, b.Latest != 0, b.After != 0} {
		if used {
			ways++
		}
	}
	share := max(b.Latest, b.After)
	switch {
	case ways != 1:
		return fmt.Errorf("there must be one way to split: by folds, by each user's times or by the time of all")
	case b.Folds != 0 && (b.Folds < 2 || b.Folds > 1000):
		return fmt.Errorf("%d folds; there can be 2 to 1000", b.Folds)
	case b.Fold < 0 || b.Folds != 0 && b.Fold >= b.Folds:
		return fmt.Errorf("fold %d of %d; they are numbered from 0", b.Fold, b.Folds)
	case b.Folds == 0 && !(min(b.Latest, b.After) >= 0 && share < 1):
		return fmt.Errorf("a share of %g; it must lie between 0 and 1", share)
	case b.Folds == 0 && !m.Times:
		return &dataset.NoTimesError{Name: "the folder of shards"}
	}
	return nil
}

// Split writes the interactions of a folder of shards into another one, with a training and a test part: those of
// dataset's Fold, ByTime and ByGlobalTime. What is no positive stays in the training part.
func Split(ctx context.Context, run Runner, from, to string, by SplitBy) error {
	f, err := openFolder(from)
	if err != nil {
		return err
	}
	if f.split() {
		return fmt.Errorf("%s is split already", from)
	}
	if err := by.check(f.Manifest); err != nil {
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
	if err := run.job(ctx, "splitting", func(s beam.Scope) {
		shards := beam.Reshuffle(s, beam.CreateList(s, tasks))
		cut := beam.Create(s, Cut{Time: math.MaxInt64})
		if by.After > 0 {
			cut = globalCut(s, shards, f, by.After)
		}
		beam.ParDo0(s, &splitFn{By: by, Out: t.out, Folder: *f}, shards, beam.SideInput{Input: cut})
	}); err != nil {
		return err
	}
	for _, kind := range []string{"users", "items"} {
		for _, path := range f.files(kind) {
			if err := copyFile(path, filepath.Join(t.out, filepath.Base(path))); err != nil {
				return err
			}
		}
	}
	m := *f.Manifest
	if err := writeManifest(t.out, &m); err != nil {
		return err
	}
	return t.finish()
}

func copyFile(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o644)
}

// timeBits: times are counted by spans of 2¹⁶ seconds first, then second by second within the span of the cut.
const timeBits = 16

// globalCut finds the time of dataset.ByGlobalTime's cut.
func globalCut(s beam.Scope, shards beam.PCollection, f *Folder, share float64) beam.PCollection {
	s = s.Scope("cut")
	everywhere := beam.Create(s, Cut{Time: math.MaxInt64})
	spans := sumNumbers(s, beam.ParDo(s, &countTimes{Folder: *f, Bits: timeBits}, shards,
		beam.SideInput{Input: everywhere}))
	span := beam.ParDo(s, &findCut{Share: share}, spans, beam.SideInput{Input: spans})
	seconds := sumNumbers(s, beam.ParDo(s, &countTimes{Folder: *f, Within: true}, shards, beam.SideInput{Input: span}))
	return beam.ParDo(s, &findCut{Share: share, Within: true}, seconds, beam.SideInput{Input: spans})
}

// countTimes counts the positives of a shard by time, of spans of 2^Bits seconds or, within the span of a cut alone, of
// seconds.
type countTimes struct {
	Folder Folder
	Bits   int
	Within bool
}

func (f *countTimes) ProcessElement(task Task, span Cut, emit func(int64, int64)) error {
	rows, err := readShard(task.Train)
	if err != nil {
		return err
	}
	counts := map[int64]int64{}
	for i := range rows {
		r := &rows[i]
		if liked(f.Folder.Manifest, r) && r.Time != nil && (!f.Within || *r.Time>>timeBits == span.Time) {
			counts[*r.Time>>f.Bits]++
		}
	}
	for time, n := range counts {
		emit(time, n)
	}
	return nil
}

// findCut finds the span, or within it the second, of the first positive that is tested on.
type findCut struct {
	Share  float64
	Within bool
}

func (f *findCut) ProcessElement(counts, spans Numbers) Cut {
	total := int64(0)
	for _, c := range spans.All {
		total += c.N
	}
	if total == 0 {
		return Cut{Time: math.MaxInt64}
	}
	place := int64(dataset.FirstTested(int(total), f.Share))
	if f.Within { // the place among those of the span
		for _, c := range spans.All {
			if place < c.N {
				break
			}
			place -= c.N
		}
	}
	for _, c := range counts.All {
		if place -= c.N; place < 0 {
			return Cut{Time: c.Key}
		}
	}
	return Cut{Time: math.MaxInt64}
}

// splitFn splits one shard.
type splitFn struct {
	By     SplitBy
	Folder Folder
	Out    string
}

func (f *splitFn) ProcessElement(task Task, cut Cut) error {
	ids, err := readList(task.Users)
	if err != nil {
		return err
	}
	rows, err := readShard(task.Train)
	if err != nil {
		return err
	}
	var train, test []shardRow
	at := 0
	for u, id := range ids {
		begin := at
		var places []int // of the positives
		var times []int64
		for ; at < len(rows) && rows[at].User == id; at++ {
			if liked(f.Folder.Manifest, &rows[at]) {
				places = append(places, at)
				time := int64(0)
				if rows[at].Time != nil {
					time = *rows[at].Time
				}
				times = append(times, time)
			}
		}
		held := make([]bool, at-begin)
		for i, tested := range f.tested(task.FirstUser+u, times, cut) {
			held[places[i]-begin] = tested
		}
		for i, h := range held {
			if h {
				test = append(test, rows[begin+i])
			} else {
				train = append(train, rows[begin+i])
			}
		}
	}
	if at != len(rows) {
		return fmt.Errorf("%s names the user %q out of the order of %s; write the shards again", task.Train,
			rows[at].User, task.Users)
	}
	n := f.Folder.shards()
	if err := writeShard(filepath.Join(f.Out, dataset.ShardName("train", task.Shard, n)), train); err != nil {
		return err
	}
	return writeShard(filepath.Join(f.Out, dataset.ShardName("test", task.Shard, n)), test)
}

// tested says which positives of a user are held out.
func (f *splitFn) tested(user int, times []int64, cut Cut) []bool {
	out := make([]bool, len(times))
	switch {
	case f.By.Folds > 0:
		for i, fold := range dataset.FoldsOf(user, len(times), f.By.Folds, f.By.Seed) {
			out[i] = int(fold) == f.By.Fold
		}
	case f.By.Latest > 0:
		return dataset.LatestOf(times, f.By.Latest)
	default:
		for i, time := range times {
			out[i] = time >= cut.Time
		}
	}
	return out
}

package batch

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/pmlam/pmlam/core/dataset"
)

func init() {
	beam.RegisterDoFn(reflect.TypeFor[splitFn]())
}

// Task is a shard of a folder, and the number of its first user.
type Task struct {
	Shard, FirstUser   int
	Users, Train, Test string // files; Test is "" if there is none
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

// SplitBy chooses a way to split interactions.
type SplitBy struct {
	Folds, Fold int     // hold out fold Fold of Folds; 0 folds means not by folds
	Seed        uint64  // of the folds
	Latest      float64 // hold out this latest share of each user's positives; 0 means not by time
}

func (b SplitBy) check(m *dataset.Manifest) error {
	switch {
	case (b.Folds != 0) == (b.Latest != 0):
		return fmt.Errorf("choose one way to split: by folds or by each user's times")
	case b.Folds != 0 && (b.Folds < 2 || b.Folds > 1000):
		return fmt.Errorf("%d folds: choose 2 to 1000", b.Folds)
	case b.Fold < 0 || b.Folds != 0 && b.Fold >= b.Folds:
		return fmt.Errorf("fold %d of %d: folds are numbered from 0", b.Fold, b.Folds)
	case b.Folds == 0 && !(b.Latest > 0 && b.Latest < 1):
		return fmt.Errorf("a share of %g: choose one between 0 and 1", b.Latest)
	case b.Folds == 0 && !m.Times:
		return &dataset.NoTimesError{Name: "the folder of shards"}
	}
	return nil
}

// Split writes the interactions of a folder of shards to another one, with a training and a test part, as dataset's
// Fold and ByTime split them. Other interactions than positives stay in the training part. Splits at one moment precede
// merging and filtering, so Prepare makes them.
func Split(ctx context.Context, run Runner, from, to string, by SplitBy) error {
	f, err := openFolder(from)
	if err != nil {
		return err
	}
	if f.split() {
		return fmt.Errorf("%s is already split", from)
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
	defer t.close()
	if err := run.job(ctx, "splitting", func(s beam.Scope) {
		shards := beam.Reshuffle(s, beam.CreateList(s, tasks))
		beam.ParDo0(s, &splitFn{By: by, Out: t.out, Folder: *f}, shards)
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

// splitFn splits one shard.
type splitFn struct {
	By     SplitBy
	Folder Folder
	Out    string
}

func (f *splitFn) ProcessElement(task Task) error {
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
		var places []int // positions of the positives
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
		for i, tested := range f.tested(task.FirstUser+u, times) {
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
		return fmt.Errorf("%s has the user %q out of the order of %s; write the shards again", task.Train,
			rows[at].User, task.Users)
	}
	n := f.Folder.shards()
	if err := writeShard(filepath.Join(f.Out, dataset.ShardName("train", task.Shard, n)), train); err != nil {
		return err
	}
	return writeShard(filepath.Join(f.Out, dataset.ShardName("test", task.Shard, n)), test)
}

// tested chooses the positives of a user to hold out.
func (f *splitFn) tested(user int, times []int64) []bool {
	if f.By.Latest > 0 {
		return dataset.LatestOf(times, f.By.Latest)
	}
	out := make([]bool, len(times))
	for i, fold := range dataset.FoldsOf(user, len(times), f.By.Folds, f.By.Seed) {
		out[i] = int(fold) == f.By.Fold
	}
	return out
}

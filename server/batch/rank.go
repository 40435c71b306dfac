package batch

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/scoring"
)

func init() {
	beam.RegisterDoFn(reflect.TypeFor[popularityFn]())
	beam.RegisterDoFn(reflect.TypeFor[rankFn]())
}

// Ranking holds the options of Rank.
type Ranking struct {
	Folder string // folder of shards
	Model  string // a model file
	Out    string // the folder to write; must not exist
	K      int    // items per user; 0 means no lists
	Ks     []int  // list lengths to evaluate on the test part; nil means no evaluation
	Run    Runner
}

// topRow is a row of the lists.
type topRow struct {
	User string `parquet:"user,dict,zstd"`
	Rank int32  `parquet:"rank,zstd"` // from 1
	Item string `parquet:"item,dict,zstd"`
}

// EvaluationName is the file with an evaluation's metrics, the Map of eval.Report, and the number of users.
const EvaluationName = "evaluation.json"

// Rank ranks the items that a user does not have in the training part, for every user, shard by shard, by a model file:
// users kept in the model by their own Gaussian, others as visitors. It writes top-00000-of-00016.parquet and so on,
// and EvaluationName if there is something to evaluate, bit-identical to eval.Evaluate on one machine. The folder
// appears atomically. The report is nil without Ks.
func Rank(ctx context.Context, r Ranking) (*eval.Report, error) {
	f, err := openFolder(r.Folder)
	if err != nil {
		return nil, err
	}
	switch {
	case r.K < 0:
		return nil, fmt.Errorf("lists of %d items: set 0 or more", r.K)
	case r.K == 0 && len(r.Ks) == 0:
		return nil, errors.New("nothing to do: set a list length or lengths to evaluate")
	case len(r.Ks) > 0 && !f.split():
		return nil, fmt.Errorf("%s has no test part to evaluate on; split it first", r.Folder)
	}
	if r.Model, err = filepath.Abs(r.Model); err != nil {
		return nil, err
	}
	if _, err := model.ReadFile(r.Model); err != nil {
		return nil, fmt.Errorf("cannot read the model: %w", err)
	}
	tasks, err := f.tasks()
	if err != nil {
		return nil, err
	}
	t, err := newTarget(r.Out)
	if err != nil {
		return nil, err
	}
	defer t.close()
	if err := r.Run.job(ctx, "ranking", func(s beam.Scope) {
		shards := beam.Reshuffle(s, beam.CreateList(s, tasks))
		popularity := sumNumbers(s, beam.ParDo(s, &popularityFn{Folder: *f}, shards))
		beam.ParDo0(s, &rankFn{Folder: *f, Model: r.Model, K: r.K, Ks: r.Ks, Out: t.out, Work: t.work}, shards,
			beam.SideInput{Input: popularity})
	}); err != nil {
		return nil, err
	}
	var report *eval.Report
	if len(r.Ks) > 0 {
		var parts []*eval.Part
		for i := range tasks {
			p := &eval.Part{}
			if err := readGob(filepath.Join(t.work, partName(i)), p); err != nil {
				return nil, err
			}
			parts = append(parts, p)
		}
		report = eval.Join(parts...)
		figures := report.Map()
		figures["users"] = float64(report.Users)
		if err := writeJSON(filepath.Join(t.out, EvaluationName), figures); err != nil {
			return nil, err
		}
	}
	return report, t.finish()
}

func topName(i, n int) string { return fmt.Sprintf("top-%05d-of-%05d.parquet", i, n) }
func partName(i int) string   { return fmt.Sprintf("evaluation-%05d.gob", i) }

// popularityFn counts the training users of each item in one shard.
type popularityFn struct {
	Folder Folder
	number map[string]int32
}

func (f *popularityFn) ProcessElement(task Task, emit func(int64, int64)) error {
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
	counts := map[int32]int64{}
	for _, i := range p.positives(f.Folder.Manifest, len(f.number)).Indices {
		counts[i]++
	}
	for i, n := range counts {
		emit(int64(i), n)
	}
	return nil
}

// rankFn ranks one shard of users.
type rankFn struct {
	Folder    Folder
	Model     string
	K         int
	Ks        []int
	Out, Work string

	model  *model.Model
	ids    []string
	number map[string]int32
}

// modelReading lets a worker's goroutines read a model one at a time.
var modelReading sync.Mutex

func (f *rankFn) load() (err error) {
	if f.model != nil {
		return nil
	}
	modelReading.Lock()
	defer modelReading.Unlock()
	if f.ids, f.number, err = f.Folder.numbers(); err != nil {
		return err
	}
	f.model, err = model.ReadFile(f.Model)
	return err
}

func (f *rankFn) ProcessElement(ctx context.Context, task Task, popularity Numbers) error {
	if err := f.load(); err != nil {
		return err
	}
	p, err := readPart(task.Users, task.Train, f.number)
	if err != nil {
		return err
	}
	train := p.positives(f.Folder.Manifest, len(f.ids))
	scorer, err := scoring.New(ctx, f.model, p.users, f.ids, train, 0)
	if err != nil {
		return err
	}
	if f.K > 0 {
		if err := f.lists(ctx, task, p.users, train, scorer); err != nil {
			return err
		}
	}
	if len(f.Ks) == 0 {
		return nil
	}
	test, err := readPart(task.Users, task.Test, f.number)
	if err != nil {
		return err
	}
	popular := make([]int32, len(f.ids))
	for _, c := range popularity.All {
		popular[c.Key] = int32(c.N)
	}
	part, err := eval.EvaluatePart(ctx, scorer, train, test.positives(f.Folder.Manifest, len(f.ids)), popular,
		eval.Options{Ks: f.Ks})
	if err != nil {
		return err
	}
	return writeGob(filepath.Join(f.Work, partName(task.Shard)), part)
}

// lists writes the best items of the shard's users.
func (f *rankFn) lists(ctx context.Context, task Task, users []string, train *dataset.Matrix, s eval.Scorer) error {
	lists, err := eval.Lists(ctx, s, train, f.K, 0)
	if err != nil {
		return err
	}
	var rows []topRow
	for u, list := range lists {
		for r, i := range list {
			rows = append(rows, topRow{users[u], int32(r + 1), f.ids[i]})
		}
	}
	return writeParquet(filepath.Join(f.Out, topName(task.Shard, f.Folder.shards())), rows)
}

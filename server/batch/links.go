package batch

import (
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/train/itemlinks"
)

func init() {
	beam.RegisterDoFn(reflect.TypeFor[sourcesFn]())
	beam.RegisterDoFn(reflect.TypeFor[askSources]())
	beam.RegisterDoFn(reflect.TypeFor[answerFn]())
	beam.RegisterDoFn(reflect.TypeFor[regressFn]())
	beam.RegisterDoFn(reflect.TypeFor[writeLinks]())
}

// Message is a target's sources, its question to a source, or the answer. They travel as one type, because Beam's
// CoGroupByKey, which joins two, fails on Flink ("Unexpected coder: CoGBK").
type Message struct {
	Has     Stripe  // a target's sources, with the users that it shares with them
	Asks    bool    // whether it is a question or an answer
	To      int32   // the source that is asked; 0 in an answer
	From    int32   // the target that asks, or the source that answers
	Numbers []int32 // the items asked about, ascending, or their users shared with the source
}

// Links writes the item-item part of the training part by the recipe, which must be a regression: the result of
// itemlinks.Ridge in the likes that count. itemlinks.ReadFolder reads the folder, which has at most shards files (0
// means 16) and appears atomically.
//
// Each block is counted twice: for the sources of its targets, and then for the questions to its items. Each target
// asks its sources for the users they share with its later sources. A source asked by all targets gets at most I
// questions of n−1 numbers, with n sources; a target's answers are its normal equations, at most 64×64.
func Links(ctx context.Context, run Runner, from, to string, recipe itemlinks.Recipe, shards int, c Counting) error {
	if err := recipe.Check(); err != nil {
		return err
	}
	if recipe.Kind != itemlinks.ByRidge {
		return fmt.Errorf("links by %s are not supported; use %s", recipe.Kind, itemlinks.ByRidge)
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
	if err := run.job(ctx, "finding links", func(s beam.Scope) {
		counter := Counter{Work: t.work, Shards: len(tasks)}
		sources := beam.ParDo(s, &sourcesFn{Counter: counter, Pool: recipe.Sources()},
			f.blocks(s, tasks, c, t.work, shards))
		answers := beam.ParDo(s, &answerFn{Counter: counter},
			beam.GroupByKey(s, beam.ParDo(s, &askSources{Counter: counter}, sources)))
		links := beam.ParDo(s, &regressFn{Counter: counter, Recipe: recipe, Shards: shards},
			beam.GroupByKey(s, beam.Flatten(s, sources, answers)))
		beam.ParDo0(s, &writeLinks{ItemFiles{Folder: *f, Out: t.out, Shards: shards}}, beam.GroupByKey(s, links))
	}); err != nil {
		return err
	}
	var p plan
	if err := readGob(filepath.Join(t.work, planName), &p); err != nil {
		return err
	}
	m := itemlinks.Manifest{Recipe: recipe, Items: f.Manifest.Items, Likes: int(p.Likes)}
	if err := fillUp[itemlinks.Row](t.out, itemlinks.FileName, shards); err != nil {
		return err
	}
	if err := m.Write(t.out, shards); err != nil {
		return err
	}
	return t.finish()
}

// sourcesFn finds the sources of each target in a block, those with the highest cosine, and the target's counts with
// them.
type sourcesFn struct {
	Counter Counter
	Pool    int
}

func (f *sourcesFn) ProcessElement(block int, emit func(int64, Message)) error {
	return f.Counter.count(block, func(target int32, with, common []int32) {
		users := f.Counter.plan.Users
		heap := eval.NewHeap(min(f.Pool, len(users)))
		for _, j := range with {
			heap.Offer(j, itemlinks.CosineOf(int(common[j]), int(users[target]), int(users[j])))
		}
		sources := Stripe{With: heap.Items()}
		slices.Sort(sources.With)
		for _, j := range sources.With {
			sources.Users = append(sources.Users, common[j])
		}
		emit(int64(target), Message{Has: sources})
	})
}

// askSources asks each source of a target for the users it shares with each later source. The questions go to the
// source's block.
type askSources struct{ Counter Counter }

func (f *askSources) ProcessElement(target int64, m Message, emit func(int, Message)) error {
	if err := f.Counter.load(); err != nil {
		return err
	}
	for k, j := range m.Has.With {
		if behind := m.Has.With[k+1:]; len(behind) > 0 {
			emit(f.Counter.plan.block(j), Message{Asks: true, To: j, From: int32(target), Numbers: behind})
		}
	}
	return nil
}

// answerFn answers the questions to a block's items.
type answerFn struct{ Counter Counter }

func (f *answerFn) ProcessElement(block int, messages func(*Message) bool, emit func(int64, Message)) error {
	_, questions := read(messages)
	slices.SortFunc(questions, func(a, b Message) int { return int(a.To) - int(b.To) })
	return f.Counter.count(block, func(source int32, with, common []int32) {
		for len(questions) > 0 && questions[0].To == source {
			q := questions[0]
			a := Message{Asks: true, From: source, Numbers: make([]int32, len(q.Numbers))}
			for k, j := range q.Numbers {
				a.Numbers[k] = common[j]
			}
			emit(int64(q.From), a)
			questions = questions[1:]
		}
	})
}

// read separates a target's sources from the questions or answers.
func read(messages func(*Message) bool) (has Stripe, sent []Message) {
	for m := (Message{}); messages(&m); {
		if m.Asks {
			sent = append(sent, m)
		} else {
			has = m.Has
		}
	}
	return has, sent
}

// regressFn solves a target's equations.
type regressFn struct {
	Counter   Counter
	Recipe    itemlinks.Recipe
	Shards    int
	equations *itemlinks.Equations
}

func (f *regressFn) ProcessElement(target int64, messages func(*Message) bool, emit func(int, Weighted)) error {
	if f.equations == nil {
		f.equations = &itemlinks.Equations{}
	}
	if err := f.Counter.load(); err != nil {
		return err
	}
	degrees := f.Counter.plan.Users
	e := f.equations
	s, answers := read(messages)
	for k, j := range s.With {
		e.Common[k], e.Shared[k][k] = float64(s.Users[k]), float64(degrees[j])
	}
	for _, a := range answers {
		k, ok := slices.BinarySearch(s.With, a.From)
		if !ok || len(a.Numbers) != len(s.With)-k-1 {
			return fmt.Errorf("item %d answered item %d with %d counts", a.From, target, len(a.Numbers))
		}
		for d, users := range a.Numbers {
			e.Shared[k][k+1+d] = float64(users)
		}
	}
	if len(answers) != max(len(s.With)-1, 0) { // the last one is not asked
		return fmt.Errorf("only %d of the %d sources of item %d answered", len(answers), len(s.With), target)
	}
	heap, links := eval.NewHeap(min(f.Recipe.Top, len(degrees))), Weighted{Item: int32(target)}
	e.Offer(heap, s.With, f.Recipe)
	best := heap.Sorted()
	slices.SortFunc(best, func(a, b eval.Scored) int { return int(a.Item - b.Item) })
	for _, b := range best {
		links.Items, links.Weights = append(links.Items, b.Item), append(links.Weights, b.Score)
	}
	emit(int(target*int64(f.Shards)/int64(len(degrees))), links)
	return nil
}

// writeLinks writes one file.
type writeLinks struct{ Files ItemFiles }

func (f *writeLinks) ProcessElement(shard int, links func(*Weighted) bool) error {
	all, ids, err := f.Files.read(links)
	if err != nil {
		return err
	}
	var rows []itemlinks.Row
	for _, l := range all {
		for k, j := range l.Items {
			rows = append(rows, itemlinks.Row{Item: ids[l.Item], Source: ids[j], Weight: l.Weights[k]})
		}
	}
	return writeParquet(filepath.Join(f.Files.Out, itemlinks.FileName(shard, f.Files.Shards)), rows)
}

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
	beam.RegisterFunction(asHas)
	beam.RegisterDoFn(reflect.TypeFor[sourcesFn]())
	beam.RegisterFunction(askSources)
	beam.RegisterDoFn(reflect.TypeFor[answerFn]())
	beam.RegisterDoFn(reflect.TypeFor[regressFn]())
	beam.RegisterDoFn(reflect.TypeFor[writeLinks]())
}

// Message is an item's stripe, a target's question to a source, or the answer. They travel as one type, because Beam's
// CoGroupByKey, which joins two, fails on Flink ("Unexpected coder: CoGBK").
type Message struct {
	Has     Stripe  // users shared with other items; for a target, only with its sources
	Asks    bool    // whether it is a question or an answer
	From    int32   // the target that asks, or the source that answers
	Numbers []int32 // the items asked about, ascending, or their users shared with the source
}

// Links writes the item-item part of the training part by the recipe, which must be a regression: the result of
// itemlinks.Ridge. itemlinks.ReadFolder reads the folder, which has at most shards files (0 means 16) and appears
// atomically.
//
// Users are counted as for Neighbours. Each target then asks its sources for their shared users. A source asked by all
// targets gets at most I questions of n−1 numbers, with n sources, which fit next to its row; a target's answers are
// its normal equations, at most 64×64.
func Links(ctx context.Context, run Runner, from, to string, recipe itemlinks.Recipe, shards int) error {
	if err := recipe.Check(); err != nil {
		return err
	}
	if recipe.Kind != itemlinks.ByRidge {
		return fmt.Errorf("links by %s are not supported; use %s", recipe.Kind, itemlinks.ByRidge)
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
	counted := filepath.Join(t.work, likesName)
	if err := run.job(ctx, "finding links", func(s beam.Scope) {
		rows, degrees := f.shared(s, tasks)
		beam.ParDo0(s, &saveNumbers{Path: counted}, degrees)
		degree := beam.SideInput{Input: degrees}
		sources := beam.ParDo(s, &sourcesFn{Pool: recipe.Sources(), Items: f.Manifest.Items}, rows, degree)
		asked := beam.Flatten(s, beam.ParDo(s, asHas, rows), beam.ParDo(s, askSources, sources))
		answers := beam.ParDo(s, &answerFn{Items: f.Manifest.Items}, beam.GroupByKey(s, asked))
		links := beam.ParDo(s, &regressFn{Recipe: recipe, Items: f.Manifest.Items, Shards: shards},
			beam.GroupByKey(s, beam.Flatten(s, sources, answers)), degree)
		beam.ParDo0(s, &writeLinks{ItemFiles{Folder: *f, Out: t.out, Shards: shards}}, beam.GroupByKey(s, links))
	}); err != nil {
		return err
	}
	var degrees Numbers
	if err := readGob(counted, &degrees); err != nil {
		return err
	}
	m := itemlinks.Manifest{Recipe: recipe, Items: f.Manifest.Items}
	for _, d := range degrees.All {
		m.Likes += int(d.N)
	}
	if err := fillUp[itemlinks.Row](t.out, itemlinks.FileName, shards); err != nil {
		return err
	}
	if err := m.Write(t.out, shards); err != nil {
		return err
	}
	return t.finish()
}

// likesName is the file in the work folder that holds the items' likes, a Numbers.
const likesName = "likes.gob"

func asHas(item int64, row Stripe) (int64, Message) { return item, Message{Has: row} }

// sourcesFn finds the sources of a target, those with the highest cosine, and the target's counts with them.
type sourcesFn struct{ Pool, Items int }

func (f *sourcesFn) ProcessElement(target int64, row Stripe, degrees Numbers, emit func(int64, Message)) {
	heap, users := eval.NewHeap(min(f.Pool, f.Items)), int(degrees.of(target))
	for k, j := range row.With {
		heap.Offer(j, itemlinks.CosineOf(int(row.Users[k]), users, int(degrees.of(int64(j)))))
	}
	sources := Stripe{With: heap.Items()}
	slices.Sort(sources.With)
	for _, j := range sources.With {
		at, _ := slices.BinarySearch(row.With, j)
		sources.Users = append(sources.Users, row.Users[at])
	}
	emit(target, Message{Has: sources})
}

// askSources asks each source of a target for the users it shares with each later source.
func askSources(target int64, m Message, emit func(int64, Message)) {
	for k, j := range m.Has.With {
		if behind := m.Has.With[k+1:]; len(behind) > 0 {
			emit(int64(j), Message{Asks: true, From: int32(target), Numbers: behind})
		}
	}
}

// answerFn answers the questions to a source from its row.
type answerFn struct {
	Items int
	users []int32 // I: zero between sources
}

func (f *answerFn) ProcessElement(source int64, messages func(*Message) bool, emit func(int64, Message)) {
	if f.users == nil {
		f.users = make([]int32, f.Items)
	}
	row, questions := read(messages)
	for k, j := range row.With {
		f.users[j] = row.Users[k]
	}
	for _, q := range questions {
		a := Message{Asks: true, From: int32(source), Numbers: make([]int32, len(q.Numbers))}
		for k, j := range q.Numbers {
			a.Numbers[k] = f.users[j]
		}
		emit(int64(q.From), a)
	}
	for _, j := range row.With {
		f.users[j] = 0
	}
}

// read separates an item's stripe from the questions or answers sent to it.
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
	Recipe        itemlinks.Recipe
	Items, Shards int
	equations     *itemlinks.Equations
}

func (f *regressFn) ProcessElement(target int64, messages func(*Message) bool, degrees Numbers,
	emit func(int, Weighted)) error {
	if f.equations == nil {
		f.equations = &itemlinks.Equations{}
	}
	e := f.equations
	s, answers := read(messages)
	for k, j := range s.With {
		e.Common[k], e.Shared[k][k] = float64(s.Users[k]), float64(degrees.of(int64(j)))
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
	heap, links := eval.NewHeap(min(f.Recipe.Top, f.Items)), Weighted{Item: int32(target)}
	e.Offer(heap, s.With, f.Recipe.Lambda)
	best := heap.Sorted()
	slices.SortFunc(best, func(a, b eval.Scored) int { return int(a.Item - b.Item) })
	for _, b := range best {
		links.Items, links.Weights = append(links.Items, b.Item), append(links.Weights, b.Score)
	}
	emit(int(target*int64(f.Shards)/int64(f.Items)), links)
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

package pmlam

import (
	"slices"

	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/margin"
	"github.com/pmlam/pmlam/core/training"
)

// sample fills the tasks' batches from the pairs of the current batch and gathers the rows that they touch. Every pair
// draws from its own stream, so the batch does not depend on workers.
func (t *Trainer) sample() {
	from, to := t.now.From, t.now.To
	t.step.reset(t.theta.Len(), t.half())
	t.sampleUserItem(from, to)
	t.sampleRelation(userUser, from, to)
	t.sampleRelation(itemItem, from, to)
	// Numbering the rows in order of appearance is the only sequential pass of a step.
	for k, task := range t.tasks {
		if task != nil {
			t.localise(k, task)
		}
	}
	renumber := t.step.ascend()
	for _, task := range t.tasks {
		if task != nil {
			task.batch.renumber(t.workers, renumber)
		}
	}
	t.step.gather(t.workers, t.theta, t.cfg.Deterministic)
	if t.shrunk != nil {
		t.shrunk.gather(t.workers, &t.step, t.theta, t.cfg.Deterministic)
	}
}

// half returns the number of values in half a local row.
func (t *Trainer) half() int {
	if t.cfg.adaptive() {
		return margin.Pad(t.cfg.Dim)
	}
	return t.cfg.Dim
}

// counter numbers a pair of an epoch within a stream.
func (t *Trainer) counter(position int) uint64 { return uint64(t.now.Epoch)<<32 | uint64(position) }

func (t *Trainer) sampleUserItem(from, to int) {
	b, q, task := to-from, t.cfg.Negatives, t.tasks[userItem]
	batch := &task.batch
	batch.q = q
	batch.anchor = vec.Resize(batch.anchor, b)
	batch.positive = vec.Resize(batch.positive, b)
	batch.position = vec.Resize(batch.position, b)
	parallel.Do(t.workers, b, func(_, _, first, last int) {
		for i := first; i < last; i++ {
			pair := t.pairs[t.now.Order[from+i]]
			batch.anchor[i], batch.positive[i], batch.position[i] = pair.Row, pair.Col, int32(from+i)
		}
	})
	if t.cfg.UserParts > 0 {
		batch.anchor, batch.starts = t.joinParts(batch.anchor, batch.starts)
	}
	if t.cfg.SharedNegatives > 1 {
		t.sampleShared(task, from)
		return
	}
	batch.negative = vec.Resize(batch.negative, b*q)
	draw := training.Candidates{Seed: t.cfg.Seed, Stream: streamCandidates, Per: t.cfg.Candidates, Items: t.train.Cols}
	if draw.Per > 0 {
		draw.Round = uint64(t.now.Epoch / t.cfg.Resample)
	}
	parallel.Do(t.workers, b, func(_, _, first, last int) {
		var r training.Source
		for i := first; i < last; i++ {
			u := int(batch.anchor[i])
			if t.cfg.UserNegatives { // the same stream for all of the user's pairs in this batch
				r.Set(t.cfg.Seed, streamUsers+uint64(u)<<8, t.counter(from))
			} else {
				r.Set(t.cfg.Seed, streamPair+userItem, t.counter(from+i))
			}
			row := t.train.Row(u)
			negatives := batch.negative[i*q : (i+1)*q]
			for k := range negatives {
				if draw.Per > 0 {
					negatives[k] = draw.Draw(int32(u), row, &r)
				} else {
					negatives[k], _ = training.Outside(row, t.train.Cols, &r)
				}
			}
		}
	})
	t.sampleOuter(task, from)
}

// sampleOuter fills the positives or negatives that the outer loss uses instead of the pairs' own. Each pair draws from
// its own stream. O(B·Q·log n̄).
func (t *Trainer) sampleOuter(task *task, from int) {
	batch, b, q := &task.batch, len(task.batch.anchor), task.batch.q
	switch t.cfg.OuterBatch {
	case HeldOutBatch:
		batch.outerPositive = vec.Resize(batch.outerPositive, b)
		var r training.Source
		for i, u := range batch.anchor {
			batch.outerPositive[i] = batch.positive[i]
			if row := t.judged.Row(int(u)); len(row) > 0 {
				r.Set(t.cfg.Seed, streamOuter, t.counter(from+i))
				batch.outerPositive[i] = row[r.Below(len(row))]
			}
		}
	case RotatedBatch:
		batch.outerNegative = vec.Resize(batch.outerNegative, b*q)
		for i, u := range batch.anchor {
			row, next := t.train.Row(int(u)), (i+1)%b
			for k := range q {
				n := batch.negative[next*q+k]
				if _, liked := slices.BinarySearch(row, n); liked {
					n = batch.negative[i*q+k]
				}
				batch.outerNegative[i*q+k] = n
			}
		}
	}
}

// sampleRelation adds a pair anchored at the user (or item) of one in t.apart of the batch's pairs, with a neighbour as
// the positive and negatives from outside the neighbours. It skips anchors without neighbours, or without any other
// rows.
func (t *Trainer) sampleRelation(k, from, to int) {
	task, near := t.tasks[k], t.neighbours[k]
	if task == nil {
		return
	}
	// If user-item pairs share negatives, a pair here draws the mean number of shared negatives per pair.
	batch, q := &task.batch, max(1, t.cfg.Negatives/max(1, t.cfg.SharedNegatives))
	batch.q = q
	batch.anchor, batch.positive, batch.position = batch.anchor[:0], batch.positive[:0], batch.position[:0]
	for i := (from + t.apart - 1) / t.apart * t.apart; i < to; i += t.apart {
		pair := t.pairs[t.now.Order[i]]
		a := pair.Row
		if k == itemItem {
			a = pair.Col
		}
		if n := len(near.Row(int(a))); n > 0 && n+1 < near.Rows() {
			batch.anchor = append(batch.anchor, a)
			batch.position = append(batch.position, int32(i))
		}
	}
	b := len(batch.anchor)
	batch.positive = vec.Resize(batch.positive, b)
	batch.negative = vec.Resize(batch.negative, b*q)
	parallel.Do(t.workers, b, func(_, _, first, last int) {
		var r training.Source
		for i := first; i < last; i++ {
			r.Set(t.cfg.Seed, streamPair+uint64(k), t.counter(int(batch.position[i])))
			a := batch.anchor[i]
			row := near.Row(int(a))
			batch.positive[i] = row[r.Below(len(row))]
			negatives := batch.negative[i*q : (i+1)*q]
			for n := range negatives {
				c, _ := training.Outside(row, near.Cols, &r)
				for c == a { // a is not its own neighbour, and has at least one
					c, _ = training.Outside(row, near.Cols, &r)
				}
				negatives[n] = c
			}
		}
	})
}

// noise returns a function that draws the noise of one of a task's pairs, or nil for points, which have no noise. The
// stream is numbered by the pair's position in the epoch, so the noise does not depend on the worker that draws it.
func (t *Trainer) noise(k int) func(position int32, eps []float32) {
	if t.cfg.Deterministic {
		return nil
	}
	key := training.Start(t.cfg.Seed, streamNoise+uint64(k), 0)
	return func(position int32, eps []float32) { vec.Normals(eps, key, t.counter(int(position))) }
}

// localise converts a batch's users and items to local rows of the step.
func (t *Trainer) localise(k int, task *task) {
	s, batch, items := &t.step, &task.batch, int32(t.items)
	if k == userItem && t.cfg.UserWeight > 0 {
		t.group(task)
	} else {
		shift := int32(0)
		if k == itemItem {
			shift = items
		}
		for i, a := range batch.anchor {
			batch.anchor[i] = s.row(a + shift)
		}
	}
	shift := items
	if k == userUser {
		shift = 0
	}
	for i, p := range batch.positive {
		batch.positive[i] = s.row(p + shift)
	}
	for i, n := range batch.negative {
		batch.negative[i] = s.row(n + shift)
	}
	for i, p := range batch.outerPositive {
		batch.outerPositive[i] = s.row(p + shift)
	}
	for i, n := range batch.outerNegative {
		batch.outerNegative[i] = s.row(n + shift)
	}
}

// renumber renumbers all rows.
func (b *pairs) renumber(workers int, to []int32) {
	lists := [][]int32{b.anchor, b.positive, b.negative, b.outerPositive, b.outerNegative}
	if b.groups != nil {
		lists = append(lists, b.groups.members)
	}
	for _, list := range lists {
		parallel.Do(workers, len(list), func(_, _, from, until int) {
			for i, r := range list[from:until] {
				if r >= 0 {
					list[from+i] = to[r]
				}
			}
		})
	}
}

// group lists the users of a batch of composed anchors and the rows that each is composed of.
func (t *Trainer) group(task *task) {
	s, g, batch := &t.step, &t.groups, &task.batch
	for _, u := range g.users {
		t.groupOf[u] = 0
	}
	g.users, g.members, g.start = g.users[:0], g.members[:0], append(g.start[:0], 0)
	g.weight = float32(t.cfg.UserWeight)
	g.of = vec.Resize(g.of, len(batch.anchor))
	for i, u := range batch.anchor {
		if t.groupOf[u] == 0 {
			g.users = append(g.users, u)
			t.groupOf[u] = int32(len(g.users))
			for _, item := range t.train.Row(int(u)) {
				g.members = append(g.members, s.row(item+int32(t.items)))
			}
			g.start = append(g.start, int32(len(g.members)))
		}
		g.of[i] = t.groupOf[u] - 1
		batch.anchor[i] = -1
		if t.cfg.FreeUsers {
			batch.anchor[i] = s.row(u)
		}
	}
	batch.groups = g
}

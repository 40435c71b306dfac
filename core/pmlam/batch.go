package pmlam

import "slices"

// shuffle draws the epoch's order of pairs.
func (t *Trainer) shuffle() {
	if len(t.order) != len(t.pairs) {
		t.order = make([]int32, len(t.pairs))
	}
	for i := range t.order {
		t.order[i] = int32(i)
	}
	r := t.sources[0]
	r.set(t.cfg.Seed, streamOrder, uint64(t.epoch))
	r.Shuffle(len(t.order), func(i, j int) { t.order[i], t.order[j] = t.order[j], t.order[i] })
}

// sample fills the tasks' batches from pairs order[from:to] and gathers the rows they touch. Every pair draws from a
// stream of its own, so the batch does not depend on workers.
func (t *Trainer) sample(from, to int) {
	t.step.reset(t.theta.Len())
	t.sampleUserItem(from, to)
	t.sampleRelation(userUser, from, to)
	t.sampleRelation(itemItem, from, to)
	// Numbering the rows in the order they appear is the one sequential pass of a step.
	for k, task := range t.tasks {
		if task != nil {
			t.localise(k, task)
		}
	}
	t.step.gather(t.workers, t.theta)
}

// counter numbers a pair of an epoch within a stream.
func (t *Trainer) counter(position int) uint64 { return uint64(t.epoch)<<32 | uint64(position) }

func (t *Trainer) sampleUserItem(from, to int) {
	b, q, task := to-from, t.cfg.Negatives, t.tasks[userItem]
	batch := &task.batch
	batch.q = q
	batch.anchor = growInt32(batch.anchor, b)
	batch.positive = growInt32(batch.positive, b)
	batch.negative = growInt32(batch.negative, b*q)
	t.growNoise(task, b)
	parallel(t.workers, b, func(worker, _, first, last int) {
		r := t.sources[worker]
		for i := first; i < last; i++ {
			pair := t.pairs[t.order[from+i]]
			r.set(t.cfg.Seed, streamPair+userItem, t.counter(from+i))
			batch.anchor[i], batch.positive[i] = pair.Row, pair.Col
			row := t.train.Row(int(pair.Row))
			negatives := batch.negative[i*q : (i+1)*q]
			for k := range negatives {
				if t.candidates != nil {
					c := t.candidates.of(int(pair.Row))
					negatives[k] = c[r.IntN(len(c))]
				} else {
					negatives[k], _ = outside(row, t.train.Cols, r.Rand)
				}
			}
			t.drawNoise(task, i, r)
		}
	})
}

// sampleRelation anchors a pair at the user (or item) of each of the batch's pairs: a neighbour as the positive, and
// negatives from outside the neighbours. Anchors without neighbours, or with nothing but neighbours, are left out.
func (t *Trainer) sampleRelation(k, from, to int) {
	task, near := t.tasks[k], t.neighbours[k]
	if task == nil {
		return
	}
	batch, q := &task.batch, t.cfg.Negatives
	batch.q = q
	batch.anchor, batch.positive = batch.anchor[:0], batch.positive[:0]
	var position []int
	for i := from; i < to; i++ {
		pair := t.pairs[t.order[i]]
		a := pair.Row
		if k == itemItem {
			a = pair.Col
		}
		if n := len(near.Row(int(a))); n > 0 && n+1 < near.Rows() {
			batch.anchor = append(batch.anchor, a)
			position = append(position, i)
		}
	}
	b := len(batch.anchor)
	batch.positive = growInt32(batch.positive, b)
	batch.negative = growInt32(batch.negative, b*q)
	t.growNoise(task, b)
	parallel(t.workers, b, func(worker, _, first, last int) {
		r := t.sources[worker]
		for i := first; i < last; i++ {
			r.set(t.cfg.Seed, streamPair+uint64(k), t.counter(position[i]))
			a := batch.anchor[i]
			row := near.Row(int(a))
			batch.positive[i] = row[r.IntN(len(row))]
			negatives := batch.negative[i*q : (i+1)*q]
			for n := range negatives {
				c, _ := outside(row, near.Cols, r.Rand)
				for c == a { // a itself is no neighbour of a, and there is at least one other
					c, _ = outside(row, near.Cols, r.Rand)
				}
				negatives[n] = c
			}
			t.drawNoise(task, i, r)
		}
	})
}

// growNoise makes room for the noise of b pairs, where the margin network will look at samples.
func (t *Trainer) growNoise(task *task, b int) {
	if task.net != nil && !t.cfg.Deterministic {
		task.batch.eps = resize(task.batch.eps, b*(2+task.batch.q)*t.cfg.Dim)
	}
}

func (t *Trainer) drawNoise(task *task, i int, r *source) {
	if task.batch.eps == nil {
		return
	}
	n := (2 + task.batch.q) * t.cfg.Dim
	eps := task.batch.eps[i*n : (i+1)*n]
	for d := range eps {
		eps[d] = float32(r.NormFloat64())
	}
}

// localise turns a batch's users and items into numbers of the step's rows.
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
}

// group lists the users of a batch of composed anchors and the rows that each is composed of.
func (t *Trainer) group(task *task) {
	s, g, batch := &t.step, &t.groups, &task.batch
	for _, u := range g.users {
		t.groupOf[u] = 0
	}
	g.users, g.members, g.start = g.users[:0], g.members[:0], append(g.start[:0], 0)
	g.weight = float32(t.cfg.UserWeight)
	g.of = growInt32(g.of, len(batch.anchor))
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

func growInt32(x []int32, n int) []int32 { return slices.Grow(x[:0], n)[:n] }

//go:build gpu && linux

package pmlam

import (
	"sync"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/cuda"
)

// ranking is the GPU memory of one scorer at a time.
type ranking struct {
	of   *scorer
	work cuda.Work
	held []cuda.Ptr
	most int // users that fit into the allocated memory
}

// scorer ranks on a GPU.
type scorer struct {
	*eval.W2
	b            backend
	users, items *gaussian.Table

	mu sync.Mutex
}

var _ eval.Lister = (*scorer)(nil)

func (b backend) scorer(w2 *eval.W2, users, items *gaussian.Table) eval.Scorer {
	return &scorer{W2: w2, b: b, users: users, items: items}
}

// Lists implements eval.Lister. O(users·I·(h + depth)).
func (s *scorer) Lists(users []int32, train *dataset.Matrix, depth int, lists [][]int32) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, r := s.b.gpu, s.b.ranking
	if r.of != s {
		if err := r.load(s, train, depth); err != nil {
			return err
		}
	}
	found, nan, width := make([]int32, r.most*depth), make([]uint32, r.most), 2*s.items.Dim()
	for from := 0; from < len(users); from += r.most {
		part := users[from:min(from+r.most, len(users))]
		rows := make([]float32, 0, len(part)*width)
		for _, u := range part {
			rows = append(rows, s.users.Row(int(u))...)
		}
		w := r.work
		w.RankUsers = int32(len(part))
		l := launcher{d: d, tasks: []*cuda.Work{&w}, err: cuda.Upload(d, w.UsersAt, rows)}
		if l.err == nil {
			l.err = cuda.Upload(d, w.Order, part)
		}
		if l.err == nil {
			l.err = d.Fill(w.Nan, noRow, len(part))
		}
		ranked := func(w *cuda.Work) int { return int(w.RankUsers) }
		l.run("distances", func(w *cuda.Work) int { return parts(ranked(w), 4) * parts(int(w.Items), 32) })
		l.run("exclude", ranked)
		l.run("lists", ranked)
		if l.err == nil {
			l.err = cuda.Download(d, found[:len(part)*depth], w.Lists)
		}
		if l.err == nil {
			l.err = cuda.Download(d, nan[:len(part)], w.Nan)
		}
		if l.err != nil {
			return l.err
		}
		for i, u := range part {
			if nan[i] != noRow {
				return &eval.NaNError{User: int(u), Item: int(nan[i])}
			}
			list := make([]int32, 0, depth)
			for _, item := range found[i*depth : (i+1)*depth] {
				if item >= 0 {
					list = append(list, item)
				}
			}
			lists[from+i] = list
		}
	}
	return nil
}

// distanceBytes is the approximate memory for the distances of the users that are ranked at once.
const distanceBytes = 256 << 20

// load frees the device memory of the previous scorer, and allocates and fills the memory of s.
func (r *ranking) load(s *scorer, train *dataset.Matrix, depth int) error {
	g := onGPU{d: s.b.gpu, held: r.held}
	r.of = nil
	if err := g.release(); err != nil {
		return err
	}
	c := copier{g: &g}
	n, width := s.items.Len(), 2*s.items.Dim()
	r.most = min(max(distanceBytes/4/max(n, 1), 1), s.users.Len())
	var w cuda.Work
	w.Items, w.Dim, w.Depth = int32(n), int32(s.items.Dim()), int32(depth)
	w.Likes, w.Liked = c.matrix(train)
	w.X, w.Across = c.room(4*n*width), c.room(4*n*width)
	w.UsersAt, w.Order, w.Nan = c.room(4*r.most*width), c.room(4*r.most), c.room(4*r.most)
	w.Distances, w.Lists = c.room(4*r.most*n), c.room(4*r.most*depth)
	w.ItemsAt = w.Across
	c.into(w.X, s.items.Data())
	l := launcher{d: g.d, tasks: []*cuda.Work{&w}, err: c.err}
	l.run("transpose", func(*cuda.Work) int { return parts(n*width, 32) })
	r.held = g.held
	if l.err == nil {
		r.of, r.work = s, w
	}
	return l.err
}

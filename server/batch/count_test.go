package batch

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/train/itemlinks"
)

// likes draws a matrix in which item 0 has all users and user 0 every second item.
func likes(r *rand.Rand, users, items int) *dataset.Matrix {
	m := &dataset.Matrix{Cols: items, Offsets: []int{0}}
	for u := range users {
		for i := range items {
			if u == 0 && i%2 == 0 || i == 0 || r.IntN(items) < 3 {
				m.Indices = append(m.Indices, int32(i))
			}
		}
		m.Offsets = append(m.Offsets, len(m.Indices))
	}
	return m
}

// TestCountedByBlocks: blocks of any size count every pair, in dense rows and in lists.
func TestCountedByBlocks(t *testing.T) {
	m := likes(rand.New(rand.NewPCG(1, 2)), 90, 120)
	want := make([][]int32, m.Cols)
	total := plan{Totals: Totals{Users: make([]int64, m.Cols), Reach: make([]int64, m.Cols)}}
	for i := range want {
		want[i] = make([]int32, m.Cols)
	}
	folder, packed := t.TempDir(), [3][]byte{}
	for u := range m.Rows() {
		row := m.Row(u)
		for _, i := range row {
			total.Users[i]++
			total.Reach[i] += int64(len(row))
			for _, j := range row {
				want[i][j]++
			}
		}
		packed[u%3] = appendRow(packed[u%3], row)
	}
	for shard, b := range packed {
		write(t, filepath.Join(folder, packedName(shard)), "%s", b)
	}
	dense, lists := 0, 0
	for _, c := range []struct{ parts, memory, blocks int }{
		{1, 1 << 30, 1}, {7, 1 << 30, 7}, {1, 16 * m.Cols, 12}, {1, 1, m.Cols},
	} {
		p := total
		p.divide(c.parts, c.memory)
		if got := len(p.Starts) - 1; got < c.blocks || got > 3*c.blocks {
			t.Errorf("%+v: %d blocks", c, got)
		}
		if err := writeGob(filepath.Join(folder, planName), &p); err != nil {
			t.Fatal(err)
		}
		counter, next := Counter{Work: folder, Shards: len(packed)}, int32(0)
		for b := range len(p.Starts) - 1 {
			if err := counter.count(b, func(i int32, with, common []int32) {
				for want[next][next] == 0 { // without users
					next++
				}
				if i != next || p.block(i) != b {
					t.Errorf("got item %d of block %d, want %d", i, b, next)
				}
				next++
				if p.cells(int(i)) == m.Cols {
					dense++
				} else {
					lists++
				}
				seen := slices.Clone(with)
				slices.Sort(seen)
				for j, n := range want[i] {
					if _, listed := slices.BinarySearch(seen, int32(j)); listed != (n > 0 && j != int(i)) || n != common[j] {
						t.Errorf("items %d and %d share %d users (listed %v), want %d", i, j, common[j], listed, n)
					}
				}
			}); err != nil {
				t.Fatal(err)
			}
		}
		for _, row := range want[next:] {
			if slices.Max(row) > 0 {
				t.Errorf("items from %d on were not counted", next)
			}
		}
	}
	if dense == 0 || lists == 0 {
		t.Errorf("%d rows with counts and %d lists: one way is not tested", dense, lists)
	}
}

// TestPoisonedPackedFiles: damaged files between the steps are named.
func TestPoisonedPackedFiles(t *testing.T) {
	whole := appendRow(appendRow(nil, []int32{1, 5, 300}), []int32{2, 3})
	for name, b := range map[string][]byte{
		"cut in half": whole[:len(whole)/2], "an item too high": appendRow(nil, []int32{400}),
		"a length too high": {200, 1}, "an endless number": {1, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255},
	} {
		path := write(t, filepath.Join(t.TempDir(), "packed"), "%s", b)
		err := readPacked(path, 400, nil, func([]int32) error { return nil })
		if !errors.Is(err, errBytes) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// counted returns the likes that count.
func counted(m *dataset.Matrix, c Counting) *dataset.Matrix {
	out := &dataset.Matrix{Cols: m.Cols, Offsets: []int{0}}
	for u := range m.Rows() {
		out.Indices = append(out.Indices, dataset.Drawn(m.Row(u), u, c.Most)...)
		out.Offsets = append(out.Offsets, len(out.Indices))
	}
	return out
}

// TestAUserOfVeryManyLikes: with a bound, one user with 50,000 items costs no more than others, and the result is that
// of one machine on the likes that count.
func TestAUserOfVeryManyLikes(t *testing.T) {
	var b strings.Builder
	b.WriteString("user,item\n")
	for i := range 50_000 {
		fmt.Fprintf(&b, "all,i%d\n", i)
	}
	for u := range 300 {
		for n := range 30 {
			fmt.Fprintf(&b, "u%d,i%d\n", u, (u*7+n*n)%1000)
		}
	}
	path := write(t, filepath.Join(t.TempDir(), "r.csv"), "%s", b.String())
	one, err := dataset.Load(path, dataset.Options{MinUser: 1, MinItem: 1})
	if err != nil {
		t.Fatal(err)
	}
	shards, _ := prepared(t, Reading{MinUser: 1, MinItem: 1}, 3, path)
	c := Counting{Most: 25}
	near := filepath.Join(t.TempDir(), "near")
	if err := Neighbours(t.Context(), testRunner(t), shards, near, 5, 3, c); err != nil {
		t.Fatal(err)
	}
	sameRows(t, filepath.Join(near, "near-*"), neighboursOf(t, one, counted(one.Positives, c), 5))
	sameLinks(t, testRunner(t), shards, filepath.Join(t.TempDir(), "links"), one, one.Positives,
		itemlinks.Recipe{Kind: itemlinks.ByRidge, Top: 4, Lambda: 5}, c)
}

// TestCountsTravelInParts: a bundle sends at most itemParts elements, whatever the number of items, and nothing is lost.
func TestCountsTravelInParts(t *testing.T) {
	items, elements := map[string]int64{}, 0
	for i := range 50_000 {
		items[fmt.Sprint("i", i)] = int64(i % 7)
	}
	got := map[string]int64{}
	emitParts(items, func(_ int, c Counts) {
		elements++
		for _, e := range c.All {
			got[e.Name] = e.N
		}
	})
	if elements > itemParts || !maps.Equal(got, items) {
		t.Errorf("%d counts in %d elements, want %d in at most %d", len(got), elements, len(items), itemParts)
	}
}

package chunks

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/pmlam/pmlam/core/brief"
)

// Bucket returns the number of the part of ids that holds id, out of buckets parts: its 32-bit FNV-1a hash modulo
// buckets.
func Bucket(id string, buckets int) int {
	h := uint32(2166136261)
	for i := range len(id) {
		h = (h ^ uint32(id[i])) * 16777619
	}
	return int(h % uint32(buckets))
}

// EncodeIDs returns a part of ids. numbers holds the items' numbers by id.
func EncodeIDs(bucket int, numbers map[string]uint32) []byte {
	ids := make([]string, 0, len(numbers))
	for id := range numbers {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	of := make([]uint32, len(ids))
	for k, id := range ids {
		of[k] = numbers[id]
	}
	return content(KindIDs, bucket, texts(ids), Uint32s(of))
}

func readIDs(s [][]byte, x *Index) (map[string]uint32, error) {
	ids, ok := untexts(s[0])
	if !ok || len(s[1]) != 4*len(ids) {
		return nil, errors.New("want one number for each id")
	}
	out, cells := make(map[string]uint32, len(ids)), x.cells()
	for k, number := range uint32s(s[1]) {
		if int(number)/MaxCell >= cells {
			return nil, fmt.Errorf("item %q is in an unknown cell", brief.Text(ids[k]))
		}
		out[ids[k]] = number
	}
	return out, nil
}

// EncodeCell returns a part with a cell's items followed by its guests. file is their model file, without links and
// calibration; see Items for the rest.
func EncodeCell(cell int, file []byte, numbers []uint32, rates []float32) []byte {
	return content(KindCell, cell, file, Uint32s(numbers), Float32s(rates))
}

func readCell(s [][]byte, x *Index) (*Items, error) {
	items, err := readItems(s[0], s[1], s[2])
	if err != nil {
		return nil, err
	}
	own, of := x.Common.Model, items.Model
	switch {
	case of.Items.Dim() != own.Items.Dim():
		return nil, fmt.Errorf("its items have dimension %d", of.Items.Dim())
	case !slices.Equal(of.Catalogue.Columns, own.Catalogue.Columns):
		return nil, errors.New("its items have different columns")
	case (items.Rates == nil) != (x.Common.Rates == nil):
		return nil, errors.New("its items must have rates exactly if the index has them")
	}
	return &items, items.check(x.cells())
}

// Group describes the cells of a group.
type Group struct {
	Cells Centres
	Items []int  // number of items in each cell, including guests
	Known []byte // mean ln(1 + count) of each cell's items in steps of KnownStep; empty in the format before
}

// KnownStep is the unit of Group.Known.
const KnownStep = 1.0 / 16

func EncodeGroup(group int, g *Group, mean []float32) []byte {
	codes, scales, variances := g.Cells.sections(mean)
	items := make([]uint32, len(g.Items))
	for c, n := range g.Items {
		items[c] = uint32(n)
	}
	return content(KindGroup, group, codes, scales, variances, append(Uint32s(items), g.Known...))
}

func readGroup(s [][]byte, x *Index, group int) (*Group, error) {
	cells, ok := readCentres(s[0], s[1], s[2], x.Stats.Mean)
	if n := x.Cells[group]; !ok || cells.Rows.Len() != n || len(s[3]) != 4*n && len(s[3]) != 5*n {
		return nil, fmt.Errorf("want %d cells, all finite", n)
	}
	items := 4 * len(cells.Variance)
	g := &Group{Cells: cells, Known: s[3][items:]}
	for _, n := range uint32s(s[3][:items]) {
		if n < 1 || n > 1<<16 {
			return nil, fmt.Errorf("a cell has %d items", n)
		}
		g.Items = append(g.Items, int(n))
	}
	return g, nil
}

// cells returns the total number of cells.
func (x *Index) cells() (n int) {
	for _, c := range x.Cells {
		n += c
	}
	return n
}

// first returns the first cell of a group.
func (x *Index) first(group int) (cell int) {
	for _, c := range x.Cells[:group] {
		cell += c
	}
	return cell
}

// orderOf returns 0 to n−1, sorted by compare.
func orderOf(n int, compare func(a, b int) int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	slices.SortFunc(out, compare)
	return out
}

// ascending returns the indices of by in ascending order of value, ties to the lower index.
func ascending(by []float64) []int {
	return orderOf(len(by), func(a, b int) int { return cmp.Or(cmp.Compare(by[a], by[b]), a-b) })
}

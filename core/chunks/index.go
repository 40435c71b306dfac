package chunks

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pmlam/pmlam/core/brief"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
)

// Index is the part that a catalogue is opened with.
type Index struct {
	Set     Set
	Most    int                       // size of the largest part in bytes
	Common  Items                     // items that many visitors are shown, and the data shared by all items: a model
	Stats   *recommend.CatalogueStats // statistics of all items
	Digest  string                    // of the whole model's file
	Gamma   float32                   // γ of the item-item links; 0: none
	Buckets int                       // number of parts of ids
	Cells   []int                     // number of cells in each group
	Groups  Centres                   // mean rows of the groups
}

// Items holds complete items: the common ones, or a cell's.
type Items struct {
	Model   *model.Model // of these items
	Numbers []uint32     // of each: the cell times MaxCell, plus the place in it
	Rates   []float32    // of each, model.LikeRegression.Rates; nil: the model states no chances
}

// MaxCell is the greatest number of items in a cell.
const MaxCell = 256

// maxCells is the greatest number of cells, because item numbers have 32 bits.
const maxCells = 1 << 24

// Encode returns the index as a part. file is the model file of the common items, without links. The sections are
//
//	set       the roots of the parts' digests
//	model     that file
//	numbers   of its items, a column of uint32
//	rates     of its items, a column of float32; empty if the model states no chances
//	counts    varints: items, liked, few know, buckets, dimension h, most
//	moments   columns of float64: mean 2h, plain mean 2h, variance h; then γ and a share for each genre
//	genres    their names, each ended by NUL
//	digest    of the whole model's file
//	cells     varints: the cells of each group
//	codes, scales, variances   of the groups, see Centres
func (x *Index) Encode(file []byte) []byte {
	w := x.Stats
	counts := varintsOf([]int{w.Items, w.Liked, w.FewKnow, x.Buckets, x.Common.Model.Items.Dim(), x.Most})
	numbers := make([]float64, 0, 2*len(w.Mean)+len(w.Variance)+1+len(w.GenreShares))
	for _, row := range [][]float32{w.Mean, w.PlainMean} {
		for _, v := range row {
			numbers = append(numbers, float64(v))
		}
	}
	numbers = append(append(numbers, w.Variance...), float64(x.Gamma))
	names := make([]string, 0, len(w.GenreShares))
	for name := range w.GenreShares {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		numbers = append(numbers, w.GenreShares[name])
	}
	codes, scales, variances := x.Groups.sections(w.Mean)
	b := content(KindIndex, 0, []byte(x.Set.roots), file, Uint32s(x.Common.Numbers), Float32s(x.Common.Rates), counts,
		float64s(numbers), texts(names), []byte(x.Digest), varintsOf(x.Cells), codes, scales, variances)
	sum := Sum(b)
	return Seal(b, sum[:])
}

// ReadIndex is the inverse of Encode.
func ReadIndex(b []byte) (*Index, error) {
	if len(b) > MaxIndex {
		return nil, &PartError{IndexName, fmt.Sprintf("it has %d bytes; the limit is %d", len(b), MaxIndex)}
	}
	s, err := split(IndexName, b, KindIndex, 0, indexParts, func(content, proof []byte) bool {
		sum := Sum(content)
		return bytes.Equal(proof, sum[:])
	})
	if err != nil {
		return nil, err
	}
	if len(s[0])%len(Digest{}) > 0 || len(s[0]) > MaxRoots*len(Digest{}) {
		return nil, &PartError{IndexName, "its digests are damaged"}
	}
	x := &Index{Set: newSet(s[0]), Stats: &recommend.CatalogueStats{GenreShares: map[string]float64{}}}
	if x.Common, err = readItems(s[1], s[2], s[3]); err != nil {
		return nil, &PartError{IndexName, err.Error()}
	}
	if err := x.read(s[4:]); err != nil {
		return nil, &PartError{IndexName, err.Error()}
	}
	return x, nil
}

// read parses the sections after the common items.
func (x *Index) read(s [][]byte) error {
	h := x.Common.Model.Items.Dim()
	counts, ok := varints(s[0], math.MaxInt32)
	if !ok || len(counts) != 6 {
		return errors.New("want six counts")
	}
	w := x.Stats
	w.Items, w.Liked, w.FewKnow, x.Buckets, x.Most = counts[0], counts[1], counts[2], counts[3], counts[5]
	names, ok := untexts(s[2])
	numbers, finite := unfloat64s(s[1])
	if !ok || !finite || counts[4] != h || len(numbers) != 5*h+1+len(names) {
		return fmt.Errorf("the moments do not match dimension %d and the genres", h)
	}
	rows := make([]float32, 4*h)
	for d := range rows {
		rows[d] = float32(numbers[d])
	}
	w.Mean, w.PlainMean = rows[:2*h:2*h], rows[2*h:]
	w.Variance = numbers[4*h : 5*h : 5*h]
	x.Gamma = float32(numbers[5*h])
	for g, name := range names {
		w.GenreShares[name] = numbers[5*h+1+g]
	}
	x.Digest = string(s[3])
	if x.Cells, ok = varints(s[4], maxCells); !ok {
		return errors.New("the cell counts are damaged")
	}
	if x.Groups, ok = readCentres(s[5], s[6], s[7], w.Mean); !ok || x.Groups.Rows.Len() != len(x.Cells) {
		return fmt.Errorf("the groups are damaged: want %d, all finite", len(x.Cells))
	}
	return x.check(numbers)
}

// check checks the index for consistency.
func (x *Index) check(numbers []float64) error {
	cells, w := 0, x.Stats
	for _, n := range x.Cells {
		cells += n
	}
	for _, v := range numbers {
		if math.Abs(v) > model.MaxSquare {
			return fmt.Errorf("a moment is %v", v)
		}
	}
	for name, share := range w.GenreShares {
		if !(share >= 0 && share <= 1) {
			return fmt.Errorf("the share of genre %q is %v", brief.Text(name), share)
		}
	}
	for _, v := range w.Variance {
		if v < 0 {
			return fmt.Errorf("a variance is %v", v)
		}
	}
	switch {
	case cells > maxCells || len(x.Cells) == 0 || w.Items > cells*MaxCell || w.Items < x.Common.Model.Items.Len():
		return fmt.Errorf("%d items do not fit into %d cells", w.Items, cells)
	case w.Liked < 1 || w.Liked > w.Items:
		return fmt.Errorf("%d of %d items are liked", w.Liked, w.Items)
	case x.Buckets < 1 || x.Buckets > w.Items:
		return fmt.Errorf("the ids of %d items are in %d parts", w.Items, x.Buckets)
	case !(x.Gamma >= 0 && x.Gamma <= model.MaxGamma):
		return fmt.Errorf("γ is %v", x.Gamma)
	}
	return x.Common.check(cells)
}

// readItems parses items. It does not check their numbers.
func readItems(file, numbers, rates []byte) (s Items, err error) {
	if s.Model, err = model.Decode(file); err != nil {
		return s, err
	}
	n := s.Model.Items.Len()
	if len(numbers) != 4*n || len(rates) != 0 && len(rates) != 4*n {
		return s, fmt.Errorf("want %d numbers and rates", n)
	}
	s.Numbers = uint32s(numbers)
	if len(rates) > 0 {
		var ok bool
		if s.Rates, ok = float32s(rates); !ok {
			return s, errors.New("a rate is not finite")
		}
		for _, r := range s.Rates {
			if r > model.MaxNumber || r < -model.MaxNumber {
				return s, fmt.Errorf("a rate is %v", r)
			}
		}
	}
	return s, nil
}

// check checks item numbers against the number of cells.
func (s *Items) check(cells int) error {
	for _, number := range s.Numbers {
		if int(number)/MaxCell >= cells {
			return fmt.Errorf("item %d is in cell %d of %d", number, number/MaxCell, cells)
		}
	}
	return nil
}

// varintsOf encodes a section of numbers. Negative ones become 0.
func varintsOf(all []int) (b []byte) {
	for _, n := range all {
		b = binary.AppendUvarint(b, uint64(max(n, 0)))
	}
	return b
}

// varints parses a section of numbers, each at most most.
func varints(b []byte, most uint64) (out []int, ok bool) {
	for len(b) > 0 {
		v, n := binary.Uvarint(b)
		if n <= 0 || n > 1 && b[n-1] == 0 || v > most {
			return nil, false
		}
		out, b = append(out, int(v)), b[n:]
	}
	return out, true
}

// texts encodes a section of texts that contain no NUL.
func texts(all []string) []byte {
	var b []byte
	for _, s := range all {
		b = append(append(b, s...), 0)
	}
	return b
}

// untexts is the inverse of texts.
func untexts(b []byte) (all []string, ok bool) {
	if len(b) > 0 && b[len(b)-1] != 0 {
		return nil, false
	}
	if len(b) == 0 {
		return nil, true
	}
	return strings.Split(string(b[:len(b)-1]), "\x00"), true
}

// float64s encodes the column x. unfloat64s is its inverse; ok is false if a number is not finite.
func float64s(x []float64) []byte {
	b := make([]byte, 8*len(x))
	for i, v := range x {
		for p := range 8 {
			b[p*len(x)+i] = byte(math.Float64bits(v) >> (56 - 8*p))
		}
	}
	return b
}

func unfloat64s(b []byte) (x []float64, ok bool) {
	x = make([]float64, len(b)/8)
	for i := range x {
		var bits uint64
		for p := range 8 {
			bits = bits<<8 | uint64(b[p*len(x)+i])
		}
		if x[i] = math.Float64frombits(bits); !(math.Abs(x[i]) <= math.MaxFloat64) {
			return nil, false
		}
	}
	return x, len(b)%8 == 0
}

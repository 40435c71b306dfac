package chunks

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/pmlam/pmlam/core/model"
)

// Links holds what the items of a cell add to the scores of others (model.ItemLinks, by source). A target's weights are
// multiples of one step, as in a model file, so they equal the model's exactly.
type Links struct {
	Targets []uint32  // numbers of the items that the cell's items add to, ascending
	Steps   []float32 // of each target: the weight of one step
	Of      [][]int   // by place in the cell: indices of targets, ascending
	Weights [][]byte  // of each of these: the number of steps, 1 to model.LinkSteps
}

// each calls tell with the targets and weights of a place in the cell. An invalid place has none.
func (l *Links) each(place int, tell func(target uint32, weight float32)) {
	if place >= len(l.Of) {
		return
	}
	for k, t := range l.Of[place] {
		tell(l.Targets[t], float32(l.Weights[place][k])*l.Steps[t])
	}
}

// EncodeLinks returns a cell's links as a part. The sections are
//
//	targets   varints: the difference of each to the one before
//	steps     a column of float32
//	counts    varints: the number of links of each place
//	links     varints: the index of each link's target, as the difference to the one before of its place
//	weights   a byte for each link
func EncodeLinks(cell int, l *Links) []byte {
	var targets, counts, links, weights []byte
	last := uint32(0)
	for _, t := range l.Targets {
		targets, last = binary.AppendUvarint(targets, uint64(t-last)), t
	}
	for place, of := range l.Of {
		counts = binary.AppendUvarint(counts, uint64(len(of)))
		last := 0
		for _, t := range of {
			links, last = binary.AppendUvarint(links, uint64(t-last)), t
		}
		weights = append(weights, l.Weights[place]...)
	}
	return content(KindLinks, cell, targets, Float32s(l.Steps), counts, links, weights)
}

func readLinks(s [][]byte, x *Index) (*Links, error) {
	gaps, ok1 := varints(s[0], MaxCell*maxCells)
	steps, ok2 := float32s(s[1])
	counts, ok3 := varints(s[2], uint64(len(s[4])))
	of, ok4 := varints(s[3], uint64(len(gaps)))
	if !ok1 || !ok2 || !ok3 || !ok4 || len(s[1]) != 4*len(gaps) || len(of) != len(s[4]) || len(counts) > MaxCell {
		return nil, errors.New("its columns are damaged or differ in length")
	}
	l, number := &Links{Steps: steps, Targets: make([]uint32, len(gaps))}, uint64(0)
	for k, gap := range gaps {
		if number += uint64(gap); number >= uint64(x.cells())*MaxCell {
			return nil, fmt.Errorf("target %d is in an unknown cell", k)
		}
		if !(steps[k] > 0 && steps[k] <= model.MaxWeight/model.LinkSteps) {
			return nil, fmt.Errorf("target %d has step %v", k, steps[k])
		}
		l.Targets[k] = uint32(number)
	}
	weights := s[4]
	for _, n := range counts {
		if n > len(of) {
			return nil, errors.New("it has fewer links than stated")
		}
		target := 0
		for k := range of[:n] {
			target += of[k]
			if of[k] = target; target >= len(gaps) || weights[k] < 1 || weights[k] > model.LinkSteps {
				return nil, fmt.Errorf("a link goes to target %d of %d with %d steps", target, len(gaps), weights[k])
			}
		}
		l.Of, l.Weights = append(l.Of, of[:n:n]), append(l.Weights, weights[:n:n])
		of, weights = of[n:], weights[n:]
	}
	if len(of) > 0 {
		return nil, errors.New("it has more links than stated")
	}
	return l, nil
}

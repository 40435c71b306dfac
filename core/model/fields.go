package model

import (
	"math"

	"github.com/pmlam/pmlam/core/margin"
)

// Fields that the file and the Model store in the same form are listed here, once for reading, checking and writing:
// each is a leaf of the layout and its place in the Model.

type textField struct {
	at leaf
	in *string
}

func (p *Provenance) texts() [6]textField {
	return [...]textField{
		{atDataset, &p.Dataset}, {atPreset, &p.Preset}, {atConfig, &p.Config},
		{atProgram, &p.Program}, {atLicence, &p.Licence}, {atAttribution, &p.Attribution},
	}
}

// number is a single number of a file, and its range.
type number struct {
	at          leaf
	in          *float32
	least, most float32
	zero        bool // 0 is allowed too, below least
}

// numbers lists the numbers of the objective; softmax says that the loss divides by its temperature. The file stores an
// unbounded radius as 0.
func (o *Objective) numbers(softmax bool) [7]number {
	return [...]number{
		{at: atMargin, in: &o.Loss.Margin, most: MaxSquare},
		{at: atTemperature, in: &o.Loss.Temperature, least: MinDivisor, most: MaxSquare, zero: !softmax},
		{at: atWeight, in: &o.Composition.Weight, most: MaxNumber},
		{at: atPrior, in: &o.Composition.Prior, most: MaxNumber},
		{at: atLinkPrior, in: &o.LinkPrior, most: MaxNumber},
		{at: atRadius, in: &o.Radius, least: MinDivisor, most: MaxNumber, zero: true},
		{at: atLearnRate, in: &o.LearnRate, most: math.MaxFloat32}, // used in no computation
	}
}

// networkColumn is a column of float32 of a margin network.
type networkColumn struct {
	at    leaf
	in    *[]float32
	width func(in margin.Input, h int) int // numbers for each hidden unit
}

// networkColumns lists the columns of the network with the leaf at.
func networkColumns(at leaf, n *margin.Network) [3]networkColumn {
	one := func(margin.Input, int) int { return 1 }
	return [...]networkColumn{{at + ofW1, &n.W1, margin.Input.Width}, {at + ofB1, &n.B1, one}, {at + ofW2, &n.W2, one}}
}

type radiiField struct {
	at leaf
	in *Radii
}

func (r *FullRegion) radii(many, few leaf) [2]radiiField {
	return [...]radiiField{{many, &r.Many}, {few, &r.Few}}
}

// networks lists the margin networks.
func (m *Margins) networks() [3]networkField {
	return [...]networkField{{atUserItem, &m.UserItem}, {atUserUser, &m.UserUser}, {atItemItem, &m.ItemItem}}
}

type networkField struct {
	at leaf
	in **margin.Network
}

package model

import (
	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/margin"
)

// Model is a trained model in memory: the content of a file, decoded.
type Model struct {
	Provenance  Provenance
	Objective   Objective
	Precision   Precision            // how the file stores the Gaussians; in memory they are float32
	Items       *gaussian.Table      // I×2h
	Catalogue   *catalogue.Catalogue // I items
	Map         *Map                 // positions of the items, or nil
	Margins     Margins
	ItemItem    *ItemLinks      // the sparse item links, or nil
	Next        *ItemLinks      // links in order: of item i, the items j after which people choose i; or nil
	Again       bool            // people choose items again: lists by recent items may have these too
	Calibration *Calibration    // of its statements of uncertainty, or nil
	Users       *gaussian.Table // U×2h, or nil, as in the shipped model
	UserIDs     []string        // U, aligned with Users
	Digest      string          // SHA-256 of the content, lower-case hex; set by Decode, ignored by Encode
}

// Provenance describes the origin of a model.
type Provenance struct {
	Dataset      string             // "MovieLens latest small"
	Users        int                // U in training
	Interactions int                // in training
	Seed         uint64             //
	Preset       string             // name of the settings
	Config       string             // all settings as JSON, enough to train it again
	Metrics      map[string]float64 // held-out quality, "recall@10" and so on
	Program      string             // version of the program that wrote it
	Licence      string             // of the data
	Attribution  string             // text to show wherever the model is used
}

// Objective holds the parts of the training's objective that inference needs, since visitors are inferred by the same
// loss.
type Objective struct {
	Loss        gaussian.Loss
	Composition gaussian.Composition
	Radius      float32 // of the ball that bounds the means; +Inf: unbounded
	LearnRate   float32 // of the training's Adam, initial value for fold-in
	LinkPrior   float32 // c ≥ 0: how many likes and dislikes halve the weight of a visitor's links, see LinkShare
	NoRarity    bool    // visitors' lists do not prefer little-known items (recommend's rare_i is 0)
}

// LinkShare returns n/(n+c), the share of the item links' γ that counts for a visitor of n likes and dislikes, with c =
// LinkPrior. Links of a few likes say little where many likes suit γ. 1 without likes and dislikes, or if c is 0.
func (o *Objective) LinkShare(n int) float32 {
	if n == 0 || o.LinkPrior == 0 {
		return 1
	}
	return float32(n) / (float32(n) + o.LinkPrior)
}

// Margins are the margin networks of an adaptive hinge; nil if the margin is fixed. Fold-in only needs UserItem.
type Margins struct {
	UserItem, UserUser, ItemItem *margin.Network
}

// Precision is the form in which a file stores Gaussians.
type Precision uint8

const (
	Float32 Precision = iota
	Float16
	Int8 // one scale per row for the mean and one for the standard deviation
)

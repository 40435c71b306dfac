package model

import (
	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/margin"
)

// Model is a trained model in memory: what a file holds, decoded.
type Model struct {
	Provenance  Provenance
	Objective   Objective
	Precision   Precision            // how the file keeps the Gaussians; in memory they are float32
	Items       *gaussian.Table      // I×2h
	Catalogue   *catalogue.Catalogue // I items
	Map         *Map                 // where the items lie, or nil
	Margins     Margins
	ItemItem    *ItemLinks      // the sparse item-item part, or nil
	Calibration *Calibration    // of its statements of uncertainty, or nil
	Users       *gaussian.Table // U×2h, or nil: the shipped model carries none
	UserIDs     []string        // U, aligned with Users
	Digest      string          // SHA-256 over the content, lower-case hex; set by Decode, ignored by Encode
}

// Provenance says where a model comes from.
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

// Objective is what inference must know of the training: a visitor is inferred by the same loss.
type Objective struct {
	Loss        gaussian.Loss
	Composition gaussian.Composition
	Radius      float32 // of the ball the means are kept in; +Inf: free
	LearnRate   float32 // of the training's Adam, the fold-in's starting point
}

// Margins are the margin networks of an adaptive hinge; nil where the margin is fixed. Fold-in needs UserItem only.
type Margins struct {
	UserItem, UserUser, ItemItem *margin.Network
}

// Precision is how a file keeps Gaussians.
type Precision uint8

// The precisions.
const (
	Float32 Precision = iota
	Float16
	Int8 // one scale per row for the mean and one for the standard deviation
)

package model

import "slices"

// This file is the layout as a table. The reader checks a file against it, the writer follows it, and errors take their
// field names from it. docs/model-format.md is the same layout in prose; a test compares the two. A new field needs a
// leaf and a row here, its place in the Model and, if the two differ in more than form, a line each in check, build and
// encode; other fields are one line in fields.go.

// kind is the required msgpack type of a value.
type kind uint8

const (
	kindMap     kind = iota // map with exactly the keys of fields
	kindText                // str, valid UTF-8
	kindBytes               // bin
	kindUint                // non-negative int
	kindFloat32             // float 32
	kindBool                // bool
)

func (k kind) String() string {
	return [...]string{"a map", "a str", "a bin", "an unsigned integer", "a float 32", "a bool"}[k]
}

// node is one key of a map and the requirements for its value.
type node struct {
	key    string
	kind   kind
	null   bool   // nil is allowed instead
	leaf   leaf   // where the walk records the value; unused for a map that is never nil
	max    int    // maximum bytes of a text
	fields []node // of a map, at most 64

	optional bool // the key may be missing
}

// leaf numbers the values of a file. Gaussians and networks occur several times; their leaves follow the leaf of the
// whole.
type leaf int

const (
	atDataset leaf = iota
	atTrainUsers
	atInteractions
	atSeed
	atPreset
	atConfig
	atMetricNames
	atMetricValues
	atProgram
	atLicence
	atAttribution

	atLoss
	atMargin
	atTemperature
	atFree
	atWeight
	atPrior
	atLinkPrior
	atNoRarity
	atRadius
	atLearnRate

	atPrecision

	atIDs
	atTitles
	atYears
	atGenres
	atGenreLists
	atCounts
	atColumnNames
	atColumns
	atLeftOut

	atMap
	atMapX
	atMapY
	atRegionLevels
	atRegionX
	atRegionY
	atRegionGenres
	atRegionOr
	atRegionFrom
	atRegionTo
	atRegionWords

	atUsers
	atUserIDs

	atGamma // of the item links
	atLinkCounts
	atLinkSources
	atLinkWeights
	atLinkScales
	atNext // γ of the links in order; the others follow as above
	_
	_
	_
	_

	atAgain

	atCalibrated
	atWithin
	atStrength
	atMapLikes
	atMapRadii
	atFullMany
	atFullFew
	atLike
	atLikeWeights
	atLikeRates
	atBinPredicted
	atBinObserved
	atBinCounts
	atBinPeople
	atGuaranteeShares
	atGuaranteeChances

	atItemTable
	atUserTable    = atItemTable + 1 + gaussianLeaves
	atUserItem     = atUserTable + 1 + gaussianLeaves
	atUserUser     = atUserItem + 1 + networkLeaves
	atItemItem     = atUserUser + 1 + networkLeaves
	leaves         = atItemItem + 1 + networkLeaves // their number
	gaussianLeaves = 6
	networkLeaves  = 6
)

// Leaves of a table of Gaussians, relative to the table's leaf.
const (
	ofN leaf = iota + 1
	ofH
	ofMean
	ofStddev
	ofMeanScales
	ofStddevScales
)

// Leaves of links, relative to that of γ.
const (
	ofLinkCounts leaf = iota + 1
	ofLinkSources
	ofLinkWeights
	ofLinkScales
)

// Leaves of a network, relative to the network's leaf.
const (
	ofInput leaf = iota + 1
	ofHidden
	ofW1
	ofB1
	ofW2
	ofB2
)

// Limits of lengths and counts. They are generous for recommenders and keep every product of counts far from overflow.
// The bounds of numbers and of single texts are in bounds.go.
const (
	maxRows    = 1 << 28 // items or users
	maxDim     = 1 << 14 // h
	maxHidden  = 1 << 16 // H of a margin network
	maxColumns = 1 << 10 // further catalogue columns
	maxMetrics = 1 << 10
	maxGenres  = 1<<16 - 1 // a genre list has 16 bits per genre and ends with 0
	maxName    = 1 << 12   // bytes of a name
	maxProse   = 1 << 20   // bytes of a longer text
	maxText    = MaxSize   // bytes of a column of texts: only the file limits it
	maxWeights = 1 << 10   // of the chance of a like
	maxBins    = 1 << 10   // of a reliability diagram
	maxRegions = 1 << 12   // of the map, on all levels
	maxBands   = 1 << 8    // of the numbers of likes
	maxShares  = 1 << 8    // of guaranteed lists
)

// MaxSize is the maximum size of a model file, in bytes: 1 GiB.
const MaxSize = 1 << 30

func gaussianFields(at leaf) []node {
	return []node{
		{key: "n", kind: kindUint, leaf: at + ofN},
		{key: "h", kind: kindUint, leaf: at + ofH},
		{key: "mean", kind: kindBytes, leaf: at + ofMean},
		{key: "stddev", kind: kindBytes, leaf: at + ofStddev},
		{key: "meanScales", kind: kindBytes, leaf: at + ofMeanScales},
		{key: "stddevScales", kind: kindBytes, leaf: at + ofStddevScales},
	}
}

func networkFields(at leaf) []node {
	return []node{
		{key: "input", kind: kindText, leaf: at + ofInput, max: maxName},
		{key: "hidden", kind: kindUint, leaf: at + ofHidden},
		{key: "w1", kind: kindBytes, leaf: at + ofW1},
		{key: "b1", kind: kindBytes, leaf: at + ofB1},
		{key: "w2", kind: kindBytes, leaf: at + ofW2},
		{key: "b2", kind: kindFloat32, leaf: at + ofB2},
	}
}

func linkFields(at leaf) []node {
	return []node{
		{key: "gamma", kind: kindFloat32, leaf: at},
		{key: "sourceCounts", kind: kindBytes, leaf: at + ofLinkCounts},
		{key: "sources", kind: kindBytes, leaf: at + ofLinkSources},
		{key: "weights", kind: kindBytes, leaf: at + ofLinkWeights},
		{key: "weightScales", kind: kindBytes, leaf: at + ofLinkScales},
	}
}

// schema is the content of a file. "links", "next", "again", "calibration", the objective's "linkPrior" and
// "noRarity" and the catalogue's "leftOut" may be missing.
var schema = node{key: "content", kind: kindMap, fields: slices.Concat(contentFields, []node{
	{key: "links", kind: kindMap, optional: true, fields: linkFields(atGamma)},
	{key: "next", kind: kindMap, optional: true, fields: linkFields(atNext)},
	{key: "again", kind: kindBool, leaf: atAgain, optional: true},
	{key: "calibration", kind: kindMap, optional: true, fields: []node{
		{key: "users", kind: kindUint, leaf: atCalibrated},
		{key: "within", kind: kindBytes, leaf: atWithin},
		{key: "strength", kind: kindFloat32, leaf: atStrength},
		{key: "mapLikes", kind: kindBytes, leaf: atMapLikes},
		{key: "mapRadii", kind: kindBytes, leaf: atMapRadii},
		{key: "fullMany", kind: kindBytes, leaf: atFullMany},
		{key: "fullFew", kind: kindBytes, leaf: atFullFew},
		{key: "like", kind: kindMap, null: true, leaf: atLike, fields: []node{
			{key: "weights", kind: kindBytes, leaf: atLikeWeights},
			{key: "rates", kind: kindBytes, leaf: atLikeRates},
			{key: "predicted", kind: kindBytes, leaf: atBinPredicted},
			{key: "observed", kind: kindBytes, leaf: atBinObserved},
			{key: "statements", kind: kindBytes, leaf: atBinCounts},
			{key: "people", kind: kindBytes, leaf: atBinPeople},
			{key: "guaranteeShares", kind: kindBytes, leaf: atGuaranteeShares},
			{key: "guaranteeChances", kind: kindBytes, leaf: atGuaranteeChances},
		}},
	}},
})}

// contentFields are the keys that every file has.
var contentFields = []node{
	{key: "provenance", kind: kindMap, fields: []node{
		{key: "dataset", kind: kindText, leaf: atDataset, max: maxName},
		{key: "users", kind: kindUint, leaf: atTrainUsers},
		{key: "interactions", kind: kindUint, leaf: atInteractions},
		{key: "seed", kind: kindUint, leaf: atSeed},
		{key: "preset", kind: kindText, leaf: atPreset, max: maxName},
		{key: "config", kind: kindText, leaf: atConfig, max: maxProse},
		{key: "metricNames", kind: kindText, leaf: atMetricNames, max: maxProse},
		{key: "metricValues", kind: kindBytes, leaf: atMetricValues},
		{key: "program", kind: kindText, leaf: atProgram, max: maxName},
		{key: "licence", kind: kindText, leaf: atLicence, max: maxProse},
		{key: "attribution", kind: kindText, leaf: atAttribution, max: maxProse},
	}},
	{key: "objective", kind: kindMap, fields: []node{
		{key: "loss", kind: kindText, leaf: atLoss, max: maxName},
		{key: "margin", kind: kindFloat32, leaf: atMargin},
		{key: "temperature", kind: kindFloat32, leaf: atTemperature},
		{key: "free", kind: kindBool, leaf: atFree},
		{key: "weight", kind: kindFloat32, leaf: atWeight},
		{key: "radius", kind: kindFloat32, leaf: atRadius},
		{key: "learnRate", kind: kindFloat32, leaf: atLearnRate},
		{key: "prior", kind: kindFloat32, leaf: atPrior},
		{key: "linkPrior", kind: kindFloat32, leaf: atLinkPrior, optional: true},
		{key: "noRarity", kind: kindBool, leaf: atNoRarity, optional: true},
	}},
	{key: "precision", kind: kindText, leaf: atPrecision, max: maxName},
	{key: "items", kind: kindMap, fields: gaussianFields(atItemTable)},
	{key: "catalogue", kind: kindMap, fields: []node{
		{key: "ids", kind: kindText, leaf: atIDs, max: maxText},
		{key: "titles", kind: kindText, leaf: atTitles, max: maxText},
		{key: "years", kind: kindBytes, leaf: atYears},
		{key: "genres", kind: kindText, leaf: atGenres, max: maxText},
		{key: "genreLists", kind: kindBytes, leaf: atGenreLists},
		{key: "counts", kind: kindBytes, leaf: atCounts},
		{key: "columnNames", kind: kindText, leaf: atColumnNames, max: maxProse},
		{key: "columns", kind: kindText, leaf: atColumns, max: maxText},
		{key: "leftOut", kind: kindText, leaf: atLeftOut, max: maxProse, optional: true},
	}},
	{key: "map", kind: kindMap, null: true, leaf: atMap, fields: []node{
		{key: "x", kind: kindBytes, leaf: atMapX},
		{key: "y", kind: kindBytes, leaf: atMapY},
		{key: "regionLevels", kind: kindBytes, leaf: atRegionLevels},
		{key: "regionX", kind: kindBytes, leaf: atRegionX},
		{key: "regionY", kind: kindBytes, leaf: atRegionY},
		{key: "regionGenres", kind: kindBytes, leaf: atRegionGenres},
		{key: "regionOr", kind: kindBytes, leaf: atRegionOr},
		{key: "regionFrom", kind: kindBytes, leaf: atRegionFrom},
		{key: "regionTo", kind: kindBytes, leaf: atRegionTo},
		{key: "regionWords", kind: kindText, leaf: atRegionWords, max: maxProse},
	}},
	{key: "margins", kind: kindMap, fields: []node{
		{key: "userItem", kind: kindMap, null: true, leaf: atUserItem, fields: networkFields(atUserItem)},
		{key: "userUser", kind: kindMap, null: true, leaf: atUserUser, fields: networkFields(atUserUser)},
		{key: "itemItem", kind: kindMap, null: true, leaf: atItemItem, fields: networkFields(atItemItem)},
	}},
	{key: "users", kind: kindMap, null: true, leaf: atUsers, fields: []node{
		{key: "ids", kind: kindText, leaf: atUserIDs, max: maxText},
		{key: "gaussians", kind: kindMap, fields: gaussianFields(atUserTable)},
	}},
}

package pmlam

import (
	"fmt"
	"strings"

	"github.com/pmlam/pmlam/core/brief"
)

// DefaultPreset is the default preset.
const DefaultPreset = "hybrid"

// Presets lists the names that Preset knows, with their uses.
var Presets = []struct{ Name, Use string }{
	{"paper", "the paper's settings; the epochs, which it leaves open, suit a validation part of MovieLens small"},
	{"adaptive", "the paper's margins made stable: bounds that fit, a smooth hinge, a unit proxy, an outer softmax"},
	{"best", "users composed from the items they like, no user table, softmax loss; settings chosen for the data"},
	{"hybrid", "best, with sparse item links added to the distance"},
	{"composed", "best with fixed settings that suit MovieLens small"},
}

// Preset returns the settings of a named preset. Its settings for choosing, the item-item part and calibration are in
// train.Preset; without them "hybrid" equals "best".
func Preset(name string) (Config, error) {
	c := Config{
		Preset: name,
		Dim:    50,
		Loss:   "hinge", Temperature: 1,
		MarginConfig: MarginConfig{
			Margin: Adaptive, MarginValue: 1, Input: "difference", Hidden: 50,
			Alpha: 0.001, OuterRate: 0.001, Lambda: 0.001,
		},
		RelationConfig: RelationConfig{Relations: AdaptiveRelations, RelationThreshold: 0.2, RelationWeight: 1},
		FreeUsers:      true, Radius: 1,
		NegativeConfig: NegativeConfig{Negatives: 10, Candidates: 500, Resample: 20},
		Batch:          5000, Epochs: 80, LearnRate: 0.001,
		InitConfig:       InitConfig{InitMean: 0.01, InitStddev: 0, InitJitter: 0.01},
		ValidationConfig: ValidationConfig{Every: 5},
		Seed:             1,
	}
	switch name {
	case "paper":
	case "adaptive":
		// The outer loss has no margin to choose; it shares its temperature with the smooth hinge, chosen on validation
		// parts (core/lab/docs/paper.md).
		c.Bound, c.Signed = JointBound, true
		c.Smooth, c.Temperature, c.UnitProxy, c.Alpha = true, 0.3, true, 0.1
		c.OuterLoss = OuterSoftmax
		c.Relations = NoRelations
		c.Batch, c.Epochs = 1000, 120
	case "best", "hybrid", "composed":
		c.Loss, c.Margin, c.Relations = "softmax", Fixed, NoRelations
		c.FreeUsers, c.UserWeight = false, 2
		c.Negatives, c.Candidates = 50, 0
		c.Batch, c.Epochs, c.LearnRate, c.Decay = 1000, 30, 0.01, true
		c.InitStddev = 0.1
		if name != "composed" {
			c.Negatives, c.SharedNegatives = 256, 32
		}
	default:
		names := make([]string, len(Presets))
		for i, p := range Presets {
			names[i] = p.Name
		}
		return Config{}, fmt.Errorf("unknown preset %q: it must be one of %s", brief.Text(name),
			strings.Join(names, ", "))
	}
	return c, nil
}

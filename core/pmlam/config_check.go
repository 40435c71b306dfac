package pmlam

import (
	"fmt"
	"math"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/margin"
	"github.com/pmlam/pmlam/core/model"
)

// ConfigError names an invalid field of a Config and the rule that it breaks.
type ConfigError struct {
	Field string
	Value any
	Rule  string
}

func (e *ConfigError) Error() string {
	return fmt.Sprintf("the setting %s is %v, but it must be %s", e.Field, e.Value, e.Rule)
}

// Validate returns a *ConfigError for the first invalid field, or nil.
func (c *Config) Validate() error {
	kind, err := gaussian.ParseLoss(c.Loss)
	if err != nil {
		return bad("loss", c.Loss, "hinge or softmax")
	}
	if _, err := margin.ParseInput(c.Input); err != nil {
		return bad("input", c.Input, "difference, cat or add")
	}
	for _, check := range []func(gaussian.LossKind) error{
		c.validateLoss, c.validateRows, c.validateNegatives, c.validateBatches, c.validateSchedule, c.validateBound,
		c.validateOuter, c.withinReach,
	} {
		if err := check(kind); err != nil {
			return err
		}
	}
	return nil
}

func bad(field string, value any, rule string) error { return &ConfigError{field, value, rule} }

// isPositive reports whether a number is positive and finite.
func isPositive(x float64) bool { return x > 0 && !math.IsInf(x, 0) }

// validateLoss validates sizes, losses, margins and relations. kind is the inner loss.
func (c *Config) validateLoss(kind gaussian.LossKind) error {
	switch {
	case c.Dim < 1 || c.Dim > 4096:
		return bad("dim", c.Dim, "between 1 and 4096")
	case c.Hidden < 1 || c.Hidden > 65536:
		return bad("hidden", c.Hidden, "between 1 and 65536")
	case kind == gaussian.Softmax && !isPositive(c.Temperature):
		return bad("temperature", c.Temperature, "a positive number")
	case c.Margin != Adaptive && c.Margin != Fixed:
		return bad("margin", c.Margin, "adaptive or fixed")
	case kind == gaussian.Softmax && c.Margin != Fixed:
		return bad("margin", c.Margin, "fixed with the softmax loss, which has no margin to adapt")
	case kind == gaussian.Hinge && (c.Margin == Fixed || c.Relations == FixedRelations) && !isPositive(c.MarginValue):
		return bad("margin_value", c.MarginValue, "a positive number")
	case !isPositive(c.Alpha):
		return bad("alpha", c.Alpha, "a positive number")
	case !isPositive(c.OuterRate):
		return bad("outer_rate", c.OuterRate, "a positive number")
	case !(c.Lambda >= 0) || math.IsInf(c.Lambda, 0):
		return bad("lambda", c.Lambda, "0 or more")
	case c.Relations != NoRelations && c.Relations != FixedRelations && c.Relations != AdaptiveRelations:
		return bad("relations", c.Relations, "none, fixed or adaptive")
	case kind == gaussian.Softmax && c.Relations == AdaptiveRelations:
		return bad("relations", c.Relations, "none or fixed with the softmax loss, which has no margin to adapt")
	case c.Relations != NoRelations && !(c.RelationThreshold > 0 && c.RelationThreshold <= 1):
		return bad("relation_threshold", c.RelationThreshold, "in (0, 1]")
	case c.Relations != NoRelations && !isPositive(c.RelationWeight):
		return bad("relation_weight", c.RelationWeight, "a positive number")
	}
	return nil
}

// validateRows validates how the rows of users and items are made.
func (c *Config) validateRows(_ gaussian.LossKind) error {
	switch {
	case !(c.UserWeight >= 0) || math.IsInf(c.UserWeight, 0):
		return bad("user_weight", c.UserWeight, "0 or more")
	case !c.FreeUsers && c.UserWeight == 0:
		return bad("user_weight", c.UserWeight, "positive if users have no free part, or their rows would be empty")
	case c.UserWeight > 0 && c.adaptive():
		return bad("user_weight", c.UserWeight, "0 with adaptive margins, which need a user table")
	case !(c.Shrinkage >= 0) || math.IsInf(c.Shrinkage, 0):
		return bad("shrinkage", c.Shrinkage, "0 or more")
	case c.Shrinkage > 0 && c.adaptive():
		return bad("shrinkage", c.Shrinkage, "0 with adaptive margins, which need learned item rows")
	case c.ShrinkageItems < 0 || c.ShrinkageItems > 1000:
		return bad("shrinkage_items", c.ShrinkageItems, "between 1 and 1000, or 0 for 10")
	case c.Shrinkage == 0 && c.ShrinkageItems != 0:
		return bad("shrinkage_items", c.ShrinkageItems, "0 without shrinkage")
	case !(c.Radius > 0):
		return bad("radius", c.Radius, "a positive number")
	}
	return nil
}

// validateNegatives validates NegativeConfig.
func (c *Config) validateNegatives(kind gaussian.LossKind) error {
	switch {
	case c.Negatives < 1 || c.Negatives > 65536:
		return bad("negatives", c.Negatives, "between 1 and 65536")
	case c.Candidates < 0:
		return bad("candidates", c.Candidates, "0 or more")
	case c.Candidates > 0 && c.Resample < 1:
		return bad("resample", c.Resample, "1 or more")
	case c.SharedNegatives < 0 || c.SharedNegatives > 65536:
		return bad("shared_negatives", c.SharedNegatives, "between 0 and 65536")
	case c.SharedNegatives > 1 && kind != gaussian.Softmax:
		return bad("shared_negatives", c.SharedNegatives,
			"0 or 1 with the hinge loss, which has a negative per triplet")
	case c.SharedNegatives > 1 && c.Candidates > 0:
		return bad("shared_negatives", c.SharedNegatives,
			"0 or 1 with candidates, which are drawn per user and cannot be shared")
	case c.SharedNegatives > 1 && c.UserNegatives:
		return bad("user_negatives", c.UserNegatives, "false if blocks of pairs share their negatives")
	}
	return nil
}

// validateBatches validates how likes are batched.
func (c *Config) validateBatches(kind gaussian.LossKind) error {
	switch {
	case c.Batch < 1:
		return bad("batch", c.Batch, "1 or more")
	case c.UserPairs < 0 || c.UserPairs > 65536:
		return bad("user_pairs", c.UserPairs, "between 0 and 65536")
	case c.UserParts < 0 || c.UserParts == 1 || c.UserParts > 65536:
		return bad("user_parts", c.UserParts, "0, or between 2 and 65536")
	case c.UserParts > 0 && (kind != gaussian.Softmax || c.SharedNegatives < 2 || c.UserWeight == 0):
		return bad("user_parts", c.UserParts,
			"0, unless users are composed and the loss is a softmax with shared negatives")
	case c.UserParts > 0 && c.UserPairs > 1:
		return bad("user_pairs", c.UserPairs, "0 or 1 if likes are learned in parts (user_parts)")
	case !(c.PartDiscount >= 0 && c.PartDiscount <= 1):
		return bad("part_discount", c.PartDiscount, "between 0 and 1")
	case c.PartDiscount > 0 && c.UserParts == 0:
		return bad("part_discount", c.PartDiscount, "0 if likes are not learned in parts (user_parts)")
	case !(c.LossPower >= 0 && c.LossPower <= 1):
		return bad("loss_power", c.LossPower, "between 0 and 1")
	case c.LossPower > 0 && c.UserParts == 0:
		return bad("loss_power", c.LossPower, "0 if likes are not learned in parts (user_parts)")
	}
	return nil
}

// validateSchedule validates the length of a training, its start and its validations.
func (c *Config) validateSchedule(_ gaussian.LossKind) error {
	switch {
	case c.Epochs < 0:
		return bad("epochs", c.Epochs, "0 or more")
	case !isPositive(c.LearnRate):
		return bad("learn_rate", c.LearnRate, "a positive number")
	case !(c.InitMean >= 0) || !(c.InitStddev >= 0) || !(c.InitJitter >= 0):
		return bad("init_mean, init_stddev, init_jitter", []float64{c.InitMean, c.InitStddev, c.InitJitter},
			"0 or more each")
	case !(c.Validation >= 0 && c.Validation < 1):
		return bad("validation", c.Validation, "in [0, 1)")
	case c.Validation > 0 && c.Every < 1:
		return bad("every", c.Every, "1 or more with a validation part")
	case c.Patience < 0:
		return bad("patience", c.Patience, "0 or more")
	}
	return nil
}

// validateBound validates BoundConfig and the margins that must fit the bounds.
func (c *Config) validateBound(gaussian.LossKind) error {
	room, where := c.room(), "within these bounds W2² of two rows is never larger, so no triplet could keep it"
	most := func(field string, m float64) error {
		if m <= room {
			return nil
		}
		return &ConfigError{field, m, fmt.Sprintf("at most %.4g: %s", room, where)}
	}
	hinge, table := c.Loss == gaussian.Hinge.String(), c.UserWeight == 0
	switch {
	case c.Bound != SigmaBound && c.Bound != StddevBound && c.Bound != JointBound:
		return &ConfigError{"bound", c.Bound, "sigma, stddev or joint"}
	case !table && c.Bound != SigmaBound:
		return &ConfigError{"bound", c.Bound, "sigma if users are composed, since visitors have these bounds"}
	case !table && c.Signed:
		return &ConfigError{"signed", c.Signed, "false if users are composed, since visitors have positive s"}
	case c.Signed && c.Deterministic:
		return &ConfigError{"signed", c.Signed, "false for points, which have no s"}
	case c.Radius < c.least():
		return &ConfigError{"radius", c.Radius, fmt.Sprintf("at least %.4g: each of the %d values of s is at least "+
			"%g, so no row can meet a smaller bound", c.least(), c.Dim, gaussian.MinStddev)}
	case hinge && table && (c.Margin == Fixed || c.Relations == FixedRelations):
		if err := most("margin_value", c.MarginValue); err != nil {
			return err
		}
	}
	if hinge && table && c.adaptive() && c.OuterLoss == OuterHinge {
		return most("outer_margin", c.outerMargin())
	}
	return nil
}

// validateOuter validates OuterConfig. kind is the inner loss.
func (c *Config) validateOuter(kind gaussian.LossKind) error {
	const network = " with fixed margins: no network is learned"
	switch {
	case c.Smooth && kind != gaussian.Hinge:
		return bad("smooth", c.Smooth, "false with the softmax loss, which has no hinge")
	case c.Smooth && !(c.Temperature > 0 && !math.IsInf(c.Temperature, 0)):
		return bad("temperature", c.Temperature, "a positive number: the τ of the smooth hinge τ·softplus((δ+m)/τ), "+
			"which approaches the hinge as τ falls to 0; for the hinge itself omit smooth")
	case c.OuterLoss != OuterHinge && c.OuterLoss != OuterSoftmax:
		return bad("outer_loss", c.OuterLoss, "hinge or softmax")
	case c.OuterBatch != SameBatch && c.OuterBatch != HeldOutBatch && c.OuterBatch != RotatedBatch:
		return bad("outer_batch", c.OuterBatch, "same, held-out or rotated")
	case !(c.OuterMargin >= 0) || math.IsInf(c.OuterMargin, 0):
		return bad("outer_margin", c.OuterMargin, "a positive number, or 0 for 1, the paper's")
	case !(c.OuterTemperature >= 0) || math.IsInf(c.OuterTemperature, 0):
		return bad("outer_temperature", c.OuterTemperature, "a positive number, the τ of the outer softmax; 0 for "+
			"that of temperature")
	case c.OuterMargin > 0 && c.OuterLoss != OuterHinge:
		return bad("outer_margin", c.OuterMargin, "0 with the outer softmax, which has no margin")
	case c.OuterTemperature > 0 && c.OuterLoss == OuterHinge:
		return bad("outer_temperature", c.OuterTemperature, "0 with the outer hinge, which has no temperature")
	case c.UnitProxy && !c.adaptive():
		return bad("unit_proxy", c.UnitProxy, "false"+network)
	case c.OuterLoss != OuterHinge && !c.adaptive():
		return bad("outer_loss", c.OuterLoss, "hinge"+network)
	case c.OuterMargin > 0 && !c.adaptive():
		return bad("outer_margin", c.OuterMargin, "0"+network)
	case c.OuterBatch != SameBatch && c.Margin != Adaptive:
		return bad("outer_batch", c.OuterBatch, "same if the user-item margin is fixed")
	}
	return nil
}

// maxRate bounds the learning rate, in units of the ball's radius or 1, whichever is larger. A step of Adam moves a
// number by about the rate, and the bounds keep numbers within twice that unit. At far larger rates the squares
// overflow and the bounds set all rows to 0, although every number stays finite.
const maxRate = 1000

// withinReach returns a *ConfigError for the first number that training cannot work with, or that a model file cannot
// hold (model.MaxNumber and similar limits).
func (c *Config) withinReach(gaussian.LossKind) error {
	rate := maxRate * max(c.Radius, 1)
	for _, n := range []struct {
		field              string
		value, least, most float64
	}{
		{"temperature", c.Temperature, model.MinDivisor, model.MaxSquare},
		{"margin_value", c.MarginValue, 0, model.MaxSquare},
		{"user_weight", c.UserWeight, 0, model.MaxNumber},
		{"radius", c.Radius, model.MinDivisor, math.Inf(1)}, // infinite: unbounded
		{"learn_rate", c.LearnRate, 0, rate},
		{"init_mean", c.InitMean, 0, model.MaxNumber},
		{"init_stddev", c.InitStddev, 0, model.MaxNumber},
		{"init_jitter", c.InitJitter, 0, model.MaxNumber},
	} {
		switch {
		case n.value > n.most:
			return &ConfigError{n.field, n.value, fmt.Sprintf("at most %.7g", n.most)}
		case n.value < n.least && !(n.field == "temperature" && c.Loss != gaussian.Softmax.String() && !c.Smooth):
			return &ConfigError{n.field, n.value, fmt.Sprintf("at least %.7g", n.least)}
		}
	}
	return nil
}

package choose

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/pmlam"
)

// ItemPart names the sparse item-item part that is added to the distance in a score (model.ItemLinks).
type ItemPart string

const (
	NoItemPart ItemPart = "none"
	CosinePart ItemPart = "cosine" // cosines of the items' users
	RidgePart  ItemPart = "ridge"  // ridge regression on the items of the largest cosines
	EASEPart   ItemPart = "ease"   // the largest weights of EASE^R
)

// Settings control a training and the steps before and after it. Start from a preset: the zero value is invalid. Their
// JSON form is a settings file, which a model file also contains.
type Settings struct {
	pmlam.Config // of the Trainer

	// κ ≥ 0: the weight of an unknown user in a visitor's mean, in likes (gaussian.Composition), if users are composed
	// from items alone
	VisitorPrior float64 `json:"visitor_prior,omitzero"`

	ItemPartConfig

	// choose settings on a validation part before the training (Auto), except those set by hand
	Auto bool `json:"auto"`

	// measure how far the model's statements can be trusted, on users left out of the training or of further ones
	// (package calibrate)
	Calibrate bool `json:"calibrate"`
}

// ItemPartConfig holds the settings of the item-item part, which is built after the training and does not change it.
type ItemPartConfig struct {
	ItemPart   ItemPart `json:"item_part"`          // paper: none
	ItemTop    int      `json:"item_top"`           // sources kept per target
	ItemPool   int      `json:"item_pool,omitzero"` // sources that RidgePart selects them from, at most 64; 0: ItemTop
	ItemLambda float64  `json:"item_lambda"`        // λ of the regression
	// p of the regression: a source of n users has p/(1−p)·n added to λ
	ItemDropout float64 `json:"item_dropout,omitzero"`
	ItemWeight  float64 `json:"item_weight"` // γ, the weight of one unit of the part, in units of W2²
	// model.Objective.LinkPrior: how many likes and dislikes halve the weight of a visitor's links
	ItemPrior float64 `json:"item_prior,omitzero"`
	// model.Objective.NoRarity: visitors' lists do not prefer little-known items
	NoRarity bool `json:"no_rarity,omitzero"`
	// links in order (package sequence), from data with times
	NextTop    int     `json:"next_top,omitzero"`    // targets kept per source; 0: none. Auto sets 0 if they do not pay
	NextWeight float64 `json:"next_weight,omitzero"` // their γ; 0: sequence.Weight
}

// Preset returns the settings of a named preset (pmlam.Presets).
func Preset(name string) (Settings, error) {
	c, err := pmlam.Preset(name)
	if err != nil {
		return Settings{}, err
	}
	s := Settings{
		Config:         c,
		ItemPartConfig: ItemPartConfig{ItemPart: NoItemPart, ItemTop: 10, ItemLambda: 50, ItemWeight: 4},
	}
	switch name {
	case "hybrid":
		s.ItemPart = RidgePart
		fallthrough
	case "best":
		s.Auto, s.NextTop = true, 20
		fallthrough
	case "composed":
		s.Calibrate = true
	}
	return s, nil
}

// Validate returns a *pmlam.ConfigError for the first invalid setting, or nil.
func (s *Settings) Validate() error {
	if err := s.Config.Validate(); err != nil {
		return err
	}
	bad := func(field string, value any, rule string) error {
		return &pmlam.ConfigError{Field: field, Value: value, Rule: rule}
	}
	positive := func(x float64) bool { return x > 0 && !math.IsInf(x, 0) }
	switch {
	case !(s.VisitorPrior >= 0 && s.VisitorPrior <= 1<<20): // a model file cannot hold more
		return bad("visitor_prior", s.VisitorPrior, "between 0 and 1048576")
	case s.VisitorPrior > 0 && !s.ComposesAnybody():
		return bad("visitor_prior", s.VisitorPrior, "0 unless users are composed from items alone")
	case s.ItemPart != NoItemPart && s.ItemPart != CosinePart && s.ItemPart != RidgePart && s.ItemPart != EASEPart:
		return bad("item_part", s.ItemPart, "none, cosine, ridge or ease")
	case s.ItemPart == RidgePart && s.ItemTop > 64:
		return bad("item_top", s.ItemTop, "at most 64 with the item-item part ridge")
	case s.ItemPart != NoItemPart && (s.ItemTop < 1 || s.ItemTop > 1000):
		return bad("item_top", s.ItemTop, "between 1 and 1000")
	case s.ItemPool != 0 && s.ItemPart != RidgePart:
		return bad("item_pool", s.ItemPool, "0 without the item-item part ridge")
	case s.ItemPool != 0 && (s.ItemPool < s.ItemTop || s.ItemPool > 64):
		return bad("item_pool", s.ItemPool, "0, or between item_top and 64")
	case (s.ItemPart == RidgePart || s.ItemPart == EASEPart) && !positive(s.ItemLambda):
		return bad("item_lambda", s.ItemLambda, "a positive number")
	case !(s.ItemDropout >= 0 && s.ItemDropout < 1):
		return bad("item_dropout", s.ItemDropout, "at least 0 and below 1")
	case s.ItemPart != NoItemPart && !positive(s.ItemWeight):
		return bad("item_weight", s.ItemWeight, "a positive number")
	case s.ItemWeight > model.MaxGamma:
		return bad("item_weight", s.ItemWeight, fmt.Sprintf("at most %.7g", float64(model.MaxGamma)))
	case s.ItemWeight < 0:
		return bad("item_weight", s.ItemWeight, "at least 0")
	case !(s.ItemPrior >= 0 && s.ItemPrior <= model.MaxNumber):
		return bad("item_prior", s.ItemPrior, fmt.Sprintf("between 0 and %.7g", float64(model.MaxNumber)))
	case s.NextTop < 0 || s.NextTop > 1000:
		return bad("next_top", s.NextTop, "between 0 and 1000")
	case !(s.NextWeight >= 0 && s.NextWeight <= model.MaxGamma):
		return bad("next_weight", s.NextWeight, fmt.Sprintf("between 0 and %.7g", float64(model.MaxGamma)))
	case s.Auto && s.Loss != gaussian.Softmax.String():
		return bad("auto", s.Auto,
			"false with the hinge loss; only softmax settings are chosen, pmlam-lab tune searches for others")
	}
	return nil
}

// before orders settings in JSON: those listed precede the named setting of a Trainer, as in all model files.
var before = map[string][]string{
	"bound": {"visitor_prior"},
	"batch": {"item_part", "item_top", "item_pool", "item_lambda", "item_dropout", "item_weight", "item_prior",
		"no_rarity", "next_top", "next_weight"},
	"seed": {"auto", "calibrate"},
}

// MarshalJSON implements json.Marshaler. It writes the settings in the order of all model files.
func (s Settings) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	all := reflect.ValueOf(s)
	write := func(f reflect.StructField) error {
		name, omit, _ := strings.Cut(f.Tag.Get("json"), ",")
		v := all.FieldByIndex(f.Index)
		if omit == "omitzero" && v.IsZero() {
			return nil
		}
		text, err := json.Marshal(v.Interface())
		if err != nil {
			return err
		}
		sep := ','
		if b.Len() == 0 {
			sep = '{'
		}
		fmt.Fprintf(&b, "%c%q:%s", sep, name, text)
		return nil
	}
	own := map[string]reflect.StructField{}
	fields := reflect.VisibleFields(all.Type())
	for _, f := range fields {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		own[name] = f
	}
	for _, f := range fields {
		if f.Anonymous || f.Index[0] != 0 { // 0: Config
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		for _, other := range before[name] {
			if err := write(own[other]); err != nil {
				return nil, err
			}
		}
		if err := write(f); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Export returns the settings in the form that a model file keeps (pmlam.Result.Model).
func (s *Settings) Export() (pmlam.Export, error) {
	text, err := json.Marshal(s)
	if err != nil {
		return pmlam.Export{}, fmt.Errorf("encoding the settings: %w", err)
	}
	return pmlam.Export{Config: s.Config, Settings: string(text), Prior: float32(s.VisitorPrior),
		LinkPrior: float32(s.ItemPrior), NoRarity: s.NoRarity}, nil
}

// SetVisitorPrior sets the current VisitorPrior, ItemPrior and NoRarity in m, a model trained with otherwise equal
// settings. The result equals a training with these, since trainings do not read them.
func (s *Settings) SetVisitorPrior(m *model.Model) error {
	e, err := s.Export()
	if err == nil {
		o := &m.Objective
		o.Composition.Prior, o.LinkPrior, o.NoRarity = e.Prior, e.LinkPrior, e.NoRarity
		m.Provenance.Config = e.Settings
	}
	return err
}

// Changed returns the names of the settings that differ from their preset; nil if the preset is unknown.
func (s *Settings) Changed() (names []string) {
	preset, err := Preset(s.Preset)
	if err != nil {
		return nil
	}
	all, _ := Names()
	for _, name := range all {
		if Value(s, name) != Value(&preset, name) {
			names = append(names, name)
		}
	}
	return names
}

// Names returns the names of all settings, as in a settings file, and those that such a file may omit.
func Names() (names []string, optional map[string]bool) {
	optional = map[string]bool{}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Settings]()) {
		if !f.Anonymous {
			name, omit, _ := strings.Cut(f.Tag.Get("json"), ",")
			names, optional[name] = append(names, name), omit != ""
		}
	}
	return names, optional
}

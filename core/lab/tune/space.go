package tune

import (
	"math"
	"slices"
	"strconv"

	"github.com/c-bata/goptuna"

	"github.com/pmlam/pmlam/core/train/choose"
)

// Space lists the settings that a study varies, in the order of drawing and display.
type Space []Param

// Param is a setting with the values that a study may give it: a range, or a list.
type Param struct {
	Name string // of the field in a settings file; see choose.Settings

	Low, High float64 // a range of numbers, if Values is nil; 0 < Low if Log
	Log       bool    // logarithmic
	Whole     bool    // whole numbers only

	Values  []string // a list, in the form of a settings file: "50", "true", "none"
	Ordered bool     // neighbours in Values are similar

	Only string // the value of setting If that gives this one an effect; "": always
	If   string // an earlier setting in the space
}

// Spaces has the spaces of the presets. Definitions of a preset are not varied: paper keeps the paper's settings, and
// best stays Gaussians under W2 with the softmax loss.
var Spaces = map[string]Space{
	"paper": { // details that the paper leaves open. Early stopping chooses the epochs
		{Name: "alpha", Low: 0.001, High: 1, Log: true},
		{Name: "hidden", Values: []string{"16", "32", "50", "100"}, Ordered: true},
		{Name: "lambda", Low: 0.0001, High: 0.1, Log: true},
		{Name: "init_stddev", Values: []string{"0", "0.01", "0.03", "0.1", "0.3"}, Ordered: true},
	},
	"adaptive": { // not bounds, temperature and outer loss, which define the preset
		{Name: "alpha", Low: 0.001, High: 1, Log: true},
		{Name: "hidden", Values: []string{"16", "32", "50", "100"}, Ordered: true},
		{Name: "lambda", Low: 0.0001, High: 0.1, Log: true},
	},
	"best": {
		{Name: "temperature", Low: 0.25, High: 2.5, Log: true},
		{Name: "user_weight", Low: 0.5, High: 8, Log: true},
		{Name: "free_users", Values: []string{"false", "true"}},
		{Name: "dim", Values: []string{"32", "50", "64", "100", "128"}, Ordered: true},
		{Name: "learn_rate", Low: 0.002, High: 0.04, Log: true},
		{Name: "epochs", Low: 10, High: 80, Log: true, Whole: true},
		{Name: "negatives", Values: []string{"32", "50", "64", "128", "256", "512"}, Ordered: true},
		{Name: "radius", Low: 0.5, High: 4, Log: true},
		{Name: "init_stddev", Low: 0.02, High: 0.3, Log: true},
		{Name: "relations", Values: []string{"none", "fixed"}},
		{Name: "relation_weight", Low: 0.02, High: 1, Log: true, If: "relations", Only: "fixed"},
		{Name: "relation_threshold", Low: 0.1, High: 0.5, If: "relations", Only: "fixed"},
	},
}

func init() {
	Spaces["composed"] = Spaces["best"]
	Spaces["hybrid"] = Spaces["best"] // its sparse part is chosen after the training, independently
}

// Without returns the space without the settings fixed in base, and without those that then have no effect.
func (s Space) Without(byHand []string, base *choose.Settings) Space {
	var rest Space
	for _, p := range s {
		idle := p.If != "" && slices.Contains(byHand, p.If) && choose.Value(base, p.If) != p.Only
		if !idle && !slices.Contains(byHand, p.Name) {
			rest = append(rest, p)
		}
	}
	return rest
}

// distribution returns the library's distribution.
func (p *Param) distribution() any {
	switch {
	case p.Values != nil && p.Ordered:
		return goptuna.IntUniformDistribution{High: len(p.Values) - 1}
	case p.Values != nil:
		return goptuna.CategoricalDistribution{Choices: p.Values}
	case p.Log:
		return goptuna.LogUniformDistribution{Low: p.Low, High: p.High}
	}
	return goptuna.UniformDistribution{Low: p.Low, High: p.High}
}

// tidy rounds a drawn number to a whole one or to a few digits, within the range.
func (p *Param) tidy(v float64) float64 {
	if p.Whole {
		v = math.Round(v)
	} else {
		v = choose.Readable(v)
	}
	return min(max(v, p.Low), p.High)
}

// text returns a drawn value in the form of a settings file; internal is the library's number for it.
func (p *Param) text(internal float64) string {
	if p.Values != nil {
		return p.Values[int(math.Round(internal))]
	}
	return strconv.FormatFloat(internal, 'g', -1, 64)
}

// internal returns the library's number for a value; ok is false for values outside the space.
func (p *Param) internal(text string) (v float64, ok bool) {
	if p.Values != nil {
		for i, have := range p.Values {
			if have == text {
				return float64(i), true
			}
		}
		return 0, false
	}
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil && v >= p.Low && v <= p.High
}

// Number returns a value's coordinate on the picture's axis and in correlations: the number itself, its logarithm if
// Log, or its index in the list.
func (p *Param) Number(text string) float64 {
	v, ok := p.internal(text)
	switch {
	case !ok:
		return math.NaN()
	case p.Log:
		return math.Log(v)
	}
	return v
}

// active reports whether the setting has an effect with these values.
func (p *Param) active(values map[string]string, base *choose.Settings) bool {
	if p.If == "" {
		return true
	}
	v, ok := values[p.If]
	if !ok { // fixed
		v = choose.Value(base, p.If)
	}
	return v == p.Only
}

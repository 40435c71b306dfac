package baseline

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/pmlam/pmlam/core/brief"
)

// Setting is one numeric setting of a method.
type Setting struct {
	Name     string
	Use      string  // one line, for display
	Default  float64 //
	Min, Max float64 // inclusive
	Above    bool    // Min itself is too small
	Whole    bool    // an integer
	OmitZero bool    // Complete omits zero, so that results from before the setting was added stay valid
}

// rule describes the valid values in words.
func (s Setting) rule() string {
	number := "a number"
	if s.Whole {
		number = "a whole number"
	}
	from := "of at least"
	if s.Above {
		from = "above"
	}
	if math.IsInf(s.Max, 1) {
		return fmt.Sprintf("%s %s %g", number, from, s.Min)
	}
	return fmt.Sprintf("%s %s %g and at most %g", number, from, s.Min, s.Max)
}

func (s Setting) allows(x float64) bool {
	return x >= s.Min && x <= s.Max && !(s.Above && x == s.Min) && !math.IsInf(x, 0) && !(s.Whole && x != math.Trunc(x))
}

// OptionError reports a setting out of range.
type OptionError struct {
	Method, Option string
	Value          float64
	Rule           string // the rule: "a whole number of at least 1"
}

func (e OptionError) Error() string {
	return fmt.Sprintf("%s: %s is %g and must be %s", e.Method, e.Option, e.Value, e.Rule)
}

// Values are a method's settings by name; missing ones have their defaults. nil is valid.
type Values map[string]float64

// Check returns an error for an unknown name, and an OptionError for a value out of range.
func (m *Method) Check(v Values) error {
	known := 0
	for _, s := range m.Settings {
		x, given := v[s.Name]
		if !given {
			continue
		}
		known++
		if !s.allows(x) {
			return OptionError{Method: m.Name, Option: s.Name, Value: x, Rule: s.rule()}
		}
	}
	if known == len(v) {
		return nil
	}
	for name := range v { // any unknown name: the error lists the known ones
		if _, ok := m.setting(name); !ok {
			return m.unknown(name)
		}
	}
	return nil
}

func (m *Method) unknown(name string) error {
	if len(m.Settings) == 0 {
		return fmt.Errorf("%s has no settings, so %q cannot be set", m.Name, brief.Text(name))
	}
	names := make([]string, len(m.Settings))
	for i, s := range m.Settings {
		names[i] = s.Name
	}
	return fmt.Errorf("%s has no setting %q; it has %s", m.Name, brief.Text(name), strings.Join(names, ", "))
}

func (m *Method) setting(name string) (Setting, bool) {
	for _, s := range m.Settings {
		if s.Name == name {
			return s, true
		}
	}
	return Setting{}, false
}

// Complete returns v with defaults for missing settings, without zeros of settings with OmitZero.
func (m *Method) Complete(v Values) Values {
	all := make(Values, len(m.Settings))
	for _, s := range m.Settings {
		all[s.Name] = s.Default
		if x, ok := v[s.Name]; ok {
			all[s.Name] = x
		}
		if s.OmitZero && all[s.Name] == 0 {
			delete(all, s.Name)
		}
	}
	return all
}

// Parse parses a method and its settings in command-line form: "ease" or "ials:dim=128:lambda=0.01". Errors list the
// valid alternatives.
func (r Registry) Parse(spec string) (*Method, Values, error) {
	name, rest, more := strings.Cut(spec, ":")
	m, err := r.find(name)
	if err != nil {
		return nil, nil, err
	}
	v := Values{}
	for more {
		var part string
		part, rest, more = strings.Cut(rest, ":")
		key, text, ok := strings.Cut(part, "=")
		if !ok {
			return nil, nil, fmt.Errorf("%q in %q is not a setting; write it as name=value", brief.Text(part),
				brief.Text(spec))
		}
		if _, twice := v[key]; twice {
			return nil, nil, fmt.Errorf("%s is set twice in %q", key, brief.Text(spec))
		}
		if _, known := m.setting(key); !known {
			return nil, nil, m.unknown(key)
		}
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, nil, fmt.Errorf("%s=%s in %q is not a number", key, brief.Text(text), brief.Text(spec))
		}
		v[key] = x
	}
	return m, v, m.Check(v)
}

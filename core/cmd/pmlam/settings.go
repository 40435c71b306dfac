package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"github.com/pmlam/pmlam/core/pmlam"
)

// settings are the flags that make a pmlam.Config. What is said on the command line goes before what stands in
// --config, and that before the preset.
type settings struct {
	preset, file string
	set          []func(c *pmlam.Config) // one for each flag that was given
	flags        *pflag.FlagSet
}

func (s *settings) register(f *pflag.FlagSet) {
	s.flags = f
	var uses []string
	for _, p := range pmlam.Presets {
		uses = append(uses, p.Name+" ("+p.Use+")")
	}
	f.StringVar(&s.preset, "preset", pmlam.DefaultPreset, "settings to start from: "+strings.Join(uses, "; "))
	f.StringVar(&s.file, "config", "", "JSON file of settings, as a model file carries them (pmlam inspect --config)")

	integer(s, "dim", "dimension of the Gaussians", func(c *pmlam.Config) *int { return &c.Dim })
	boolean(s, "deterministic", "points in place of Gaussians (ablation)", func(c *pmlam.Config) *bool { return &c.Deterministic })
	word(s, "loss", "hinge or softmax", func(c *pmlam.Config) *string { return &c.Loss })
	number(s, "temperature", "temperature of the softmax loss, in squared distance", func(c *pmlam.Config) *float64 { return &c.Temperature })
	word(s, "margin", "margins of the hinge: adaptive or fixed", func(c *pmlam.Config) *pmlam.MarginMode { return &c.Margin })
	number(s, "margin-value", "the fixed margin", func(c *pmlam.Config) *float64 { return &c.MarginValue })
	word(s, "input", "what the margin network sees: difference, cat or add", func(c *pmlam.Config) *string { return &c.Input })
	integer(s, "hidden", "hidden units of the margin networks", func(c *pmlam.Config) *int { return &c.Hidden })
	number(s, "alpha", "step of the proxy in the outer optimisation", func(c *pmlam.Config) *float64 { return &c.Alpha })
	number(s, "outer-lr", "learning rate of the margin networks", func(c *pmlam.Config) *float64 { return &c.OuterRate })
	number(s, "lambda", "weight of the margin networks' regulariser", func(c *pmlam.Config) *float64 { return &c.Lambda })
	word(s, "relations", "user-user and item-item losses: none, fixed or adaptive", func(c *pmlam.Config) *pmlam.RelationMode { return &c.Relations })
	number(s, "relation-threshold", "smallest cosine of neighbours", func(c *pmlam.Config) *float64 { return &c.RelationThreshold })
	number(s, "relation-weight", "weight of the relation losses", func(c *pmlam.Config) *float64 { return &c.RelationWeight })
	boolean(s, "free-users", "learn a row per user", func(c *pmlam.Config) *bool { return &c.FreeUsers })
	number(s, "user-weight", "weight of the liked items' mean in a user's Gaussian; 0: users are not composed", func(c *pmlam.Config) *float64 { return &c.UserWeight })
	number(s, "radius", "radius of the ball that bounds the means", func(c *pmlam.Config) *float64 { return &c.Radius })
	integer(s, "negatives", "negatives for each positive pair", func(c *pmlam.Config) *int { return &c.Negatives })
	integer(s, "candidates", "negatives drawn ahead for each user; 0: none, they are drawn from all items", func(c *pmlam.Config) *int { return &c.Candidates })
	integer(s, "resample", "epochs after which they are drawn anew", func(c *pmlam.Config) *int { return &c.Resample })
	integer(s, "batch", "positive pairs in a batch", func(c *pmlam.Config) *int { return &c.Batch })
	integer(s, "epochs", "epochs", func(c *pmlam.Config) *int { return &c.Epochs })
	number(s, "lr", "learning rate", func(c *pmlam.Config) *float64 { return &c.LearnRate })
	boolean(s, "decay", "lower the learning rate linearly to 0", func(c *pmlam.Config) *bool { return &c.Decay })
	number(s, "init-stddev", "standard deviations at the start", func(c *pmlam.Config) *float64 { return &c.InitStddev })
	number(s, "validation", "share of each user's training items held out to choose the best epoch", func(c *pmlam.Config) *float64 { return &c.Validation })
	integer(s, "every", "epochs between validations", func(c *pmlam.Config) *int { return &c.Every })
	integer(s, "patience", "validations without a better one before stopping; 0: never", func(c *pmlam.Config) *int { return &c.Patience })
	seed := f.Uint64("seed", 0, "seed of everything random in the training (default: the preset's, 1)")
	s.given("seed", func(c *pmlam.Config) { c.Seed = *seed })
}

// given remembers what a flag sets, for the case that it is given.
func (s *settings) given(name string, set func(c *pmlam.Config)) {
	s.set = append(s.set, func(c *pmlam.Config) {
		if s.flags.Changed(name) {
			set(c)
		}
	})
}

// The defaults shown are those of the default preset.
func preset() *pmlam.Config {
	c, err := pmlam.Preset(pmlam.DefaultPreset)
	if err != nil {
		panic(err)
	}
	return &c
}

func integer(s *settings, name, use string, field func(*pmlam.Config) *int) {
	v := s.flags.Int(name, *field(preset()), use)
	s.given(name, func(c *pmlam.Config) { *field(c) = *v })
}

func number(s *settings, name, use string, field func(*pmlam.Config) *float64) {
	v := s.flags.Float64(name, *field(preset()), use)
	s.given(name, func(c *pmlam.Config) { *field(c) = *v })
}

func boolean(s *settings, name, use string, field func(*pmlam.Config) *bool) {
	v := s.flags.Bool(name, *field(preset()), use)
	s.given(name, func(c *pmlam.Config) { *field(c) = *v })
}

func word[T ~string](s *settings, name, use string, field func(*pmlam.Config) *T) {
	v := s.flags.String(name, string(*field(preset())), use)
	s.given(name, func(c *pmlam.Config) { *field(c) = T(*v) })
}

// config returns the settings asked for. Its errors are usage errors.
func (s *settings) config() (pmlam.Config, error) {
	c, err := pmlam.Preset(s.preset)
	if err != nil {
		return c, usageError{err}
	}
	if s.file != "" {
		if err := readConfig(s.file, &c); err != nil {
			return c, usageError{err}
		}
	}
	for _, set := range s.set {
		set(&c)
	}
	if err := c.Validate(); err != nil {
		return c, usageError{err}
	}
	return c, nil
}

// maxConfig bounds a settings file; real ones are below 2 KiB.
const maxConfig = 1 << 20

func readConfig(path string, c *pmlam.Config) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("the settings could not be read: %w", err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxConfig+1))
	if err != nil {
		return fmt.Errorf("the settings %s could not be read: %w", path, err)
	}
	if len(b) > maxConfig {
		return fmt.Errorf("%s is larger than any settings file (%d bytes); is it the right file?", path, maxConfig)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(c); err != nil {
		return fmt.Errorf("%s, byte %d: not a settings file: %w", path, d.InputOffset(), err)
	}
	if d.More() {
		return fmt.Errorf("%s, byte %d: something follows the settings; a settings file is one JSON object", path, d.InputOffset())
	}
	return nil
}

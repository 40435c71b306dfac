package cli

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/pmlam/pmlam/core/brief"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/train"
	"github.com/pmlam/pmlam/core/train/choose"
)

// Settings holds the flags for a train.Settings. The command line overrides --config, which overrides the preset.
type Settings struct {
	preset, file string
	Print        bool
	base         *train.Settings           // the start without --preset; nil: the default preset
	set          []func(c *train.Settings) // one for each flag; applies it if given
	inFile       []string                  // settings named in the file of --config, once read
}

// setting is a heading that flags are added to.
type setting struct {
	*Settings
	*Group
}

// Register returns the flags by heading.
func (s *Settings) Register() []*Group {
	heading := func(title string) setting { return setting{s, NewGroup(title)} }

	top := heading("Settings (the defaults shown below are from the preset " + pmlam.DefaultPreset +
		"; --print-config shows other presets')")
	var names []string
	for _, p := range pmlam.Presets {
		names = append(names, p.Name)
	}
	top.StringVar(&s.preset, "preset", pmlam.DefaultPreset, "what to start from: "+strings.Join(names[:len(names)-1],
		", ")+" or "+names[len(names)-1])
	top.StringVar(&s.file, "config", "", "JSON file of settings, as \"pmlam inspect --config\" prints them; "+
		"flags override it")
	boolean(top, "auto", "choose settings not given by hand on a validation part; --auto=false uses the preset as "+
		"it is", func(c *train.Settings) *bool { return &c.Auto })
	boolean(top, "calibrate", "calibrate the model's stated certainty on users left out, by up to four further "+
		"trainings (one from 2,000 users, none from 10,000)",
		func(c *train.Settings) *bool { return &c.Calibrate })
	top.BoolVar(&s.Print, "print-config", false, "print the settings as JSON for --config, and exit")
	top.Placeholder("NAME", "preset")
	top.Placeholder("FILE", "config")

	model := heading("Gaussians and users")
	integer(model, "dim", "dimension of the Gaussians", func(c *train.Settings) *int { return &c.Dim })
	boolean(model, "deterministic", "points instead of Gaussians (ablation)",
		func(c *train.Settings) *bool { return &c.Deterministic })
	number(model, "radius", "radius of the ball that bounds the means",
		func(c *train.Settings) *float64 { return &c.Radius })
	word(model, "bound", "bound besides the means' ball: sigma, stddev (their norm, by the same radius) or joint "+
		"(mean and standard deviations together)", func(c *train.Settings) *pmlam.Bound { return &c.Bound })
	boolean(model, "signed", "standard deviations of any sign",
		func(c *train.Settings) *bool { return &c.Signed })
	boolean(model, "free-users", "learn a row per user", func(c *train.Settings) *bool { return &c.FreeUsers })
	number(model, "user-weight", "weight of the liked items' mean in a user's Gaussian; 0: users are not composed",
		func(c *train.Settings) *float64 { return &c.UserWeight })
	number(model, "visitor-prior", "number of average likes added to a visitor's own; 0: none; --auto with "+
		"--calibrate chooses it",
		func(c *train.Settings) *float64 { return &c.VisitorPrior })
	number(model, "shrinkage", "draw Gaussians of titles with few likes towards their neighbours', which count as "+
		"this many likes; 0: off", func(c *train.Settings) *float64 { return &c.Shrinkage })
	integer(model, "shrinkage-items", "neighbours for --shrinkage; 0: 10",
		func(c *train.Settings) *int { return &c.ShrinkageItems })
	number(model, "init-mean", "initial standard deviation of the means",
		func(c *train.Settings) *float64 { return &c.InitMean })
	number(model, "init-stddev", "initial standard deviations",
		func(c *train.Settings) *float64 { return &c.InitStddev })
	number(model, "init-jitter", "spread of the initial standard deviations",
		func(c *train.Settings) *float64 { return &c.InitJitter })

	objective := heading("Loss and margins")
	word(objective, "loss", "hinge or softmax", func(c *train.Settings) *string { return &c.Loss })
	number(objective, "temperature", "temperature of the softmax loss and of the smooth hinge, in squared distance",
		func(c *train.Settings) *float64 { return &c.Temperature })
	word(objective, "margin", "margins of the hinge: adaptive or fixed",
		func(c *train.Settings) *pmlam.MarginMode { return &c.Margin })
	number(objective, "margin-value", "the fixed margin", func(c *train.Settings) *float64 { return &c.MarginValue })
	word(objective, "input", "input of the margin network: difference, cat or add",
		func(c *train.Settings) *string { return &c.Input })
	integer(objective, "hidden", "hidden units of the margin networks",
		func(c *train.Settings) *int { return &c.Hidden })
	number(objective, "alpha", "step of the proxy in the outer optimisation",
		func(c *train.Settings) *float64 { return &c.Alpha })
	number(objective, "outer-lr", "learning rate of the margin networks",
		func(c *train.Settings) *float64 { return &c.OuterRate })
	boolean(objective, "smooth", "smooth hinge; the margin networks learn through its weights",
		func(c *train.Settings) *bool { return &c.Smooth })
	boolean(objective, "unit-proxy", "normalise the proxy's step to the length alpha",
		func(c *train.Settings) *bool { return &c.UnitProxy })
	word(objective, "outer-loss", "outer loss of the margin networks: hinge or softmax",
		func(c *train.Settings) *pmlam.OuterLoss { return &c.OuterLoss })
	number(objective, "outer-margin", "margin of the outer hinge; 0: 1, the paper's",
		func(c *train.Settings) *float64 { return &c.OuterMargin })
	number(objective, "outer-temperature", "temperature of the outer softmax; 0: --temperature",
		func(c *train.Settings) *float64 { return &c.OuterTemperature })
	word(objective, "outer-batch", "triplets of the outer loss: same, held-out (positives) or rotated (negatives)",
		func(c *train.Settings) *pmlam.OuterBatch { return &c.OuterBatch })
	number(objective, "lambda", "weight of the margin networks' regulariser",
		func(c *train.Settings) *float64 { return &c.Lambda })
	word(objective, "relations", "user-user and item-item losses: none, fixed or adaptive",
		func(c *train.Settings) *pmlam.RelationMode { return &c.Relations })
	number(objective, "relation-threshold", "smallest cosine of neighbours",
		func(c *train.Settings) *float64 { return &c.RelationThreshold })
	number(objective, "relation-weight", "weight of the relation losses",
		func(c *train.Settings) *float64 { return &c.RelationWeight })

	links := heading("Item-item links")
	word(links, "item-part", "sparse item-item links, found after the training: none, cosine, ridge or ease",
		func(c *train.Settings) *choose.ItemPart { return &c.ItemPart })
	integer(links, "item-top", "links kept for each item",
		func(c *train.Settings) *int { return &c.ItemTop })
	integer(links, "item-pool", "candidates from which ridge keeps the heaviest; 0: no more than it keeps",
		func(c *train.Settings) *int { return &c.ItemPool })
	number(links, "item-lambda", "regulariser of ridge and ease",
		func(c *train.Settings) *float64 { return &c.ItemLambda })
	number(links, "item-dropout", "p of ridge and ease: adds p/(1-p) of an item's likes to its regulariser",
		func(c *train.Settings) *float64 { return &c.ItemDropout })
	number(links, "item-weight", "weight of the links, in squared distance",
		func(c *train.Settings) *float64 { return &c.ItemWeight })
	number(links, "item-prior", "number of likes that halve this weight for a visitor; 0: none; chosen with "+
		"--visitor-prior",
		func(c *train.Settings) *float64 { return &c.ItemPrior })
	boolean(links, "no-rarity", "do not prefer little-known items in visitors' lists; chosen with --visitor-prior",
		func(c *train.Settings) *bool { return &c.NoRarity })

	integer(links, "next-top", "items kept that people choose after each item, from data with times; 0: none",
		func(c *train.Settings) *int { return &c.NextTop })
	number(links, "next-weight", "weight of these, in squared distance; 0: 16",
		func(c *train.Settings) *float64 { return &c.NextWeight })

	descent := heading("Optimisation")
	integer(descent, "epochs", "epochs", func(c *train.Settings) *int { return &c.Epochs })
	integer(descent, "batch", "positive pairs in a batch", func(c *train.Settings) *int { return &c.Batch })
	integer(descent, "user-pairs", "pairs of a user kept together in an epoch's order, so the user is composed once "+
		"for them; 0 or 1: off",
		func(c *train.Settings) *int { return &c.UserPairs })
	integer(descent, "user-parts", "parts that a user's likes are split into, anew in every epoch; each part is "+
		"learned at once, from the others; 0: each like from all others",
		func(c *train.Settings) *int { return &c.UserParts })
	number(descent, "part-discount", "B: a like in a part of n weighs n^-B; 0: all likes weigh the same; 1: all "+
		"parts do",
		func(c *train.Settings) *float64 { return &c.PartDiscount })
	number(descent, "loss-power", "Q: with parts, a like with probability P has the loss (1-P^Q)/Q, so likes that the "+
		"others do not explain count less; 0: -log P", func(c *train.Settings) *float64 { return &c.LossPower })
	number(descent, "lr", "learning rate", func(c *train.Settings) *float64 { return &c.LearnRate })
	boolean(descent, "decay", "lower the learning rate linearly to 0; --decay=false keeps it constant",
		func(c *train.Settings) *bool { return &c.Decay })
	integer(descent, "negatives", "negatives for each positive pair",
		func(c *train.Settings) *int { return &c.Negatives })
	integer(descent, "shared-negatives", "pairs that share one list of negatives, which makes long lists cheap; 0 "+
		"or 1: off", func(c *train.Settings) *int { return &c.SharedNegatives })
	boolean(descent, "user-negatives", "share negatives between a user's pairs in a batch",
		func(c *train.Settings) *bool { return &c.UserNegatives })
	integer(descent, "candidates", "items drawn for each user, from which the negatives come; 0: all "+
		"items", func(c *train.Settings) *int { return &c.Candidates })
	integer(descent, "resample", "epochs between draws of these candidates",
		func(c *train.Settings) *int { return &c.Resample })
	number(descent, "validation", "share of each user's training items held out to choose the best epoch; 0: take "+
		"the last epoch", func(c *train.Settings) *float64 { return &c.Validation })
	integer(descent, "every", "epochs between validations", func(c *train.Settings) *int { return &c.Every })
	integer(descent, "patience", "validations without improvement before stopping; 0: never stop",
		func(c *train.Settings) *int { return &c.Patience })
	seed := descent.Uint64("seed", Defaults().Seed, "seed of the training")
	descent.Placeholder("N", "seed")
	descent.given("seed", func(c *train.Settings) { c.Seed = *seed })

	return []*Group{top.Group, model.Group, objective.Group, links.Group, descent.Group}
}

// Defaults returns the settings of the default preset, for help texts.
func Defaults() *train.Settings {
	c, err := train.Preset(pmlam.DefaultPreset)
	if err != nil {
		panic(err)
	}
	return &c
}

// given records the setting of a flag, applied if the flag is given.
func (s setting) given(name string, set func(c *train.Settings)) {
	flag := s.Lookup(name)
	s.Settings.set = append(s.Settings.set, func(c *train.Settings) {
		if flag.Changed {
			set(c)
		}
	})
}

func integer(s setting, name, use string, field func(*train.Settings) *int) {
	v := s.Int(name, *field(Defaults()), use)
	s.Placeholder("N", name)
	s.given(name, func(c *train.Settings) { *field(c) = *v })
}

func number(s setting, name, use string, field func(*train.Settings) *float64) {
	v := s.Float64(name, *field(Defaults()), use)
	s.Placeholder("X", name)
	s.given(name, func(c *train.Settings) { *field(c) = *v })
}

func boolean(s setting, name, use string, field func(*train.Settings) *bool) {
	v := s.Bool(name, *field(Defaults()), use)
	s.given(name, func(c *train.Settings) { *field(c) = *v })
}

func word[T ~string](s setting, name, use string, field func(*train.Settings) *T) {
	v := s.String(name, fmt.Sprint(*field(Defaults())), use)
	s.Placeholder("WORD", name)
	s.given(name, func(c *train.Settings) {
		if named, ok := any(field(c)).(encoding.TextUnmarshaler); ok { // a name may stand for the zero value
			_ = named.UnmarshalText([]byte(*v)) // Config.Validate reports unknown names
			return
		}
		*field(c) = T(*v)
	})
}

// Config returns the settings. Errors in settings are usage errors; errors in the file of --config are not.
func (s *Settings) Config(flags *pflag.FlagSet) (train.Settings, error) {
	c, err := train.Preset(s.preset)
	if err != nil {
		return c, Usagef("--preset: %w", err)
	}
	if s.base != nil && !flags.Changed("preset") {
		c = *s.base
		s.inFile, _ = choose.Names()
	}
	if s.file != "" {
		var err error
		if s.inFile, err = readConfig(s.file, &c); err != nil {
			return c, err
		}
	}
	for _, set := range s.set {
		set(&c)
	}
	if err := c.Validate(); err != nil {
		return c, UsageError{s.explain(flags, err)}
	}
	// The settings go into the model file, so one that cannot be written is reported before the training.
	if _, err := json.Marshal(c); err != nil {
		return c, Usagef("a setting is infinite and cannot be written to a file; use a large number instead, such " +
			"as 1e9")
	}
	return c, nil
}

// ByHand returns the names of settings given on the command line or in --config, which --auto leaves alone. Call it
// after Config.
func (s *Settings) ByHand(flags *pflag.FlagSet) []string {
	names := slices.Clone(s.inFile)
	all, _ := choose.Names()
	for _, name := range all {
		if f := flags.Lookup(FlagOf(name)); f != nil && f.Changed && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// explain adds the flag of an invalid setting and the source of its value, if that is not the command line.
func (s *Settings) explain(flags *pflag.FlagSet, err error) error {
	var e *pmlam.ConfigError
	if !errors.As(err, &e) {
		return err
	}
	name := FlagOf(e.Field)
	flag := flags.Lookup(name)
	if flag == nil {
		return err
	}
	from := "in the preset " + s.preset
	switch {
	case flag.Changed:
		from = ""
	case s.file != "":
		from = "in " + s.file + " or the preset " + s.preset
	}
	if from != "" {
		from = " (" + from + ")"
	}
	return fmt.Errorf("--%s is %v%s, but it must be %s", name, e.Value, from, e.Rule)
}

// FlagOf returns the flag of the field with that name in a settings file.
func FlagOf(field string) string {
	switch field {
	case "learn_rate":
		return "lr"
	case "outer_rate":
		return "outer-lr"
	}
	return strings.ReplaceAll(field, "_", "-")
}

// PrintConfig writes settings in a form that --config reads.
func (a *App) PrintConfig(c train.Settings) error {
	if a.JSON {
		return a.PrintJSON(c)
	}
	b, err := json.MarshalIndent(c, "", "  ")
	a.Printf("%s\n", b)
	return err
}

// maxConfig is the maximum size of a settings file in bytes; usual ones are below 2 KiB.
const maxConfig = 1 << 20

// readConfig reads a settings file into c and returns the names of its settings. Other settings stay as they are. But
// if a file names all settings that are never left out, as printed ones do, the others become zero.
func readConfig(path string, c *train.Settings) (names []string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the settings could not be read: %w", err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxConfig+1))
	if err != nil {
		return nil, fmt.Errorf("the settings could not be read: %w", err)
	}
	switch {
	case len(b) > maxConfig:
		return nil, fmt.Errorf("%s is larger than any settings file (%d bytes); check the path", path, maxConfig)
	case !bytes.HasPrefix(bytes.TrimSpace(b), []byte("{")):
		return nil, fmt.Errorf("%s: not a settings file: want one JSON object, as --print-config prints it",
			path)
	}
	if namesAll(b) {
		*c = train.Settings{}
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(c); err != nil {
		where := path
		var syntax *json.SyntaxError
		var kind *json.UnmarshalTypeError
		switch {
		case errors.As(err, &syntax):
			where = fmt.Sprintf("%s, byte %d", path, syntax.Offset)
		case errors.As(err, &kind):
			where = fmt.Sprintf("%s, byte %d", path, kind.Offset)
			name := kind.Field[strings.LastIndexByte(kind.Field, '.')+1:] // without the embedding structs
			err = fmt.Errorf("%q cannot be a %s", brief.Text(name), kind.Value)
		}
		reason := brief.Cut(strings.TrimPrefix(err.Error(), "json: "), 2*brief.Max)
		return nil, fmt.Errorf("%s: not a settings file: %s", where, reason)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("%s, byte %d: unexpected text after the settings; a settings file is one JSON "+
			"object", path,
			d.InputOffset())
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(b, &all); err != nil {
		return nil, err
	}
	return slices.Sorted(maps.Keys(all)), nil
}

// namesAll reports whether a settings file names every setting that is never left out.
func namesAll(file []byte) bool {
	var has map[string]json.RawMessage
	if json.Unmarshal(file, &has) != nil {
		return false
	}
	names, optional := choose.Names()
	for _, name := range names {
		if _, ok := has[name]; !ok && !optional[name] {
			return false
		}
	}
	return true
}

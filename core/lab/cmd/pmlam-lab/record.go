package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/baseline"
	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/lab/leaderboard"
	"github.com/pmlam/pmlam/core/lab/methods"
	"github.com/pmlam/pmlam/core/model"
)

func recordCommand(a *cli.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "record FILE PROGRAM {evaluate|train|train-baseline} [flags]",
		Short: "Run a measuring command and keep its figures as records",
		Long: "Run a command of pmlam or pmlam-lab that measures on a test part, and add its figures to FILE, a\n" +
			"line of JSON per method: data with digest, split, method, configuration, seed, figures, and the\n" +
			"command that repeats the measurement. A new record replaces one of the same measurement.",
		Example: "  pmlam-lab record measured.jsonl pmlam evaluate --data ml-latest-small --fold 0 --baselines " +
			"ease,slim\n" +
			"  pmlam-lab record measured.jsonl pmlam train --data gowalla --seed 2",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) < 3 {
				return cli.Usagef("%s takes a file and a command that measures, such as: %[1]s measured.jsonl pmlam "+
					"evaluate --data … --fold 0 --baselines ease", c.CommandPath())
			}
			return (&recording{App: a, file: args[0], program: args[1], words: args[2:]}).run(c.Context())
		},
	}
	c.Flags().SetInterspersed(false) // flags behind FILE are the command's
	return c
}

// recording is one run of the record command.
type recording struct {
	*cli.App
	file, program string
	words         []string // the command, from its subcommand on
}

// localFlags are flags that affect only where and how a measurement runs or is printed, not its result; true marks
// flags without a value.
var localFlags = map[string]bool{"json": true, "workers": false, "checkpoint": false, "checkpoint-every": false,
	"fresh": true, "curves": false, "replace": true}

// pathFlags name files and folders; a record keeps only the last part of their paths.
var pathFlags = []string{"data", "test", "items", "model", "config", "out", "from"}

// flag is a flag of the recorded command.
type flag struct {
	name, value string
	given       bool // whether it has a value
}

// flags parses the words after the subcommand. A word without -- is the value of the flag before it.
func (r *recording) flags() (all []flag) {
	for i := 1; i < len(r.words); i++ {
		name, isFlag := strings.CutPrefix(r.words[i], "--")
		if !isFlag {
			continue
		}
		f := flag{}
		if f.name, f.value, f.given = strings.Cut(name, "="); !f.given && i+1 < len(r.words) &&
			!strings.HasPrefix(r.words[i+1], "--") {
			f.value, f.given = r.words[i+1], true
			i++
		}
		all = append(all, f)
	}
	return all
}

// value returns the value given for a flag, or "" without one.
func (r *recording) value(name string) (value string) {
	for _, f := range r.flags() {
		if f.name == name {
			value = f.value
		}
	}
	return value
}

// check refuses, before anything is measured, records that could not be written or repeated.
func (r *recording) check() error {
	if name := filepath.Base(r.program); name != "pmlam" && name != "pmlam-lab" {
		return cli.Usagef("%s is not a command that can be recorded; give pmlam or pmlam-lab", r.program)
	}
	if !slices.Contains([]string{"evaluate", "train", "train-baseline"}, r.words[0]) {
		return cli.Usagef("%s %s has no figures to record; use evaluate, train or train-baseline",
			filepath.Base(r.program), r.words[0])
	}
	for _, f := range r.flags() {
		switch f.name {
		case "max-time":
			return cli.Usagef("records must be repeatable, but the end by --max-time depends on the machine; leave " +
				"it out")
		case "refresh", "measure":
			return cli.Usagef("--%s has no test part to measure on; give --fold, --test, --by-time or "+
				"--split-time", f.name)
		}
	}
	if err := cli.Replaceable("the records", r.file); err != nil {
		return err
	}
	if _, err := leaderboard.Read(r.file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("cannot add records to %s, which holds something else: %w; give another name",
			r.file, err)
	}
	return nil
}

// replay returns the command that measures one method again. instead replaces the values of flags; "" drops a flag.
func (r *recording) replay(instead map[string]string) string {
	words := []string{filepath.Base(r.program), r.words[0]}
	for _, f := range r.flags() {
		if _, local := localFlags[f.name]; local {
			continue
		}
		if other, replaced := instead[f.name]; replaced {
			if f.value = other; other == "" {
				continue
			}
		}
		if slices.Contains(pathFlags, f.name) {
			f.value = filepath.Base(f.value)
		}
		switch {
		case !f.given:
			words = append(words, "--"+f.name)
		case f.value == "true" || f.value == "false":
			words = append(words, "--"+f.name+"="+f.value)
		case f.value == "" || strings.ContainsAny(f.value, " \t'\"\\$`"):
			words = append(words, "--"+f.name, "'"+strings.ReplaceAll(f.value, "'", `'\''`)+"'")
		default:
			words = append(words, "--"+f.name, f.value)
		}
	}
	return strings.Join(words, " ")
}

// measured has the fields common to the JSON objects of all measuring commands.
type measured struct {
	Split   string            `json:"split"`
	Digest  string            `json:"digest"`
	Users   int               `json:"users"`
	Items   int               `json:"items"`
	Train   int               `json:"trained_interactions"`
	Test    int               `json:"test_interactions"`
	Config  json.RawMessage   `json:"config"`
	Results []json.RawMessage `json:"results"` // one per method
}

func (r *recording) run(ctx context.Context) error {
	if err := r.check(); err != nil {
		return err
	}
	c := exec.CommandContext(ctx, r.program, append(slices.Clone(r.words), "--json")...)
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.Stderr = r.Err
	out, failed := c.Output()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	out = bytes.TrimRight(out, "\n")
	line := out[bytes.LastIndexByte(out, '\n')+1:]
	if failed != nil {
		failed = fmt.Errorf("%s: %w", strings.Join(c.Args[:2], " "), failed)
		// If one method fails, evaluate still measures the others.
		if r.words[0] != "evaluate" || !json.Valid(line) {
			return fmt.Errorf("nothing was recorded: %w", failed)
		}
	}
	records, err := r.records(line)
	if err == nil {
		err = leaderboard.Write(r.file, records)
	}
	if err != nil {
		return fmt.Errorf("cannot record the measurements: %w", err)
	}
	r.Printf("recorded in %s: %d\n", r.file, len(records))
	if r.JSON {
		return cmp.Or(r.PrintJSON(map[string]any{"file": r.file, "records": len(records)}), failed)
	}
	return failed
}

// records returns the records in a command's JSON output.
func (r *recording) records(object []byte) (all []leaderboard.Record, err error) {
	var m measured
	if err := json.Unmarshal(object, &m); err != nil {
		return nil, fmt.Errorf("the command did not print a JSON object: %w", err)
	}
	if m.Digest == "" {
		return nil, errors.New("the command measured nothing on a test part; give it --fold, --test, --by-time or " +
			"--split-time")
	}
	results := m.Results
	if r.words[0] != "evaluate" {
		results = []json.RawMessage{object}
	}
	for _, one := range results {
		record := leaderboard.Record{
			Data: filepath.Base(r.value("data")), Split: m.Split, Digest: m.Digest,
			Users: m.Users, Items: m.Items, Train: m.Train, Test: m.Test,
		}
		if record.Figures, record.Slices, err = figuresOf(one); err != nil {
			return nil, err
		}
		if ok, err := r.describe(&record, one, m.Config); err != nil {
			return nil, err
		} else if ok {
			all = append(all, record)
		}
	}
	return all, nil
}

// figuresOf returns the metrics of an object by name, and the metrics of its slices.
func figuresOf(object []byte) (figures map[string]float64, slices map[string]map[string]float64, err error) {
	var fields map[string]any
	if err := json.Unmarshal(object, &fields); err != nil {
		return nil, nil, err
	}
	figures, slices = metricsOf(fields), map[string]map[string]float64{}
	all, _ := fields["slices"].([]any)
	for _, s := range all {
		if s, ok := s.(map[string]any); ok {
			slices[fmt.Sprint(s["of"])] = metricsOf(s)
		}
	}
	return figures, slices, nil
}

// metricsOf returns the numbers whose keys are metric names, such as recall@20.
func metricsOf(fields map[string]any) map[string]float64 {
	out := map[string]float64{}
	for name, v := range fields {
		if x, ok := v.(float64); ok && strings.Contains(name, "@") {
			out[name] = x
		}
	}
	return out
}

// describe fills in the record's method and the command that repeats it. ok is false for results that are not recorded:
// a model without its item-item part.
func (r *recording) describe(record *leaderboard.Record, result, config []byte) (ok bool, err error) {
	var name struct {
		Method string `json:"method"`
	}
	if err := json.Unmarshal(result, &name); err != nil {
		return false, err
	}
	spec := name.Method
	switch path := r.value("model"); {
	case r.words[0] == "train":
		return true, r.describePMLAM(record, config, "", nil)
	case r.words[0] == "evaluate" && spec == path:
		m, err := model.ReadFile(path)
		if err != nil {
			return false, err
		}
		return true, r.describePMLAM(record, []byte(m.Provenance.Config), filepath.Base(path),
			map[string]string{"baselines": ""})
	case r.words[0] == "evaluate" && path != "" && strings.HasPrefix(spec, path+" "):
		return false, nil
	case r.words[0] == "train-baseline":
		spec = r.value("method")
	}
	m, values, err := methods.Parse(spec)
	if err != nil {
		return false, err
	}
	r.describeBaseline(record, m, values)
	record.Command = r.replay(map[string]string{"baselines": spec, "model": ""})
	return true, nil
}

func (r *recording) describeBaseline(record *leaderboard.Record, m *methods.Method, values baseline.Values) {
	all := m.Complete(values)
	record.Method, record.Spec, record.Config = m.Title, m.Name, all
	for _, name := range slices.Sorted(maps.Keys(values)) {
		record.Spec += fmt.Sprintf(":%s=%g", name, values[name])
	}
	record.Seed = uint64(all["seed"])
}

// describePMLAM does the same for a training with these settings, or for the model file named in spec.
func (r *recording) describePMLAM(record *leaderboard.Record, config []byte, spec string,
	instead map[string]string) error {
	record.Method, record.Spec = "PMLAM", spec
	var cfg struct {
		Preset string
		Seed   uint64
	}
	if err := json.Unmarshal(config, &cfg); err != nil {
		return fmt.Errorf("the settings: %w", err)
	}
	if cfg.Preset != "" {
		record.Method += " " + cfg.Preset
	}
	if spec == "" {
		record.Spec = cfg.Preset
	}
	record.Config, record.Seed, record.Command = json.RawMessage(config), cfg.Seed, r.replay(instead)
	return nil
}

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/pmlam/pmlam/core/baseline"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/lab/leaderboard"
	"github.com/pmlam/pmlam/core/model"
)

// recording writes what was measured as records, where --record asks for it.
type recording struct {
	file    string
	command string         // its name
	flags   *pflag.FlagSet // of the command, which the records say how to repeat
}

// group holds the flag.
func (r *recording) group() *cli.Group {
	g := cli.NewGroup("Record")
	g.StringVar(&r.file, "record", "", "add what is measured to this file, a line of JSON a method: data with digest, "+
		"split, method, configuration, seed, figures, and the command that measures it again")
	g.Placeholder("FILE", "record")
	return g
}

// check finds what would keep the records from being written once all is measured, or from being measured again.
func (r *recording) check() error {
	if r.file == "" {
		return nil
	}
	if r.flags.Changed("max-time") {
		return cli.Usagef("--record says how to measure the same again, but what --max-time ends depends on the " +
			"machine; " +
			"leave out one of the two")
	}
	if err := replaceable("the records", r.file); err != nil {
		return err
	}
	if _, err := leaderboard.Read(r.file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the records cannot be added to %s, which does not hold records: %w; give another name",
			r.file, err)
	}
	return nil
}

// localFlags say how and where something is measured or printed, and change nothing of it.
var localFlags = []string{"record", "json", "workers", "checkpoint", "checkpoint-every", "fresh", "curves", "replace"}

// pathFlags name files and folders, of which a record keeps the last part.
var pathFlags = []string{"data", "test", "items", "model", "config", "out", "from"}

// replay is the command that measures one method again. instead replaces flags by other values, "" drops one.
func (r *recording) replay(instead map[string]string) string {
	words := []string{"pmlam", r.command}
	r.flags.VisitAll(func(f *pflag.Flag) {
		value, replaced := instead[f.Name]
		switch {
		case replaced && value == "", !replaced && !f.Changed, slices.Contains(localFlags, f.Name):
			return
		case !replaced:
			value = f.Value.String()
			if strings.HasPrefix(value, "[") { // a list
				value = strings.Trim(value, "[]")
			}
		}
		if slices.Contains(pathFlags, f.Name) {
			value = filepath.Base(value)
		}
		switch {
		case f.Value.Type() == "bool":
			words = append(words, "--"+f.Name+"="+value)
		case value == "" || strings.ContainsAny(value, " \t'\"\\$`"):
			words = append(words, "--"+f.Name, "'"+strings.ReplaceAll(value, "'", `'\''`)+"'")
		default:
			words = append(words, "--"+f.Name, value)
		}
	})
	return strings.Join(words, " ")
}

// record starts the record of a report.
func (r *recording) record(s *cli.Source, in *cli.Input, report *eval.Report) leaderboard.Record {
	out := leaderboard.Record{
		Data: filepath.Base(s.Data), Split: in.SplitBy, Digest: leaderboard.Digest(in.Dataset, in.Split),
		Users: in.Users.Len(), Items: in.Items.Len(), Train: in.Split.Train.Len(), Test: in.Split.Test.Len(),
		Figures: report.All(), Slices: map[string]map[string]float64{},
	}
	for _, slice := range report.Slices {
		out.Slices[slice.Name] = slice.Map(report.Ks)
	}
	return out
}

// ofBaseline is the record of a plain method; values are the settings that were given.
func (r *recording) ofBaseline(s *cli.Source, in *cli.Input, report *eval.Report, m *baseline.Method,
	values baseline.Values,
	instead map[string]string) leaderboard.Record {
	out := r.record(s, in, report)
	out.Method, out.Spec, out.Config, out.Command = m.Title, m.Name, m.Complete(values), r.replay(instead)
	for _, name := range slices.Sorted(maps.Keys(values)) {
		out.Spec += fmt.Sprintf(":%s=%g", name, values[name])
	}
	if seed, ok := m.Complete(values)["seed"]; ok {
		out.Seed = uint64(seed)
	}
	return out
}

// ofModel is the record of a model file.
func (r *recording) ofModel(s *cli.Source, in *cli.Input, report *eval.Report, m *model.Model,
	path string) leaderboard.Record {
	out := r.record(s, in, report)
	out.Method, out.Spec = "PMLAM", filepath.Base(path)
	var cfg struct {
		Preset string
		Seed   uint64
	}
	if json.Unmarshal([]byte(m.Provenance.Config), &cfg) == nil {
		out.Config, out.Seed = json.RawMessage(m.Provenance.Config), cfg.Seed
		out.Method = pmlamTitle(cfg.Preset)
	}
	out.Command = r.replay(map[string]string{"baselines": ""})
	return out
}

// pmlamTitle is what tables call a training from a preset.
func pmlamTitle(preset string) string {
	if preset == "" {
		return "PMLAM"
	}
	return "PMLAM " + preset
}

// write adds the records to the file.
func (r *recording) write(a *cli.App, records ...leaderboard.Record) error {
	if r.file == "" || len(records) == 0 {
		return nil
	}
	if err := leaderboard.Write(r.file, records); err != nil {
		return fmt.Errorf("what was measured could not be recorded: %w", err)
	}
	a.Printf("recorded in %s: %d\n", r.file, len(records))
	return nil
}

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pmlam/pmlam/core/model"
)

// version is the program's; the linker sets it for releases (-X main.version=…). It is written into models, so it
// must not depend on the checkout: the same seed would no longer give the same file.
var version = "0.1.0"

// app is what all commands share.
type app struct {
	name     string // of the program, which its notices begin with
	out, err io.Writer
	in       io.Reader     // where a person answers; nil: nowhere
	answers  *bufio.Reader // of in
	json     bool
}

// newApp returns what the commands of the program of that name share.
func newApp(name string, stdout, stderr io.Writer) *app {
	return &app{name: name, out: stdout, err: stderr, in: os.Stdin}
}

// newCommand returns the program's root command, without its texts and with the commands help and version only.
func (a *app) newCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           a.name,
		Version:       version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,

		DisableFlagsInUseLine: true,
		RunE:                  branch,
	}
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{flagError(err)} })
	root.PersistentFlags().BoolVar(&a.json, "json", false, "end standard output with one JSON object, for machines")
	root.SetHelpCommand(helpCommand(root))
	root.AddCommand(a.versionCommand())
	return root
}

// helpCommand is cobra's "help", but an unknown command is an error, as everywhere else.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use: "help [command]", Short: "Describe a command and its flags",
		ValidArgsFunction: func(_ *cobra.Command, args []string, typed string) ([]cobra.Completion,
			cobra.ShellCompDirective) {
			var names []cobra.Completion
			if of, _, err := root.Find(args); err == nil {
				for _, c := range of.Commands() {
					if c.IsAvailableCommand() && strings.HasPrefix(c.Name(), typed) {
						names = append(names, cobra.CompletionWithDesc(c.Name(), c.Short))
					}
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			c, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return branch(c, rest)
			}
			c.InitDefaultHelpFlag()
			return c.Help()
		},
	}
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the program's version", Args: noArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(*cobra.Command, []string) error {
			if a.json {
				return a.printJSON(map[string]any{"version": version, "go": runtime.Version(), "system": runtime.GOOS +
					"/" + runtime.GOARCH})
			}
			a.printf("%s %s (%s, %s/%s)\n", a.name, version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return nil
		},
	}
}

// openModel reads a model file.
func openModel(path string) (*model.Model, error) {
	m, err := model.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: there is no such model file; pmlam train --out writes one", path)
	case errors.Is(err, fs.ErrPermission):
		return nil, fmt.Errorf("%s: the model file may not be read; check its permissions", path)
	}
	return m, err
}

// printJSON writes v as one line.
func (a *app) printJSON(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.out, "%s\n", b)
	return err
}

// flatObject is a JSON object made of a struct's fields, followed by some figures by name.
type flatObject struct {
	fields  any
	figures map[string]float64
}

func (f flatObject) MarshalJSON() ([]byte, error) {
	b, err := json.Marshal(f.fields)
	if err != nil {
		return nil, err
	}
	var s strings.Builder
	s.WriteString(strings.TrimSuffix(string(b), "}"))
	for _, k := range slices.Sorted(maps.Keys(f.figures)) {
		value, err := json.Marshal(map[string]float64{k: f.figures[k]})
		if err != nil {
			return nil, err
		}
		s.WriteString("," + string(value[1:len(value)-1]))
	}
	s.WriteString("}")
	return []byte(s.String()), nil
}

// printf writes for people, and nothing where a machine reads.
func (a *app) printf(format string, args ...any) {
	if !a.json {
		fmt.Fprintf(a.out, format, args...)
	}
}

// notef writes a notice to standard error.
func (a *app) notef(format string, args ...any) {
	fmt.Fprintf(a.err, "%s: %s\n", a.name, fmt.Sprintf(format, args...))
}

// branch runs a command that only has subcommands: it prints the help, or returns an error for an unknown subcommand.
func branch(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return c.Help()
	}
	if near := nearCommand(c, args[0]); near != "" {
		return usagef("there is no command %q; did you mean %q?", c.CommandPath()+" "+args[0], near)
	}
	return usagef("there is no command %q", c.CommandPath()+" "+args[0])
}

// otherWords are names that other programs use for the commands.
var otherWords = map[string]string{
	"learn": "train", "fit": "train", "build": "train", "eval": "evaluate", "test": "evaluate", "measure": "evaluate",
	"ask": "recommend", "related": "similar", "like": "similar", "suggest": "recommend",
	"predict": "recommend", "show": "inspect", "info": "inspect", "formats": "data formats", "stats": "data stats",
	"search": "tune", "baselines": "methods",
}

// nearCommand returns the path of the command that an unknown word probably means, or "".
func nearCommand(c *cobra.Command, word string) string {
	if other, ok := otherWords[word]; ok && !c.HasParent() {
		return c.CommandPath() + " " + other
	}
	c.SuggestionsMinimumDistance = 2
	if near := c.SuggestionsFor(word); len(near) > 0 {
		return c.CommandPath() + " " + near[0]
	}
	return ""
}

// flagError says in words what a flag's value should have been.
func flagError(err error) error {
	var e *pflag.InvalidValueError
	if !errors.As(err, &e) {
		return err
	}
	value := e.GetFlag().Value
	if p, ok := value.(placeheld); ok {
		value = p.Value
	}
	rule := map[string]string{
		"int": "a whole number", "uint64": "a whole number from 0", "float64": "a number", "bool": "true or false",
		"intSlice": "whole numbers with commas between them", "duration": "a time such as 90s, 30m or 2h",
	}[value.Type()]
	if rule == "" {
		return err
	}
	return fmt.Errorf("--%s is %q; it must be %s", e.GetFlag().Name, e.GetValue(), rule)
}

// noArgs and exactArgs are cobra's, with usage errors.
func noArgs(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no arguments, but %q was given", c.CommandPath(), args[0])
	}
	return nil
}

func exactArgs(n int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return usagef("%s takes %s, but nothing was given", c.CommandPath(), what)
		case len(args) != n:
			return usagef("%s takes %s, but %d arguments were given", c.CommandPath(), what, len(args))
		}
		return nil
	}
}

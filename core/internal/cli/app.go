package cli

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
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pmlam/pmlam/core/brief"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/train"
)

// App is shared by all commands of a program.
type App struct {
	Name     string // the program's; notices begin with it
	Out, Err io.Writer
	In       io.Reader     // for answers to questions; nil: nobody can answer
	answers  *bufio.Reader // reads In
	JSON     bool
	Host     Host // the page that a command runs in; nil: none
}

// Host is a page that a command runs in, which shows progress instead of a terminal (wasm/studio).
type Host interface {
	// Progress shows done of all units ("" are bytes) of the work with this label. left is the estimated time left; 0:
	// unknown.
	Progress(what, unit string, done, all int64, left time.Duration, note string)
	// Event shows an event of a training, next to its text and progress.
	Event(train.Event)
	// Result takes the command's JSON object, so that standard output is the text.
	Result(json []byte)
}

// NewApp returns the App of the program with that name. Questions are answered from standard input.
func NewApp(name string, stdout, stderr io.Writer) *App {
	return &App{Name: name, Out: stdout, Err: stderr, In: os.Stdin}
}

// NewCommand returns the program's root command with these commands, help and version; the caller adds its texts.
func (a *App) NewCommand(commands ...*cobra.Command) *cobra.Command {
	root := &cobra.Command{
		Use:           a.Name,
		Version:       train.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,

		DisableFlagsInUseLine: true,
		RunE:                  Branch,
	}
	root.SetOut(a.Out)
	root.SetErr(a.Err)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return UsageError{FlagError(err)} })
	root.PersistentFlags().BoolVar(&a.JSON, "json", false, "end standard output with one JSON object, for machines")
	root.SetHelpCommand(helpCommand(root))
	root.AddCommand(commands...)
	root.AddCommand(a.versionCommand())
	return root
}

// helpCommand returns cobra's "help", except that an unknown command is an error.
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
				return Branch(c, rest)
			}
			c.InitDefaultHelpFlag()
			return c.Help()
		},
	}
}

func (a *App) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the program's version", Args: NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(*cobra.Command, []string) error {
			if a.JSON {
				return a.PrintJSON(map[string]any{"version": train.Version, "go": runtime.Version(),
					"system": runtime.GOOS + "/" + runtime.GOARCH})
			}
			a.Printf("%s %s (%s, %s/%s)\n", a.Name, train.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return nil
		},
	}
}

// OpenModel reads a model file.
func OpenModel(path string) (*model.Model, error) {
	m, err := model.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: no such model file; pmlam train --out writes one", path)
	case errors.Is(err, fs.ErrPermission):
		return nil, fmt.Errorf("%s: permission denied; check the file's permissions", path)
	}
	return m, err
}

// PrintJSON writes v as one line.
func (a *App) PrintJSON(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if a.Host != nil {
		a.Host.Result(b)
		return nil
	}
	_, err = fmt.Fprintf(a.Out, "%s\n", b)
	return err
}

// FlatObject is a JSON object with a struct's fields followed by named figures.
type FlatObject struct {
	Fields  any
	Figures map[string]float64
}

// Flat returns the object with these fields and figures.
func Flat(fields any, figures map[string]float64) FlatObject { return FlatObject{fields, figures} }

// MarshalJSON implements json.Marshaler.
func (f FlatObject) MarshalJSON() ([]byte, error) {
	b, err := json.Marshal(f.Fields)
	if err != nil {
		return nil, err
	}
	var s strings.Builder
	s.WriteString(strings.TrimSuffix(string(b), "}"))
	for _, k := range slices.Sorted(maps.Keys(f.Figures)) {
		value, err := json.Marshal(map[string]float64{k: f.Figures[k]})
		if err != nil {
			return nil, err
		}
		s.WriteString("," + string(value[1:len(value)-1]))
	}
	s.WriteString("}")
	return []byte(s.String()), nil
}

// Printf writes to standard output, unless --json is given.
func (a *App) Printf(format string, args ...any) {
	if !a.JSON || a.Host != nil {
		fmt.Fprintf(a.Out, format, args...)
	}
}

// Notef writes a notice to standard error.
func (a *App) Notef(format string, args ...any) {
	fmt.Fprintf(a.Err, "%s: %s\n", a.Name, fmt.Sprintf(format, args...))
}

// Branch runs a command that only has subcommands: it prints the help, or returns an error for an unknown subcommand.
func Branch(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return c.Help()
	}
	if near := nearCommand(c, args[0]); near != "" {
		return Usagef("unknown command %q; did you mean %q?", c.CommandPath()+" "+brief.Text(args[0]), near)
	}
	return Usagef("unknown command %q", c.CommandPath()+" "+brief.Text(args[0]))
}

// otherWords maps words that other programs use to our commands.
var otherWords = map[string]string{
	"learn": "train", "fit": "train", "build": "train", "eval": "evaluate", "test": "evaluate", "measure": "evaluate",
	"ask": "recommend", "related": "similar", "like": "similar", "suggest": "recommend",
	"predict": "recommend", "show": "inspect", "info": "inspect", "formats": "data formats", "stats": "data stats",
	"search": "tune", "baselines": "methods",
}

// nearCommand returns the path of the command that an unknown word probably means, or "".
func nearCommand(c *cobra.Command, word string) string {
	if other, ok := otherWords[word]; ok && !c.HasParent() {
		if found, _, err := c.Find(strings.Fields(other)); err == nil && found != c {
			return c.CommandPath() + " " + other
		}
	}
	c.SuggestionsMinimumDistance = 2
	if near := c.SuggestionsFor(word); len(near) > 0 {
		return c.CommandPath() + " " + near[0]
	}
	return ""
}

// FlagError says what a flag's value should have been.
func FlagError(err error) error {
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
	return fmt.Errorf("--%s is %q; it must be %s", e.GetFlag().Name, brief.Text(e.GetValue()), rule)
}

// NoArgs is cobra.NoArgs with a usage error.
func NoArgs(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return Usagef("%s takes no arguments, but %q was given", c.CommandPath(), brief.Text(args[0]))
	}
	return nil
}

// ExactArgs is cobra.ExactArgs with a usage error that says what the arguments are.
func ExactArgs(n int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return Usagef("%s takes %s, but nothing was given", c.CommandPath(), what)
		case len(args) != n:
			return Usagef("%s takes %s, but %d arguments were given", c.CommandPath(), what, len(args))
		}
		return nil
	}
}

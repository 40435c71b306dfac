package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pmlam/pmlam/core/pmlam"
)

// helpWidth is the width of help texts, in columns.
const helpWidth = 110

// Group is a heading of a command's help with its flags, in the order of their creation.
type Group struct {
	title string
	*pflag.FlagSet
}

// NewGroup returns an empty group.
func NewGroup(title string) *Group {
	f := pflag.NewFlagSet(title, pflag.ContinueOnError)
	f.SortFlags = false
	return &Group{title, f}
}

// AddGroups gives a command the flags of the groups, and a help text that shows them by heading.
func AddGroups(c *cobra.Command, groups ...*Group) {
	c.Flags().SortFlags = false
	c.DisableFlagsInUseLine = true
	for _, g := range groups {
		c.Flags().AddFlagSet(g.FlagSet)
	}
	c.SetUsageFunc(func(c *cobra.Command) error {
		w := c.OutOrStderr()
		fmt.Fprintf(w, "Usage:\n  %s\n", c.UseLine())
		if c.HasExample() {
			fmt.Fprintf(w, "\nExamples:\n%s\n", strings.TrimRight(c.Example, "\n"))
		}
		grouped := map[string]bool{}
		for _, g := range groups {
			g.VisitAll(func(f *pflag.Flag) { grouped[f.Name] = true })
			fmt.Fprintf(w, "\n%s:\n%s", g.title, g.FlagUsagesWrapped(helpWidth))
		}
		rest := NewGroup("Always")
		for _, all := range []*pflag.FlagSet{c.LocalFlags(), c.InheritedFlags()} {
			all.VisitAll(func(f *pflag.Flag) {
				if !grouped[f.Name] {
					rest.AddFlag(f)
				}
			})
		}
		fmt.Fprintf(w, "\n%s:\n%s", rest.title, rest.FlagUsagesWrapped(helpWidth))
		return nil
	})
}

// Placeholder sets the word that the help text shows after the flags, as in "--data PATH".
func (g *Group) Placeholder(word string, flags ...string) {
	for _, name := range flags {
		f := g.Lookup(name)
		if f.DefValue == "[]" {
			f.DefValue = ""
		}
		f.Value = placeheld{f.Value, word}
	}
}

// placeheld is a flag's value with its own placeholder, which pflag shows as the type.
type placeheld struct {
	pflag.Value
	word string
}

func (p placeheld) Type() string { return p.word }

// PresetHelp returns the presets as a paragraph for help texts.
func PresetHelp() string {
	var b strings.Builder
	b.WriteString("\n\nPresets:\n")
	for _, p := range pmlam.Presets {
		fmt.Fprintf(&b, "  %-10s %s\n", p.Name, p.Use)
	}
	return strings.TrimRight(b.String(), "\n")
}

package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pmlam/pmlam/core/pmlam"
)

// helpWidth is where the lines of a help text end.
const helpWidth = 110

// Group is one heading of a command's help, and the flags that stand below it in the order in which they were made.
type Group struct {
	title string
	*pflag.FlagSet
}

// NewGroup returns a group without flags.
func NewGroup(title string) *Group {
	f := pflag.NewFlagSet(title, pflag.ContinueOnError)
	f.SortFlags = false
	return &Group{title, f}
}

// AddGroups gives a command the flags of the groups, and a help text that shows them under their headings.
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

// Placeholder says what stands behind the flags in the help text: "--data PATH".
func (g *Group) Placeholder(word string, flags ...string) {
	for _, name := range flags {
		f := g.Lookup(name)
		if f.DefValue == "[]" {
			f.DefValue = ""
		}
		f.Value = placeheld{f.Value, word}
	}
}

// placeheld is a flag's value whose placeholder pflag shows as its type.
type placeheld struct {
	pflag.Value
	word string
}

func (p placeheld) Type() string { return p.word }

// PresetHelp lists the presets for help texts.
func PresetHelp() string {
	var b strings.Builder
	b.WriteString("\n\nPresets:\n")
	for _, p := range pmlam.Presets {
		fmt.Fprintf(&b, "  %-10s %s\n", p.Name, p.Use)
	}
	return strings.TrimRight(b.String(), "\n")
}

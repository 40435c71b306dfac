package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpWidth is where the lines of a help text end.
const helpWidth = 110

// group is one heading of a command's help, and the flags that stand below it in the order in which they were made.
type group struct {
	title string
	*pflag.FlagSet
}

func newGroup(title string) *group {
	f := pflag.NewFlagSet(title, pflag.ContinueOnError)
	f.SortFlags = false
	return &group{title, f}
}

// addGroups gives a command the flags of the groups, and a help text that shows them under their headings.
func addGroups(c *cobra.Command, groups ...*group) {
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
		rest := newGroup("Always")
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

// placeholder says what stands behind the flags in the help text: "--data PATH".
func (g *group) placeholder(word string, flags ...string) {
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

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/internal/durable"
	"github.com/pmlam/pmlam/core/siteconfig"
)

// settings are the keys of pmlam.toml that the studio's forms show. In a change, a nil field stays as it is, and ""
// leaves the key out.
type settings struct {
	Title      *string          `json:"title,omitempty"`
	Accent     *string          `json:"accent,omitempty"`
	AccentDark *string          `json:"accentDark,omitempty"`
	Pictures   *string          `json:"pictures,omitempty"`
	Price      *string          `json:"price,omitempty"`
	Links      *[]link          `json:"links,omitempty"`
	Words      map[string]words `json:"words,omitempty"`
	Toml       string           `json:"toml,omitempty"` // the whole file; not a change
}

type link struct {
	Name    string `json:"name"`
	Address string `json:"address"`
}

type words struct {
	Thing  *string   `json:"thing,omitempty"`
	Things *string   `json:"things,omitempty"`
	Known  *string   `json:"known,omitempty"`
	Groups *[]string `json:"groups,omitempty"`
}

// settingsCommand returns the command that shows and changes pmlam.toml for the studio's forms.
func settingsCommand(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use: "settings [CHANGES]", Short: "Show the project's settings, or change them (JSON)",
		RunE: func(_ *cobra.Command, args []string) error {
			text, err := os.ReadFile(siteconfig.Name)
			if err != nil {
				return err
			}
			if len(args) == 1 {
				var s settings
				if err := json.Unmarshal([]byte(args[0]), &s); err != nil {
					return cli.Usagef("the changes are not JSON: %w", err)
				}
				if text, err = s.edit(text); err != nil {
					return err
				}
			}
			p, err := siteconfig.Parse(text)
			if err != nil {
				return fmt.Errorf("%s%w", siteconfig.Name, err)
			}
			if len(args) == 1 {
				err := durable.WriteFile(durable.OS, siteconfig.Name, func(w io.Writer) error {
					_, err := w.Write(text)
					return err
				})
				if err != nil {
					return err
				}
			}
			return a.PrintJSON(settingsOf(p, string(text)))
		},
	}
}

// settingsOf returns a project's settings.
func settingsOf(p *siteconfig.Project, text string) settings {
	s := settings{Title: &p.Site.Title, Accent: &p.Site.Accent, AccentDark: &p.Site.AccentDark,
		Pictures: &p.Site.Pictures, Price: &p.Site.Price, Links: &[]link{}, Words: map[string]words{}, Toml: text}
	for _, l := range p.Site.Links {
		*s.Links = append(*s.Links, link(l))
	}
	for tag, w := range p.Words {
		s.Words[tag] = words{&w.Thing, &w.Things, &w.Known, &w.Groups}
	}
	return s
}

// edit returns the text with these changes.
func (s *settings) edit(text []byte) ([]byte, error) {
	now := string(text)
	if s.Toml != "" {
		now = s.Toml
	}
	var failed error
	set := func(table, key string, value *string) {
		if value != nil && failed == nil {
			now, failed = siteconfig.Edit(now, table, key, quoted(*value))
		}
	}
	set("site", "title", s.Title)
	set("site", "accent", s.Accent)
	set("site", "accent-dark", s.AccentDark)
	set("site", "pictures", s.Pictures)
	set("site", "price", s.Price)
	if s.Links != nil && failed == nil {
		value := ""
		for i, l := range *s.Links {
			if i > 0 {
				value += ", "
			}
			value += fmt.Sprintf("{ name = %s, address = %s }", orEmpty(quoted(l.Name)), orEmpty(quoted(l.Address)))
		}
		if value != "" {
			value = "[" + value + "]"
		}
		now, failed = siteconfig.Edit(now, "site", "links", value)
	}
	for _, tag := range siteconfig.Languages {
		w := s.Words[tag]
		set("words."+tag, "thing", w.Thing)
		set("words."+tag, "things", w.Things)
		set("words."+tag, "known", w.Known)
		if w.Groups != nil && failed == nil {
			groups := slices.DeleteFunc(slices.Clone(*w.Groups), func(s string) bool { return s == "" })
			now, failed = siteconfig.Edit(now, "words."+tag, "groups", list(groups))
		}
	}
	return []byte(now), failed
}

// orEmpty returns a TOML string for an empty text too.
func orEmpty(quoted string) string {
	if quoted == "" {
		return `""`
	}
	return quoted
}

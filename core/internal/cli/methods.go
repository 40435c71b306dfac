package cli

import (
	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/baseline"
)

// MethodsCommand returns the command that lists these methods and their settings.
func MethodsCommand(a *App, methods []baseline.Method) *cobra.Command {
	return &cobra.Command{
		Use: "methods", Short: "List the methods for comparison and their settings",
		Args: NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(*cobra.Command, []string) error { return a.listMethods(methods) },
	}
}

// methodSetting and method are the JSON forms of baseline's.
type methodSetting struct {
	Name    string  `json:"name"`
	Use     string  `json:"use"`
	Default float64 `json:"default"`
}

type method struct {
	Name     string          `json:"name"`
	Title    string          `json:"title"`
	Summary  string          `json:"summary"`
	Source   string          `json:"source"`
	Settings []methodSetting `json:"settings"`
}

func (a *App) listMethods(methods []baseline.Method) error {
	var all []method
	for _, m := range methods {
		a.Printf("%-11s %s: %s\n            %s\n", m.Name, m.Title, m.Summary, m.Source)
		row := method{m.Name, m.Title, m.Summary, m.Source, []methodSetting{}}
		for _, s := range m.Settings {
			a.Printf("            %s=%g: %s\n", s.Name, s.Default, s.Use)
			row.Settings = append(row.Settings, methodSetting{s.Name, s.Use, s.Default})
		}
		all = append(all, row)
	}
	if !a.JSON {
		return nil
	}
	return a.PrintJSON(map[string]any{"methods": all})
}

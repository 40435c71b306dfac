package main

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/siteconfig"
)

// defaultModel is the model of the site, the default of --model.
const defaultModel = "assets/models/movielens.msgpack"

// asked holds the flags that name the model and the project with its rules.
type asked struct{ model, project string }

func (q *asked) register(g *cli.Group) {
	g.StringVar(&q.model, "model", defaultModel, "model file")
	g.StringVar(&q.project, "project", "", siteconfig.Name+" to take rules from, and the model unless --model is "+
		"given (default: the one in this folder, if neither is given)")
	g.Placeholder("FILE", "model", "project")
}

// open reads the model and applies the project's rules. p is nil without a project.
func (q *asked) open(a *cli.App, c *cobra.Command) (m *model.Model, r *recommend.Recommender, p *siteconfig.Project,
	err error) {
	given := c.Flags().Changed("model")
	switch {
	case q.project != "":
		p, err = siteconfig.Read(q.project)
	case !given:
		p, err = siteconfig.Read(siteconfig.Name)
		if errors.Is(err, fs.ErrNotExist) {
			p, err = nil, nil
		} else if err == nil {
			fmt.Fprintf(a.Err, "pmlam: using the model and rules of %s\n", siteconfig.Name)
		}
	}
	if err != nil {
		return nil, nil, nil, err
	}
	var rules recommend.Rules
	if p != nil {
		if rules = p.Rules.Rules; !given {
			if p.Train.Model == "" {
				return nil, nil, nil, errors.New("the project names no model: write model = \"model.msgpack\" " +
					"under [train], or pass --model")
			}
			q.model = p.Path(p.Train.Model)
		}
	}
	if m, err = cli.OpenModel(q.model); err != nil {
		return nil, nil, nil, err
	}
	if r, err = recommend.Open(m, recommend.Options{}); err != nil {
		return nil, nil, nil, fmt.Errorf("%s: %w", q.model, err)
	}
	r, unknown, err := r.WithRules(recommend.RulesFor(rules, r.Columns()))
	if err != nil {
		return nil, nil, nil, fmt.Errorf("the project's rules do not fit %s: %w", q.model, err)
	}
	if len(unknown) > 0 {
		fmt.Fprintf(a.Err, "pmlam: %s\n", siteconfig.Vanished(unknown))
	}
	return m, r, p, nil
}

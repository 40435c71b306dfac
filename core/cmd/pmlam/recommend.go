package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/brief"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/scoring"
)

// recommendRun is one run of the recommend command.
type recommendRun struct {
	*cli.App
	asked
	user                  string
	source                cli.Source
	read                  *dataset.Report // of the data; nil if none were read
	likes, dislikes, seen []string
	recent                []string
	again, saidAgain      bool
	imports               []string
	genres, where         []string
	from, to, k           int
	mode                  string
	diversity, explore    float64
	seed                  uint64
}

// modes by their names on the command line, in the order of the help text.
var modes = []struct {
	name string
	mode recommend.Mode
}{
	{"for-you", recommend.ForYou}, {"hidden-gems", recommend.HiddenGems}, {"outside-bubble", recommend.OutsideBubble},
}

func modeNames() (names []string) {
	for _, m := range modes {
		names = append(names, m.name)
	}
	return names
}

func recommendCommand(a *cli.App) *cobra.Command {
	q := recommendRun{App: a}
	c := &cobra.Command{
		Use:   "recommend --like TITLE [--like TITLE …] [flags]",
		Short: "Recommend items for typed titles, an export of ratings, or a user of the data",
		Long: "Recommend items for typed titles, an export of ratings, or a user of the data. Titles are found\n" +
			"without year, article or accents; if several match, the error lists them. In an export, four of\n" +
			"five stars are a like and two a dislike; unsure titles are left out and named.",
		Example: `  pmlam recommend --like "Toy Story" --like Heat --like Alien` + "\n" +
			`  pmlam recommend --like Alien --genre Horror --to-year 1990 --diversity 0.3` + "\n" +
			`  pmlam recommend --from letterboxd-export.zip --from imdb.csv` + "\n" +
			`  pmlam recommend --model my.msgpack --data ratings.csv --user 42`,
		Args:              cli.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, _ []string) error {
			q.saidAgain = c.Flags().Changed("again")
			return q.run(c)
		},
	}
	who := cli.NewGroup("Visitor")
	q.asked.register(who)
	who.StringArrayVar(&q.likes, "like", nil, "a liked title; repeatable. id:123 names an item by its id in the data")
	who.StringArrayVar(&q.dislikes, "dislike", nil, "a disliked title")
	who.StringArrayVar(&q.seen, "seen", nil, "a title not to recommend")
	who.StringArrayVar(&q.recent, "recent", nil, "a title viewed or bought of late, the latest last; raises what "+
		"people choose next, if the model knows the order of likes")
	who.BoolVar(&q.again, "again", false, "recent titles may be listed, as for goods that people buy again; without "+
		"the flag, the model decides")
	who.Lookup("again").DefValue = ""
	who.StringArrayVar(&q.imports, "from", nil, "ratings from elsewhere: an export of Letterboxd (zip or CSV), "+
		"IMDb, Goodreads, StoryGraph, MovieLens or others, or any table with titles and ratings")
	who.StringVar(&q.user, "user", "", "a user's id, instead of titles: one in the model, or in --data")
	who.Placeholder("FILE", "from")
	who.Placeholder("TITLE", "like", "dislike", "seen", "recent")
	who.Placeholder("ID", "user")

	what := cli.NewGroup("Request")
	what.IntVarP(&q.k, "number", "k", 10, "how many")
	what.StringVar(&q.mode, "mode", modes[0].name, strings.Join(modeNames(), ", "))
	what.StringArrayVar(&q.genres, "genre", nil, "only items of this genre; repeatable: of any of them")
	what.IntVar(&q.from, "from-year", 0, "only items of this year or later")
	what.IntVar(&q.to, "to-year", 0, "only items of this year or earlier")
	what.StringArrayVar(&q.where, "where", nil, "only items with this text in a further column of the catalogue; "+
		"repeatable: all must hold")
	what.Float64Var(&q.diversity, "diversity", 0, "0 (best first) to 1 (eight of ten differ from the others)")
	what.Float64Var(&q.explore, "explore", 0, "0 (best first) to 1 (eight of ten are drawn at random)")
	what.Uint64Var(&q.seed, "seed", 1, "seed of the draws")
	what.Placeholder("N", "number", "seed")
	what.Placeholder("YEAR", "from-year", "to-year")
	what.Placeholder("NAME", "mode", "genre")
	what.Placeholder("COLUMN=TEXT", "where")
	what.Placeholder("X", "diversity", "explore")

	data := q.source.Add(cli.NewGroup("Data, for --user"))
	q.source.DataFlag(data)
	q.source.RegisterReading(data)
	cli.AddGroups(c, who, what, data)
	cli.CompleteSource(c)
	completeModel(c, &q.model)
	cli.Complete(c, "mode", modeNames()...)
	return c
}

// check reports wrong flags before anything is read.
func (q *recommendRun) check() error {
	share := func(x float64) bool { return x >= 0 && x <= 1 }
	said := len(q.likes) + len(q.dislikes) + len(q.recent) + len(q.imports)
	switch {
	case q.k < 1:
		return cli.Usagef("--number is %d; it must be at least 1", q.k)
	case !share(q.diversity):
		return cli.Usagef("--diversity is %v; it must be between 0 and 1", q.diversity)
	case !share(q.explore):
		return cli.Usagef("--explore is %v; it must be between 0 and 1", q.explore)
	case q.from != 0 && q.to != 0 && q.from > q.to:
		return cli.Usagef("--from-year %d is after --to-year %d; no item can pass", q.from, q.to)
	case q.user == "" && said == 0:
		return cli.Usagef("nothing is liked: pass --like TITLE, --recent TITLE, --from FILE, or --user ID")
	case q.user != "" && said > 0:
		return cli.Usagef("--user cannot be combined with titles or --from")
	case q.user == "" && q.source.Data != "":
		return cli.Usagef("--data needs --user, the user whose likes to read")
	}
	for _, pair := range q.where {
		if column, _, ok := strings.Cut(pair, "="); !ok || column == "" {
			return cli.Usagef("--where is %q; it must be COLUMN=TEXT", brief.Text(pair))
		}
	}
	if _, err := q.modeAsked(); err != nil {
		return err
	}
	if q.source.Data != "" {
		return q.source.Check()
	}
	return nil
}

func (q *recommendRun) modeAsked() (recommend.Mode, error) {
	for _, m := range modes {
		if m.name == q.mode {
			return m.mode, nil
		}
	}
	return 0, cli.Usagef("--mode is %q; it must be one of %s", brief.Text(q.mode), strings.Join(modeNames(), ", "))
}

func (q *recommendRun) run(c *cobra.Command) error {
	ctx := c.Context()
	if err := q.check(); err != nil {
		return err
	}
	mode, err := q.modeAsked()
	if err != nil {
		return err
	}
	m, r, _, err := q.open(q.App, c)
	if err != nil {
		return err
	}
	filter, err := q.filter(m, r)
	if err != nil {
		return err
	}
	visit, err := q.visit(r)
	if err != nil {
		return err
	}
	var fromFiles *imported
	if len(q.imports) > 0 {
		if fromFiles, err = q.importRatings(ctx, r, &visit); err != nil {
			return err
		}
	}
	var taste *recommend.Taste
	if q.user != "" {
		if taste, err = q.userOf(ctx, m, &visit); err != nil {
			return err
		}
	}
	if taste == nil {
		taste = r.Taste(visit, nil)
	}
	return q.answer(r, fromFiles, r.Recommend(visit, taste, recommend.Request{
		K: q.k, Mode: mode, Diversity: q.diversity, Exploration: q.explore, Seed: q.seed, Filter: filter,
	}))
}

// filter finds genres and columns in the catalogue and refuses unknown ones.
func (q *recommendRun) filter(m *model.Model, r *recommend.Recommender) (recommend.Filter, error) {
	f := recommend.Filter{FromYear: q.from, ToYear: q.to}
	for _, want := range q.genres {
		found := false
		for _, have := range r.Genres() {
			if strings.EqualFold(have, want) {
				f.Genres = append(f.Genres, have)
				found = true
			}
		}
		if !found {
			return f, cli.Usagef("--genre is %q, but the model's genres are %s", brief.Text(want), oneOf(r.Genres()))
		}
	}
	for _, pair := range q.where {
		column, text, _ := strings.Cut(pair, "=")
		if m.Catalogue.Column(column) < 0 {
			return f, cli.Usagef("--where names the column %q, but the model's catalogue has %s", column,
				oneOf(m.Catalogue.Columns))
		}
		if f.Columns == nil {
			f.Columns = map[string]string{}
		}
		if have, twice := f.Columns[column]; twice && have != text {
			return f, cli.Usagef("--where wants both %q = %q and %q; no item can match", column,
				brief.Text(have), brief.Text(text))
		}
		f.Columns[column] = text
	}
	return f, nil
}

func oneOf(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return cli.Line(strings.Join(names, ", "))
}

// visit finds the typed titles.
func (q *recommendRun) visit(r *recommend.Recommender) (v recommend.Visit, err error) {
	for _, list := range []struct {
		titles []string
		items  *[]int
	}{{q.likes, &v.Likes}, {q.dislikes, &v.Dislikes}, {q.seen, &v.Seen}, {q.recent, &v.Recent}} {
		for _, title := range list.titles {
			i, err := find(r, title)
			if err != nil {
				return v, err
			}
			*list.items = append(*list.items, i)
		}
	}
	v.Again = q.again || !q.saidAgain && r.Again()
	return v, nil
}

// find returns the item with a title, or with an id after "id:".
func find(r *recommend.Recommender, title string) (int, error) {
	id, ok := strings.CutPrefix(title, "id:")
	if !ok {
		return r.Find(title)
	}
	for i := range r.Len() {
		if r.Item(i).ID == id {
			return i, nil
		}
	}
	return 0, fmt.Errorf("no item of the model has the id %q", brief.Text(id))
}

// userOf looks the user up: their Gaussian in the model, nil if it has none, and their likes in the data, which are
// added to v. One of the two must exist.
func (q *recommendRun) userOf(ctx context.Context, m *model.Model, v *recommend.Visit) (*recommend.Taste, error) {
	var kept *recommend.Taste
	for u, id := range m.UserIDs {
		if id == q.user {
			kept = &recommend.Taste{Row: m.Users.Row(u), Spread: m.Users.Stddev(u)}
			break
		}
	}
	if q.source.Data == "" {
		switch {
		case kept != nil:
			q.Notef("the likes of user %s are not left out, since the model does not have them; name the data with "+
				"--data", q.user)
			return kept, nil
		case m.Users == nil:
			return nil, fmt.Errorf("the model has no users; pass --data with the likes of user %s, or train with "+
				"--with-users", q.user)
		}
		return nil, fmt.Errorf("the model has %d users, but none with the id %q; pass --data with their "+
			"likes", len(m.UserIDs), q.user)
	}
	// The model decides which items count; no like may be lost here.
	q.source.MinUser, q.source.MinItem = 1, 1
	in, err := q.source.Read(ctx, q.App)
	if err != nil {
		return nil, err
	}
	q.read = &in.Read
	u, ok := in.Users.Index(q.user)
	if !ok {
		return nil, fmt.Errorf("%s has no user %q with likes", q.source.Data, brief.Text(q.user))
	}
	to, _ := scoring.Numbers(m, in.Items.Strings())
	likes := in.Positives.Row(u)
	for _, i := range likes {
		if to[i] >= 0 {
			v.Likes = append(v.Likes, int(to[i]))
		}
	}
	if len(v.Likes) == 0 && kept == nil {
		return nil, fmt.Errorf("the model knows none of the %d items that user %s likes; check that it was trained "+
			"on these data",
			len(likes), q.user)
	}
	return kept, nil
}

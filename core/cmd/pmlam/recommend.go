package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommender"
)

// defaultModel is the model that the site serves; commands that ask a model use it where none is named.
const defaultModel = "assets/models/movielens.msgpack"

// question is one run of the recommend command.
type question struct {
	*app
	model, user           string
	source                source
	likes, dislikes, seen []string
	genres                []string
	from, to, k           int
	mode                  string
	diversity, explore    float64
	seed                  uint64
}

func (a *app) recommendCommand() *cobra.Command {
	q := question{app: a}
	c := &cobra.Command{
		Use:   "recommend --like TITLE …",
		Short: "Ask a model what comes next, for titles typed or for a user it knows",
		Example: `  pmlam recommend --like "Toy Story" --like Heat --like Alien` + "\n" +
			`  pmlam recommend --model my.msgpack --user 42`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error { return q.run() },
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&q.model, "model", defaultModel, "the model file")
	f.StringArrayVar(&q.likes, "like", nil, "a title that is liked; as often as needed. \"id:123\" names an item by the data set's id")
	f.StringArrayVar(&q.dislikes, "dislike", nil, "a title that is not")
	f.StringArrayVar(&q.seen, "seen", nil, "a title not to recommend")
	f.StringVar(&q.user, "user", "", "a user's id: their likes are read from --data, or their Gaussian from a model that keeps its users")
	f.IntVarP(&q.k, "number", "k", 10, "how many")
	f.StringArrayVar(&q.genres, "genre", nil, "only items of this genre; as often as needed: of any of them")
	f.IntVar(&q.from, "from-year", 0, "only items of this year or later")
	f.IntVar(&q.to, "to-year", 0, "only items of this year or earlier")
	f.StringVar(&q.mode, "mode", "for-you", "for-you, hidden-gems or outside-bubble")
	f.Float64Var(&q.diversity, "diversity", 0, "0: nearest first, up to 1: as varied as can be")
	f.Float64Var(&q.explore, "explore", 0, "0: play it safe, up to 1: follow the uncertainty")
	f.Uint64Var(&q.seed, "seed", 1, "seed of the exploration")
	q.source.register(f)
	return c
}

var modes = map[string]recommender.Mode{
	"for-you": recommender.ForYou, "hidden-gems": recommender.HiddenGems, "outside-bubble": recommender.OutsideBubble,
}

func (q *question) run() error {
	mode, ok := modes[q.mode]
	switch {
	case !ok:
		return usagef("--mode is %q; it must be for-you, hidden-gems or outside-bubble", q.mode)
	case q.k < 1:
		return usagef("--number is %d; it must be at least 1", q.k)
	case q.diversity < 0 || q.diversity > 1 || q.explore < 0 || q.explore > 1:
		return usagef("--diversity and --explore lie between 0 and 1")
	case q.user == "" && len(q.likes)+len(q.dislikes) == 0:
		return usagef("say what is liked: --like TITLE, or --user ID")
	case q.user != "" && len(q.likes)+len(q.dislikes) > 0:
		return usagef("give titles or a user, not both")
	}
	m, err := model.ReadFile(q.model)
	if err != nil {
		return err
	}
	r, err := recommender.Open(m, recommender.Options{})
	if err != nil {
		return err
	}
	ids := make(map[string]int, r.Len())
	for i := range r.Len() {
		ids[r.Item(i).ID] = i
	}
	var v recommender.Visit
	for _, list := range []struct {
		titles []string
		items  *[]int
	}{{q.likes, &v.Likes}, {q.dislikes, &v.Dislikes}, {q.seen, &v.Seen}} {
		for _, title := range list.titles {
			i, err := find(r, ids, title)
			if err != nil {
				return err
			}
			*list.items = append(*list.items, i)
		}
	}
	if q.user != "" && q.source.data != "" {
		if v.Likes, err = q.likesOf(m); err != nil {
			return err
		}
	}
	taste := r.Taste(v, nil)
	if q.user != "" && (m.Users != nil || q.source.data == "") {
		if taste, err = known(m, q.user); err != nil {
			return err
		}
		if q.source.data == "" {
			q.notef("what %s has liked is not left out; name the file with --data", q.user)
		}
	}
	found := r.Recommend(v, taste, recommender.Request{
		K: q.k, Mode: mode, Diversity: q.diversity, Exploration: q.explore, Seed: q.seed,
		Filter: recommender.Filter{Genres: q.genres, FromYear: q.from, ToYear: q.to},
	})
	return q.print(r, found)
}

// find returns the item that is meant by a title, or by "id:" and the data set's id.
func find(r *recommender.Recommender, ids map[string]int, title string) (int, error) {
	if id, ok := strings.CutPrefix(title, "id:"); ok {
		if i, ok := ids[id]; ok {
			return i, nil
		}
		return 0, fmt.Errorf("the model knows no item with the id %q", id)
	}
	return r.Find(title)
}

// likesOf reads what the user likes from the interactions, as numbers of the model's items.
func (q *question) likesOf(m *model.Model) ([]int, error) {
	q.source.fold, q.source.folds = -1, 2
	q.source.minUser, q.source.minItem = 1, 1 // the model has said which items count; here none is to be lost
	in, err := q.source.read(q.app)
	if err != nil {
		return nil, err
	}
	u, ok := in.Users.Index(q.user)
	if !ok {
		return nil, fmt.Errorf("%s holds no user %q who likes anything", q.source.data, q.user)
	}
	return numbered(in.Dataset, m, in.Positives.Row(u)), nil
}

// numbered turns item numbers of d into the model's, leaving out what the model does not know.
func numbered(d *dataset.Dataset, m *model.Model, items []int32) (out []int) {
	to, _ := itemNumbers(m, d)
	for _, i := range items {
		if to[i] >= 0 {
			out = append(out, int(to[i]))
		}
	}
	return out
}

// known returns the taste of a user that the model keeps.
func known(m *model.Model, id string) (*recommender.Taste, error) {
	if m.Users == nil {
		return nil, fmt.Errorf("this model keeps no users; train it with --with-users, or say what is liked with --like")
	}
	for u, have := range m.UserIDs {
		if have == id {
			return &recommender.Taste{Row: m.Users.Row(u), Spread: m.Users.Stddev(u)}, nil
		}
	}
	return nil, fmt.Errorf("the model knows no user %q; it knows %d, %q the first of them", id, len(m.UserIDs), m.UserIDs[0])
}

// words for the steps of certainty, as the page says them.
var words = [...]string{recommender.Gamble: "a gamble", recommender.Hunch: "a hunch", recommender.FairlySure: "fairly sure", recommender.VerySure: "very sure"}

func name(r *recommender.Recommender, i int) string {
	item := r.Item(i)
	if item.Year == 0 {
		return item.Title
	}
	return item.Title + " (" + strconv.Itoa(item.Year) + ")"
}

func (q *question) print(r *recommender.Recommender, found []recommender.Suggestion) error {
	if q.json {
		type reason struct {
			ID    string  `json:"id"`
			Title string  `json:"title"`
			Share float64 `json:"share"`
		}
		type row struct {
			ID        string   `json:"id"`
			Title     string   `json:"title"`
			Year      int      `json:"year,omitempty"`
			Distance  float64  `json:"distance"`
			Match     float64  `json:"match"`
			Chance    float64  `json:"chance"`
			Certainty string   `json:"certainty"`
			Reasons   []reason `json:"reasons"`
		}
		rows := make([]row, len(found))
		for i, s := range found {
			item := r.Item(s.Item)
			rows[i] = row{item.ID, item.Title, item.Year, s.Distance, s.Match, s.Chance, words[s.Certainty], []reason{}}
			for _, why := range s.Reasons {
				liked := r.Item(why.Item)
				rows[i].Reasons = append(rows[i].Reasons, reason{liked.ID, liked.Title, why.Share})
			}
		}
		return q.printJSON(map[string]any{"recommendations": rows})
	}
	if len(found) == 0 {
		q.printf("Nothing is left after the filters; loosen --genre, --from-year or --to-year.\n")
	}
	for i, s := range found {
		q.printf("%3d. %-50s %s, distance %.3f\n", i+1, name(r, s.Item), words[s.Certainty], s.Distance)
		if len(s.Reasons) > 0 {
			because := make([]string, len(s.Reasons))
			for j, why := range s.Reasons {
				because[j] = fmt.Sprintf("%s %.0f%%", r.Item(why.Item).Title, 100*why.Share)
			}
			q.printf("     because you liked %s\n", strings.Join(because, ", "))
		}
	}
	return nil
}

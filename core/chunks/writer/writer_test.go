package writer_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/chunks"
	"github.com/pmlam/pmlam/core/chunks/writer"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
)

// shipped is the page's model: 3,708 titles with ratings, links and calibration.
const shipped = "../../../assets/models/movielens.msgpack"

func read(t testing.TB) *model.Model {
	m, err := model.ReadFile(shipped)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// parts cuts a model.
func parts(t testing.TB, m *model.Model, s writer.Settings) map[string][]byte {
	out, last := map[string][]byte{}, ""
	err := writer.Write(context.Background(), m, s, func(name string, part []byte) error {
		if out[name] != nil {
			t.Errorf("%s is written twice", name)
		}
		out[name], last = part, name
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if last != chunks.IndexName {
		t.Errorf("%s is written last; the index must come after all its parts", last)
	}
	return out
}

// asked records the parts that its catalogue fetches.
type asked struct {
	*chunks.Catalogue
	from   map[string][]byte
	names  []string
	rounds int
}

func opened(t testing.TB, from map[string][]byte) *asked {
	c, err := chunks.Open(from[chunks.IndexName], recommend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return &asked{Catalogue: c, from: from}
}

// fetch repeats ask and puts missing parts until none is missing.
func (a *asked) fetch(t testing.TB, ask func() error) error {
	for a.rounds = 0; ; a.rounds++ {
		err := ask()
		missing, ok := errors.AsType[*chunks.Missing](err)
		if !ok {
			return err
		}
		for _, name := range missing.Names {
			if err := a.Put(name, a.from[name]); err != nil {
				t.Fatal(err)
			}
			a.names = append(a.names, name)
		}
	}
}

// gather fetches the parts that a question needs.
func (a *asked) gather(t testing.TB, q chunks.Question) (r *recommend.Recommender) {
	if err := a.fetch(t, func() (err error) { r, err = a.Gather(q); return err }); err != nil {
		t.Fatal(err)
	}
	return r
}

// search fetches the parts that a search needs.
func (a *asked) search(t testing.TB, query string, limit int) (found []chunks.TitleFound) {
	if err := a.fetch(t, func() (err error) { found, err = a.Search(query, limit); return err }); err != nil {
		t.Fatal(err)
	}
	return found
}

func items(r *recommend.Recommender, ids []string) (out []int) {
	for _, id := range ids {
		if i, ok := r.IDs()[id]; ok {
			out = append(out, i)
		}
	}
	return out
}

// describe formats suggestions, with ids instead of indices.
func describe(r *recommend.Recommender, all []recommend.Suggestion) (out []string) {
	for _, s := range all {
		line := fmt.Sprintf("%s distance %.6f match %.4f chance %.6f %d spread %.6f general %.5f because", r.Item(s.Item).ID,
			s.Distance, s.Match, s.Chance, s.Certainty, s.Spread, s.General)
		for _, x := range s.Reasons {
			line += fmt.Sprintf(" %s %.5f", r.Item(x.Item).ID, x.Share)
		}
		out = append(out, line)
	}
	return out
}

// A recommender over all gathered items agrees with the whole model.
func TestAllItemsAgree(t *testing.T) {
	m := read(t)
	whole, err := recommend.Open(m, recommend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := opened(t, parts(t, m, writer.Settings{}))
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 12 {
		var likes, dislikes []string
		for range n {
			likes = append(likes, whole.Item(r.IntN(whole.Len())).ID)
		}
		for range n / 3 {
			dislikes = append(dislikes, whole.Item(r.IntN(whole.Len())).ID)
		}
		part := c.gather(t, chunks.Question{
			People: []chunks.Person{{Likes: likes, Dislikes: dislikes}}, Items: 1 << 20,
		})
		if part.Len() != whole.Len() {
			t.Fatalf("gathered %d of %d items", part.Len(), whole.Len())
		}
		for mode := recommend.ForYou; mode <= recommend.OutsideBubble; mode++ {
			q := recommend.Request{K: 20, Mode: mode, Diversity: 0.25}
			ask := func(r *recommend.Recommender) []string {
				v := recommend.Visit{Likes: items(r, likes), Dislikes: items(r, dislikes)}
				return describe(r, r.Recommend(v, r.Taste(v, nil), q))
			}
			if got, want := ask(part), ask(whole); !slices.Equal(got, want) {
				t.Errorf("%d likes, mode %d: got\n%s\nwant\n%s", n, mode, strings.Join(got, "\n"),
					strings.Join(want, "\n"))
			}
		}
	}
}

// A recommender over the items for a question lists at least 99% of the whole model's titles, and items at the same
// place agree, for niche tastes too: most of these people like little-known titles.
func TestGatheredItemsAgree(t *testing.T) {
	m := read(t)
	whole, err := recommend.Open(m, recommend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	from := parts(t, m, writer.Settings{})
	for _, n := range []int{0, 1, 3, 10, 30} {
		r, c := rand.New(rand.NewPCG(3, uint64(n))), opened(t, from)
		hits, all, gathered, people := 0, 0, 0, 100
		for range people {
			// A person likes similar titles: one, and those nearest to it.
			likes := []string{}
			if n > 0 {
				first := r.IntN(whole.Len())
				likes = append(likes, whole.Item(first).ID)
				for _, s := range whole.Similar(first, recommend.Visit{}, 3*n)[:3*(n-1)] {
					if r.IntN(3) == 0 {
						likes = append(likes, whole.Item(s.Item).ID)
					}
				}
			}
			part := c.gather(t, chunks.Question{People: []chunks.Person{{Likes: likes}}})
			gathered += part.Len()
			ask := func(r *recommend.Recommender) []string {
				v := recommend.Visit{Likes: items(r, likes)}
				return describe(r, r.Recommend(v, r.Taste(v, nil), recommend.Request{K: 10}))
			}
			got := ask(part)
			for _, s := range ask(whole) {
				all++
				id, says, _ := strings.Cut(s, " ")
				for _, g := range got {
					if of, also, _ := strings.Cut(g, " "); of == id {
						hits++
						// Match and chance depend on cheaper items, reasons do not.
						if a, b := numbers(says), numbers(also); math.Abs(a[0]-b[0]) > 1e-5 || math.Abs(a[2]-b[2]) > 0.02 {
							t.Errorf("%d likes: %s: the part says %q, the whole %q", n, id, also, says)
						}
					}
				}
			}
		}
		t.Logf("%d likes: listed %d of %d, from %d of %d items", n, hits, all, gathered/people, whole.Len())
		if float64(hits) < 0.99*float64(all) {
			t.Errorf("%d likes: listed %d of %d", n, hits, all)
		}
	}
}

// The items in the cells of a person's likes count towards the number asked for, and at least one more cell is read.
func TestCellsOfLikesCount(t *testing.T) {
	m := read(t)
	from := parts(t, m, writer.Settings{})
	for _, n := range []int{1, 5, 60} {
		var likes []string
		for k := range n { // few of them common, in many cells
			likes = append(likes, m.Catalogue.Items[len(m.Catalogue.Items)-1-60*k].ID)
		}
		gathered := func(items int) int {
			q := chunks.Question{Items: items}
			if items > 0 {
				q.People = []chunks.Person{{Likes: likes}}
			}
			return opened(t, from).gather(t, q).Len()
		}
		common, least, most := gathered(0), gathered(1), gathered(1000)
		if least <= common || most < least || most-common > max(1000, least-common) {
			t.Errorf("%d likes: %d common items, gathered %d when asked for 1, and %d for 1000", n, common, least, most)
		}
	}
}

// numbers returns distance, match and chance.
func numbers(says string) (out [3]float64) {
	_, err := fmt.Sscanf(says, "distance %g match %g chance %g", &out[0], &out[1], &out[2])
	if err != nil {
		panic(err)
	}
	return out
}

// Parts are the same for any number of workers.
func TestSameParts(t *testing.T) {
	m := read(t)
	one, three := parts(t, m, writer.Settings{Workers: 1}), parts(t, m, writer.Settings{Workers: 3})
	if !maps.EqualFunc(one, three, slices.Equal) {
		t.Error("three workers write different parts from one")
	}
}

// A search finds most of the whole model's first ten for whatever is typed, in few rounds.
func TestSearchAsTyped(t *testing.T) {
	m := read(t)
	whole, err := recommend.Open(m, recommend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	from := parts(t, m, writer.Settings{})
	found, listed := 0, 0
	for _, typed := range []string{
		"", "m", "ma", "matr", "matrix", "the matrix", "Matrix, The", "matrix reloaded", "reloaded matrix", "the", "love",
		"starwars", "star wars", "wars star", "spiderman", "rocky 2", "heat 1995", "1995", "2012", "léon", "lord of the rings",
		"rings lord", "toy story 2", "matrx", "star warz", "godfathr", "se7en", "zzzz", "!", "The Matrix (1999)",
	} {
		a := opened(t, from)
		got, want := a.search(t, typed, 10), whole.Search(typed, 10)
		var ids []string
		for _, f := range got {
			ids = append(ids, f.ID)
			if i := whole.IDs()[f.ID]; whole.Item(i).Title != f.Name || whole.Item(i).Year != f.Year {
				t.Errorf("%q: %+v is item %d, %+v", typed, f, i, whole.Item(i))
			}
		}
		hits := 0
		for _, f := range want {
			if slices.Contains(ids, whole.Item(f.Item).ID) {
				hits++
			}
		}
		t.Logf("%q: %d of %d, %d rounds, %d files", typed, hits, len(want), a.rounds, len(a.names))
		if len(want) > 0 && hits == 0 || a.rounds > 4 || len(a.names) > 16 {
			t.Errorf("%q: %d of %d in %d rounds of %d files", typed, hits, len(want), a.rounds, len(a.names))
		}
		if found, listed = found+hits, listed+len(want); hits < len(want) {
			continue
		}
		for k, f := range want { // equally well-known titles may swap places
			if it := whole.Item(f.Item); got[k].Score != f.Score || got[k].Count != it.Count {
				t.Errorf("%q, place %d: %+v, the whole model has %+v with %v", typed, k+1, got[k], it, f.Score)
			}
		}
	}
	t.Logf("%d of %d", found, listed)
	if float64(found) < 0.95*float64(listed) {
		t.Errorf("found %d of %d", found, listed)
	}
}

// Find finds titles by name and year as the whole model does, and suggests the same alternatives.
func TestFind(t *testing.T) {
	m := read(t)
	whole, err := recommend.Open(m, recommend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a := opened(t, parts(t, m, writer.Settings{}))
	find := func(title string) (id string, err error) {
		err = a.fetch(t, func() (err error) { id, err = a.Find(title); return err })
		return id, err
	}
	for i := range whole.Len() {
		if i%29 != 0 {
			continue
		}
		it := whole.Item(i)
		title := fmt.Sprintf("%s (%d)", it.Title, it.Year)
		want, err := whole.Find(title)
		if err != nil {
			t.Fatal(err)
		}
		if id, err := find(title); err != nil || id != whole.Item(want).ID {
			t.Errorf("%s: %q, %v, the whole model has %q", title, id, err, whole.Item(want).ID)
		}
	}
	for _, title := range []string{"matrix rev", "godfather part", "zzzz", ""} {
		i, want := whole.Find(title)
		id, err := find(title)
		if (want == nil) != (err == nil) || err == nil && id != whole.Item(i).ID ||
			err != nil && err.Error() != want.Error() {
			t.Errorf("%q: %q, %v, the whole model says %d, %v", title, id, err, i, want)
		}
	}
}

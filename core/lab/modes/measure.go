package modes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/lab/uncertainty"
	"github.com/pmlam/pmlam/core/recommend"
)

// Strengths are the measured strengths of a slider.
var Strengths = [...]float64{0, 0.25, 0.5, 0.75, 1}

// seeds is the number of lists drawn at each strength.
const seeds = 3

// sliders set a request to a strength.
var sliders = []struct {
	name string
	set  func(q *recommend.Request, strength float64, seed uint64)
}{
	{"Surprise me", func(q *recommend.Request, s float64, seed uint64) { q.Exploration, q.Seed = s, seed }},
	{"More varied", func(q *recommend.Request, s float64, _ uint64) { q.Diversity = s }},
}

// Measure returns the figures of the modes on the people of the cases, as tables in Markdown.
func Measure(cases []uncertainty.Case) (string, error) {
	var b strings.Builder
	var people [len(Bands)][]asked
	for k, band := range Bands {
		people[k] = ask(cases, band, 1)
	}
	b.WriteString("| | likes | people | 0% | 25% | 50% | 75% | 100% | apart at 0, 50, 100% |\n" +
		strings.Repeat("| --- ", 9) + "|\n")
	for _, s := range sliders {
		for k, band := range Bands {
			fmt.Fprintf(&b, "| %s | %d–%d | %d |", s.name, band.From, band.To, len(people[k]))
			points := curve(people[k], s.set)
			for _, p := range points {
				fmt.Fprintf(&b, " %.1f kept, %.2f found (%+.0f%%) |", p.Kept, p.Found, 100*(p.Found/points[0].Found-1))
			}
			fmt.Fprintf(&b, " %.2f, %.2f, %.2f |\n", points[0].Apart, points[2].Apart, points[4].Apart)
		}
	}
	b.WriteString("\n| | likes | titles | found | at random | times | rated | of these liked | mean count |\n" +
		strings.Repeat("| --- ", 9) + "|\n")
	for m, name := range []string{"For you", "Hidden gems", "Outside your bubble"} {
		for k, band := range Bands {
			f := mode(people[k], recommend.Mode(m))
			fmt.Fprintf(&b, "| %s | %d–%d | %.1f | %.3f | %.3f | %.1f | %.2f | %.0f%% | %.0f |\n", name,
				band.From, band.To, f.Listed, f.Found, f.Random, f.Found/f.Random, f.Rated, 100*f.Liked, f.Known)
		}
	}
	bare, err := withoutGenres(cases)
	if err != nil {
		return "", err
	}
	b.WriteString("\n| likes | people | found, by taste and links | with genres | NDCG@10 | with genres |\n" +
		strings.Repeat("| --- ", 6) + "|\n")
	for _, band := range append(Bands[:len(Bands):len(Bands)], focused) {
		with, without := ask(cases, band, 2), ask(cases, band, 2)
		for k := range without {
			for j := range cases {
				if without[k].c == &cases[j] {
					without[k].c = &bare[j]
				}
			}
		}
		found, ndcg := quality(with)
		found0, ndcg0 := quality(without)
		what := ""
		if band.OneGenre {
			what = " of one genre"
		}
		fmt.Fprintf(&b, "| %d–%d%s | %d | %.3f | %.3f | %.4f | %.4f |\n", band.From, band.To, what, len(with),
			found0, found, ndcg0, ndcg)
	}
	return b.String(), nil
}

// point is a slider at one strength, for one band: means over people.
type point struct {
	Kept  float64 // of the ten titles at strength 0
	Found float64 // hidden likes among the ten
	Apart float64 // mean W2 between two titles of the list
}

// curve measures a slider at Strengths.
func curve(people []asked, set func(q *recommend.Request, strength float64, seed uint64)) (out [len(Strengths)]point) {
	n := float64(len(people) * seeds)
	for k := range people {
		a := &people[k]
		plain := a.list(recommend.Request{})
		for j, s := range Strengths {
			for seed := range uint64(seeds) {
				var q recommend.Request
				set(&q, s, seed)
				list := a.list(q)
				for _, i := range list {
					if slices.Contains(plain, i) {
						out[j].Kept += 1 / n
					}
				}
				found, _ := a.found(list)
				out[j].Found += found / n
				out[j].Apart += a.apart(list) / n
			}
		}
	}
	return out
}

// quality returns the mean number of hidden likes among the first ten, and NDCG@10.
func quality(people []asked) (found, ndcg float64) {
	for k := range people {
		f, n := people[k].found(people[k].list(recommend.Request{}))
		found, ndcg = found+f/float64(len(people)), ndcg+n/float64(len(people))
	}
	return found, ndcg
}

// withoutGenres returns the cases with catalogues without genres, so that genres have no effect.
func withoutGenres(cases []uncertainty.Case) ([]uncertainty.Case, error) {
	out := slices.Clone(cases)
	for k := range out {
		m := *out[k].Model
		m.Catalogue = &catalogue.Catalogue{Columns: m.Catalogue.Columns, Items: slices.Clone(m.Catalogue.Items)}
		for i := range m.Catalogue.Items {
			m.Catalogue.Items[i].Genres = nil
		}
		var err error
		if out[k].Engine, err = recommend.Open(&m, recommend.Options{}); err != nil {
			return nil, err
		}
		out[k].Model = &m
	}
	return out, nil
}

// modeFigures are the figures of a mode, for one band: means over people.
type modeFigures struct {
	Listed, Found float64 // titles in the list, and hidden likes among them
	Random        float64 // hidden likes expected of random titles, each as well known as the one in its place
	Rated, Liked  float64 // titles that they rated but did not name; the share of them that they like
	Known         float64 // mean number of likes of a title
}

// mode measures a mode of the list.
func mode(people []asked, m recommend.Mode) (out modeFigures) {
	n, rated, liked := float64(len(people)), 0.0, 0.0
	for k := range people {
		a := &people[k]
		order := byCount(a.c)
		for _, i := range a.list(recommend.Request{Mode: m}) {
			out.Listed += 1 / n
			out.Known += float64(a.c.Engine.Item(i).Count)
			if a.held[i] {
				out.Found += 1 / n
				liked++
			}
			if a.held[i] || a.rated[i] {
				rated++
			}
			out.Random += a.chance(order, i) / n
		}
	}
	out.Known /= out.Listed * n
	out.Rated, out.Liked = rated/n, liked/max(rated, 1)
	return out
}

// alike is the number of titles that a random one is drawn from: half better known, half less known.
const alike = 100

// chance returns the chance that a random title as well known as item is a hidden like.
func (a *asked) chance(order []int, item int) float64 {
	at := slices.Index(order, item)
	from := min(max(at-alike/2, 0), max(len(order)-alike, 0))
	hits, of := 0.0, 0.0
	for _, i := range order[from:min(from+alike, len(order))] {
		if i == item || slices.Contains(a.visit.Likes, i) {
			continue
		}
		of++
		if a.held[i] {
			hits++
		}
	}
	return hits / max(of, 1)
}

// byCount returns the titles, the best known first.
func byCount(c *uncertainty.Case) (all []int) {
	nobody := recommend.Visit{}
	for _, s := range c.Engine.Recommend(nobody, c.Engine.Taste(nobody, nil),
		recommend.Request{K: c.Engine.Len(), Order: recommend.BestKnown, Bare: true}) {
		all = append(all, s.Item)
	}
	return all
}

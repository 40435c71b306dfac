package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/server/postgres"
)

// listed is the number of items in a measured question.
const listed = 10

func measureCommand() *cobra.Command {
	var d database
	var file, vectors string
	var sizes []int
	var questions int
	c := &cobra.Command{
		Use:   "measure --model FILE --to URL",
		Short: "Compare recall and latency with the exact scan, as a table in Markdown",
		Long: "Compare recall and latency of the database with the exact scan, on catalogues that consist of\n" +
			"copies of a model's items, each moved by half a standard deviation in every coordinate. The schema\n" +
			"is overwritten.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if questions < 1 || slices.ContainsFunc(sizes, func(n int) bool { return n < 2000 }) {
				return errors.New("--questions must be at least 1, and each of --items at least 2000")
			}
			m, err := model.ReadFile(file)
			if err != nil {
				return fmt.Errorf("cannot read the model: %w", err)
			}
			out := c.OutOrStdout()
			fmt.Fprintln(out, "| items | export s | question | recall@10 | same list | p50 ms | p99 ms | "+
				"exact p50 ms |\n| ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: |")
			for _, n := range sizes {
				big := enlarge(m, n)
				if err := measure(c.Context(), out, &d, big, questions); err != nil {
					return err
				}
				if vectors == "" {
					continue
				}
				if err := writeVectors(filepath.Join(vectors, strconv.Itoa(n)), big, questions); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().StringVar(&file, "model", "", "the model file with the items to copy")
	c.Flags().IntSliceVar(&sizes, "items", []int{10_000, 100_000}, "sizes of the catalogues")
	c.Flags().IntVar(&questions, "questions", 100, "questions of each kind")
	c.Flags().StringVar(&vectors, "vectors", "", "also write the vectors of items and visitors to this folder, for "+
		"core/lab/bench/hnsw.py")
	if err := c.MarkFlagRequired("model"); err != nil {
		panic(err) // not reached: the flag is defined above
	}
	d.flags(c, "to", "the database")
	return c
}

// kinds are the kinds of questions for each visitor.
var kinds = []struct {
	name   string
	change func(r *recommend.Recommender, x *rand.Rand, v *recommend.Visit, f *recommend.Filter)
}{
	{"likes", func(*recommend.Recommender, *rand.Rand, *recommend.Visit, *recommend.Filter) {}},
	{"the first 1,000 seen", func(r *recommend.Recommender, _ *rand.Rand, v *recommend.Visit, _ *recommend.Filter) {
		for _, s := range r.Recommend(*v, r.Taste(*v, nil), recommend.Request{K: 1000, Bare: true}) {
			v.Seen = append(v.Seen, s.Item)
		}
	}},
	{"a genre", func(r *recommend.Recommender, x *rand.Rand, _ *recommend.Visit, f *recommend.Filter) {
		if genres := r.Genres(); len(genres) > 0 {
			f.Genres = []string{genres[x.IntN(len(genres))]}
		}
	}},
	{"five years", func(_ *recommend.Recommender, x *rand.Rand, _ *recommend.Visit, f *recommend.Filter) {
		f.FromYear = 1970 + x.IntN(40)
		f.ToYear = f.FromYear + 4
	}},
}

// measure exports a model and writes a table row for each kind of question.
func measure(ctx context.Context, out io.Writer, d *database, m *model.Model, questions int) error {
	r, err := recommend.Open(m, recommend.Options{})
	if err != nil {
		return err
	}
	began := time.Now()
	if _, err := export(ctx, d, m); err != nil {
		return err
	}
	took := time.Since(began)
	s, err := postgres.Open(ctx, d.url, d.schema)
	if err != nil {
		return err
	}
	defer s.Close()
	for _, kind := range kinds {
		x := newDraws()
		found, all, same := 0, 0, 0
		var times, exact []time.Duration
		for q := range questions + 1 { // the first is a warm-up
			v := visitor(r, x)
			var f recommend.Filter
			kind.change(r, x, &v, &f)
			began := time.Now()
			want := r.Recommend(v, r.Taste(v, nil), recommend.Request{K: listed, Filter: f, Bare: true})
			scanned := time.Since(began)
			visit := byID(m, v)
			began = time.Now()
			got, err := s.Recommend(ctx, visit, listed, f)
			if err != nil {
				return err
			}
			if q == 0 {
				continue
			}
			times, exact = append(times, time.Since(began)), append(exact, scanned)
			equal := len(got) == len(want)
			for at, w := range want {
				id := m.Catalogue.Items[w.Item].ID
				all++
				if slices.ContainsFunc(got, func(g postgres.Suggestion) bool { return g.ID == id }) {
					found++
				}
				equal = equal && got[at].ID == id
			}
			if equal {
				same++
			}
		}
		slices.Sort(times)
		slices.Sort(exact)
		fmt.Fprintf(out, "| %d | %.0f | %s | %.4f | %d of %d | %.1f | %.1f | %.1f |\n", r.Len(), took.Seconds(),
			kind.name, float64(found)/float64(max(all, 1)), same, questions, ms(times, .5), ms(times, .99),
			ms(exact, .5))
	}
	return nil
}

// newDraws returns the random numbers of a measurement: every kind of question has the same visitors.
func newDraws() *rand.Rand { return rand.New(rand.NewPCG(7, 11)) }

// visitor draws a visitor who likes 1 to 12 of the 40 items nearest to a random one.
func visitor(r *recommend.Recommender, x *rand.Rand) (v recommend.Visit) {
	near := r.Similar(x.IntN(r.Len()), recommend.Visit{}, 40)
	for range 1 + x.IntN(12) {
		v.Likes = append(v.Likes, near[x.IntN(len(near))].Item)
	}
	return v
}

// writeVectors writes data for measuring a plain vector index: the rows of the items and of the visitors, [mean;
// stddev], as little-endian float32. The file names contain the shapes.
func writeVectors(folder string, m *model.Model, questions int) error {
	r, err := recommend.Open(m, recommend.Options{})
	if err != nil {
		return err
	}
	visitors, x := gaussian.NewTable(questions, m.Items.Dim()), newDraws()
	for q := range questions {
		copy(visitors.Row(q), r.Taste(visitor(r, x), nil).Row)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for name, t := range map[string]*gaussian.Table{"items": m.Items, "visitors": visitors} {
		name = fmt.Sprintf("%s-%dx%d.f32", name, t.Len(), 2*t.Dim())
		if err := writeTable(filepath.Join(folder, name), t); err != nil {
			return err
		}
	}
	return nil
}

func writeTable(path string, t *gaussian.Table) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	for i := 0; i < t.Len() && err == nil; i++ {
		err = binary.Write(w, binary.LittleEndian, t.Row(i))
	}
	return errors.Join(err, w.Flush(), f.Close())
}

// ms returns a quantile of sorted times in milliseconds.
func ms(times []time.Duration, quantile float64) float64 {
	return float64(times[int(quantile*float64(len(times)-1))].Microseconds()) / 1000
}

// byID converts a visit for a store.
func byID(m *model.Model, v recommend.Visit) postgres.Visit {
	ids := func(items []int) (out []string) {
		for _, i := range items {
			out = append(out, m.Catalogue.Items[i].ID)
		}
		return out
	}
	return postgres.Visit{Likes: ids(v.Likes), Dislikes: ids(v.Dislikes), Seen: ids(v.Seen)}
}

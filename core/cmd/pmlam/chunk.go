package main

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pmlam/pmlam/core/chunks/writer"
	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
)

// chunkRun is one run of the chunk command.
type chunkRun struct {
	cli.Source
	cli.Work
	model, out string
	precision  string
	size       int
	people     int
	searches   int
	seed       uint64
}

// chunkLikes are the numbers of likes to measure with --data.
var chunkLikes = []int{0, 1, 3, 10, 30}

func chunkCommand(a *cli.App) *cobra.Command {
	p := chunkRun{Work: cli.Work{App: a}}
	c := &cobra.Command{
		Use:   "chunk --model FILE --out FOLDER [flags]",
		Short: "Cut a large model into files that a browser downloads as needed",
		Long: "Cut a model that is too large for one download into an index and chunks, plain files for any\n" +
			"host. openChunked of the package @pmlam/recommender reads them: a visitor downloads the index\n" +
			"and the chunks near their taste. The same model gives the same files. Earlier sets of chunks\n" +
			"stay, and the index is replaced last. With --data, first lists are compared with lists of the\n" +
			"whole model.",
		Example: "  pmlam chunk --model model.msgpack --out public/model\n" +
			"  pmlam chunk --model model.msgpack --out public/model --data ratings.csv",
		Args:              cli.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(c *cobra.Command, _ []string) error { return p.run(c.Context()) },
	}
	g := cli.NewGroup("Files")
	g.StringVar(&p.model, "model", "", "model file whose users are composed of their likes, as by default")
	g.StringVar(&p.out, "out", "", "folder to write to; created if missing")
	g.IntVar(&p.size, "cell-size", 100, "mean number of items in a chunk, 10 to 200")
	g.StringVar(&p.precision, "precision", "", "precision of the Gaussians in chunks: float32, float16 or int8 "+
		"(default: the model's)")
	g.IntVar(&p.searches, "searches", 0, "number of titles to type, comparing the results with the whole model's")
	g.Placeholder("FILE", "model")
	g.Placeholder("FOLDER", "out")
	g.Placeholder("WORD", "precision")
	g.Placeholder("N", "searches")
	m := p.Source.Add(cli.NewGroup("Measure"))
	m.IntVar(&p.people, "people", 200, "people of --data to compare lists for, for each number of likes")
	m.Uint64Var(&p.seed, "seed", 1, "seed for drawing people, likes and titles")
	cli.AddGroups(c, g, m, p.Source.DataGroup(), p.Work.Group())
	cli.CompleteSource(c)
	cli.Complete(c, "precision", model.Float32.String(), model.Float16.String(), model.Int8.String())
	return c
}

func (p *chunkRun) run(ctx context.Context) error {
	switch {
	case p.model == "":
		return cli.Usagef("--model is missing: pass the model file")
	case p.out == "":
		return cli.Usagef("--out is missing: pass the folder to write to")
	case p.people < 1:
		return cli.Usagef("--people is %d; it must be 1 or more", p.people)
	case p.searches < 0:
		return cli.Usagef("--searches is %d; it must be 0 or more", p.searches)
	case p.size < 10 || p.size > 200:
		return cli.Usagef("--cell-size is %d; it must be between 10 and 200", p.size)
	}
	if err := p.Work.Check(); err != nil {
		return err
	}
	if p.Data != "" {
		if err := p.Source.Check(); err != nil {
			return err
		}
	} else if flag := firstGiven(&p.Source); flag != "" && !(flag == "seed" && p.searches > 0) {
		return cli.Usagef("--%s needs --data", flag)
	}
	m, err := cli.OpenModel(p.model)
	if err != nil {
		return err
	}
	cut := *m
	if p.precision != "" {
		if cut.Precision, err = model.ParsePrecision(p.precision); err != nil {
			return cli.Usagef("--precision: %w", err)
		}
	}
	f := &writer.Folder{Path: p.out}
	if err := p.write(ctx, &cut, f); err != nil {
		f.Discard()
		return err
	}
	p.Printf("wrote %s: %d files, %.1f MB; the index has %.0f KB\n", p.out, f.Parts, float64(f.Bytes)/1e6,
		float64(f.Index)/1e3)
	report := map[string]any{"items": m.Items.Len(), "files": f.Parts, "bytes": f.Bytes, "index": f.Index, "out": p.out}
	if p.Data != "" {
		if report["lists"], err = p.measure(ctx, m, f); err != nil {
			return err
		}
	}
	if p.searches > 0 {
		if report["searches"], err = p.measureSearches(ctx, m, f); err != nil {
			return err
		}
	}
	if p.JSON {
		return p.PrintJSON(report)
	}
	return nil
}

// firstGiven returns a flag that needs --data and was given, or "".
func firstGiven(s *cli.Source) (name string) {
	for _, g := range s.Groups {
		g.VisitAll(func(f *pflag.Flag) {
			if f.Changed && name == "" {
				name = f.Name
			}
		})
	}
	return name
}

// write writes the parts, with a bar.
func (p *chunkRun) write(ctx context.Context, m *model.Model, f *writer.Folder) error {
	var line *cli.Bar
	what := ""
	defer func() {
		if line != nil {
			line.Done()
		}
	}()
	return writer.Write(ctx, m, writer.Settings{Size: p.size, Workers: p.Workers,
		Step: func(of string, done, all int) {
			if of != what {
				if line != nil {
					line.Done()
				}
				what, line = of, p.StepsBar(of, "steps")
			}
			line.Set(int64(done), int64(all), "")
		}}, f.Put)
}

// measure compares first lists with lists of the whole model.
func (p *chunkRun) measure(ctx context.Context, m *model.Model, f *writer.Folder) ([]writer.Cost, error) {
	in, err := p.Source.Read(ctx, p.App)
	if err != nil {
		return nil, err
	}
	whole, err := recommend.Open(m, recommend.Options{})
	if err != nil {
		return nil, err
	}
	var out []writer.Cost
	p.Printf("%5s %6s %7s %6s %6s %7s %8s %10s %8s\n", "likes", "people", "recall", "items", "files", "rounds", "KB",
		"KB by gzip", "at most")
	for _, n := range chunkLikes {
		visitors := drawVisitors(in, whole, n, p.people, rand.New(rand.NewPCG(p.seed, uint64(n))))
		if len(visitors) == 0 {
			continue
		}
		c, err := writer.Measure(ctx, whole, visitors, p.Workers, f.Read)
		if err != nil {
			return nil, err
		}
		p.Printf("%5d %6d %7.4f %6.0f %6.1f %7.1f %8.0f %10.0f %8.0f\n", c.Likes, c.People, c.Recall, c.Items, c.Parts,
			c.Rounds, c.Bytes/1e3, c.Packed/1e3, c.Most/1e3)
		out = append(out, c)
	}
	return out, nil
}

// typings are the ways to type a title.
var typings = []struct {
	name string
	of   func(title []rune) []rune
}{
	{"2 letters", func(t []rune) []rune { return t[:min(2, len(t))] }},
	{"4 letters", func(t []rune) []rune { return t[:min(4, len(t))] }},
	{"8 letters", func(t []rune) []rune { return t[:min(8, len(t))] }},
	{"whole title", func(t []rune) []rune { return t }},
	{"a letter missing", func(t []rune) []rune {
		at := len(t) / 2
		return append(t[:at:at], t[min(at+1, len(t)):]...)
	}},
}

// measureSearches types titles and compares the results with the whole model's.
func (p *chunkRun) measureSearches(ctx context.Context, m *model.Model, f *writer.Folder) (any, error) {
	whole, err := recommend.Open(m, recommend.Options{})
	if err != nil {
		return nil, err
	}
	titles := drawTitles(whole, p.searches, rand.New(rand.NewPCG(p.seed, 0)))
	out := map[string]writer.Cost{}
	p.Printf("%-16s %8s %7s %6s %7s %10s %8s\n", "typed", "searches", "recall", "files", "rounds", "KB by gzip",
		"at most")
	for _, typing := range typings {
		queries := make([]string, len(titles))
		for k, title := range titles {
			queries[k] = string(typing.of([]rune(title)))
		}
		c, err := writer.MeasureSearch(ctx, whole, queries, p.Workers, f.Read)
		if err != nil {
			return nil, err
		}
		p.Printf("%-16s %8d %7.4f %6.1f %7.1f %10.0f %8.0f\n", typing.name, c.People, c.Recall, c.Parts, c.Rounds,
			c.Packed/1e3, c.Most/1e3)
		out[typing.name] = c
	}
	return out, nil
}

// drawTitles draws n titles in proportion to their likes.
func drawTitles(whole *recommend.Recommender, n int, r *rand.Rand) []string {
	upTo, sum := make([]int, whole.Len()), 0
	for i := range upTo {
		sum += max(whole.Item(i).Count, 0) + 1
		upTo[i] = sum
	}
	out := make([]string, n)
	for k := range out {
		i, _ := slices.BinarySearch(upTo, r.IntN(sum)+1)
		out[k] = whole.Item(i).Title
	}
	return out
}

// drawVisitors draws people with more than n known likes, and n of those likes.
func drawVisitors(in *cli.Input, whole *recommend.Recommender, n, people int, r *rand.Rand) (out [][]string) {
	ids, likes := in.Items.Strings(), in.Positives
	for _, u := range r.Perm(likes.Rows()) {
		var known []string
		for _, i := range likes.Row(u) {
			if _, ok := whole.IDs()[ids[i]]; ok {
				known = append(known, ids[i])
			}
		}
		if len(known) <= n {
			continue
		}
		r.Shuffle(len(known), func(a, b int) { known[a], known[b] = known[b], known[a] })
		if out = append(out, known[:n]); len(out) == people {
			break
		}
	}
	return out
}

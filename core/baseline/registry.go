package baseline

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pmlam/pmlam/core/brief"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
)

// Defaults for settings whose sources name none that suit such data, chosen on a validation part of MovieLens small's
// training fold (BenchmarkSettingsOnMovieLens). Other data need other values.
const (
	DefaultNeighbours = 50
	DefaultLambda     = 200
)

// Method is one entry of the registry.
type Method struct {
	Name     string    // as used by New and the command line
	Title    string    // for tables
	Summary  string    // one line, for display
	Source   string    // the publication
	Settings []Setting // its settings

	// Run fits the method with complete values that Check accepts. Callers use Fit.
	Run func(ctx context.Context, train *dataset.Matrix, v Values, workers int) (eval.Scorer, error)
}

// Fit fits the method on train with the given number of goroutines (0 or less: GOMAXPROCS; the result does not depend
// on it). It returns an OptionError for a setting out of range, an error of the method, or ctx's error if the fit was
// stopped.
func (m *Method) Fit(ctx context.Context, train *dataset.Matrix, v Values, workers int) (eval.Scorer, error) {
	if err := m.Check(v); err != nil {
		return nil, err
	}
	return m.Run(ctx, train, m.Complete(v), workers)
}

var (
	neighboursSetting = Setting{Name: "neighbours", Use: "how many count", Default: DefaultNeighbours, Min: 1,
		Max: infinite, Whole: true}
	infinite = math.Inf(1)
)

// Registry is a list of methods in the order of tables. It is safe for concurrent use.
type Registry []Method

// methods starts with the simplest.
var methods = Registry{
	{
		Name: "popularity", Title: "Popularity", Summary: "the most popular items, the same for everybody",
		Source: "Cremonesi, Koren, Turrin, RecSys 2010",
		Run: func(_ context.Context, train *dataset.Matrix, _ Values, _ int) (eval.Scorer, error) {
			return Popularity(train), nil
		},
	},
	{
		Name: "itemknn", Title: "Item-KNN", Summary: "cosine to the user's items over each item's nearest neighbours",
		Source: "Sarwar, Karypis, Konstan, Riedl, WWW 2001; Deshpande, Karypis, TOIS 2004",
		Settings: []Setting{
			neighboursSetting,
			{Name: "target", Use: "power of the recommended item's degree", Default: Cosine.Target, Max: 2},
			{Name: "source", Use: "power of the liked item's degree", Default: Cosine.Source, Max: 2},
			{Name: "user", Use: "power of a user's number of items, which discounts users with many", Max: 2},
			{Name: "shrink", Use: "discounts weights that rest on few users", Max: infinite},
			{Name: "normalise", Use: "1: scale the weights of an item's neighbours to sum to 1", Max: 1,
				Whole: true},
			{Name: "centre", Use: "1: subtract the mean of all users", Max: 1, Whole: true},
		},
		Run: func(ctx context.Context, train *dataset.Matrix, v Values, workers int) (eval.Scorer, error) {
			w := Weighting{Target: v["target"], Source: v["source"], User: v["user"], Shrink: v["shrink"]}
			return scorer(fitItemKNN(ctx, train, count(v["neighbours"]), w, Sum{v["normalise"] == 1, v["centre"] == 1},
				workers))
		},
	},
	{
		Name: "userknn", Title: "User-KNN", Summary: "items of the users with the nearest rows, weighted by cosine",
		Source: "Resnick, Iacovou, Suchak, Bergstrom, Riedl, CSCW 1994; Aiolli, RecSys 2013",
		Settings: []Setting{neighboursSetting,
			{Name: "shrink", Use: "discounts weights that rest on few items", Max: infinite}},
		Run: func(ctx context.Context, train *dataset.Matrix, v Values, workers int) (eval.Scorer, error) {
			return scorer(fitUserKNN(ctx, train, count(v["neighbours"]), v["shrink"], workers))
		},
	},
	{
		Name: "weighted", Title: "Weighted item-item",
		Summary: "similarity to all of the user's items, with the weighting that is best on a held-out " +
			"part of the training part",
		Source: "Aiolli, RecSys 2013; Shen et al., CIKM 2021",
		Run: func(ctx context.Context, train *dataset.Matrix, _ Values, workers int) (eval.Scorer, error) {
			w, err := ChooseWeighting(ctx, train, workers)
			if err != nil {
				return nil, err
			}
			return Weighted(train, w), nil
		},
	},
	{
		Name: "rp3beta", Title: "RP3beta",
		Summary: "random walks of three steps from the user, popular items discounted",
		Source:  "Paudel, Christoffel, Newell, Bernstein, TiiS 2017",
		Settings: []Setting{
			{Name: "neighbours", Use: "targets kept of each item", Default: 100, Min: 1, Max: infinite, Whole: true},
			{Name: "alpha", Use: "power of the steps' probabilities", Default: 0.6, Max: 2},
			{Name: "beta", Use: "power of the popularity that a score is divided by", Default: 0.4, Max: 2},
		},
		Run: func(ctx context.Context, train *dataset.Matrix, v Values, workers int) (eval.Scorer, error) {
			return scorer(fitRP3Beta(ctx, train, count(v["neighbours"]), v["alpha"], v["beta"], workers))
		},
	},
	{
		Name: "ease", Title: "EASE^R", Summary: "linear autoencoder with a zero diagonal, in closed form; settings " +
			"make it EDLAE, RLAE, LAE, and each of them with DAN",
		Source: "Steck, WWW 2019, NeurIPS 2020; Moon, Kim, Lee, SIGIR 2023; Park, Yoon, Kim, Lee, SIGIR 2025",
		Settings: []Setting{
			{Name: "lambda", Use: "the regulariser, in interactions", Default: DefaultLambda, Above: true,
				Max: infinite},
			{Name: "dropout", Use: "EDLAE: regularises an item by its number of users", Max: 0.999, OmitZero: true},
			{Name: "relax", Use: "RLAE: largest self-similarity; with 1, LAE, it is not limited", Max: 1,
				OmitZero: true},
			{Name: "alpha", Use: "DAN: power of the items' popularity, which favours rarer items", Max: 1,
				OmitZero: true},
			{Name: "beta", Use: "DAN: power of a user's number of items, which discounts users with many", Max: 1,
				OmitZero: true},
		},
		Run: func(ctx context.Context, train *dataset.Matrix, v Values, workers int) (eval.Scorer, error) {
			return scorer(FitLinear(ctx, train, LinearSettings{Lambda: v["lambda"], Dropout: v["dropout"],
				Relax: v["relax"], Alpha: v["alpha"], Beta: v["beta"]}, workers))
		},
	},
	{
		Name: "slim", Title: "SLIM", Summary: "sparse linear model of items, weights of at least 0",
		Source: "Ning, Karypis, ICDM 2011",
		Settings: []Setting{
			{Name: "l1", Use: "removes weights, in interactions", Default: 1, Max: infinite},
			{Name: "l2", Use: "keeps weights small, in interactions", Default: 100, Max: infinite},
			{Name: "passes", Use: "maximum passes over an item's weights", Default: 100, Min: 1, Max: 1e6, Whole: true},
		},
		Run: func(ctx context.Context, train *dataset.Matrix, v Values, workers int) (eval.Scorer, error) {
			return scorer(fitSLIM(ctx, train, v["l1"], v["l2"], int(v["passes"]), workers))
		},
	},
	{
		Name: "turbocf", Title: "Turbo-CF", Summary: "polynomial low-pass filter on the graph of items, in closed form",
		Source: "Park, Shin, Shin, SIGIR 2024",
		Settings: []Setting{
			{Name: "alpha", Use: "power of a user's item count; an item's user count has 1 − alpha", Default: 0.6,
				Max: 1},
			{Name: "power", Use: "power of the similarities", Default: 0.7, Above: true, Max: 4},
			{Name: "order", Use: "of the polynomial", Default: 1, Min: 1, Max: 3, Whole: true},
		},
		Run: func(ctx context.Context, train *dataset.Matrix, v Values, workers int) (eval.Scorer, error) {
			return scorer(fitTurboCF(ctx, train, v["alpha"], v["power"], int(v["order"]), workers))
		},
	},
	{
		Name: "ials", Title: "iALS",
		Summary: "matrix factorisation by alternating least squares, unknown pairs count weakly as zero",
		Source:  "Hu, Koren, Volinsky, ICDM 2008; Rendle, Krichene, Zhang, Koren, RecSys 2022",
		Settings: []Setting{
			{Name: "dim", Use: "dimension of the factors", Default: 64, Min: 1, Max: 4096, Whole: true},
			{Name: "epochs", Use: "passes over users and items", Default: 16, Min: 1, Max: 1e6, Whole: true},
			{Name: "unobserved",
				Use: "weight of an unknown pair, α₀, relative to 1 for a known one; 0: by data size",
				Max: infinite},
			{Name: "lambda", Use: "the regulariser", Default: 0.03, Max: infinite},
			{Name: "nu", Use: "growth of the regulariser with an entity's number of interactions", Default: 1, Max: 2},
			{Name: "steps", Use: "of conjugate gradients for each entity in a pass; 0: solved exactly", Max: 1e6,
				Whole: true, OmitZero: true},
			{Name: "seed", Use: "of the start", Default: 1, Max: 1 << 53, Whole: true},
		},
		Run: func(ctx context.Context, train *dataset.Matrix, v Values, workers int) (eval.Scorer, error) {
			unobserved := v["unobserved"]
			if unobserved == 0 {
				unobserved = UnobservedWeight(train.Rows(), train.Cols)
			}
			return scorer(fitIALS(ctx, train, IALSSettings{
				Dim: int(v["dim"]), Epochs: int(v["epochs"]), Unobserved: unobserved,
				Lambda: v["lambda"], Nu: v["nu"], Steps: int(v["steps"]), Seed: uint64(v["seed"]),
			}, workers))
		},
	},
}

// count converts a whole number to an int, at most MaxInt32, which exceeds any matrix.
func count(x float64) int { return int(min(x, math.MaxInt32)) }

// scorer keeps a nil pointer from becoming a non-nil Scorer.
func scorer[T eval.Scorer](s T, err error) (eval.Scorer, error) {
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Methods returns all methods of this package, the simplest first.
func Methods() Registry { return slices.Clone(methods) }

func Names() []string { return methods.Names() }

// Parse is Registry.Parse for the methods of this package.
func Parse(spec string) (*Method, Values, error) { return methods.Parse(spec) }

// New fits the method of spec on train; see Parse and Fit.
func New(ctx context.Context, spec string, train *dataset.Matrix, workers int) (eval.Scorer, error) {
	m, v, err := Parse(spec)
	if err != nil {
		return nil, err
	}
	return m.Fit(ctx, train, v, workers)
}

func (r Registry) Names() []string {
	names := make([]string, len(r))
	for i, m := range r {
		names[i] = m.Name
	}
	return names
}

func (r Registry) find(name string) (*Method, error) {
	for i := range r {
		if r[i].Name == name {
			return &r[i], nil
		}
	}
	return nil, fmt.Errorf("unknown method %q: it must be one of %s", brief.Text(name), strings.Join(r.Names(), ", "))
}

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

// Defaults where the sources name none that suit such data, chosen on a validation part of MovieLens small's training
// fold (BenchmarkSettingsOnMovieLens). Other data need other values.
const (
	DefaultNeighbours = 50
	DefaultLambda     = 200
)

// Method is one entry of the registry.
type Method struct {
	Name     string    // what New and the command line call it
	Title    string    // what tables print
	Summary  string    // one line for people
	Source   string    // the publication
	Settings []Setting // what can be set

	// Run fits the method with complete values that Check accepts. Callers use Fit.
	Run func(ctx context.Context, train *dataset.Matrix, v Values, workers int) (eval.Scorer, error)
}

// Fit fits the method on train, on so many goroutines (0 or less: GOMAXPROCS; the result does not depend on it). It
// returns an OptionError for a setting out of range, what the method itself refuses, and ctx's error where the fit was
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

// Registry is a list of methods in the order in which tables print them. It is safe for concurrent use.
type Registry []Method

// methods begins with the plainest. A further method is a further entry.
var methods = Registry{
	{
		Name: "popularity", Title: "Popularity", Summary: "what most people chose, the same for everybody",
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
			{Name: "user", Use: "power of a user's number of items, which takes away from their say", Max: 2},
			{Name: "shrink", Use: "takes away from what rests on few users", Max: infinite},
			{Name: "normalise", Use: "1: the weights of an item's neighbours are made to sum to 1", Max: 1,
				Whole: true},
			{Name: "centre", Use: "1: choices are taken against the mean of all users", Max: 1, Whole: true},
		},
		Run: func(ctx context.Context, train *dataset.Matrix, v Values, workers int) (eval.Scorer, error) {
			w := Weighting{Target: v["target"], Source: v["source"], User: v["user"], Shrink: v["shrink"]}
			return scorer(fitItemKNN(ctx, train, count(v["neighbours"]), w, Sum{v["normalise"] == 1, v["centre"] == 1},
				workers))
		},
	},
	{
		Name: "userknn", Title: "User-KNN", Summary: "what the users with the nearest rows have, weighted by cosine",
		Source: "Resnick, Iacovou, Suchak, Bergstrom, Riedl, CSCW 1994; Aiolli, RecSys 2013",
		Settings: []Setting{neighboursSetting,
			{Name: "shrink", Use: "takes away from what rests on few items", Max: infinite}},
		Run: func(ctx context.Context, train *dataset.Matrix, v Values, workers int) (eval.Scorer, error) {
			return scorer(fitUserKNN(ctx, train, count(v["neighbours"]), v["shrink"], workers))
		},
	},
	{
		Name: "weighted", Title: "Weighted item-item",
		Summary: "similarity to all of the user's items, weighted as a held-out part of the training part likes " +
			"best",
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
		Summary: "random walks of three steps from the user, popular items held back",
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
		Name: "ease", Title: "EASE^R", Summary: "linear autoencoder with a zero diagonal, in closed form",
		Source: "Steck, WWW 2019",
		Settings: []Setting{{Name: "lambda", Use: "the regulariser, in interactions", Default: DefaultLambda,
			Above: true, Max: infinite}},
		Run: func(ctx context.Context, train *dataset.Matrix, v Values, workers int) (eval.Scorer, error) {
			return scorer(fitEASE(ctx, train, v["lambda"], workers))
		},
	},
	{
		Name: "slim", Title: "SLIM", Summary: "sparse linear model of items, weights of at least 0",
		Source: "Ning, Karypis, ICDM 2011",
		Settings: []Setting{
			{Name: "l1", Use: "takes weights away, in interactions", Default: 1, Max: infinite},
			{Name: "l2", Use: "keeps weights small, in interactions", Default: 100, Max: infinite},
			{Name: "passes", Use: "passes over an item's weights at most", Default: 100, Min: 1, Max: 1e6, Whole: true},
		},
		Run: func(ctx context.Context, train *dataset.Matrix, v Values, workers int) (eval.Scorer, error) {
			return scorer(fitSLIM(ctx, train, v["l1"], v["l2"], int(v["passes"]), workers))
		},
	},
	{
		Name: "turbocf", Title: "Turbo-CF", Summary: "polynomial low-pass filter on the graph of items, in closed form",
		Source: "Park, Shin, Shin, SIGIR 2024",
		Settings: []Setting{
			{Name: "alpha", Use: "power of a user's number of items, 1 less that of an item's users", Default: 0.6,
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
		Summary: "matrix factorisation by alternating least squares, unknown pairs weakly zero",
		Source:  "Hu, Koren, Volinsky, ICDM 2008; Rendle, Krichene, Zhang, Koren, RecSys 2022",
		Settings: []Setting{
			{Name: "dim", Use: "dimension of the factors", Default: 64, Min: 1, Max: 4096, Whole: true},
			{Name: "epochs", Use: "passes over users and items", Default: 16, Min: 1, Max: 1e6, Whole: true},
			{Name: "unobserved",
				Use: "weight of an unknown pair beside 1 of a known one, α₀; 0: less, the larger the data",
				Max: infinite},
			{Name: "lambda", Use: "the regulariser", Default: 0.03, Max: infinite},
			{Name: "nu", Use: "how the regulariser grows with what an entity has", Default: 1, Max: 2},
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

// count turns a whole number into an int, at most MaxInt32, which is more than any matrix has.
func count(x float64) int { return int(min(x, math.MaxInt32)) }

// scorer keeps a nil pointer from becoming a Scorer that is not nil.
func scorer[T eval.Scorer](s T, err error) (eval.Scorer, error) {
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Methods returns all methods of this package, the plainest first.
func Methods() Registry { return slices.Clone(methods) }

// Names returns the names of Methods, in their order.
func Names() []string { return methods.Names() }

// Parse is Registry.Parse for the methods of this package.
func Parse(spec string) (*Method, Values, error) { return methods.Parse(spec) }

// New fits on train what Parse reads from spec, see there and Fit.
func New(ctx context.Context, spec string, train *dataset.Matrix, workers int) (eval.Scorer, error) {
	m, v, err := Parse(spec)
	if err != nil {
		return nil, err
	}
	return m.Fit(ctx, train, v, workers)
}

// Names returns the methods' names, in their order.
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

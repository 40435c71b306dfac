package learned

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/pmlam/pmlam/core/dataset"
)

// Own is a setting of a single method.
type Own struct {
	Name     string
	Use      string // one-line description
	Default  float64
	Min, Max float64 // inclusive
	Whole    bool    // an integer
}

// Method is one entry of the registry.
type Method struct {
	Name, Title, Summary, Source string
	// an epoch passes over users, not pairs: a batch has users without negatives
	Users bool
	Own   []Own

	defaults func(*Settings) // changes Defaults for it; nil: no change
	make     func(train *dataset.Matrix, s Settings, own map[string]float64, r *rand.Rand) Model
}

// cosines sets the defaults of methods that score by cosines, except the learning rate. Their losses need many
// negatives, which their authors draw from all items, including the user's own.
func cosines(rate float64) func(*Settings) {
	return func(s *Settings) {
		s.Negatives, s.Candidates, s.Owned, s.Batch, s.LearnRate = 500, 0, true, 1024, rate
	}
}

// methods is in the order of the paper's Table 2; additional methods follow similar ones. Add a method by an entry
// here.
var methods = []Method{
	{
		Name: "bprmf", Title: "BPRMF", Summary: "matrix factorisation by pairwise ranking",
		Source: "Rendle, Freudenthaler, Gantner, Schmidt-Thieme, UAI 2009",
		Own: []Own{
			{Name: "regularizer", Use: "λ of the rows that a triplet touches", Default: 0.001, Max: 1e6},
			{Name: "whole",
				Use: "λ of all rows in every step, added to the mean loss; above 0, every row moves in every step",
				Max: 1e6},
		},
		make: newBPR,
	},
	{
		Name: "ncf", Title: "NCF", Summary: "a product of embeddings joined with a perceptron over others (NeuMF)",
		Source: "He, Liao, Zhang, Nie, Hu, Chua, WWW 2017",
		// As its authors draw them. This pointwise loss memorises small sets of candidates (docs/baselines.md).
		defaults: func(s *Settings) { s.Candidates = 0 },
		make:     newNeuMF,
	},
	{
		Name: "deepae", Title: "DeepAE",
		Summary: "an autoencoder of a user's row with three hidden layers; the user's items weigh more",
		Source:  "Ma, Zhang, Wang, Liu, CIKM 2018", Users: true,
		Own: []Own{
			{Name: "outer", Use: "units of the first and the third hidden layer", Default: 200, Min: 1, Max: 65536,
				Whole: true},
			{Name: "positives", Use: "weight of the user's items, relative to 1 for the rest", Default: 10, Max: 1e6},
			{Name: "dropout", Use: "share of hidden units dropped in a step", Default: 0.5, Max: 0.99},
			{Name: "regularizer", Use: "λ of all weights", Default: 0.001, Max: 1e6},
			{Name: "prior", Use: "1: the output starts at popularity; 0: at an even chance for every item",
				Default: 1, Max: 1, Whole: true},
		},
		make: newDeepAE,
	},
	{
		Name: "lightgcn", Title: "LightGCN",
		Summary: "matrix factorisation by pairwise ranking with embeddings smoothed over the graph of likes",
		Source:  "He, Deng, Wang, Li, Zhang, Wang, SIGIR 2020",
		Own: []Own{
			{Name: "layers", Use: "L: steps over the graph", Default: 3, Max: 16, Whole: true},
			{Name: "regularizer", Use: "λ of the rows that a triplet touches, before the graph", Default: 0.0001,
				Max: 1e6},
		},
		make: newLightGCN,
	},
	{
		Name: "simplex", Title: "SimpleX",
		Summary:  "matrix factorisation by cosines: many negatives, counted above a margin",
		Source:   "Mao, Zhu, Wang, Dai, Dong, Xiao, He, CIKM 2021",
		defaults: cosines(0.1),
		Own: []Own{
			{Name: "margin", Use: "m: cosine above which a negative counts", Default: 0.6, Min: -1, Max: 1},
			{Name: "weight", Use: "w: weight of the mean over negatives; the positive has 1", Default: 10, Max: 1e6},
			{Name: "gamma", Use: "γ: weight of the user's own row against the mean of their items", Default: 1,
				Max: 1},
			{Name: "dropout", Use: "share of a user's values dropped in a sample", Default: 0.1, Max: 0.99},
		},
		make: newSimpleX,
	},
	{
		Name: "bsl", Title: "MF+BSL",
		Summary:  "matrix factorisation by cosines: softmax over negatives, and over a user's positives in a batch",
		Source:   "Wu, Chen, Wu, Wang, He, ICDE 2024",
		defaults: cosines(0.01),
		Own: []Own{
			{Name: "temperature", Use: "τ of both softmaxes", Default: 0.15, Min: 0.01, Max: 100},
			{Name: "power", Use: "κ: weight of the negatives' softmax; 1: equal to the positives'", Default: 1.1,
				Max: 100},
		},
		make: newBSL,
	},
	{
		Name: "cml", Title: "CML",
		Summary: "metric learning: the hardest negative, weighted by the estimated rank",
		Source:  "Hsieh, Yang, Cui, Lin, Belongie, Estrin, WWW 2017",
		Own: []Own{
			{Name: "margin", Use: "extra distance that a negative must have", Default: 1, Max: 1e6},
			{Name: "covariance", Use: "λ_c: weight of the covariance between dimensions", Default: 1, Max: 1e6},
		},
		make: newCML,
	},
	{
		Name: "lrml", Title: "LRML", Summary: "metric learning with a relation for each pair from an attentive memory",
		Source: "Tay, Tuan, Hui, WWW 2018",
		Own: []Own{
			{Name: "margin", Use: "extra distance that a negative must have", Default: 1, Max: 1e6},
			{Name: "memories", Use: "N: slots of the memory", Default: 20, Min: 1, Max: 1024, Whole: true},
			{Name: "learned", Use: "1: the memory is learned, as in the formula; 0: it stays as drawn", Max: 1,
				Whole: true},
		},
		make: newLRML,
	},
	{
		Name: "transcf", Title: "TransCF", Summary: "metric learning with a translation from the neighbourhoods",
		Source: "Park, Kim, Xie, Yu, ICDM 2018",
		Own: []Own{
			{Name: "margin", Use: "extra distance that a negative must have", Default: 1, Max: 1e6},
			{Name: "distance", Use: "λ_dist: weight of the positives' distance", Default: 0.01, Max: 1e6},
			{Name: "neighbours", Use: "λ_nbr: weight of the distance to the neighbourhood", Default: 0.01, Max: 1e6},
		},
		make: newTransCF,
	},
	{
		Name: "sml", Title: "SML",
		Summary: "metric learning from the user's and the item's side, each with a learned margin",
		Source:  "Li, Zhang, Zhang, Qin, Zhang, Hu, AAAI 2020",
		Own: []Own{
			{Name: "bound", Use: "l: the largest margin", Default: 1, Max: 1e6},
			{Name: "item", Use: "λ: weight of the item's side", Default: 0.01, Max: 1e6},
			{Name: "margins", Use: "γ: weight of the margins' size, per pair", Default: 1, Max: 1e6},
		},
		make: newSML,
	},
}

// Methods returns all methods in registry order.
func Methods() []Method { return append([]Method(nil), methods...) }

func find(name string) (*Method, error) {
	names := make([]string, len(methods))
	for k := range methods {
		if methods[k].Name == name {
			return &methods[k], nil
		}
		names[k] = methods[k].Name
	}
	return nil, fmt.Errorf("unknown method %q: it must be one of %s", name, strings.Join(names, ", "))
}

// complete returns the method's own settings, with defaults for those left out.
func (m *Method) complete(given map[string]float64) (map[string]float64, error) {
	own := map[string]float64{}
	for _, o := range m.Own {
		own[o.Name] = o.Default
		if x, ok := given[o.Name]; ok {
			if !(x >= o.Min && x <= o.Max) || o.Whole && x != math.Trunc(x) {
				number := ""
				if o.Whole {
					number = "a whole number "
				}
				return nil, fmt.Errorf("the setting %s of %s is %g; it must be %sbetween %g and %g", o.Name, m.Name, x,
					number, o.Min, o.Max)
			}
			own[o.Name] = x
		}
	}
	for name := range given {
		if _, ok := own[name]; !ok {
			return nil, fmt.Errorf("%s has no setting %q", m.Name, name)
		}
	}
	return own, nil
}

// normal returns a table with values drawn from N(0, deviation²).
func normal(name string, rows, cols int, deviation float64, r *rand.Rand) *Param {
	p := NewParam(name, rows, cols)
	for i := range p.Data {
		p.Data[i] = float32(r.NormFloat64() * deviation)
	}
	return p
}

package learned

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/pmlam/pmlam/core/dataset"
)

// Own is a setting of one method alone.
type Own struct {
	Name     string
	Use      string // one line for people
	Default  float64
	Min, Max float64 // inclusive
	Whole    bool    // an integer
}

// Method is one entry of the registry.
type Method struct {
	Name, Title, Summary, Source string
	// an epoch goes through users, not pairs: a batch has so many users and no negatives
	Users bool
	Own   []Own

	defaults func(*Settings) // what of Defaults is another for it; nil: nothing
	make     func(train *dataset.Matrix, s Settings, own map[string]float64, r *rand.Rand) Model
}

// cosines are the defaults of the methods that score by cosines, but for their learning rate. Their losses rest on many
// negatives, which their authors draw from all items, those that the user has too.
func cosines(rate float64) func(*Settings) {
	return func(s *Settings) {
		s.Negatives, s.Candidates, s.Owned, s.Batch, s.LearnRate = 500, 0, true, 1024, rate
	}
}

// methods is in the order of the paper's Table 2, those that it does not have among those that are no metrics. Another
// method is another entry.
var methods = []Method{
	{
		Name: "bprmf", Title: "BPRMF", Summary: "matrix factorisation by pairwise ranking",
		Source: "Rendle, Freudenthaler, Gantner, Schmidt-Thieme, UAI 2009",
		Own: []Own{
			{Name: "regularizer", Use: "λ of the rows that a triplet touches", Default: 0.001, Max: 1e6},
			{Name: "whole",
				Use: "λ of all rows in every step, beside the mean loss; above 0, every row is moved in every step",
				Max: 1e6},
		},
		make: newBPR,
	},
	{
		Name: "ncf", Title: "NCF", Summary: "a product of embeddings and a perceptron over others, joined (NeuMF)",
		Source: "He, Liao, Zhang, Nie, Hu, Chua, WWW 2017",
		// As its authors draw them. With few candidates a user this pointwise loss memorises them (docs/baselines.md).
		defaults: func(s *Settings) { s.Candidates = 0 },
		make:     newNeuMF,
	},
	{
		Name: "deepae", Title: "DeepAE",
		Summary: "an autoencoder of a user's row with three hidden layers; what they have weighs more",
		Source:  "Ma, Zhang, Wang, Liu, CIKM 2018", Users: true,
		Own: []Own{
			{Name: "outer", Use: "units of the first and the third hidden layer", Default: 200, Min: 1, Max: 65536,
				Whole: true},
			{Name: "positives", Use: "weight of what a user has, beside 1 of the rest", Default: 10, Max: 1e6},
			{Name: "dropout", Use: "share of hidden units that are left out in a step", Default: 0.5, Max: 0.99},
			{Name: "regularizer", Use: "λ of all weights", Default: 0.001, Max: 1e6},
			{Name: "prior", Use: "1: the output begins at what is popular; 0: at an even chance for everything",
				Default: 1, Max: 1, Whole: true},
		},
		make: newDeepAE,
	},
	{
		Name: "lightgcn", Title: "LightGCN",
		Summary: "matrix factorisation by pairwise ranking over embeddings that go over the graph of likes",
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
		Summary:  "matrix factorisation by cosines: many negatives, of which those above a margin count",
		Source:   "Mao, Zhu, Wang, Dai, Dong, Xiao, He, CIKM 2021",
		defaults: cosines(0.1),
		Own: []Own{
			{Name: "margin", Use: "m: cosine above which a negative counts", Default: 0.6, Min: -1, Max: 1},
			{Name: "weight", Use: "w: of the mean over negatives, beside 1 of the positive", Default: 10, Max: 1e6},
			{Name: "gamma", Use: "γ: weight of the user's own row, beside the mean of what they have", Default: 1,
				Max: 1},
			{Name: "dropout", Use: "share of a user's values that is left out in a sample", Default: 0.1, Max: 0.99},
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
			{Name: "power", Use: "κ: weight of the negatives' softmax; 1: as much as the positives'", Default: 1.1,
				Max: 100},
		},
		make: newBSL,
	},
	{
		Name: "cml", Title: "CML",
		Summary: "metric learning: the hardest negative, weighted by the rank it makes likely",
		Source:  "Hsieh, Yang, Cui, Lin, Belongie, Estrin, WWW 2017",
		Own: []Own{
			{Name: "margin", Use: "by which a negative must lie farther away", Default: 1, Max: 1e6},
			{Name: "covariance", Use: "λ_c of what dimensions have in common", Default: 1, Max: 1e6},
		},
		make: newCML,
	},
	{
		Name: "lrml", Title: "LRML", Summary: "metric learning with a relation for every pair from an attentive memory",
		Source: "Tay, Tuan, Hui, WWW 2018",
		Own: []Own{
			{Name: "margin", Use: "by which a negative must lie farther away", Default: 1, Max: 1e6},
			{Name: "memories", Use: "N: slots of the memory", Default: 20, Min: 1, Max: 1024, Whole: true},
			{Name: "learned", Use: "1: the memory is learned, as in the formula; 0: it stays as it is drawn", Max: 1,
				Whole: true},
		},
		make: newLRML,
	},
	{
		Name: "transcf", Title: "TransCF", Summary: "metric learning with a translation that the neighbourhoods make",
		Source: "Park, Kim, Xie, Yu, ICDM 2018",
		Own: []Own{
			{Name: "margin", Use: "by which a negative must lie farther away", Default: 1, Max: 1e6},
			{Name: "distance", Use: "λ_dist: weight of the positives' distance", Default: 0.01, Max: 1e6},
			{Name: "neighbours", Use: "λ_nbr: weight of the distance to one's neighbourhood", Default: 0.01, Max: 1e6},
		},
		make: newTransCF,
	},
	{
		Name: "sml", Title: "SML",
		Summary: "metric learning from the user's and from the item's side, with a learned margin each",
		Source:  "Li, Zhang, Zhang, Qin, Zhang, Hu, AAAI 2020",
		Own: []Own{
			{Name: "bound", Use: "l: the largest margin", Default: 1, Max: 1e6},
			{Name: "item", Use: "λ: weight of the item's side", Default: 0.01, Max: 1e6},
			{Name: "margins", Use: "γ: weight of the margins' size, of each pair", Default: 1, Max: 1e6},
		},
		make: newSML,
	},
}

// Methods returns all methods, in that order.
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

// complete returns the method's own settings with the defaults of what is left out.
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
				return nil, fmt.Errorf("the setting %s of %s is %g and must be %sbetween %g and %g", o.Name, m.Name, x,
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

// normal returns a table whose values are drawn from N(0, deviation²).
func normal(name string, rows, cols int, deviation float64, r *rand.Rand) *Param {
	p := NewParam(name, rows, cols)
	for i := range p.Data {
		p.Data[i] = float32(r.NormFloat64() * deviation)
	}
	return p
}

package learned

import (
	"fmt"
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
}

// Method is one entry of the registry.
type Method struct {
	Name, Title, Summary, Source string
	Own                          []Own

	make func(train *dataset.Matrix, s Settings, own map[string]float64, r *rand.Rand) Model
}

// methods is in the order of the paper's Table 2. A further method is a further entry.
var methods = []Method{
	{
		Name: "bprmf", Title: "BPRMF", Summary: "matrix factorisation by pairwise ranking",
		Source: "Rendle, Freudenthaler, Gantner, Schmidt-Thieme, UAI 2009",
		Own:    []Own{{"regularizer", "λ of the rows that a triplet touches", 0.001, 0, 1e6}},
		make:   newBPR,
	},
	{
		Name: "ncf", Title: "NCF", Summary: "a product of embeddings and a perceptron over others, joined (NeuMF)",
		Source: "He, Liao, Zhang, Nie, Hu, Chua, WWW 2017",
		make:   newNeuMF,
	},
	{
		Name: "cml", Title: "CML", Summary: "metric learning: the hardest negative, weighted by the rank it makes likely",
		Source: "Hsieh, Yang, Cui, Lin, Belongie, Estrin, WWW 2017",
		Own: []Own{
			{"margin", "by which a negative must lie farther away", 1, 0, 1e6},
			{"covariance", "λ_c of what dimensions have in common", 1, 0, 1e6},
		},
		make: newCML,
	},
	{
		Name: "lrml", Title: "LRML", Summary: "metric learning with a relation for every pair from an attentive memory",
		Source: "Tay, Tuan, Hui, WWW 2018",
		Own: []Own{
			{"margin", "by which a negative must lie farther away", 1, 0, 1e6},
			{"memories", "N: slots of the memory", 20, 1, 1024},
		},
		make: newLRML,
	},
	{
		Name: "transcf", Title: "TransCF", Summary: "metric learning with a translation that the neighbourhoods make",
		Source: "Park, Kim, Xie, Yu, ICDM 2018",
		Own: []Own{
			{"margin", "by which a negative must lie farther away", 1, 0, 1e6},
			{"distance", "λ_dist: weight of the positives' distance", 0.01, 0, 1e6},
			{"neighbours", "λ_nbr: weight of the distance to one's neighbourhood", 0.01, 0, 1e6},
		},
		make: newTransCF,
	},
	{
		Name: "sml", Title: "SML", Summary: "metric learning from the user's and from the item's side, with a learned margin each",
		Source: "Li, Zhang, Zhang, Qin, Zhang, Hu, AAAI 2020",
		Own: []Own{
			{"bound", "l: the largest margin", 1, 0, 1e6},
			{"item", "λ: weight of the item's side", 0.01, 0, 1e6},
			{"margins", "γ: weight of the margins' size", 10, 0, 1e6},
		},
		make: newSML,
	},
}

// Methods returns all methods, in the paper's order.
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
			if !(x >= o.Min && x <= o.Max) {
				return nil, fmt.Errorf("the setting %s of %s is %g and must be between %g and %g", o.Name, m.Name, x, o.Min, o.Max)
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

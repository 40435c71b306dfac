package cli

import "github.com/pmlam/pmlam/core/eval"

// sliced is a slice of users or test items in JSON, without the metrics.
type sliced struct {
	Of    string `json:"of"`
	Users int    `json:"users"`
	Pairs int    `json:"test_items"`
	From  int    `json:"likes_from,omitempty"` // training likes of its users
	To    int    `json:"likes_to,omitempty"`
}

// Slices returns the slices of a report in JSON.
func Slices(r *eval.Report) []FlatObject {
	out := []FlatObject{}
	for _, s := range r.Slices {
		out = append(out, Flat(sliced{s.Name, s.Users, s.Pairs, s.From, s.To}, s.Map(r.Ks)))
	}
	return out
}

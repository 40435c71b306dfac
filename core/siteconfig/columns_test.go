package siteconfig

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/recommend"
)

func TestColumns(t *testing.T) {
	all := []string{"5", "0", "12", "7,5", "", "sold out", "-1", "yes"}
	for rules, c := range map[string]struct{ shown, reduced string }{
		`in-stock = "x"`:                                                                              {"", "1 0 1 1 0 0 0 1"},
		`boost = [{ column = "x", weight = 1 }]`:                                                      {"", "8 4 16 12   0 "},
		`boost = [{ column = "x", value = "5", weight = 1 }]`:                                         {"", "5       "},
		"in-stock = \"x\"\nboost = [{ column = \"x\", weight = 1 }]":                                  {"", "9 0 17 13 0 0 0 1"},
		`at-most = { n = 2, column = "x" }`:                                                           {"", "1 2 3 4  5 6 7"},
		"in-stock = \"x\"\nat-most = { n = 2, column = \"x\" }":                                       {"x", ""},
		"in-stock = \"x\"\nboost = [{ column = \"x\", value = \"5\", weight = 1 }]":                   {"x", ""},
		"boost = [{column=\"x\",value=\"5\",weight=1},{column=\"x\",value=\"yes\",weight=2}]":         {"", "5       yes"},
		"pinned = [\"a\"]\n[site]\nprice = \"{x} €\"\nlinks = [{name=\"a\",address=\"/p/{id}?{y}\"}]": {"id x y", ""},
	} {
		p, err := Parse([]byte("[rules]\n" + rules))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if reduce := p.Reduced()["x"]; reduce != nil {
			filled := slices.DeleteFunc(slices.Clone(all), func(s string) bool { return s == "" })
			one := reduce(filled)
			var texts []string
			for _, text := range all {
				texts = append(texts, one(text))
			}
			got = strings.Join(texts, " ")
		}
		if shown := strings.Join(p.Shown(), " "); shown != c.shown || got != c.reduced {
			t.Errorf("%s: shown %q, want %q; reduced %q, want %q", rules, shown, c.shown, got, c.reduced)
		}
	}
}

// With reduced columns, rules leave out the same items, bound the same groups and give nearly the same boosts as with
// the columns themselves.
func TestReducedRulesDoTheSame(t *testing.T) {
	var stock, margin, supplier []string
	for i := range 300 {
		stock = append(stock, fmt.Sprint(max(0, i*7%50-10)))
		margin = append(margin, fmt.Sprintf("%.2f", float64(i*i%997)/9))
		supplier = append(supplier, fmt.Sprint("Supplier ", i%9))
	}
	p := &Project{Rules: Rules{Rules: recommend.Rules{InStock: "stock", AtMost: recommend.AtMost{N: 2, Column: "supplier"},
		Boosts: []recommend.Boost{{Column: "margin", Weight: 1}}}}}
	reduced := p.Reduced()
	for i := range stock {
		if recommend.Available(stock[i]) != recommend.Available(reduced["stock"](stock)(stock[i])) {
			t.Errorf("stock %s is published as %s", stock[i], reduced["stock"](stock)(stock[i]))
		}
	}
	group, step := reduced["supplier"](supplier), reduced["margin"](margin)
	for i := range supplier {
		for j := range supplier {
			if (group(supplier[i]) == group(supplier[j])) != (supplier[i] == supplier[j]) {
				t.Fatalf("%s and %s are groups %s and %s", supplier[i], supplier[j], group(supplier[i]), group(supplier[j]))
			}
		}
	}
	levels := map[string]bool{}
	for _, m := range margin {
		levels[step(m)] = true
	}
	if len(levels) != Steps {
		t.Errorf("%d steps, want %d", len(levels), Steps)
	}
}

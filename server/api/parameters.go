package api

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/pmlam/pmlam/core/brief"
	"github.com/pmlam/pmlam/core/recommend/query"
)

// parameters are the query parameters of an address, each at most once.
type parameters map[string]string

// readParameters reads the named parameters and rejects others.
func readParameters(r *http.Request, names ...string) (parameters, error) {
	if len(r.URL.RawQuery) > maxParameters {
		return nil, badField("", fmt.Sprintf("the parameters after ? are longer than %d bytes",
			maxParameters))
	}
	all, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, badField("", "the parameters after ? are invalid")
	}
	out := parameters{}
	for _, name := range sortedKeys(all) {
		switch {
		case !slices.Contains(names, name):
			name = brief.Text(name)
			return nil, badField(name, fmt.Sprintf("unknown parameter %q%s", name, offer(names)))
		case len(all[name]) > 1:
			return nil, badField(name, fmt.Sprintf("%s appears %d times; use it once", name, len(all[name])))
		}
		out[name] = all[name][0]
	}
	return out, nil
}

// noParameters rejects all parameters.
func noParameters(r *http.Request) error {
	_, err := readParameters(r)
	return err
}

func offer(names []string) string {
	if len(names) == 0 {
		return "; options go into the body"
	}
	return "; choose from " + strings.Join(names, ", ")
}

func sortedKeys(all url.Values) []string {
	keys := make([]string, 0, len(all))
	for k := range all {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// count reads a number of results.
func (p parameters) count(name string) (int, error) {
	var v query.JSON
	if text, ok := p[name]; ok {
		v.V = text
		if n, err := strconv.ParseInt(text, 10, 32); err == nil {
			v.V = float64(n)
		}
	}
	n, err := query.Bounded(name, v, 1, MaxResults, query.DefaultResults, true)
	return int(n), err
}

package api

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/pmlam/pmlam/core/brief"
)

// origins are the sites whose pages may send requests. Cookies are neither used nor allowed.
type origins map[string]bool

func newOrigins(list []string) (origins, error) {
	out := origins{}
	for _, o := range list {
		u, err := url.Parse(o)
		if err == nil && u.Port() != "" {
			_, err = strconv.ParseUint(u.Port(), 10, 16)
		}
		if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.Scheme+"://"+u.Host != o ||
			strings.ToLower(o) != o {
			return nil, fmt.Errorf("%q is not an origin: write it like https://shop.example, in lower case and "+
				"without a path", brief.Text(o))
		}
		out[o] = true
	}
	return out, nil
}

// handle sets the headers that let a page of an allowed site read the answer. It reports whether the request was a
// preflight, which it has then answered.
func (o origins) handle(w http.ResponseWriter, r *http.Request) bool {
	header := w.Header()
	if len(o) > 0 {
		header.Add("Vary", "Origin")
	}
	origin := r.Header.Get("Origin")
	preflight := r.Method == http.MethodOptions && origin != "" && r.Header.Get("Access-Control-Request-Method") != ""
	if o[origin] {
		header.Set("Access-Control-Allow-Origin", origin)
		if preflight {
			header.Set("Access-Control-Allow-Methods", "GET, POST")
			header.Set("Access-Control-Allow-Headers", "Content-Type")
			header.Set("Access-Control-Max-Age", "7200")
		}
	}
	if preflight {
		w.WriteHeader(http.StatusNoContent)
	}
	return preflight
}

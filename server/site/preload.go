package site

import (
	"html"
	"path"
	"slices"
	"strings"
)

// withPreloads returns the page with a link for each script that its loader imports, so that browsers load all of them
// at once instead of discovering one after the other. The loader is the script with data-model. The links come before
// the first deferred module, so after everything that the first paint and the invitation need.
func withPreloads(f *built) ([]byte, error) {
	all, err := elements(f.content)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(all, func(e element) bool {
		return e.name == "script" && e.value("type") == "module" &&
			!slices.ContainsFunc(e.attributes, func(a attribute) bool { return a.name == "async" })
	})
	loader := slices.IndexFunc(all, func(e element) bool { return e.name == "script" && e.value("data-model") != "" })
	if at < 0 || loader < 0 {
		return f.content, nil
	}
	var links strings.Builder
	seen := map[*built]bool{}
	var follow func(of *built)
	follow = func(of *built) {
		for _, c := range of.children {
			if path.Ext(c.name) != ".js" || seen[c] {
				continue
			}
			seen[c] = true
			// A worker would fetch its script again.
			if path.Base(path.Dir(c.name)) != "worker" {
				links.WriteString(`<link rel="modulepreload" href="` + html.EscapeString(c.name) + "\">\n  ")
			}
			follow(c)
		}
	}
	for _, c := range f.children {
		if c.name == all[loader].value("src") {
			follow(c)
		}
	}
	return apply(f.content, []edit{{all[at].start, all[at].start, links.String()}}), nil
}

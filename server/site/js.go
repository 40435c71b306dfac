package site

import (
	"regexp"
	"slices"
	"strings"
)

// A module names other files in three ways, each written on one line or with its names over several:
//
//	import { a } from "./a.js";   import "./a.js";   export * from "./a.js";
//	import("./a.js")
//	new URL("./a.bin", import.meta.url)
//
// Statements count where they begin a line, which keeps prose in comments and strings apart without a parser.
// A file that is fetched by an address put together at run time cannot be found here: name it in an attribute of the
// page instead (data-…).
var (
	jsStatement = regexp.MustCompile(`(?m)^[ \t]*(?:import|export)\b(?:[\w\s*{},$]*?\bfrom)?\s*["']([^"'\n]+)["']`)
	jsDynamic   = regexp.MustCompile(`\bimport\(\s*["']([^"'\n]+)["']\s*\)`)
	jsURL       = regexp.MustCompile(`\bnew\s+URL\(\s*["']([^"'\n]+)["']\s*,\s*import\.meta\.url\s*\)`)
)

func scanJS(content []byte) ([]reference, error) {
	var refs []reference
	for _, form := range []*regexp.Regexp{jsStatement, jsDynamic, jsURL} {
		for _, m := range form.FindAllSubmatchIndex(content, -1) {
			r := found(content, m, 1)
			bare := !strings.HasPrefix(r.address, "./") && !strings.HasPrefix(r.address, "../") && !strings.HasPrefix(r.address, "/") &&
				!scheme.MatchString(r.address)
			if bare && form != jsURL {
				return nil, mistakef(r.start, "%q is imported by a bare name, which a browser cannot find: write ./%s", r.address, r.address)
			}
			refs = append(refs, r)
		}
	}
	slices.SortFunc(refs, func(a, b reference) int { return a.start - b.start })
	return refs, nil
}

package site

import "regexp"

// A web manifest names its icons and screenshots by "src". start_url and scope name the site itself and stay.
var manifestSource = regexp.MustCompile(`"src"\s*:\s*"([^"\\]*)"`)

func scanManifest(content []byte) ([]reference, error) {
	var refs []reference
	for _, m := range manifestSource.FindAllSubmatchIndex(content, -1) {
		refs = append(refs, found(content, m, 1))
	}
	return refs, nil
}

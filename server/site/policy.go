package site

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pmlam/pmlam/server"
)

// withPolicy writes the Content-Security-Policy into the page, before anything that loads, so it applies on any host,
// even without control of headers. Of other sites it allows only pictures, from the owner's origins and the further
// ones. An existing policy is kept. The element follows the one of the character set, which browsers expect in the
// first kilobyte. With a studio, the page names it, and the policy allows the frame in which the studio shows a page.
func withPolicy(content []byte, further []string, studio bool) ([]byte, error) {
	all, err := elements(content)
	if err != nil {
		return nil, err
	}
	origins, err := pictureOrigins(all)
	if err != nil {
		return nil, err
	}
	for _, o := range further {
		if o == "" || originOf(o) != o {
			return nil, fmt.Errorf("picture-origins of site contains %q; write origins like https://pictures.example, "+
				"with an optional port from 1 to 65535", o)
		}
		if !slices.Contains(origins, o) {
			origins = append(origins, o)
		}
	}
	at := -1
	for _, e := range all {
		if e.name != "meta" {
			continue
		}
		if strings.EqualFold(e.value("http-equiv"), "Content-Security-Policy") {
			return content, nil
		}
		if at < 0 && e.value("charset") != "" {
			at = e.end
		}
	}
	if at < 0 {
		return nil, mistakef(0, "the page has no <meta charset=\"utf-8\">: put it first in the head; "+
			"the site's policy is inserted after it")
	}
	policy := "\n<meta http-equiv=\"Content-Security-Policy\" content=\"" + server.PolicyWith(origins, studio) + "\">"
	if studio {
		policy += "\n<meta name=\"studio\" content=\"" + studioFolder + "\">"
	}
	return apply(content, []edit{{at, at, policy}}), nil
}

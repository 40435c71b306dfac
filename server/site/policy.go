package site

import (
	"regexp"

	"github.com/pmlam/pmlam/server"
)

// headStart is the element of the character set, which comes first in a head (a browser looks for it in the first
// kilobyte); policyElement is a policy that the page brings itself.
var (
	headStart     = regexp.MustCompile(`(?i)<meta\s+charset=[^>]*>`)
	policyElement = regexp.MustCompile(`(?i)<meta\s[^>]*http-equiv\s*=\s*["']?Content-Security-Policy`)
)

// withPolicy puts the Content-Security-Policy into the page, before anything that loads: the policy then holds on any
// host, also where no headers can be set. A page that has one already keeps it.
func withPolicy(content []byte) ([]byte, error) {
	if policyElement.Match(content) {
		return content, nil
	}
	m := headStart.FindIndex(content)
	if m == nil {
		return nil, mistakef(0, "the page has no <meta charset=\"utf-8\">: put it first in the head; the site's policy is written behind it")
	}
	element := "\n<meta http-equiv=\"Content-Security-Policy\" content=\"" + server.MetaPolicy + "\">"
	return apply(content, []edit{{m[1], m[1], element}}), nil
}

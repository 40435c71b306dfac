package server

import (
	"net/http"
	"slices"
	"strings"
)

// MetaPolicy is the page's Content-Security-Policy as far as a <meta> element may state it. The site builder writes
// it into the page, so that it holds on hosts where no header can be set.
//
// Nothing inline and no eval: 'wasm-unsafe-eval' allows WebAssembly to be compiled and nothing else. data: and blob:
// images are the icons within the style sheet and the pictures a visitor saves.
const MetaPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; " +
	imagesFrom + "; connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; " +
	"base-uri 'none'; form-action 'none'"

// Policy is the whole Content-Security-Policy, as the server sends it.
const Policy = MetaPolicy + "; frame-ancestors 'none'"

// PolicyWithPictures is MetaPolicy for a page that shows pictures of these origins too.
func PolicyWithPictures(origins []string) string {
	if len(origins) == 0 {
		return MetaPolicy
	}
	return strings.Replace(MetaPolicy, imagesFrom, imagesFrom+" "+strings.Join(origins, " "), 1)
}

const imagesFrom = "img-src 'self' data: blob:"

// policyOf is the policy that a page states, as the site builder writes it, with what only a header can say: the page's
// own where that differs from MetaPolicy in its pictures alone, else Policy.
func policyOf(page []byte) string {
	_, rest, _ := strings.Cut(string(page), `http-equiv="Content-Security-Policy" content="`)
	stated, _, _ := strings.Cut(rest, `"`)
	_, images, _ := strings.Cut(stated, imagesFrom+" ")
	images, _, found := strings.Cut(images, ";")
	if origins := strings.Fields(images); found && PolicyWithPictures(origins) == stated {
		return stated + "; frame-ancestors 'none'"
	}
	return Policy
}

// security is sent with every answer, errors included.
var security = [][2]string{
	{"Content-Security-Policy", Policy},
	{"X-Content-Type-Options", "nosniff"},
	{"Referrer-Policy", "no-referrer"},
	// The page needs none of these; a script that got in should not have them either.
	{"Permissions-Policy", "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), " +
		"magnetometer=(), microphone=(), midi=(), payment=(), usb=(), browsing-topics=()"},
	// Another site's window gets no handle on the page, and other sites cannot load its files.
	{"Cross-Origin-Opener-Policy", "same-origin"},
	{"Cross-Origin-Resource-Policy", "same-origin"},
}

// Headers are those of security that the page wants, with the policy that it states.
func Headers(page []byte) [][2]string {
	all := slices.Clone(security)
	all[0][1] = policyOf(page)
	return all
}

// setSecurity sets them.
func setSecurity(h http.Header) {
	for _, s := range security {
		h.Set(s[0], s[1])
	}
}

// The two kinds of caching. A name with a hash of its content never means anything else; any other name is kept too,
// but asked about (If-None-Match) before each use.
const (
	cacheForever    = "public, max-age=31536000, immutable"
	cacheRevalidate = "no-cache"
)

package server

import (
	"slices"
	"strings"
)

// MetaPolicy is the page's Content-Security-Policy, without directives that a <meta> element cannot set. The site
// builder writes it into the page, so it applies on hosts that cannot set headers.
//
// Inline code and eval are blocked: 'wasm-unsafe-eval' only allows WebAssembly to be compiled. data: and blob: images
// are icons in the style sheet and pictures that visitors save.
const MetaPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; " +
	imagesFrom + "; connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; " +
	"base-uri 'none'; form-action 'none'"

// Policy is the complete Content-Security-Policy, as the server sends it.
const Policy = MetaPolicy + "; frame-ancestors 'none'"

// PolicyWith is MetaPolicy for a page that also shows pictures of these origins and, if frames is set, frames with
// pages of its own site.
func PolicyWith(origins []string, frames bool) string {
	policy := MetaPolicy
	if len(origins) > 0 {
		policy = strings.Replace(policy, imagesFrom, imagesFrom+" "+strings.Join(origins, " "), 1)
	}
	if frames {
		policy += framesFrom
	}
	return policy
}

const (
	imagesFrom = "img-src 'self' data: blob:"
	framesFrom = "; frame-src 'self'"
)

// policyOf returns a page's policy plus the directives that only headers can set: the page's own policy if it differs
// from MetaPolicy only in pictures and frames, else Policy.
func policyOf(page []byte) string {
	_, rest, _ := strings.Cut(string(page), `http-equiv="Content-Security-Policy" content="`)
	stated, _, _ := strings.Cut(rest, `"`)
	_, images, _ := strings.Cut(stated, imagesFrom)
	images, _, found := strings.Cut(images, ";")
	if PolicyWith(strings.Fields(images), strings.HasSuffix(stated, framesFrom)) == stated && found {
		return stated + "; frame-ancestors 'none'"
	}
	return Policy
}

// security lists the headers of every answer, including errors.
var security = [][2]string{
	{"Content-Security-Policy", Policy},
	{"X-Content-Type-Options", "nosniff"},
	{"Referrer-Policy", "no-referrer"},
	// The page needs none of these, and an injected script should not have them either.
	{"Permissions-Policy", "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), " +
		"magnetometer=(), microphone=(), midi=(), payment=(), usb=(), browsing-topics=()"},
	// Windows of other sites get no handle on the page, and other sites cannot load its files.
	{"Cross-Origin-Opener-Policy", "same-origin"},
	{"Cross-Origin-Resource-Policy", "same-origin"},
}

// Headers returns the security headers for a page, with its policy.
func Headers(page []byte) [][2]string {
	all := slices.Clone(security)
	all[0][1] = policyOf(page)
	return all
}

// The two kinds of caching. A name with a hash of its content always has that content. Other names are cached too, but
// revalidated (If-None-Match) before each use.
const (
	cacheForever    = "public, max-age=31536000, immutable"
	cacheRevalidate = "no-cache"
)

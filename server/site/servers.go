package site

import (
	"fmt"
	"strings"

	"github.com/pmlam/pmlam/server"
	"github.com/pmlam/pmlam/server/internal/fingerprint"
)

// keptName matches names with a hash of their content, before or after an extension.
var keptName = fmt.Sprintf(`\.[0-9a-f]{%d}(\.[^/]*)?$`, fingerprint.Length)

const (
	keptForever = "public, max-age=31536000, immutable"
	askedAgain  = "no-cache"
)

// nginxFile returns the settings to include in the site's server block. The headers are outside of all locations,
// because a location with headers of its own does not inherit any.
func nginxFile(page string) string {
	var b strings.Builder
	b.WriteString("# Add to the server block whose root is this folder: include …/nginx.conf;\n" +
		"# It sends the .gz files. With the module ngx_brotli, add: brotli_static on;\n")
	fmt.Fprintf(&b, "set $pmlam_kept %q;\nif ($uri ~ \"%s\") {\n  set $pmlam_kept %q;\n}\n"+
		"add_header Cache-Control $pmlam_kept always;\n", askedAgain, keptName, keptForever)
	for _, h := range server.Headers([]byte(page)) {
		fmt.Fprintf(&b, "add_header %s %q always;\n", h[0], h[1])
	}
	b.WriteString("gzip_static on;\ngzip_vary on;\nindex index.html;\n")
	for _, t := range [][2]string{{"wasm", "application/wasm"}, {"webmanifest", "application/manifest+json"},
		{"m?js", "text/javascript"}} {
		fmt.Fprintf(&b, "location ~ \"\\.%s$\" {\n  types { }\n  default_type %s;\n}\n", t[0], t[1])
	}
	b.WriteString("location ~ \"/(nginx\\.conf|Caddyfile|_headers|\\.ht[^/]*)$\" {\n  return 404;\n}\n")
	return b.String()
}

// caddyFile returns the settings to import in the site's block of a Caddyfile.
func caddyFile(page string) string {
	var b strings.Builder
	b.WriteString("# Add to the site's block, next to root * …: import …/Caddyfile\n")
	fmt.Fprintf(&b, "@kept path_regexp kept %s\nheader Cache-Control %s\nheader @kept Cache-Control \"%s\"\nheader {\n",
		keptName, askedAgain, keptForever)
	for _, h := range server.Headers([]byte(page)) {
		fmt.Fprintf(&b, "\t%s \"%s\"\n", h[0], h[1])
	}
	b.WriteString("}\n@settings path /nginx.conf /Caddyfile /_headers /.htaccess\nrespond @settings 404\n" +
		"file_server {\n\tprecompressed br gzip\n}\n")
	return b.String()
}

// apacheFile returns .htaccess, which Apache reads if AllowOverride permits.
func apacheFile(page string) string {
	var b strings.Builder
	b.WriteString("# Apache reads this if AllowOverride includes FileInfo; modules: headers, mime, rewrite.\n" +
		"AddType application/wasm .wasm\nAddType application/manifest+json .webmanifest\n" +
		"AddType text/javascript .js .mjs\nDirectoryIndex index.html\n<IfModule mod_headers.c>\n")
	for _, h := range server.Headers([]byte(page)) {
		fmt.Fprintf(&b, "  Header always set %s \"%s\"\n", h[0], h[1])
	}
	fmt.Fprintf(&b, "  Header append Vary Accept-Encoding\n  Header set Cache-Control \"%s\"\n"+
		"  <FilesMatch \"%s\">\n    Header set Cache-Control \"%s\"\n  </FilesMatch>\n</IfModule>\n",
		askedAgain, keptName, keptForever)
	b.WriteString(`<IfModule mod_rewrite.c>
  RemoveType .gz
  AddEncoding br .br
  AddEncoding gzip .gz
  RewriteEngine on
  RewriteCond %{HTTP:Accept-Encoding} \bbr\b
  RewriteCond %{REQUEST_FILENAME}.br -s
  RewriteRule ^(.+)$ $1.br [L,E=no-gzip:1]
  RewriteCond %{HTTP:Accept-Encoding} \bgzip\b
  RewriteCond %{REQUEST_FILENAME}.gz -s
  RewriteRule ^(.+)$ $1.gz [L,E=no-gzip:1]
  RewriteRule ^(nginx\.conf|Caddyfile|_headers)$ - [R=404,L]
</IfModule>
`)
	return b.String()
}

package server

import (
	"path"
	"strings"
)

// types maps an extension to its media type. The standard library's mime package reads tables of the machine, which
// differ and often lack wasm; a site must not change its meaning with the machine that serves it.
var types = map[string]string{
	".avif":        "image/avif",
	".css":         "text/css; charset=utf-8",
	".csv":         "text/csv; charset=utf-8",
	".gif":         "image/gif",
	".gz":          "application/gzip",
	".html":        "text/html; charset=utf-8",
	".ico":         "image/vnd.microsoft.icon",
	".jpeg":        "image/jpeg",
	".jpg":         "image/jpeg",
	".js":          "text/javascript; charset=utf-8",
	".json":        "application/json",
	".map":         "application/json",
	".md":          "text/markdown; charset=utf-8",
	".mjs":         "text/javascript; charset=utf-8",
	".msgpack":     "application/vnd.msgpack",
	".png":         "image/png",
	".svg":         "image/svg+xml",
	".txt":         "text/plain; charset=utf-8",
	".wasm":        "application/wasm",
	".webmanifest": "application/manifest+json",
	".webp":        "image/webp",
	".woff2":       "font/woff2",
	".xml":         "text/xml; charset=utf-8",
}

// ContentType returns the media type of a file by its name. LICENSE, NOTICE and the like are text; whatever is not
// known is bytes, which a browser offers to save (nosniff forbids it to guess).
func ContentType(name string) string {
	ext := strings.ToLower(path.Ext(name))
	if ext == "" {
		return types[".txt"]
	}
	if t, ok := types[ext]; ok {
		return t
	}
	return "application/octet-stream"
}

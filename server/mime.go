package server

import (
	"path"
	"strings"
)

// types maps extensions to media types. The standard library's mime package reads the machine's tables, which differ
// and often lack wasm; a site must behave the same on every machine.
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

// ContentType returns the media type for a file name. LICENSE, NOTICE and the like are text. Unknown files are bytes,
// which browsers offer to save (nosniff forbids guessing).
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

//go:build !js

package server

import (
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"time"
)

// maxLoggedPath is the maximum length of an address in the log, in bytes.
const maxLoggedPath = 200

// Logged writes one line per request to log: method, path, status, bytes sent, time taken. It logs no personal data: no
// address, query, user agent or referrer. If an http.ServeMux matched a pattern with a wildcard, the pattern replaces
// the path, which may identify an item. Panics of next are logged with a stack and answered with 500, except
// http.ErrAbortHandler.
func Logged(next http.Handler, log *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		c := &counter{ResponseWriter: w}
		defer func() {
			p := recover()
			if p == http.ErrAbortHandler {
				panic(p)
			}
			if p != nil {
				log.Error("request failed", "method", r.Method, "path", shortPath(r), "panic", fmt.Sprint(p), "stack",
					string(debug.Stack()))
				if c.status == 0 {
					http.Error(c, "The server failed; see its log.", http.StatusInternalServerError)
				}
			}
			log.Info("request", "method", r.Method, "path", shortPath(r), "status", c.status, "bytes", c.bytes,
				"encoding", c.Header().Get("Content-Encoding"), "took", time.Since(start).Round(time.Microsecond))
		}()
		next.ServeHTTP(c, r)
	})
}

func shortPath(r *http.Request) string {
	if strings.Contains(r.Pattern, "{") {
		return r.Pattern[strings.Index(r.Pattern, "/"):]
	}
	return r.URL.Path[:min(len(r.URL.Path), maxLoggedPath)]
}

// counter records the status and counts the bytes of an answer.
type counter struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (c *counter) WriteHeader(status int) {
	if c.status == 0 {
		c.status = status
	}
	c.ResponseWriter.WriteHeader(status)
}

func (c *counter) Write(b []byte) (int, error) {
	if c.status == 0 {
		c.status = http.StatusOK
	}
	n, err := c.ResponseWriter.Write(b)
	c.bytes += int64(n)
	return n, err
}

// Unwrap gives http.ResponseController access to the underlying writer.
func (c *counter) Unwrap() http.ResponseWriter { return c.ResponseWriter }

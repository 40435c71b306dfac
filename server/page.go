//go:build !js

package server

import (
	"fmt"
	"html"
	"net/http"
	"strconv"
)

// page is the body of an error. It has no styles, because the policy forbids inline ones and an error page should not
// need another file.
const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>%[1]s</title>
<h1>%[1]s</h1>
<p>%[2]s
<p><a href="%[3]s">Go to the start page</a>
`

// sendPage sends a status and a small page: a heading, one sentence, a link to the start page.
func sendPage(w http.ResponseWriter, status int, heading, sentence, home string) {
	body := fmt.Sprintf(page, html.EscapeString(heading), html.EscapeString(sentence), html.EscapeString(home))
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	h.Set("Cache-Control", cacheRevalidate)
	w.WriteHeader(status)
	_, _ = w.Write([]byte(body)) // fails if the visitor has left, which is fine
}

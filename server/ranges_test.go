package server

import (
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
)

// Ranges of a file of 10,400 bytes, with the answer by RFC 9110 and the part.
var rangeCases = []struct {
	ask    string
	status int
	part   string // Content-Range; "" means absent
	length int
}{
	{"bytes=0-3", 206, "bytes 0-3/10400", 4},
	{"bytes=10399-", 206, "bytes 10399-10399/10400", 1},
	{"bytes=-5", 206, "bytes 10395-10399/10400", 5},
	{"bytes=0-", 206, "bytes 0-10399/10400", 10400},
	{"bytes=-99999", 206, "bytes 0-10399/10400", 10400},
	{"bytes=10000-99999", 206, "bytes 10000-10399/10400", 400},
	// Larger than any integer type, but well-formed.
	{"bytes=0-99999999999999999999999999", 206, "bytes 0-10399/10400", 10400},
	{"bytes=-99999999999999999999999999", 206, "bytes 0-10399/10400", 10400},
	{"Bytes=0-3", 206, "bytes 0-3/10400", 4},
	{"bytes=, 0-3 ,", 206, "bytes 0-3/10400", 4},
	{"bytes=-0,0-3", 206, "bytes 0-3/10400", 4},
	{"bytes=99999-,0-3", 206, "bytes 0-3/10400", 4},

	// Well-formed but beyond the end.
	{"bytes=-0", 416, "bytes */10400", -1},
	{"bytes=-00", 416, "bytes */10400", -1},
	{"bytes=10400-", 416, "bytes */10400", -1},
	{"bytes=99999-100000", 416, "bytes */10400", -1},
	{"bytes=99999999999999999999999999-", 416, "bytes */10400", -1},
	{"bytes=-0,99999-", 416, "bytes */10400", -1},

	// Unknown units and invalid ranges: the whole file.
	{"items=0-3", 200, "", 10400},
	{"seconds=1-2", 200, "", 10400},
	{"none", 200, "", 10400},
	{"bytes", 200, "", 10400},
	{"bytes=", 200, "", 10400},
	{"bytes=,", 200, "", 10400},
	{"bytes=-", 200, "", 10400},
	{"bytes=a-b", 200, "", 10400},
	{"bytes=5-2", 200, "", 10400},
	{"bytes=0-3,5-2", 200, "", 10400},
	{"bytes=--5", 200, "", 10400},
	{"bytes=+0-3", 200, "", 10400},
	{"bytes=0x0-0x3", 200, "", 10400},
	{"bytes=0-3-5", 200, "", 10400},
	{"bytes=0 - 3", 200, "", 10400},
	{"bytes=０-３", 200, "", 10400}, // non-ASCII digits
	{"=0-3", 200, "", 10400},
	{strings.Repeat("0-0,", 17), 200, "", 10400},
	{"bytes=" + strings.Repeat("0-0,", 17), 200, "", 10400},
	{"bytes=" + strings.Repeat(",", 5000) + "0-0", 200, "", 10400},
	{"bytes=" + strings.Repeat("0-,", 16), 200, "", 10400}, // more than the file in total
}

func TestRanges(t *testing.T) {
	ask := listen(t, Options{})
	for _, c := range rangeCases {
		resp, body := ask("GET", "/"+programName, "Range", c.ask, "Accept-Encoding", "identity")
		what := fmt.Sprintf("Range: %.60s", c.ask)
		if resp.StatusCode != c.status || resp.Header.Get("Content-Range") != c.part {
			t.Errorf("%s: %d, Content-Range %q; want %d, %q", what, resp.StatusCode, resp.Header.Get("Content-Range"),
				c.status, c.part)
		}
		if c.length >= 0 && (len(body) != c.length || resp.ContentLength != int64(c.length)) {
			t.Errorf("%s: %d bytes, Content-Length %d, want %d", what, len(body), resp.ContentLength, c.length)
		}
		checkSecurity(t, what, resp.Header)
		// HEAD ignores ranges and describes the whole file.
		if head, _ := ask("HEAD", "/"+programName, "Range", c.ask, "Accept-Encoding",
			"identity"); head.StatusCode != 200 ||
			head.ContentLength != 10400 ||
			head.Header.Get("Content-Range") != "" {
			t.Errorf("HEAD, %s: %d, %v", what, head.StatusCode, head.Header)
		}
	}
	// An ignored range does not prevent compression.
	if resp, body := ask("GET", "/"+programName, "Range", "items=0-3", "Accept-Encoding",
		"br"); resp.StatusCode != 200 ||
		resp.Header.Get("Content-Encoding") != "br" ||
		!UnpacksTo(brotli, body, program) {
		t.Errorf("an unknown unit with br: %d, %v", resp.StatusCode, resp.Header)
	}
	// A repeated header is ignored, and preconditions precede ranges.
	if resp, body := ask("GET", "/"+programName, "Range", "bytes=0-3", "Range", "bytes=5-6"); resp.StatusCode != 200 ||
		len(body) != 10400 {
		t.Errorf("two ranges: %d with %d bytes", resp.StatusCode, len(body))
	}
	tag, _ := ask("HEAD", "/"+programName)
	if resp, _ := ask("GET", "/"+programName, "Range", "bytes=-0", "If-None-Match",
		tag.Header.Get("ETag")); resp.StatusCode != 304 {
		t.Errorf("a range beyond the end of a file that the client has: %d, want 304", resp.StatusCode)
	}
	// Several parts.
	resp, body := ask("GET", "/"+programName, "Range", "bytes=0-3, -2, -0")
	kind, values, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if resp.StatusCode != 206 || kind != "multipart/byteranges" || err != nil {
		t.Fatalf("two parts: %d, %s", resp.StatusCode, resp.Header.Get("Content-Type"))
	}
	parts := multipart.NewReader(strings.NewReader(string(body)), values["boundary"])
	for _, want := range []string{string(program[:4]), string(program[len(program)-2:])} {
		part, err := parts.NextPart()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(part); err != nil || string(got) != want {
			t.Errorf("a part is %q, %v", got, err)
		}
	}
	if _, err := parts.NextPart(); err != io.EOF {
		t.Errorf("more than two parts: %v", err)
	}
}

// FuzzRange checks that every answer is the file, a part with the stated length, or 416.
func FuzzRange(f *testing.F) {
	const text = "a file of a few bytes, and no more"
	h, err := New(fstest.MapFS{"index.html": {Data: []byte(text)}}, Options{})
	if err != nil {
		f.Fatal(err)
	}
	for _, c := range rangeCases {
		f.Add(c.ask)
	}
	f.Fuzz(func(t *testing.T, ask string) {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Range", ask)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		body := w.Body.String()
		switch w.Code {
		case 200:
			if body != text {
				t.Fatalf("%q: the body is %q", ask, body)
			}
		case 206:
			if part := w.Header().Get("Content-Range"); part != "" {
				var from, to, size int
				if n, err := fmt.Sscanf(part, "bytes %d-%d/%d", &from, &to, &size); n != 3 || err != nil ||
					size != len(text) ||
					body != text[from:to+1] ||
					body == "" {
					t.Fatalf("%q: %s with %q", ask, part, body)
				}
			} else if !strings.HasPrefix(w.Header().Get("Content-Type"), "multipart/byteranges") {
				t.Fatalf("%q: 206 without a range: %v", ask, w.Header())
			}
		case 416:
			if w.Header().Get("Content-Range") != fmt.Sprintf("bytes */%d", len(text)) {
				t.Fatalf("%q: %v", ask, w.Header())
			}
		default:
			t.Fatalf("%q: status %d", ask, w.Code)
		}
	})
}

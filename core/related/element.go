package related

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"html"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	nethtml "golang.org/x/net/html"

	"github.com/pmlam/pmlam/core/internal/durable"
)

// elementName is the element that lists are written into.
const elementName = "pmlam-related"

// Lists are between these comments. The checksum covers the bytes between them, so a list that somebody edited is not
// replaced.
const (
	markBegin = "<!-- pmlam-related "
	markSum   = 16 // hexadecimal digits of the SHA-256
	markClose = " -->"
	markEnd   = "<!-- /pmlam-related -->"
)

// slot is the inside of a <pmlam-related> element of a page.
type slot struct {
	from, to int // bytes of the page
	number   int // the attribute number, 0: none
}

// hasElement reports whether a page may have a <pmlam-related> element.
func hasElement(content []byte) bool {
	for rest := content; ; {
		at := bytes.IndexByte(rest, '<')
		if at < 0 || len(rest) < at+1+len(elementName) {
			return false
		}
		rest = rest[at+1:]
		if bytes.EqualFold(rest[:len(elementName)], []byte(elementName)) {
			return true
		}
	}
}

// findSlots returns the <pmlam-related> elements of a page. Elements in comments, scripts and the like are not
// elements. It returns an error for an element without an end tag, and for one within another.
func findSlots(content []byte) ([]slot, error) {
	z := nethtml.NewTokenizer(bytes.NewReader(content))
	var slots []slot
	at, open := 0, false
	for {
		token := z.Next()
		if token == nethtml.ErrorToken {
			break
		}
		from := at
		at += len(z.Raw())
		if token != nethtml.StartTagToken && token != nethtml.EndTagToken && token != nethtml.SelfClosingTagToken {
			continue
		}
		name, more := z.TagName()
		if string(name) != elementName {
			continue
		}
		switch {
		case token == nethtml.EndTagToken && open:
			slots[len(slots)-1].to, open = from, false
		case token == nethtml.EndTagToken:
		case open || token == nethtml.SelfClosingTagToken:
			return nil, errNoEnd
		case len(slots) == maxElements:
			return nil, fmt.Errorf("has more than %d <pmlam-related> elements; leave some out", maxElements)
		default:
			s := slot{from: at}
			for n := 0; more && n < maxAttr; n++ {
				var key, value []byte
				if key, value, more = z.TagAttr(); string(key) == "number" {
					s.number, _ = strconv.Atoi(string(value))
					s.number = min(max(s.number, 0), maxList)
				}
			}
			slots, open = append(slots, s), true
		}
	}
	if open {
		return nil, errNoEnd
	}
	return slots, nil
}

var errNoEnd = fmt.Errorf("has a <pmlam-related> element without an end tag; write <pmlam-related></pmlam-related>")

// written returns the part of an element's content that this package wrote, markers included. ok is false if there is
// such a part, or something like it, that this package did not write or somebody edited.
func written(inside []byte) (from, to int, ok bool) {
	from = bytes.Index(inside, []byte(markBegin))
	if from < 0 {
		edited := bytes.Contains(inside, []byte(listClass)) || bytes.Contains(inside, []byte(markEnd))
		return len(inside), len(inside), !edited
	}
	head := from + len(markBegin)
	text := head + markSum + len(markClose)
	if text > len(inside) || string(inside[head+markSum:text]) != markClose {
		return 0, 0, false
	}
	end := bytes.Index(inside[text:], []byte(markEnd))
	if end < 0 || string(inside[head:head+markSum]) != checksum(inside[text:text+end]) {
		return 0, 0, false
	}
	to = text + end + len(markEnd)
	return from, to, !bytes.Contains(inside[to:], []byte(markBegin))
}

func checksum(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])[:markSum]
}

// fill returns a page with lists in its elements, and whether it has any. list returns a list's HTML, "" for none.
func fill(content []byte, list func(number int) string) (filled []byte, elements int, err error) {
	if !asciiCompatible(content) {
		return content, 0, nil
	}
	slots, err := findSlots(content)
	if err != nil || len(slots) == 0 {
		return content, 0, err
	}
	unicode := utf8.Valid(content)
	var b bytes.Buffer
	at := 0
	for _, s := range slots {
		from, to, ok := written(content[s.from:s.to])
		if !ok {
			return content, len(slots), fmt.Errorf("has a <pmlam-related> element whose list was changed by hand or " +
				"by another program; empty the element")
		}
		b.Write(content[at : s.from+from])
		at = s.from + to
		if text := list(s.number); text != "" {
			if !unicode {
				text = numeric(text)
			}
			b.WriteString(markBegin + checksum([]byte(text)) + markClose + text + markEnd)
		}
	}
	b.Write(content[at:])
	return b.Bytes(), len(slots), nil
}

// asciiCompatible reports whether ASCII bytes of a page mean ASCII characters. UTF-16 and the ISO-2022 encodings are
// not so.
func asciiCompatible(content []byte) bool {
	head := bytes.ToLower(content[:min(len(content), 1024)])
	return !bytes.HasPrefix(content, []byte("\xff\xfe")) && !bytes.HasPrefix(content, []byte("\xfe\xff")) &&
		!bytes.Contains(head, []byte("iso-2022")) && !bytes.Contains(head, []byte("utf-7"))
}

// numeric replaces characters beyond ASCII by numeric references, which any encoding holds.
func numeric(text string) string {
	var b strings.Builder
	for _, c := range text {
		if c < utf8.RuneSelf {
			b.WriteRune(c)
		} else {
			fmt.Fprintf(&b, "&#%d;", c)
		}
	}
	return b.String()
}

// listClass is the class of every list.
const listClass = "pmlam-related-list"

// HTML returns a page's list as HTML: links with titles, and descriptions where pages have one. "" for an empty list.
func (s *Site) HTML(page int, list []Listed) string {
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n<ul class=\"" + listClass + "\">\n")
	for _, l := range list {
		to := s.Pages[l.Page]
		b.WriteString(`  <li><a href="` + html.EscapeString(s.Link(page, l.Page)) + `">` +
			html.EscapeString(to.Title) + "</a>")
		if to.Description != "" {
			b.WriteString(" <span>" + html.EscapeString(to.Description) + "</span>")
		}
		b.WriteString("</li>\n")
	}
	b.WriteString("</ul>\n")
	return b.String()
}

// Report counts the pages by outcome.
type Report struct {
	With    int       `json:"with_element"` // pages with an element
	Changed int       `json:"changed"`      // pages that were written
	Left    []Skipped `json:"left"`         // pages whose element could not be filled
}

// WriteElements writes the lists into the <pmlam-related> elements. number is the length of a list if the element does
// not say. Pages without the element, or with the same list as before, are not touched. Each file is written whole, and
// then renamed into place. After an error, some pages have their new list and others the old one.
func (s *Site) WriteElements(ctx context.Context, lists [][]Listed, number, workers int) (*Report, error) {
	report := &Report{Left: []Skipped{}}
	left := make([]string, len(s.Pages))
	var mu sync.Mutex
	err := s.group(ctx, workers, func(i int) error {
		p := s.Pages[i]
		if !p.element {
			return nil
		}
		content, why, err := s.content(p.File)
		if err != nil {
			return err
		}
		if why != "" { // it grew since it was read
			left[i] = "is " + why
			return nil
		}
		filled, elements, err := fill(content, func(asked int) string {
			if asked == 0 {
				asked = number
			}
			return s.HTML(i, lists[i][:min(asked, len(lists[i]))])
		})
		if err != nil {
			left[i] = err.Error()
			return nil
		}
		changed := !bytes.Equal(filled, content)
		if changed {
			if err := replace(s.path(p.File), filled); err != nil {
				return err
			}
		}
		mu.Lock()
		defer mu.Unlock()
		if elements > 0 {
			report.With++
		}
		if changed {
			report.Changed++
		}
		return nil
	})
	for i, why := range left {
		if why != "" {
			report.Left = append(report.Left, Skipped{s.Pages[i].File, why})
		}
	}
	return report, err
}

// built is the file system for pages. It does not wait for the disk: after a power failure the site can be built again,
// and waiting would take most of the time.
type built struct{ durable.FS }

func (built) SyncFolder(string) error { return nil }

func (b built) CreateTemporary(folder, pattern string) (durable.File, error) {
	f, err := b.FS.CreateTemporary(folder, pattern)
	if err != nil {
		return nil, err
	}
	return builtFile{f}, nil
}

type builtFile struct{ durable.File }

func (builtFile) Sync() error { return nil }

// replace writes a page and keeps its permissions.
func replace(path string, content []byte) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file any more; run the command again", path)
	}
	if err := durable.WriteFile(built{durable.OS}, path, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	}); err != nil {
		return err
	}
	if mode := info.Mode().Perm(); mode != 0o644 {
		return os.Chmod(path, mode)
	}
	return nil
}

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/internal/durable"
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/publish"
	"github.com/pmlam/pmlam/core/recommend"
)

// similarWriter writes the lists of all items.
type similarWriter struct {
	r                    *recommend.Recommender
	k                    int
	html, goesWith       bool
	link, picture, price string // templates; "": none

	others []string // other files that were in the folder
}

// listedItem is an item of such a list in JSON.
type listedItem struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Year    int    `json:"year,omitzero"`
	Link    string `json:"link,omitzero"`
	Picture string `json:"picture,omitzero"`
	Price   string `json:"price,omitzero"`
	Pinned  bool   `json:"pinned,omitzero"` // put first by the owner's rules
}

// similarBlock is the number of lists computed together: the distances of 50,000 items take 3 MB.
const similarBlock = 16

// each calls do with the list of every item, from several goroutines and in any order, and returns the total length of
// the lists.
func (w *similarWriter) each(ctx context.Context, workers int, b *cli.Bar, do func(item int,
	list []int) error) (listed int,
	err error) {
	n := w.r.Len()
	var mu sync.Mutex // guards done, listed, failed and the bar
	done, failed := 0, error(nil)
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	block := func(at int) {
		from, to := at*similarBlock, min((at+1)*similarBlock, n)
		items := make([]int, 0, similarBlock)
		for i := from; i < to; i++ {
			items = append(items, i)
		}
		length := 0
		for q, list := range w.lists(items) {
			length += len(list)
			if err := do(items[q], list); err != nil {
				stop(err)
				mu.Lock()
				defer mu.Unlock()
				failed = err
				return
			}
		}
		mu.Lock()
		defer mu.Unlock()
		done, listed = done+to-from, listed+length
		b.Set(int64(done), int64(n), "")
	}
	err = parallel.Each(ctx, (n+similarBlock-1)/similarBlock, workers, func() func(int) { return block })
	if failed != nil {
		err = failed
	}
	return listed, err
}

// lists returns the lists of items.
func (w *similarWriter) lists(items []int) [][]int {
	if !w.goesWith {
		return w.r.SimilarItems(items, w.k)
	}
	out := make([][]int, len(items))
	for k, i := range items {
		for _, s := range goesWith(w.r, i, w.k, true) {
			out[k] = append(out[k], s.Item)
		}
	}
	return out
}

// describe returns the items of a list as written.
func (w *similarWriter) describe(list []int) []listedItem {
	out := make([]listedItem, len(list))
	columns := w.r.Columns()
	for k, i := range list {
		it := w.r.Item(i)
		out[k] = listedItem{ID: it.ID, Title: it.Title, Year: it.Year, Pinned: w.r.Pinned(i)}
		if w.link != "" {
			out[k].Link = catalogue.Address(w.link, it, columns)
		}
		if w.picture != "" {
			out[k].Picture = catalogue.Address(w.picture, it, columns)
		}
		if w.price != "" {
			out[k].Price = catalogue.Text(w.price, it, columns)
		}
	}
	return out
}

// fragment returns a list as HTML, "" for an empty one. Missing columns are left out.
func fragment(list []listedItem) string {
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("<ul class=\"similar\">\n")
	for _, it := range list {
		b.WriteString("  <li")
		if it.Pinned {
			b.WriteString(" class=\"pinned\"")
		}
		b.WriteString(">")
		if it.Link != "" {
			b.WriteString(`<a href="` + html.EscapeString(it.Link) + `">`)
		}
		if it.Picture != "" {
			b.WriteString(`<img src="` + html.EscapeString(it.Picture) + `" alt="" loading="lazy">`)
		}
		b.WriteString(`<span class="title">` + html.EscapeString(it.Title) + "</span>")
		if it.Price != "" {
			b.WriteString(` <span class="price">` + html.EscapeString(it.Price) + "</span>")
		}
		if it.Link != "" {
			b.WriteString("</a>")
		}
		b.WriteString("</li>\n")
	}
	b.WriteString("</ul>\n")
	return b.String()
}

// isLists reports whether a file looks like one of similarWriter.file: an object, empty or beginning with a list of
// objects that begin with an id. It reads the beginning only.
func isLists(path string) bool {
	r, err := os.Open(path)
	if err != nil {
		return false
	}
	defer r.Close()
	d := json.NewDecoder(io.LimitReader(r, 1<<20))
	next := func() json.Token {
		t, err := d.Token()
		if err != nil {
			return err
		}
		return t
	}
	if next() != json.Delim('{') {
		return false
	}
	if next() == json.Delim('}') {
		return true
	}
	if next() != json.Delim('[') {
		return false
	}
	first := next()
	return first == json.Delim(']') || first == json.Delim('{') && next() == "id"
}

// file writes a JSON object with the lists by item id, in the catalogue's order. It does not overwrite other files.
func (w *similarWriter) file(ctx context.Context, path string, workers int, b *cli.Bar) (listed int, err error) {
	if info, err := os.Stat(path); err == nil && (!info.Mode().IsRegular() || !isLists(path)) {
		return 0, errors.New("the file exists and does not hold such lists; remove it, or pass another name")
	}
	lists := make([][]int, w.r.Len())
	listed, err = w.each(ctx, workers, b, func(item int, list []int) error {
		lists[item] = list
		return nil
	})
	if err != nil {
		return 0, err
	}
	return listed, durable.WriteFile(durable.OS, path, func(to io.Writer) error {
		before := "{\n"
		for item, list := range lists {
			id, err := json.Marshal(w.r.Item(item).ID)
			if err != nil {
				return err
			}
			text, err := json.Marshal(w.describe(list))
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintf(to, "%s%s:%s", before, id, text); err != nil {
				return err
			}
			before = ",\n"
		}
		_, err := io.WriteString(to, "\n}\n")
		return err
	})
}

// similarKind is the name of such folders in package publish.
const similarKind = "similar"

// folder writes a file for each item into a new folder, or into one that this command wrote. Other files there stay,
// and are in w.others. It returns an error if another process writes there.
func (w *similarWriter) folder(ctx context.Context, path string, workers int, b *cli.Bar) (listed int, err error) {
	f, err := publish.Target{Path: path, Kind: similarKind}.Open()
	if err != nil {
		return 0, err
	}
	defer f.Close()
	listed, err = w.each(ctx, workers, b, func(item int, list []int) error {
		name, err := fileOf(w.r.Item(item).ID)
		if err != nil {
			return err
		}
		text := []byte(fragment(w.describe(list)))
		if name += ".html"; !w.html {
			if text, err = json.Marshal(w.describe(list)); err != nil {
				return err
			}
			name = strings.TrimSuffix(name, ".html") + ".json"
			text = append(text, '\n')
		}
		return f.Put(name, text)
	})
	if err != nil {
		return 0, err
	}
	w.others, err = f.Finish()
	return listed, err
}

// longestName is the maximum length of a file name; most file systems allow 255 bytes.
const longestName = 240

// fileOf returns the name of an item's file without extension: letters, digits, - and _ as they are, other bytes as %
// and two hexadecimal digits.
func fileOf(id string) (string, error) {
	var b strings.Builder
	for _, c := range []byte(id) {
		if c == '-' || c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	if b.Len() > longestName {
		return "", fmt.Errorf("the id %.40q… is too long for a file name; write one file instead: --out similar.json",
			id)
	}
	return b.String(), nil
}

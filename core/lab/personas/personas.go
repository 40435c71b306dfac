// Package personas judges the lists of people who come for one thing, by verdicts on titles that were written before
// any list was seen (personas.txt). bench/personas prints them.
//
// Data flow: native only.
package personas

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/recommend"
)

//go:embed personas.txt
var written string

// Verdict is a fan's opinion of a title in their list.
type Verdict uint8

// The verdicts.
const (
	Fine Verdict = iota
	Delightful
	Wrong
)

// Persona is somebody who comes for one thing, or a title whose similar titles are asked for.
type Persona struct {
	Name    string
	Similar bool  // Likes is the title
	Likes   []int // items

	said  map[int]Verdict
	rules []string // of titles that are not named: genres, "foreign", "before YEAR"
}

// Read returns the personas for a catalogue, and the named titles that it does not have.
func Read(r *recommend.Recommender) (all []Persona, missing []string, err error) {
	for n, line := range strings.Split(written, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, text, _ := strings.Cut(line, ":")
		var values []string
		for v := range strings.SplitSeq(text, "|") {
			if v = strings.TrimSpace(v); v != "" {
				values = append(values, v)
			}
		}
		switch key {
		case "person", "similar":
			all = append(all, Persona{
				Name: strings.TrimSpace(text), Similar: key == "similar", said: map[int]Verdict{},
			})
			if key == "person" {
				continue
			}
			key = "likes"
		}
		p := &all[len(all)-1]
		for _, v := range values {
			if key == "fine" && (v == "foreign" || strings.HasPrefix(v, "before ") || slices.Contains(r.Genres(), v)) {
				p.rules = append(p.rules, v)
				continue
			}
			i, found := find(r, v)
			switch {
			case key == "likes" && !found:
				return nil, nil, fmt.Errorf("personas.txt:%d: the model has no title %q", n+1, v)
			case key == "likes":
				p.Likes = append(p.Likes, i)
			case !found:
				missing = append(missing, v)
			case key == "wrong":
				p.said[i] = Wrong
			case p.said[i] != Wrong && key == "delightful":
				p.said[i] = Delightful
			case p.said[i] == Fine:
				p.said[i] = Fine
			}
		}
	}
	return all, missing, nil
}

// find returns the best-known item that has exactly this title, with or without its article, its name in another
// language or what follows a colon.
func find(r *recommend.Recommender, title string) (int, bool) {
	name, year := title, 0
	if at := strings.LastIndex(title, " ("); at > 0 && strings.HasSuffix(title, ")") {
		if y, err := strconv.Atoi(title[at+2 : len(title)-1]); err == nil {
			name, year = title[:at], y
		}
	}
	want, best := bare(name), -1
	for _, f := range r.Search(name, 50) {
		it := r.Item(f.Item)
		if year != 0 && it.Year != year {
			continue
		}
		first, _, _ := strings.Cut(it.Title, ":")
		same := slices.ContainsFunc(append(catalogue.Forms(it.Title), it.Title, first), func(s string) bool {
			return bare(s) == want
		})
		if same && (best < 0 || it.Count > r.Item(best).Count) {
			best = f.Item
		}
	}
	return best, best >= 0
}

// bare folds a title without the article in front.
func bare(title string) string {
	s := catalogue.Fold(title)
	for _, article := range []string{"the ", "a ", "an "} {
		if rest, ok := strings.CutPrefix(s, article); ok {
			return rest
		}
	}
	return s
}

// Judge returns the verdict on an item.
func (p *Persona) Judge(r *recommend.Recommender, item int) Verdict {
	if v, named := p.said[item]; named {
		return v
	}
	it := r.Item(item)
	for _, rule := range p.rules {
		year, before := strings.CutPrefix(rule, "before ")
		switch {
		case before:
			if y, _ := strconv.Atoi(year); it.Year > 0 && it.Year < y {
				return Fine
			}
		case rule == "foreign":
			name, other, found := strings.Cut(it.Title, " (")
			if found && !strings.HasPrefix(other, "a.k.a.") &&
				!strings.Contains(catalogue.Fold(other), catalogue.Fold(name)) {
				return Fine
			}
		case slices.Contains(it.Genres, rule):
			return Fine
		}
	}
	return Wrong
}

// List returns the persona's first k titles by the request, or the titles similar to their one.
func (p *Persona) List(r *recommend.Recommender, q recommend.Request) (items []int) {
	var list []recommend.Suggestion
	if p.Similar {
		list = r.Similar(p.Likes[0], recommend.Visit{}, q.K)
	} else {
		v := recommend.Visit{Likes: p.Likes}
		list = r.Recommend(v, r.Taste(v, nil), q)
	}
	for _, s := range list {
		items = append(items, s.Item)
	}
	return items
}

package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// rating is one line of a file of ratings.
type rating struct {
	line, user, item string
	liked            bool
	time             int64
}

// ratings are the ratings of a file, by time.
type ratings struct {
	name, header string // of the file
	all          []rating
}

// readRatings reads MovieLens' ratings.csv or u.data.
func readRatings(folder string) (*ratings, error) {
	r := &ratings{name: "ratings.csv"}
	comma := ","
	b, err := os.ReadFile(filepath.Join(folder, r.name))
	if errors.Is(err, fs.ErrNotExist) {
		r.name, comma = "u.data", "\t"
		b, err = os.ReadFile(filepath.Join(folder, r.name))
	}
	if err != nil {
		return nil, err
	}
	for n, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		line = strings.TrimSpace(line)
		f := strings.Split(line, comma)
		if n == 0 && comma == "," {
			r.header = line + "\n"
			continue
		}
		if len(f) != 4 {
			return nil, fmt.Errorf("%s:%d: found %d fields, want 4", r.name, n+1, len(f))
		}
		stars, err1 := strconv.ParseFloat(f[2], 64)
		time, err2 := strconv.ParseInt(f[3], 10, 64)
		if err := errors.Join(err1, err2); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", r.name, n+1, err)
		}
		r.all = append(r.all, rating{line, f[0], f[1], stars >= 4, time})
	}
	slices.SortStableFunc(r.all, func(a, b rating) int { return cmp.Compare(a.time, b.time) })
	return r, nil
}

// write writes a folder with the first n ratings and the other files of from. The folder is new, or written by write
// before.
func (r *ratings) write(from, to string, n int) error {
	if _, err := os.Stat(to); err != nil {
		if err := os.CopyFS(to, os.DirFS(from)); err != nil {
			return err
		}
	}
	var b strings.Builder
	b.WriteString(r.header)
	for _, x := range r.all[:n] {
		b.WriteString(x.line + "\n")
	}
	file := filepath.Join(to, r.name)
	if err := os.Remove(file); err != nil { // it may be read-only
		return err
	}
	return os.WriteFile(file, []byte(b.String()), 0o600)
}

// person is somebody of the following days: likes told by then, and later likes.
type person struct {
	id          string
	told, asked []string
}

// following returns people with at least two likes between from and to. Their earlier likes and the first half of the
// new ones are told.
func (r *ratings) following(from, to int) (people []person) {
	before, then := map[string][]string{}, map[string][]string{}
	var order []string
	for n, x := range r.all[:min(to, len(r.all))] {
		switch {
		case !x.liked:
		case n < from:
			before[x.user] = append(before[x.user], x.item)
		default:
			if then[x.user] == nil {
				order = append(order, x.user)
			}
			then[x.user] = append(then[x.user], x.item)
		}
	}
	for _, u := range order {
		if n := len(then[u]); n > 1 {
			people = append(people, person{u, slices.Concat(before[u], then[u][:n/2]), then[u][n/2:]})
		}
	}
	return people
}

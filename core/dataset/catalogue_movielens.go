package dataset

import (
	"io"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/pmlam/pmlam/core/internal/people"
)

// movieLensKind is one of GroupLens' file layouts.
type movieLensKind struct{ format, data, catalogue string }

var movieLens = []movieLensKind{
	{"movielens", "ratings.csv", "movies.csv"},
	{"movielens-100k", "u.data", "u.item"},
	{"movielens-dat", "ratings.dat", "movies.dat"},
}

// cutOf100K are the names of the published train and test files of 100K.
var cutOf100K = regexp.MustCompile(`^u[1-5ab]\.(base|test)$`)

// owns reports whether file is one of the kind's interaction files.
func (k movieLensKind) owns(file string) bool {
	return file == k.data || k.format == "movielens-100k" && cutOf100K.MatchString(file)
}

// MovieLensAttribution is the citation that GroupLens asks for.
const MovieLensAttribution = "F. Maxwell Harper and Joseph A. Konstan. 2015. The MovieLens Datasets: History and " +
	"Context. " +
	"ACM Transactions on Interactive Intelligent Systems (TiiS) 5, 4: 19:1–19:19. https://doi.org/10.1145/2827872"

const (
	movieLensLicence = "MovieLens data by GroupLens, University of Minnesota: research and other non-commercial " +
		"use, no endorsement implied; " +
		"redistribution, of transformed data too, under these same conditions"
	movieLensClosed = "MovieLens data by GroupLens, University of Minnesota: research and other non-commercial use, " +
		"no endorsement implied; " +
		"no redistribution without separate permission"
)

// movieLensName finds the release in a folder's name or README.
var movieLensName = regexp.MustCompile(`\bml-(latest-small|latest|100k|1m|10M100K|10m|20m|25m|32m|[a-z0-9]{1,12})\b`)

// credits sets name, licence and attribution of a MovieLens folder.
func (p *plan) credits(folder string) {
	name := baseName(folder)
	if !movieLensName.MatchString(name) {
		if path := exists(folder, "README.txt"); path != "" {
			if s, err := openSource(path, nil, ""); err == nil {
				if m := movieLensName.Find(s.peek(4 << 10)); m != nil {
					name = string(m)
				}
				s.close()
			}
		}
	}
	p.credit, p.licence = MovieLensAttribution, movieLensLicence
	m := movieLensName.FindStringSubmatch(name)
	switch {
	case m == nil:
		p.name = "MovieLens (" + name + ")"
	case m[1] == "latest-small":
		p.name = "MovieLens latest small"
	case m[1] == "latest":
		p.name = "MovieLens latest"
	case m[1] == "10M100K":
		p.name = "MovieLens 10M"
	default:
		p.name = "MovieLens " + strings.ToUpper(m[1])
	}
	// 100K, 1M and 10M came under older conditions.
	if n := p.name; n == "MovieLens 100K" || n == "MovieLens 1M" || n == "MovieLens 10M" ||
		p.format == "movielens-100k" {
		p.licence = movieLensClosed
	}
	if m == nil && p.format == "movielens-100k" {
		p.name = "MovieLens 100K"
	}
}

// describeMovieLens reads a MovieLens folder's titles and genres, and its links and tags if there are any.
func (d *describer) describeMovieLens(folder string, o Options, p *progress) error {
	for _, k := range movieLens {
		path := exists(folder, k.catalogue)
		if path == "" {
			continue
		}
		read := func(path string, describe func(*source) error) error {
			s, err := openSource(path, p, o.Encoding)
			if err != nil {
				return err
			}
			defer s.close()
			d.report.NotRows += s.skipPreamble(Options{})
			err = describe(s)
			if d.report.NotRows += s.notRows; path == exists(folder, k.catalogue) {
				d.encoded(s)
			}
			return err
		}
		switch k.format {
		case "movielens-100k":
			genres, err := readGenres(exists(folder, "u.genre"), o, p)
			if err != nil {
				return err
			}
			return read(path, func(s *source) error { return d.uItem(s, genres) })
		case "movielens-dat":
			return read(path, d.moviesDat)
		}
		if err := read(path, func(s *source) error { return d.table(s, ",", true) }); err != nil {
			return err
		}
		d.number()
		if links := exists(folder, "links.csv"); links != "" {
			if err := read(links, func(s *source) error { return d.table(s, ",", true) }); err != nil {
				return err
			}
		}
		if path := exists(folder, "tags.csv"); path != "" && o.Tags > 0 && !d.scans {
			return read(path, func(s *source) error { return d.tags(s, o.Tags) })
		}
		return nil
	}
	if err := reachable(folder); err != nil {
		return err
	}
	return &FormatError{Path: filepath.Clean(folder), Reason: "the folder holds no catalogue that is known: neither " +
		"movies.csv, u.item, movies.dat nor items.csv"}
}

// genres100K are the genres in u.genre, for a folder without this file.
var genres100K = []string{"unknown", "Action", "Adventure", "Animation", "Children's", "Comedy", "Crime", "Documentary",
	"Drama", "Fantasy",
	"Film-Noir", "Horror", "Musical", "Mystery", "Romance", "Sci-Fi", "Thriller", "War", "Western"}

// readGenres reads lines `name|number`, the number being the line's place.
func readGenres(path string, o Options, p *progress) ([]string, error) {
	if path == "" {
		return genres100K, nil
	}
	s, err := openSource(path, p, o.Encoding)
	if err != nil {
		return nil, err
	}
	defer s.close()
	s.skipComments()
	return genreList(s)
}

func genreList(s *source) ([]string, error) {
	cut := &cutter{s: s, delimiter: "|"}
	var out []string
	for {
		f, err := cut.next()
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		n, ok := int64(0), false
		if len(f) == 2 {
			n, ok = parseInt(trim(f[1]))
		}
		if !ok || n != int64(len(out)) || n >= maxGenres || len(f[0]) > maxField {
			return nil, s.bad(-1, "", joined(f, "|"), "a line is a genre and its number, counted from 0")
		}
		out = append(out, string(trim(f[0])))
	}
}

// uItem reads u.item: id|title|release date|video release date|IMDb address|a 0 or 1 for each genre. The file is in
// Latin-1, which the source has decoded.
func (d *describer) uItem(s *source, genres []string) error {
	if d.scans {
		return nil
	}
	cut := &cutter{s: s, delimiter: "|"}
	for {
		f, err := cut.next()
		if err == io.EOF {
			return nil
		}
		if err == nil && len(f) != 5+len(genres) {
			err = s.bad(-1, "", joined(f, "|"), "a line holds id, title, two dates, an address and a 0 or 1 for "+
				"each genre of u.genre")
		}
		var is []string
		for g := 0; err == nil && g < len(genres); g++ {
			switch string(f[5+g]) {
			case "1":
				if genres[g] != "unknown" {
					is = append(is, genres[g])
				}
			case "0":
			default:
				err = s.bad(5+g, genres[g], f[5+g], "a genre is marked by 0 or 1")
			}
		}
		if err == nil {
			err = d.movie(s, f[0], f[1], is)
		}
		if err := d.report.skip(err, d.skip); err != nil {
			return err
		}
	}
}

// moviesDat reads movies.dat: id::title::genre|genre, in Latin-1 (1M) or UTF-8 (10M).
func (d *describer) moviesDat(s *source) error {
	if d.scans {
		return nil
	}
	cut := &cutter{s: s, delimiter: "::"}
	for {
		f, err := cut.next()
		if err == io.EOF {
			return nil
		}
		if err == nil && len(f) != 3 {
			err = s.bad(-1, "", joined(f, "::"), "a line holds id, title and genres, cut by ::")
		}
		if err == nil {
			err = d.movie(s, f[0], f[1], splitGenres(f[2]))
		}
		if err := d.report.skip(err, d.skip); err != nil {
			return err
		}
	}
}

// movie sets title, year and genres of an item, if it is one of ours.
func (d *describer) movie(s *source, id, title []byte, genres []string) error {
	i, ok, err := d.index(s, 0, id, true)
	if !ok && err == nil {
		d.leave(id, title, true)
	}
	if !ok || err != nil {
		return err
	}
	if _, err := d.text(s, 1, "title", title); err != nil {
		return err
	}
	if err := s.checkGenres(genres, 2, "genres", nil); err != nil {
		return err
	}
	if k := people.Find(title); k != people.None {
		return s.bad(1, "title", title, personal("a title", k))
	}
	for k, g := range genres {
		genres[k] = d.cleaner.text(i, []byte(g))
	}
	text := d.cleaner.title(i, title)
	item := &d.catalogue.Items[i]
	if name, year := SplitTitle(text); name != "" {
		item.Title, item.Year = RestoreArticles(name), year
	}
	item.Genres = genres
	d.seen[i] = true
	return nil
}

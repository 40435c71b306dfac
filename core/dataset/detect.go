package dataset

import (
	"bytes"
	"path/filepath"
	"strings"
)

// plan lists the files to read and their format.
type plan struct {
	format string // "": each file's first lines tell
	name   string
	files  [parts][]string
	byUser bool      // users of the other parts give likes in files of partTrain
	lists  [2]string // users.txt and items.txt of an indexed folder
	// of a folder of shards: its manifest, and the files with the ids of users and items; nil elsewhere
	manifest *Manifest
	numbered [2][]string
	items    string // catalogue file or folder; "": none
	// of a folder of several tables: the columns of folders such as year=2020, by file; the columns that the tables
	// share, nil if unknown; and the tables that are not read
	partitions map[string][]partition
	fixed      *Columns
	others     []string
	licence    string
	credit     string
}

// all returns the interaction files in reading order.
func (p *plan) all() (files []string) {
	for _, f := range p.files {
		files = append(files, f...)
	}
	return files
}

// detect finds the format of the file or folder at path.
func detect(path string, o Options) (*plan, error) {
	if o.Format != "" && !knownFormat(o.Format) {
		var names []string
		for _, f := range Formats() {
			names = append(names, f.Name)
		}
		return nil, &FormatError{Path: path, Format: o.Format, Reason: "there is no such format; there are " +
			strings.Join(names, ", ")}
	}
	folder, err := isFolder(path)
	if err != nil {
		return nil, err
	}
	if folder {
		return detectFolder(path, o)
	}
	p := &plan{format: o.Format, name: baseName(path), items: o.Items}
	p.files[partTrain] = []string{path}
	fromMovieLens(p, path, o)
	switch filepath.Ext(unpackedName(path)) {
	case ".inter":
		p.recboleFile(path, o)
	case ".user", ".item":
		return nil, &FormatError{Path: path, Reason: "describes users or items and holds no interactions, if it is " +
			"one of RecBole's files; give the folder, or the .inter file"}
	}
	if len(o.Delimiter) > 4 {
		return nil, &FormatError{Path: path, Format: o.Format, Reason: "a delimiter has 1 to 4 bytes"}
	}
	return p, nil
}

// fromMovieLens recognises the data file of a MovieLens folder and takes the catalogue from the same folder.
func fromMovieLens(p *plan, path string, o Options) {
	folder, file := filepath.Split(path)
	if folder == "" {
		folder = "."
	}
	file = unpackedName(file)
	for _, k := range movieLens {
		if o.Format != "" && o.Format != k.format || !k.owns(file) || exists(folder, k.catalogue) == "" {
			continue
		}
		p.format = k.format
		p.credits(folder)
		if file != k.data {
			p.name += ", " + file
		}
		if p.items == "" {
			p.items = folder
		}
		return
	}
}

// recboleFile takes the .item file in the folder of a .inter file as the catalogue.
func (p *plan) recboleFile(path string, o Options) {
	if o.Format != "" {
		return
	}
	p.format = "recbole"
	stem := strings.TrimSuffix(unpackedName(path), ".inter")
	for _, part := range []string{"", ".train", ".valid", ".test"} {
		if items := exists(filepath.Dir(path), filepath.Base(strings.TrimSuffix(stem, part))+".item"); items != "" &&
			p.items == "" {
			p.items = items
		}
	}
}

// folderFormats are recognised only by the names of their files, so no other folder can be read as one of them.
var folderFormats = map[string]bool{"movielens": true, "movielens-100k": true, "movielens-dat": true, "lightgcn": true,
	"indexed": true, "gowalla": true, "recbole": true, "shards": true}

// sniff returns the format of a file by its first bytes.
func sniff(s *source, o Options) (format string) {
	head := s.head()
	if o.Delimiter != "" {
		return "delimited"
	}
	lines := completeLines(head, 100)
	if len(lines) == 0 {
		return "delimited"
	}
	first := lines[0]
	if f := trim(first); f[0] == '{' || f[0] == '[' {
		switch has := func(keys ...string) bool {
			for _, k := range keys {
				if !bytes.Contains(head, []byte(`"`+k+`"`)) {
					return false
				}
			}
			return true
		}; {
		case !o.Columns.open():
			return "jsonlines"
		case has("reviewerID", "asin", "overall"):
			return "amazon-reviews"
		case has("user_id", "book_id", "is_read"):
			return "goodreads"
		}
		return "jsonlines"
	}
	if o.Columns.open() && o.Header != HeaderNo {
		if d := guessDelimiter(head); d != "" && d != " " {
			cut := newCutter(s, d)
			cut.limit = maxMatrixFields
			if rows, err := sampleOf(s, cut); err == nil && isMatrix(rows) {
				return "matrix"
			}
		}
	}
	switch d := guessDelimiter(head); d {
	case "::":
		if o.Columns.open() && everyLine(lines, "::", 4, isMovieLensRating) && !headed(lines[0], "::") {
			return "movielens-dat"
		}
		return "delimited"
	case "\t":
		if o.Columns.open() && everyLine(lines, "\t", 5, isCheckIn) {
			return "gowalla"
		}
		return "tsv"
	case ",":
		if o.Columns.open() && (everyLine(lines, ",", 4, isAmazonRating) ||
			bytes.HasPrefix(first, []byte("user_id,parent_asin,rating,timestamp"))) {
			return "amazon-ratings"
		}
		return "csv"
	case " ", "":
		if isAdjacency(lines) && o.Columns.open() {
			return "adjacency"
		}
	}
	return "delimited"
}

func everyLine(lines [][]byte, delimiter string, fields int, is func([][]byte) bool) bool {
	for _, l := range lines {
		if f := bytes.Split(l, []byte(delimiter)); len(f) != fields || !is(f) {
			return false
		}
	}
	return true
}

// headed reports whether a line names a user or an item.
func headed(line []byte, delimiter string) bool {
	for _, f := range bytes.Split(line, []byte(delimiter)) {
		if m, ok := meaningOf(string(trim(f))); ok && !m.weak && m.role <= roleItem {
			return true
		}
	}
	return false
}

func isMovieLensRating(f [][]byte) bool {
	rating, ok := parseNumber(f[2])
	time, okTime := parseInt(f[3])
	return ok && okTime && rating >= 0 && rating <= 5 && time > 1e8
}

func isCheckIn(f [][]byte) bool {
	_, ok := parseInt(f[1])
	_, date := parseTime(f[1], dayUnknown)
	return !ok && date && len(f[1]) > 0
}

func isAmazonRating(f [][]byte) bool {
	rating, ok := parseNumber(f[2])
	time, okTime := parseInt(f[3])
	item := isASIN(f[0]) || isASIN(f[1])
	return ok && okTime && item && rating >= 1 && rating <= 5 && time > 1e8
}

// isAdjacency reports whether the lines are lists of ids: of different lengths, or longer than rows of columns.
func isAdjacency(lines [][]byte) bool {
	shortest, longest := int(^uint(0)>>1), 0
	for _, l := range lines {
		n := len(bytes.Fields(l))
		shortest, longest = min(shortest, n), max(longest, n)
		if bytes.ContainsAny(l, ",;|\"{}") {
			return false
		}
	}
	return longest >= 2 && (shortest != longest || longest > 4) && !headed(lines[0], " ")
}

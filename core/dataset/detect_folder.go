package dataset

import (
	"path/filepath"
	"slices"
	"strings"
)

// detectFolder recognises a folder or an archive by the names of its files.
func detectFolder(folder string, o Options) (*plan, error) {
	p := &plan{name: baseName(folder), items: o.Items}
	if holdsShards(folder) && o.may("shards") {
		return p.shards(folder, o)
	}
	for depth := 0; depth < maxNested; depth++ {
		for _, known := range []func(string, Options) bool{p.movieLens, p.parts, p.indexed, p.gowalla, p.recbole,
			p.owner, p.single} {
			if known(folder, o) {
				return p, nil
			}
		}
		names, err := list(folder)
		if err != nil {
			return nil, folderError(folder, err)
		}
		if len(names) != 1 || !strings.HasSuffix(names[0], "/") || strings.Contains(names[0], "=") {
			break
		}
		folder = filepath.Join(folder, names[0]) // an archive of one folder
	}
	if found, err := p.several(folder, o); found || err != nil {
		return p, err
	}
	reason := "the folder holds nothing known: neither ratings.csv with movies.csv or items.csv, u.data, " +
		"ratings.dat, train.txt with test.txt, users.txt with items.txt and " +
		"interactions.tsv, a .inter file, Gowalla_totalCheckins.txt, nor any table; give the file itself"
	if o.Format != "" {
		reason = "the folder does not hold this format's files; give the file itself, or leave the format out"
	} else if names := glob(folder, "xl"); len(names) > 0 || slices.Contains(listed(folder), "[Content_Types].xml") {
		reason = "this is a table of Excel; save it as CSV"
	}
	return nil, &FormatError{Path: folder, Format: o.Format, Reason: reason}
}

// maxNested bounds how many folders that hold only another folder are entered.
const maxNested = 4

func listed(folder string) []string {
	names, _ := list(folder)
	return names
}

func (o Options) may(format string) bool { return o.Format == "" || o.Format == format }

// movieLens is a folder that GroupLens publishes.
func (p *plan) movieLens(folder string, o Options) bool {
	for _, k := range movieLens {
		if data := exists(folder, k.data); data != "" && o.may(k.format) &&
			(exists(folder, k.catalogue) != "" || o.Format == k.format) {
			p.format = k.format
			p.files[partTrain] = []string{data}
			p.credits(folder)
			if p.items == "" && exists(folder, k.catalogue) != "" {
				p.items = folder
			}
			return true
		}
	}
	return false
}

// tableEnds are the ends of names of tables.
var tableEnds = []string{".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".parquet", ".txt", ".dat", ".inter"}

// parts is a folder with a training and a test part: tables, or adjacency lists as published by LightGCN, BARS and
// their successors. If test users give likes in a file of their own (test_in), as in splits by users that authors of
// autoencoders publish, these likes belong to the training part, and byUser is set.
func (p *plan) parts(folder string, o Options) bool {
	for _, ext := range append([]string{".txt"}, tableEnds...) {
		train, test := exists(folder, "train"+ext), exists(folder, "test"+ext)
		lists := ext == ".txt" && o.may("lightgcn") && (o.Format != "" || holdsLists(train))
		if train == "" || test == "" && !(lists && o.Format == "lightgcn") || !lists && folderFormats[o.Format] {
			continue
		}
		p.format = o.Format
		if lists {
			p.format = "lightgcn"
		}
		p.files[partTrain] = []string{train}
		if test != "" {
			p.files[partTest] = []string{test}
			p.given("test", ext, folder)
		}
		for _, name := range []string{"val", "valid", "validation", "dev"} {
			if val := exists(folder, name+ext); val != "" {
				p.files[partValidation] = []string{val}
				p.given(name, ext, folder)
				break
			}
		}
		p.catalogueOf(folder)
		return true
	}
	return false
}

// given takes the file of the likes that users of a part give, if there is one.
func (p *plan) given(part, ext, folder string) {
	if in := exists(folder, part+"_in"+ext); in != "" {
		p.files[partTrain] = append(p.files[partTrain], in)
		p.byUser = p.byUser || part == "test"
	}
}

// holdsLists reports whether a file begins like an adjacency list: lines of different lengths, of many ids, or pairs.
func holdsLists(path string) bool {
	s, err := openSource(path, nil, "")
	if err != nil {
		return false
	}
	defer s.close()
	lines := completeLines(s.peek(sniffed), 100)
	pairs := len(lines) > 0
	for _, l := range lines {
		pairs = pairs && countWords(l) <= 2
	}
	return pairs || len(lines) > 0 && isAdjacency(lines)
}

func (p *plan) indexed(folder string, o Options) bool {
	users, items := exists(folder, "users.txt"), exists(folder, "items.txt")
	pairs := glob(folder, "interactions*.tsv*")
	if users == "" || items == "" || len(pairs) != 1 || !o.may("indexed") {
		return false
	}
	p.format, p.lists = "indexed", [2]string{users, items}
	p.files[partTrain] = pairs
	return true
}

func (p *plan) gowalla(folder string, o Options) bool {
	checkins := exists(folder, "Gowalla_totalCheckins.txt")
	if checkins == "" || !o.may("gowalla") {
		return false
	}
	p.format, p.name = "gowalla", "Gowalla"
	p.files[partTrain] = []string{checkins}
	return true
}

// recbole is a folder of RecBole's atomic files: NAME.inter, or NAME.train.inter, NAME.valid.inter and NAME.test.inter,
// and perhaps NAME.item.
func (p *plan) recbole(folder string, o Options) bool {
	if !o.may("recbole") {
		return false
	}
	all := glob(folder, "*.inter")
	part := func(name string) []string {
		return slices.DeleteFunc(slices.Clone(all), func(f string) bool {
			return !strings.HasSuffix(f,
				"."+name+".inter")
		})
	}
	train, valid, test := part("train"), part("valid"), part("test")
	switch {
	case len(all) == 1:
		p.files[partTrain] = all
	case len(train) == 1 && len(test) == 1:
		p.files[partTrain], p.files[partValidation], p.files[partTest] = train, valid, test
	default:
		return false
	}
	p.format = "recbole"
	if items := glob(folder, "*.item"); len(items) == 1 && p.items == "" {
		p.items = items[0]
	}
	return true
}

// Names of a site owner's files.
var (
	ownNames = []string{"ratings", "interactions", "events", "reviews", "purchases", "orders", "likes", "plays",
		"clicks", "views", "transactions", "favorites", "favourites", "bewertungen", "bestellungen"}
	itemNames = []string{"items", "movies", "products", "books", "catalog", "catalogue", "artikel", "produkte",
		"katalog", "articles", "films", "filme", "games", "spiele"}
)

// owner is a site owner's folder: interactions under a usual name, and perhaps a catalogue.
func (p *plan) owner(folder string, o Options) bool {
	if folderFormats[o.Format] {
		return false
	}
	for _, name := range ownNames {
		for _, ext := range tableEnds {
			if data := exists(folder, name+ext); data != "" {
				p.format = o.Format
				p.files[partTrain] = []string{data}
				p.catalogueOf(folder)
				return true
			}
		}
	}
	return false
}

// catalogueEnds are the endings of the names of catalogues.
var catalogueEnds = []string{".csv", ".tsv", ".parquet", ".jsonl", ".ndjson", ".json"}

// catalogueOf takes a catalogue with a usual name from a folder.
func (p *plan) catalogueOf(folder string) {
	files := map[string]string{} // by their names without compression, the plain one first
	for _, name := range listed(folder) {
		if plain := unpackedName(name); files[plain] == "" || plain == name {
			files[plain] = filepath.Join(folder, name)
		}
	}
	for _, name := range itemNames {
		for _, ext := range catalogueEnds {
			if file := files[name+ext]; file != "" && p.items == "" {
				p.items = file
			}
		}
	}
}

// single is a folder with one table, and perhaps a catalogue, read-me files and licences.
func (p *plan) single(folder string, o Options) bool {
	if folderFormats[o.Format] {
		return false
	}
	var tables, catalogues []string
	for _, name := range listed(folder) {
		switch {
		case strings.HasSuffix(name, "/") && strings.Contains(name, "="):
			return false // a partitioned table
		case isTable(name):
			tables = append(tables, filepath.Join(folder, name))
		case isCatalogue(name):
			catalogues = append(catalogues, filepath.Join(folder, name))
		}
	}
	switch {
	case len(tables) == 1:
		p.catalogueOf(folder)
	case len(tables) == 0 && len(catalogues) == 1: // games.csv may hold the interactions
		tables = catalogues
	default:
		return false
	}
	p.format = o.Format
	p.files[partTrain] = tables
	return true
}

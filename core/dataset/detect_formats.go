package dataset

// Format is a format in which interactions are published.
type Format struct {
	Name        string // for Options.Format
	Description string // one line: what it is and how it is recognised
}

// Formats returns all formats, in the order in which they are tried.
func Formats() []Format {
	return []Format{
		{"movielens", "MovieLens latest, small and 20M to 32M: a folder with ratings.csv, movies.csv, links.csv"},
		{"movielens-100k", "MovieLens 100K: a folder with u.data, u.item, u.genre"},
		{"movielens-dat", "MovieLens 1M and 10M: a folder with ratings.dat, movies.dat, columns cut by ::"},
		{"lightgcn", "a folder with train.txt and test.txt, perhaps val.txt: lines `user item item …`"},
		{"indexed", "a folder with interactions*.tsv of 0-based places in users.txt and items.txt"},
		{"shards", "a folder that pmlam-batch wrote: pmlam-shards.json, lists of ids, and Parquet files"},
		{"recbole", "RecBole's atomic files: NAME.inter, or NAME.train.inter with NAME.test.inter; titles from " +
			"NAME.item"},
		{"amazon-ratings", "Amazon ratings CSV: user,item,rating,timestamp; with a header in newer releases"},
		{"amazon-reviews", "Amazon review JSON lines: reviewerID, asin, overall, unixReviewTime"},
		{"goodreads", "Goodreads interactions JSON lines: user_id, book_id, rating (0: none), date_added"},
		{"gowalla", "Gowalla check-ins: user, time, latitude, longitude, location, cut by tabs"},
		{"jsonlines", "JSON lines: one object a line, keys by common names or as named"},
		{"adjacency", "lines `user item item …`, cut by blanks, or `user count item item …`"},
		{"adjacency-counts", "lines `count item item …`: one line per user"},
		{"parquet", "Parquet: flat columns by their names, or as named"},
		{"matrix", "a user × item matrix: items in the header, one line per user; an empty cell or 0 is not an " +
			"interaction"},
		{"csv", "comma-separated columns, by the names in the header, or as named or numbered"},
		{"tsv", "tab-separated columns, likewise"},
		{"delimited", "columns cut by any other delimiter, likewise"},
	}
}

func knownFormat(name string) bool {
	for _, f := range Formats() {
		if f.Name == name {
			return true
		}
	}
	return false
}

package leaderboard

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// cut is the list length of the tables.
const cut = "@20"

// Page returns docs/leaderboard.md: a table for each data set and split, the best by NDCG@20 first, with measured and
// published rows together, and the commands of the measured ones.
func Page(records []Record) string {
	var b strings.Builder
	b.WriteString(head)
	all := slices.Clone(records)
	slices.SortStableFunc(all, func(a, b Record) int {
		return cmp.Or(strings.Compare(a.Data, b.Data), strings.Compare(a.Split, b.Split),
			cmp.Compare(b.Figures["ndcg"+cut], a.Figures["ndcg"+cut]), strings.Compare(a.Method, b.Method),
			strings.Compare(a.Source, b.Source))
	})
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].Data == all[0].Data && all[n].Split == all[0].Split {
			n++
		}
		table(&b, all[:n])
		all = all[n:]
	}
	return b.String()
}

const head = `# Leaderboard

**Asked:** how does PMLAM rank among measured and published methods, on published splits?

**Found:** PMLAM's default leads all rows on MovieLens-1M and Amazon-Book, and on Gowalla in Recall@20. Others lead on
Yelp2018, and on Gowalla in NDCG@20.

**Look at:** the table of a data set; the best NDCG@20 comes first.

Generated from the records in [results/records](../results/records) by
` + "`pmlam-lab leaderboard > core/lab/docs/leaderboard.md`" + `; do not edit.

All items outside the training part are ranked; figures are means over all users with test items. "Here" rows were
measured by this project, with the command below the table, in the folder with the data; the digest covers ids and both
parts of the split. All other rows are printed as in their source. "Off by" compares a row measured here with the best
published figures of the same method (Recall, NDCG).
[The command](../../../docs/cli.md#evaluate-measure-a-model) defines long tail, Gini and novelty.

Cold users have no item in the training part, so every method answers without knowing them: Popularity with its one
list, PMLAM with the list of a visitor without likes, by the mean of all likes. Methods that score by the user's own
items, such as Item-KNN, EASE and iALS, score all items equally and list them in the order of the data. The column
compares lists for unknown visitors, not how well a method learns a taste. If most test users are cold, the figures of
all users mostly measure that too.
`

// shown are the slices in the tables of data with cold users.
var shown = []string{"cold users", "least active users", "most active users"}

func table(b *strings.Builder, rows []Record) {
	fmt.Fprintf(b, "\n## %s, %s\n\n", rows[0].Data, rows[0].Split)
	digests := map[string]bool{}
	for _, r := range rows {
		if r.Digest != "" && !digests[r.Digest] {
			digests[r.Digest] = true
			fmt.Fprintf(b, "%d users, %d items, %d training likes and %d test likes, digest `%s`.\n\n",
				r.Users, r.Items, r.Train, r.Test, r.Digest)
		}
	}
	var parts []string
	for _, name := range shown {
		has := func(r Record) bool { return r.Slices[shown[0]] != nil && r.Slices[name] != nil }
		if slices.ContainsFunc(rows, has) {
			parts = append(parts, name)
		}
	}
	columns := []string{"method", "whose", "Recall@20", "NDCG@20", "off by", "coverage", "Gini", "long tail",
		"novelty"}
	for _, name := range parts {
		columns = append(columns, "NDCG@20, "+name)
	}
	row(b, columns)
	row(b, strings.Split(strings.Repeat("--- ", len(columns)), " ")[:len(columns)])
	number := 0
	for _, r := range rows {
		whose := r.Source
		if r.Note != "" {
			whose += " (" + r.Note + ")"
		}
		if r.Source == "" {
			number++
			whose = fmt.Sprintf("here, %d", number)
		}
		cells := []string{r.Method, whose}
		for _, name := range []string{"recall", "ndcg", "", "coverage", "gini", "aplt", "novelty"} {
			if name == "" {
				cells = append(cells, offBy(r, rows))
			} else {
				cells = append(cells, figure(r.Figures, name+cut))
			}
		}
		for _, name := range parts {
			cells = append(cells, figure(r.Slices[name], "ndcg"+cut))
		}
		row(b, cells)
	}
	number = 0
	for _, r := range rows {
		if r.Source == "" {
			if number++; number == 1 {
				b.WriteByte('\n')
			}
			fmt.Fprintf(b, "%d. `%s`\n", number, r.Command)
		}
	}
}

func row(b *strings.Builder, cells []string) {
	b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
}

func figure(of map[string]float64, name string) string {
	x, ok := of[name]
	if !ok {
		return ""
	}
	text := strconv.FormatFloat(x, 'f', 4, 64)
	if x < 1 {
		text = strings.TrimPrefix(text, "0")
	}
	return text
}

// offBy compares a measured row with the same method's published row of the highest NDCG.
func offBy(r Record, rows []Record) string {
	if r.Source != "" {
		return ""
	}
	for _, p := range rows { // sorted by NDCG
		if p.Source == "" || p.Method != r.Method {
			continue
		}
		var out []string
		for _, name := range []string{"recall" + cut, "ndcg" + cut} {
			if p.Figures[name] > 0 {
				off := fmt.Sprintf("%+.1f%%", 100*(r.Figures[name]/p.Figures[name]-1))
				out = append(out, strings.Replace(off, "-", "−", 1))
			}
		}
		return strings.Join(out, ", ")
	}
	return ""
}

// PageOf returns the Page of all records in a folder's files *.jsonl.
func PageOf(folder string) (string, error) {
	names, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
	if err != nil {
		return "", err
	}
	if len(names) == 0 {
		return "", fmt.Errorf("%s holds no records (*.jsonl)", folder)
	}
	var all []Record
	for _, name := range names {
		records, err := Read(name)
		if err != nil {
			return "", err
		}
		all = append(all, records...)
	}
	return Page(all), nil
}

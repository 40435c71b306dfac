package dataset

import (
	"io"
	"slices"
	"strings"

	"github.com/pmlam/pmlam/core/internal/people"
)

// tags reads tags.csv (userId,movieId,tag,timestamp) and stores the n most frequent tags of each item in the further
// column "tags", separated by |. Tags are compared in lower case; ties go to the tag that comes first in the file. Tags
// are written by users, so personal ones are left out.
func (d *describer) tags(s *source, n int) error {
	type tag struct {
		text  string
		count int
	}
	cut := newCutter(s, ",")
	byItem := make([][]tag, d.items.Len())
	for header := true; ; header = false {
		f, err := cut.next()
		if err == io.EOF {
			break
		}
		if err == nil && len(f) != 4 {
			err = s.bad(-1, "", joined(f, ","), "a line holds user, movie, tag and time")
		}
		var text string
		if err == nil && !header {
			text, err = d.text(s, 2, "tag", f[2])
		}
		if err := d.report.skip(err, d.skip); err != nil {
			return err
		}
		text = strings.ToLower(cleanText(strings.ReplaceAll(text, "|", " ")))
		if err != nil || text == "" || people.Find([]byte(text)) != people.None {
			continue
		}
		i, ok := d.items.Index(string(trim(f[1])))
		if !ok {
			continue
		}
		t := slices.IndexFunc(byItem[i], func(t tag) bool { return t.text == text })
		if t >= 0 {
			byItem[i][t].count++
		} else if len(byItem[i]) < maxTags {
			byItem[i] = append(byItem[i], tag{text, 1})
		}
	}
	use, column, err := d.further(s.path, "tags")
	if err != nil || column < 0 {
		return err
	}
	d.report.Columns = append(d.report.Columns, ColumnUse{Name: "tags", Use: use})
	for i, tags := range byItem {
		slices.SortStableFunc(tags, func(a, b tag) int { return b.count - a.count })
		var texts []string
		for _, t := range tags[:min(n, len(tags))] {
			texts = append(texts, t.text)
		}
		item := &d.catalogue.Items[i]
		for len(item.Values) <= column {
			item.Values = append(item.Values, "")
		}
		item.Values[column] = strings.Join(texts, "|")
	}
	return nil
}

// maxTags bounds the different tags counted for one item.
const maxTags = 1 << 10

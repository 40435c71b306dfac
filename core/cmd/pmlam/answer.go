package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pmlam/pmlam/core/recommender"
)

// words for the steps of certainty, as the page says them.
var words = [...]string{recommender.Gamble: "a gamble", recommender.Hunch: "a hunch", recommender.FairlySure: "fairly sure", recommender.VerySure: "very sure"}

// name is an item's title with its year, which is also how it can be asked for.
func name(r *recommender.Recommender, i int) string {
	item := r.Item(i)
	if item.Year == 0 {
		return item.Title
	}
	return item.Title + " (" + strconv.Itoa(item.Year) + ")"
}

// reason and suggestion are recommender's, in JSON.
type reason struct {
	ID    string  `json:"id"`
	Title string  `json:"title"`
	Share float64 `json:"share"`
}

type suggestion struct {
	ID        string   `json:"id"`
	Title     string   `json:"title"`
	Year      int      `json:"year,omitempty"`
	Distance  float64  `json:"distance"`
	Match     float64  `json:"match"`
	Chance    float64  `json:"chance"`
	Certainty string   `json:"certainty"`
	Reasons   []reason `json:"reasons"`
}

// answer prints the recommendations; brought is what the files of --from held, nil where there are none.
func (q *question) answer(r *recommender.Recommender, brought *imported, found []recommender.Suggestion) error {
	if q.json {
		rows := make([]suggestion, len(found))
		for i, s := range found {
			item := r.Item(s.Item)
			rows[i] = suggestion{item.ID, item.Title, item.Year, s.Distance, s.Match, s.Chance, words[s.Certainty], []reason{}}
			for _, why := range s.Reasons {
				liked := r.Item(why.Item)
				rows[i].Reasons = append(rows[i].Reasons, reason{liked.ID, liked.Title, why.Share})
			}
		}
		out := map[string]any{"model": q.model, "digest": r.About().Digest, "recommendations": rows}
		if brought != nil {
			out["import"] = brought
		}
		if q.read != nil {
			out["reading"] = understanding(*q.read)
		}
		return q.printJSON(out)
	}
	if len(found) == 0 {
		q.printf("Nothing is left after the filters; loosen them.\n")
	}
	for i, s := range found {
		q.printf("%3d. %-50s %s, distance %.3f\n", i+1, name(r, s.Item), words[s.Certainty], s.Distance)
		if len(s.Reasons) > 0 {
			because := make([]string, len(s.Reasons))
			for j, why := range s.Reasons {
				because[j] = fmt.Sprintf("%s %.0f%%", r.Item(why.Item).Title, 100*why.Share)
			}
			q.printf("     because you liked %s\n", strings.Join(because, ", "))
		}
	}
	return nil
}

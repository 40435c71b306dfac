package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/recommend"
)

// name returns an item's title with its year, on one line; --like accepts it.
func name(r *recommend.Recommender, i int) string {
	item := r.Item(i)
	title := cli.Line(item.Title)
	if item.Year == 0 {
		return title
	}
	return title + " (" + strconv.Itoa(item.Year) + ")"
}

// reason and suggestion are the JSON forms of recommend's.
type reason struct {
	ID    string  `json:"id"`
	Title string  `json:"title"`
	Share float64 `json:"share"`
}

type suggestion struct {
	ID        string   `json:"id"`
	Title     string   `json:"title"`
	Year      int      `json:"year,omitempty"`
	New       bool     `json:"new,omitempty"` // without likes when the model was made
	Distance  float64  `json:"distance"`
	Match     float64  `json:"match"`
	Chance    *float64 `json:"chance,omitempty"` // nil if unknown
	Certainty string   `json:"certainty,omitempty"`
	Reasons   []reason `json:"reasons"`
	General   float64  `json:"general,omitempty"` // the share of general popularity, in addition to Reasons
	Pinned    bool     `json:"pinned,omitempty"`  // put first by the owner's rules
}

func suggestionsJSON(r *recommend.Recommender, found []recommend.Suggestion) []suggestion {
	rows := make([]suggestion, len(found))
	for i, s := range found {
		item := r.Item(s.Item)
		rows[i] = suggestion{item.ID, item.Title, item.Year, item.Count == 0, s.Distance, s.Match, nil,
			s.Certainty.String(), []reason{}, s.General, s.Pinned}
		if s.Certainty != recommend.Unsaid {
			rows[i].Chance = &s.Chance
		}
		for _, why := range s.Reasons {
			liked := r.Item(why.Item)
			rows[i].Reasons = append(rows[i].Reasons, reason{liked.ID, liked.Title, why.Share})
		}
	}
	return rows
}

// answer prints the recommendations; fromFiles describes the files of --from, nil for none.
func (q *recommendRun) answer(r *recommend.Recommender, fromFiles *imported, found []recommend.Suggestion) error {
	q.explainMissingChance(r, found)
	if q.JSON {
		out := map[string]any{"model": q.model, "digest": r.About().Digest,
			"recommendations": suggestionsJSON(r, found)}
		if fromFiles != nil {
			out["import"] = fromFiles
		}
		if q.read != nil {
			out["reading"] = cli.NewReadingReport(*q.read)
		}
		return q.PrintJSON(out)
	}
	if len(found) == 0 {
		q.Printf("No item passes the filters; loosen them.\n")
	}
	for i, s := range found {
		sure := s.Certainty.String()
		if sure != "" {
			sure += ", "
		}
		fresh := ""
		if r.Item(s.Item).Count == 0 {
			fresh = ", new: not rated yet"
		}
		if s.Pinned {
			fresh += ", pinned"
		}
		q.Printf("%3d. %-50s %sdistance %.3f%s\n", i+1, name(r, s.Item), sure, s.Distance, fresh)
		if because := becauseOf(r, &s); because != "" {
			q.Printf("     because %s\n", because)
		}
	}
	return nil
}

// becauseOf returns the reasons for a title with their shares, or "".
func becauseOf(r *recommend.Recommender, s *recommend.Suggestion) string {
	if len(s.Reasons) == 0 {
		return ""
	}
	likes := make([]string, len(s.Reasons))
	for j, why := range s.Reasons {
		likes[j] = fmt.Sprintf("%s %.0f%%", cli.Line(r.Item(why.Item).Title), 100*why.Share)
	}
	because := "you liked " + strings.Join(likes, ", ")
	if s.General >= 0.005 { // 0% is omitted
		because += fmt.Sprintf("; general popularity %.0f%%", 100*s.General)
	}
	return because
}

// explainMissingChance prints why no chance is stated.
func (q *recommendRun) explainMissingChance(r *recommend.Recommender, found []recommend.Suggestion) {
	switch {
	case len(found) == 0 || found[0].Certainty != recommend.Unsaid:
	case r.About().Users == 0:
		q.Notef("certainty is unknown: the model was made without ratings")
	case r.About().Reliability.People == 0:
		q.Notef("certainty is unknown: the model is not calibrated; train it without --calibrate=false")
	case q.user != "":
		q.Notef("certainty is unknown without the likes of user %s; name the data with --data", q.user)
	default:
		q.Notef("certainty is unknown without likes; add some with --like")
	}
}

// Package answer defines a recommender's answers for the server, the database and the browser: their fields, the names
// in JSON and JavaScript, and the types. wasm/embed/package/pmlam.d.ts and server/api/openapi.json describe the same,
// and a test of wasm/embed compares them.
package answer

import "github.com/pmlam/pmlam/core/recommend"

type (
	// Item is an item of the catalogue.
	Item struct {
		ID     string   `json:"id"`
		Title  string   `json:"title"`
		Year   *int     `json:"year"` // nil if unknown
		Genres []string `json:"genres"`

		Columns map[string]string `json:"columns"` // the catalogue's further columns, without empty ones
		New     bool              `json:"new"`     // nobody had rated it when the model was made
	}
	// Reason is a liked item that supports a suggestion.
	Reason struct {
		Item
		Share float64 `json:"share"`
	}
	// Suggestion is an item of a list, with its reasons.
	Suggestion struct {
		Item
		Distance  float64  `json:"distance"`
		Match     float64  `json:"match"`
		Chance    *float64 `json:"chance"` // nil, like Certainty, if nothing supports it
		Spread    float64  `json:"spread"`
		Certainty *string  `json:"certainty"`
		Because   []Reason `json:"because"`
		General   float64  `json:"general"` // share of general popularity; the shares of Because are separate
		Pinned    bool     `json:"pinned"`  // pinned by the rules
	}
	// Shared is an item for two people, described for each of them.
	Shared struct {
		Item
		Pinned bool          `json:"pinned"`
		Each   [2]Suggestion `json:"each"`
	}
	// Found is an item found by its title.
	Found struct {
		Item
		Score float64 `json:"score"`
	}
	// FoundTitle is a title that a search in a chunked model found.
	FoundTitle struct {
		ID    string  `json:"id"`
		Title string  `json:"title"`
		Year  *int    `json:"year"`
		Score float64 `json:"score"`
	}
	// Nearest is an item of a list from a database.
	Nearest struct {
		ID       string  `json:"id"`
		Title    string  `json:"title"`
		Distance float64 `json:"distance"`
	}
	// About holds the facts about a model.
	About struct {
		Dataset     string             `json:"dataset"`
		Users       int                `json:"users"`
		Items       int                `json:"items"`
		Positives   int                `json:"positives"`
		Trained     string             `json:"trained"`
		Program     string             `json:"program"`
		Preset      string             `json:"preset"`
		Metrics     map[string]float64 `json:"metrics"`
		Licence     string             `json:"licence"`
		Attribution string             `json:"attribution"`
		Digest      string             `json:"digest"`
		Scan        string             `json:"scan"`
		Order       bool               `json:"order"`
		Again       bool               `json:"again"`
		Columns     []string           `json:"columns"`
		Genres      []string           `json:"genres"`
	}
	// List is a list of items, the best first.
	List[T any] struct {
		Items   []T      `json:"items"`
		Unknown []string `json:"unknown"` // ids in the question that the model does not have
	}
	// Served is a list from a server.
	Served[T any] struct {
		Model string `json:"model"` // digest of the model that answered
		List[T]
	}
	// Finds holds the titles that a server found.
	Finds struct {
		Model string  `json:"model"`
		Items []Found `json:"items"`
	}
)

// Describe returns the catalogue's entry for item i.
func Describe(engine *recommend.Recommender, i int) Item {
	it := engine.Item(i)
	out := Item{ID: it.ID, Title: it.Title, Year: Year(it.Year), Genres: it.Genres, Columns: map[string]string{},
		New: it.Count == 0}
	columns := engine.Columns()
	for c, value := range it.Values {
		if value != "" {
			out.Columns[columns[c]] = value
		}
	}
	return out
}

// Year returns a year of the catalogue, or nil for 0, which stands for unknown.
func Year(year int) *int {
	if year == 0 {
		return nil
	}
	return &year
}

// Suggestions describes the items of a list.
func Suggestions(engine *recommend.Recommender, list []recommend.Suggestion) []Suggestion {
	out := make([]Suggestion, len(list))
	for i, s := range list {
		o := Suggestion{Item: Describe(engine, s.Item), Distance: s.Distance, Match: s.Match, Spread: s.Spread,
			General: s.General, Pinned: s.Pinned}
		if word := s.Certainty.String(); word != "" {
			o.Chance, o.Certainty = &list[i].Chance, &word
		}
		for _, r := range s.Reasons {
			o.Because = append(o.Because, Reason{Describe(engine, r.Item), r.Share})
		}
		out[i] = o
	}
	return out
}

// Search describes the titles that a search found.
func Search(engine *recommend.Recommender, found []recommend.Found) []Found {
	out := make([]Found, len(found))
	for i, f := range found {
		out[i] = Found{Describe(engine, f.Item), f.Score}
	}
	return out
}

// Together describes the items for two people.
func Together(engine *recommend.Recommender, shared []recommend.Shared) []Shared {
	out := make([]Shared, len(shared))
	for i, s := range shared {
		out[i] = Shared{Describe(engine, s.Item), s.Each[0].Pinned, [2]Suggestion(Suggestions(engine, s.Each[:]))}
	}
	return out
}

// AboutModel returns the facts about a model.
func AboutModel(engine *recommend.Recommender) About {
	a := engine.About()
	return About{Dataset: a.Dataset, Users: a.Users, Items: a.Items, Positives: a.Positives, Trained: a.Trained,
		Program: a.Program, Preset: a.Preset, Metrics: a.Metrics, Licence: a.Licence, Attribution: a.Attribution,
		Digest: a.Digest, Scan: a.Scan, Order: a.Order, Columns: engine.Columns(), Genres: engine.Genres()}
}

package agents

import (
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/pmlam/pmlam/core/recommend/answer"
)

// tool is a tool and its arguments.
type tool struct {
	name, title, description string
	names                    []string // of the arguments
	input                    *jsonschema.Schema
	output                   *jsonschema.Schema
	answer                   func(s *server, args map[string]any) (any, error) // nil: remember
}

// lists are the arguments that are lists of items.
var lists = []string{"likes", "dislikes", "seen", "instead", "like", "dislike", "forget"}

var (
	anyItem = func() *jsonschema.Schema {
		return &jsonschema.Schema{Types: []string{"string", "number", "object"},
			Description: `A title, with its year if several have it, or an id as "id:6".`}
	}
	items = func(description string) *jsonschema.Schema {
		return &jsonschema.Schema{Type: "array", Items: anyItem(), MaxItems: ptr(maxMarks), Description: description}
	}
	count = func(description string) *jsonschema.Schema {
		return &jsonschema.Schema{Type: "integer", Minimum: ptr(1.0), Maximum: ptr(float64(maxResults)),
			Description: description}
	}
	share = func(description string) *jsonschema.Schema {
		return &jsonschema.Schema{Type: "number", Minimum: ptr(0.0), Maximum: ptr(1.0), Description: description}
	}
	words = func(description string, all ...string) *jsonschema.Schema {
		s := &jsonschema.Schema{Type: "string", Description: description}
		for _, word := range all {
			s.Enum = append(s.Enum, word)
		}
		return s
	}
	whole = func(description string) *jsonschema.Schema {
		return &jsonschema.Schema{Type: "integer", Description: description}
	}
	remembered = func() *jsonschema.Schema {
		return &jsonschema.Schema{Type: "boolean",
			Description: "Whether the marks that the user let you remember count too. Default: true."}
	}
)

var tools = []tool{
	newTool("recommend", "Recommend",
		"Recommends items to a person from titles they like or dislike. The best come first, each with its chance and "+
			"the likes that it follows from.",
		map[string]*jsonschema.Schema{
			"likes": items("Titles that the person likes."), "dislikes": items("Titles that they dislike."),
			"seen": items("Titles that they know; they are not listed."),
			"k":    count("How many items. Default: 10."),
			"mode": words("Default: for-you.", "for-you", "hidden-gems", "outside-bubble"),
			"genres": {Type: "array", Items: &jsonschema.Schema{Type: "string"},
				Description: "Only items of at least one of these genres."},
			"fromYear": whole("Only items of this year or later."),
			"toYear":   whole("Only items of this year or earlier."),
			"where":    {Type: "object", Description: "Only items whose columns have these texts."},
			"order":    words("Default: best.", "best", "known", "new", "title"),
			"skip": {Type: "integer", Minimum: ptr(0.0), Maximum: ptr(float64(maxResults)),
				Description: "Items to skip at the start of the list."},
			"instead":     items("Items of an earlier list to replace."),
			"diversity":   share("From 0, best first, to 1, varied."),
			"exploration": share("From 0, best first, to 1, random."),
			"seed":        whole("Of the random draws."), "remembered": remembered(),
		}, nil, outputOf[answer.Served[answer.Suggestion]](), (*server).recommend),
	newTool("similar", "Find similar items", "Lists the items nearest to one item.",
		map[string]*jsonschema.Schema{
			"item": anyItem(), "k": count("How many items. Default: 10."), "likes": items("Titles not to list."),
			"dislikes": items("Titles not to list."), "seen": items("Titles not to list."),
		}, []string{"item"}, outputOf[answer.Served[answer.Suggestion]](), (*server).similar),
	newTool("search", "Search titles", "Finds items of the catalogue by title, also with typing mistakes.",
		map[string]*jsonschema.Schema{
			"query": {Type: "string", MaxLength: ptr(maxText), Description: "The beginning or words of a title."},
			"limit": count("How many items. Default: 10."),
		}, []string{"query"}, outputOf[answer.Finds](), (*server).search),
	newTool("explain", "Explain an item",
		"Says how an item suits a person: match, chance, and the likes that speak for it. Answers a list of one item.",
		map[string]*jsonschema.Schema{
			"item": anyItem(), "likes": items("Titles that the person likes."),
			"dislikes": items("Titles that they dislike."), "seen": items("Titles that they know."),
			"remembered": remembered(),
		}, []string{"item"}, outputOf[answer.Served[answer.Suggestion]](), (*server).explain),
	newTool("remember", "Remember marks",
		"Remembers likes, dislikes and seen titles for later calls, or forgets them. The user is asked, and nothing "+
			"is written without a yes.",
		map[string]*jsonschema.Schema{
			"like": items("Titles that the user likes."), "dislike": items("Titles that they dislike."),
			"seen": items("Titles that they know."), "forget": items("Titles whose marks to remove."),
		}, nil, outputOf[Remembered](), nil),
}

func newTool(name, title, description string, properties map[string]*jsonschema.Schema, required []string,
	output *jsonschema.Schema, reply func(*server, map[string]any) (any, error)) tool {
	t := tool{name: name, title: title, description: description, output: output, answer: reply,
		input: &jsonschema.Schema{Type: "object", Properties: properties, Required: required,
			AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}}}
	for name := range properties {
		t.names = append(t.names, name)
	}
	slices.Sort(t.names)
	return t
}

// outputOf returns the schema of an answer.
func outputOf[T any]() *jsonschema.Schema {
	s, err := jsonschema.For[T](nil)
	if err != nil {
		panic(err) // not reached: the types of core/recommend/answer
	}
	return s
}

func ptr[T any](v T) *T { return &v }

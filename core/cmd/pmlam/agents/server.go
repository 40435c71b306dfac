package agents

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pmlam/pmlam/core/brief"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/recommend/answer"
	"github.com/pmlam/pmlam/core/recommend/query"
)

// Bounds of a request, in addition to MaxLine.
const (
	maxResults = 100  // k, skip, limit
	maxMarks   = 1000 // entries of a list
	maxText    = 256  // bytes of a title or a search
	maxChanges = 20   // marks in one question to the user
)

// Options of New.
type Options struct {
	Engine  *recommend.Recommender // with the owner's rules
	Version string                 // of the program
	Marks   *Marks                 // the user's marks; nil: there is no tool remember
}

// server answers the tools' calls. It is safe for concurrent use.
type server struct {
	engine *recommend.Recommender
	digest string
	marks  *Marks
	open   questions
}

// New returns a server with the tools.
func New(o Options) *mcp.Server {
	s := &server{engine: o.Engine, digest: o.Engine.About().Digest, marks: o.Marks}
	about := o.Engine.About()
	instructions := fmt.Sprintf("Recommendations from the catalogue %q with %d items. Name items by title, or by id "+
		"as \"id:…\". ", brief.Text(about.Dataset), o.Engine.Len())
	if o.Marks == nil {
		instructions += "Nothing is remembered between calls: pass all likes with each."
	} else {
		instructions += "Lists take the remembered marks into account, unless remembered is false."
	}
	m := mcp.NewServer(&mcp.Implementation{Name: "pmlam", Title: "pmlam recommender", Version: o.Version},
		&mcp.ServerOptions{Instructions: instructions,
			Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}}})
	for _, t := range tools {
		if t.name == "remember" && o.Marks == nil {
			continue
		}
		reads := t.name != "remember"
		m.AddTool(&mcp.Tool{Name: t.name, Title: t.title, Description: t.description, InputSchema: t.input,
			OutputSchema: t.output, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: reads, DestructiveHint: ptr(!reads),
				IdempotentHint: true, OpenWorldHint: ptr(false)}}, s.guarded(t))
	}
	return m
}

// guarded returns the handler of a tool. Errors are results with a sentence for the agent, and also the panic of a
// handler, which must not end the other calls.
func (s *server) guarded(t tool) mcp.ToolHandler {
	return func(ctx context.Context, r *mcp.CallToolRequest) (result *mcp.CallToolResult, err error) {
		defer func() {
			if p := recover(); p != nil {
				result, err = failed(fmt.Errorf("the program failed: %v\n%s", p, debug.Stack()))
			}
		}()
		args, err := s.arguments(t, r.Params.Arguments)
		if err != nil {
			return failed(err)
		}
		if t.name == "remember" {
			return s.remember(ctx, r, args)
		}
		reply, err := t.answer(s, args)
		if err != nil {
			return failed(err)
		}
		return done(reply)
	}
}

// done returns a result with the JSON that the HTTP API sends.
func done(reply any) (*mcp.CallToolResult, error) {
	text, err := json.Marshal(reply, jsontext.AllowInvalidUTF8(true), json.Deterministic(true))
	if err != nil {
		return nil, err
	}
	return &mcp.CallToolResult{StructuredContent: jsontext.Value(text),
		Content: []mcp.Content{&mcp.TextContent{Text: string(text)}}}, nil
}

// failure is the JSON of an error.
type failure struct {
	Error      string      `json:"error"`
	Field      string      `json:"field,omitzero"`
	Candidates []candidate `json:"candidates,omitzero"` // for texts that do not name one item
}

// failed returns an error for the agent. It has no structured content, which must fit the tool's output schema.
func failed(err error) (*mcp.CallToolResult, error) {
	f := failure{Error: brief.Message(err.Error())}
	switch e := err.(type) {
	case *query.Error:
		f.Field = e.Field
	case *titlesError:
		f.Field, f.Candidates = e.field, e.candidates
	}
	result, err := done(f)
	if err != nil {
		return nil, err
	}
	result.IsError, result.StructuredContent = true, nil
	return result, nil
}

// reader returns a reader for one call.
func (s *server) reader() *query.Reader {
	return &query.Reader{Engine: s.engine, Results: maxResults, Marks: maxMarks}
}

// list returns a list of items as the HTTP API answers it.
func (s *server) list(list []recommend.Suggestion, unknown []string) answer.Served[answer.Suggestion] {
	return answer.Served[answer.Suggestion]{Model: s.digest,
		List: answer.List[answer.Suggestion]{Items: answer.Suggestions(s.engine, list), Unknown: unknown}}
}

func (s *server) recommend(args map[string]any) (any, error) {
	reader := s.reader()
	remembered, err := takeFlag(args, "remembered", true)
	if err != nil {
		return nil, err
	}
	visit, request, err := reader.Read("recommend", query.JSON{V: args})
	if err != nil {
		return nil, err
	}
	if request.Filter.Genres, err = s.genres(request.Filter.Genres); err != nil {
		return nil, err
	}
	if visit, err = s.with(visit, remembered); err != nil {
		return nil, err
	}
	return s.list(s.engine.Recommend(visit, s.engine.Taste(visit, nil), request), reader.Unknown), nil
}

func (s *server) similar(args map[string]any) (any, error) {
	item, err := s.takeItem(args)
	if err != nil {
		return nil, err
	}
	reader := s.reader()
	mentioned, k, err := reader.ReadSimilar(query.JSON{V: args})
	if err != nil {
		return nil, err
	}
	return s.list(s.engine.Similar(item, mentioned, k), reader.Unknown), nil
}

func (s *server) search(args map[string]any) (any, error) {
	text, ok := args["query"].(string)
	if !ok || len(text) > maxText {
		return nil, &query.Error{Field: "query", Sentence: fmt.Sprintf("query must be a text of at most %d bytes",
			maxText)}
	}
	limit, err := query.Bounded("limit", query.JSON{V: args["limit"]}, 1, maxResults, query.DefaultResults, true)
	if err != nil {
		return nil, err
	}
	return answer.Finds{Model: s.digest, Items: answer.Search(s.engine, s.engine.Search(text, int(limit)))}, nil
}

func (s *server) explain(args map[string]any) (any, error) {
	item, err := s.takeItem(args)
	if err != nil {
		return nil, err
	}
	remembered, err := takeFlag(args, "remembered", true)
	if err != nil {
		return nil, err
	}
	reader := s.reader()
	visit, _, err := reader.ReadSimilar(query.JSON{V: args})
	if err != nil {
		return nil, err
	}
	if visit, err = s.with(visit, remembered); err != nil {
		return nil, err
	}
	for _, list := range []struct {
		items []int
		what  string
	}{{visit.Likes, "is itself a like"}, {visit.Dislikes, "is disliked"}, {visit.Seen, "is marked as seen"}} {
		for _, i := range list.items {
			if i == item {
				return nil, &query.Error{Field: "item", Sentence: fmt.Sprintf("%s %s, so it is not recommended",
					s.quoted(item), list.what)}
			}
		}
	}
	why := s.engine.Explain(visit, s.engine.Taste(visit, nil), item)
	return s.list([]recommend.Suggestion{why}, reader.Unknown), nil
}

// with adds the remembered marks to a visit, except those of items that the visit mentions.
func (s *server) with(visit recommend.Visit, remembered bool) (recommend.Visit, error) {
	if s.marks == nil || !remembered {
		return visit, nil
	}
	return s.marks.addTo(visit, s.engine)
}

// genres returns the catalogue's spelling of genres, and an error for unknown ones.
func (s *server) genres(asked []string) (found []string, err error) {
	for _, want := range asked {
		have, ok := sameGenre(s.engine.Genres(), want)
		if !ok {
			return nil, &query.Error{Field: "genres", Sentence: fmt.Sprintf("the catalogue has no genre %q; it has %s",
				brief.Text(want), brief.List(s.engine.Genres()))}
		}
		found = append(found, have)
	}
	return found, nil
}

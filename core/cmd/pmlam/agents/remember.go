package agents

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pmlam/pmlam/core/recommend/query"
	"github.com/pmlam/pmlam/ui/keep"
)

// Remembered is the answer of remember.
type Remembered struct {
	Yes     bool     `json:"yes"`     // the user said yes, so Changed was written
	Changed []Change `json:"changed"` // empty without a yes
	Marks   int      `json:"marks"`   // in the file now; 0 without a yes
}

// Change is a title's new mark: like, dislike, seen or forget.
type Change struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Mark  string `json:"mark"`
}

// kinds are the marks by the names of the arguments, and how the question to the user says them.
var kinds = []struct {
	name, says string
	mark       keep.Mark
}{
	{"like", "you like", keep.Liked}, {"dislike", "you do not like", keep.NotForMe}, {"seen", "you know", keep.Seen},
	{"forget", "forget the mark of", keep.Unmarked},
}

// maxQuestions is the greatest number of questions that wait for the user. A further one takes the oldest one's place.
const maxQuestions = 16

// questions are those that wait for the user. Each can be answered once, and only for the change that it names.
type questions struct {
	mu   sync.Mutex
	open []question
}

type question struct {
	state   string // secret and unique
	changes []keep.Entry
}

func (q *questions) ask(changes []keep.Entry) (state string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.open) == maxQuestions {
		q.open = q.open[1:]
	}
	state = rand.Text()
	q.open = append(q.open, question{state, changes})
	return state
}

// take removes a question and returns its changes, nil for an unknown one.
func (q *questions) take(state string) (changes []keep.Entry) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for k, one := range q.open {
		if one.state == state {
			q.open = append(q.open[:k:k], q.open[k+1:]...)
			return one.changes
		}
	}
	return nil
}

// answerName names the user's answer in a call.
const answerName = "yes"

// remember asks the user at the first call, and writes at the second, which brings the answer. The SDK makes the second
// call itself for clients of protocols before 2026-07-28.
func (s *server) remember(ctx context.Context, r *mcp.CallToolRequest, args map[string]any) (*mcp.CallToolResult,
	error) {
	changes, err := s.changes(args)
	if err != nil {
		return failed(err)
	}
	if r.Params.RequestState == "" && len(r.Params.InputResponses) == 0 {
		if !canAsk(r.Session) {
			return failed(errors.New("nothing was remembered: this client cannot ask its user (MCP elicitation), and " +
				"marks need the user's yes; pass the titles as likes, dislikes and seen with each call instead"))
		}
		return &mcp.CallToolResult{RequestState: s.open.ask(changes),
			InputRequests: mcp.InputRequestMap{answerName: s.question(changes)}}, nil
	}
	if asked := s.open.take(r.Params.RequestState); asked == nil || !same(asked, changes) {
		return failed(errors.New("nothing was remembered: the answer belongs to no open question; call remember again"))
	}
	given, _ := r.Params.InputResponses[answerName].(*mcp.ElicitResult)
	if given == nil || given.Action != "accept" || given.Content[answerName] != true {
		return done(Remembered{Changed: []Change{}})
	}
	if err := ctx.Err(); err != nil {
		return nil, err // cancelled
	}
	left, err := s.marks.change(changes)
	if err != nil {
		return failed(err)
	}
	out := Remembered{Yes: true, Marks: left}
	for _, e := range changes {
		out.Changed = append(out.Changed, Change{e.ID, e.Title, kindOf(e.Mark).name})
	}
	return done(out)
}

// canAsk reports whether the client can show a form to its user.
func canAsk(session *mcp.ServerSession) bool {
	p := session.InitializeParams()
	if p == nil || p.Capabilities == nil || p.Capabilities.Elicitation == nil {
		return false
	}
	e := p.Capabilities.Elicitation
	return e.Form != nil || e.URL == nil // neither: a client from before there were two kinds
}

// question returns the question to the user, which names each change.
func (s *server) question(changes []keep.Entry) *mcp.ElicitParams {
	var b strings.Builder
	fmt.Fprintf(&b, "Change your marks in %s?", s.marks.path)
	for _, e := range changes {
		fmt.Fprintf(&b, "\n- %s %s", kindOf(e.Mark).says, s.quoted(s.engine.IDs()[e.ID]))
	}
	return &mcp.ElicitParams{Mode: "form", Message: b.String(), RequestedSchema: &jsonschema.Schema{Type: "object",
		Properties: map[string]*jsonschema.Schema{answerName: {Type: "boolean", Title: "Yes, change them"}},
		Required:   []string{answerName}}}
}

// changes returns the changes that a call asks for, at least one and each item once.
func (s *server) changes(args map[string]any) (out []keep.Entry, err error) {
	said := map[string]bool{}
	for _, kind := range kinds {
		ids, err := s.reader().IDs(kind.name, query.JSON{V: args[kind.name]})
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			i, ok := s.engine.IDs()[id]
			switch {
			case !ok:
				return nil, noItem(kind.name, id)
			case said[id]:
				return nil, &query.Error{Field: kind.name, Sentence: s.quoted(i) + " appears twice; give it one mark"}
			}
			said[id] = true
			item := s.engine.Item(i)
			out = append(out, keep.Entry{ID: id, Mark: kind.mark, Title: item.Title, Year: uint16(max(item.Year, 0))})
		}
	}
	switch {
	case len(out) == 0:
		return nil, &query.Error{Sentence: "remember needs titles in like, dislike, seen or forget"}
	case len(out) > maxChanges:
		return nil, &query.Error{Sentence: fmt.Sprintf("remember takes at most %d titles at once, so that the user "+
			"can read them", maxChanges)}
	}
	return out, nil
}

func same(a, b []keep.Entry) bool {
	if len(a) != len(b) {
		return false
	}
	for k := range a {
		if a[k] != b[k] {
			return false
		}
	}
	return true
}

func kindOf(m keep.Mark) (kind struct {
	name, says string
	mark       keep.Mark
}) {
	for _, k := range kinds {
		if k.mark == m {
			kind = k
		}
	}
	return kind
}

package abtest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/pmlam/pmlam/core/brief"
)

// Bounds of one export, at least as wide as the browser package's.
const (
	MaxExport   = 1 << 20 // bytes of its JSON
	maxID       = 4096    // bytes of an item's id or a session's key
	maxName     = 256     // bytes of the name of a list, an experiment, a variant or a team
	maxItems    = 200     // of a list
	maxVariants = 100     // of a session
	maxEvent    = 1 << 40 // number of an event
)

type kind uint8

const (
	shown kind = iota
	clicked
	liked
	kinds
)

func (k kind) String() string { return [...]string{"shown", "clicked", "liked"}[k] }

// event is one line of a session. It is either a list that was shown, with its items by place, and their teams if it
// was interleaved; or an item of a list that was clicked or liked.
type event struct {
	kind  kind
	list  string
	items []string
	teams []string // as long as items, or nil
}

// session is the log of one visit. first is the number of its first event in this export.
type session struct {
	key      string // "": the export has none
	day      string // 2026-11-24
	variants map[string]string
	first    int64
	events   []event
}

// size is the session's share of MaxEvents.
func (s session) size() int {
	n := 8 + len(s.variants)
	for i := range s.events {
		n += 1 + len(s.events[i].items) + len(s.events[i].teams)
	}
	return n
}

// wire is an export as JSON.
type wire struct {
	Format   string         `json:"format"`
	Version  int            `json:"version"`
	Sessions *[]wireSession `json:"sessions"`
}

type wireSession struct {
	Key      string            `json:"key"`
	Day      string            `json:"day"`
	Variants map[string]string `json:"variants"`
	First    int64             `json:"first"`
	Events   []wireEvent       `json:"events"`
}

type wireEvent struct {
	Event string   `json:"event"`
	List  string   `json:"list"`
	Item  *string  `json:"item"`
	Items []string `json:"items"`
	Teams []string `json:"teams"`
}

// Format and Version identify an export.
const (
	Format  = "pmlam-log"
	Version = 1
)

// decodeExport parses one export, which must be all of b. offset is the place of an error in b.
func decodeExport(b []byte, names *textTable) (sessions []session, offset int64, err error) {
	var w wire
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&w); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			return nil, min(max(wrong.Offset, 0), int64(len(b))), fmt.Errorf("%s is a %s; it must be %s",
				cmp.Or(wrong.Field, "the export"), wrong.Value, described(wrong.Type.Kind()))
		}
		if wrong := (*json.SyntaxError)(nil); errors.As(err, &wrong) {
			offset = min(max(wrong.Offset-1, 0), int64(len(b)))
		}
		return nil, offset, err
	}
	switch {
	case w.Format != Format:
		return nil, 0, fmt.Errorf("the format is %q; an export has %q", brief.Text(w.Format), Format)
	case w.Version != Version:
		return nil, 0, fmt.Errorf("the export has version %d; this program reads version %d", w.Version, Version)
	case w.Sessions == nil:
		return nil, 0, errors.New("the export has no sessions")
	}
	for i, s := range *w.Sessions {
		read, err := s.check(names)
		if err != nil {
			return nil, 0, fmt.Errorf("session %d: %w", i+1, err)
		}
		sessions = append(sessions, read)
	}
	return sessions, 0, nil
}

// described names the JSON type of a field in words.
func described(k reflect.Kind) string {
	switch k {
	case reflect.String:
		return "a text"
	case reflect.Slice:
		return "a list"
	case reflect.Struct, reflect.Map:
		return "an object"
	}
	return "a whole number"
}

func (w wireSession) check(names *textTable) (session, error) {
	s := session{key: w.Key, day: names.intern(w.Day), first: w.First}
	switch _, err := time.Parse(time.DateOnly, w.Day); {
	case err != nil:
		return s, fmt.Errorf("the day is %.20q; write it like 2026-11-24", w.Day)
	case len(w.Key) > maxID:
		return s, fmt.Errorf("the key has %d bytes; at most %d are allowed", len(w.Key), maxID)
	case w.First < 0 || w.First > maxEvent:
		return s, fmt.Errorf("first is %d; it must be from 0 to %d", w.First, int64(maxEvent))
	case len(w.Variants) > maxVariants:
		return s, fmt.Errorf("there are %d experiments; at most %d are allowed", len(w.Variants), maxVariants)
	}
	if len(w.Variants) > 0 {
		s.variants = make(map[string]string, len(w.Variants))
	}
	for name, variant := range w.Variants {
		if err := errors.Join(named("an experiment", name), named("a variant", variant)); err != nil {
			return s, err
		}
		s.variants[names.intern(name)] = names.intern(variant)
	}
	for i, e := range w.Events {
		read, err := e.check(names)
		if err != nil {
			return s, fmt.Errorf("event %d: %w", i+1, err)
		}
		s.events = append(s.events, read)
	}
	return s, nil
}

func (w wireEvent) check(names *textTable) (event, error) {
	e := event{kind: kinds, list: names.intern(w.List)}
	for k := range kinds {
		if k.String() == w.Event {
			e.kind = k
		}
	}
	if e.kind == kinds {
		return e, fmt.Errorf("the event is %.20q; it must be shown, clicked or liked", w.Event)
	}
	if err := named("a list", w.List); err != nil {
		return e, err
	}
	items := w.Items
	switch {
	case e.kind != shown && (w.Item == nil || w.Items != nil || w.Teams != nil):
		return e, fmt.Errorf("a %s event needs one item", e.kind)
	case e.kind != shown:
		items = []string{*w.Item}
	case w.Item != nil || len(w.Items) == 0 || len(w.Items) > maxItems:
		return e, fmt.Errorf("a list needs 1 to %d items", maxItems)
	case w.Teams != nil && len(w.Teams) != len(w.Items):
		return e, fmt.Errorf("there are %d items but %d teams", len(w.Items), len(w.Teams))
	}
	for _, id := range items {
		if id == "" || len(id) > maxID {
			return e, fmt.Errorf("an item's id needs 1 to %d bytes, got %d", maxID, len(id))
		}
		e.items = append(e.items, names.intern(id))
	}
	for _, team := range w.Teams {
		if err := named("a team", team); err != nil {
			return e, err
		}
		e.teams = append(e.teams, names.intern(team))
	}
	if len(distinct(e.teams)) > 2 {
		return e, fmt.Errorf("the list has %d teams; at most two can be compared", len(distinct(e.teams)))
	}
	return e, nil
}

func named(what, name string) error {
	if name == "" || len(name) > maxName {
		return fmt.Errorf("the name of %s needs 1 to %d bytes, got %d", what, maxName, len(name))
	}
	return nil
}

// textTable stores equal texts once.
type textTable struct {
	kept  map[string]string
	bytes int // of all texts
}

// intern returns the stored text equal to s.
func (t *textTable) intern(s string) string {
	if kept, ok := t.kept[s]; ok {
		return kept
	}
	t.kept[s] = s
	t.bytes += len(s)
	return s
}

package ui

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/tinylib/msgp/msgp"
)

//go:generate go tool msgp -file state.go -o state_gen.go -io=false -tests=false
//msgp:tuple State Settings
//msgp:limit arrays:65536
//msgp:ignore Mark

// StateVersion is the version of the encoding that this program writes.
const StateVersion = 1

// Bounds of a State. A visitor who has said more than this is not one.
const (
	maxStateBytes = 8 << 20
	maxMarks      = 65536 // in one list
	maxIDBytes    = 1024
)

// State is all that the visitor has said, as it is kept: a MessagePack array with the version first. Titles are named
// by the catalogue's own ids, so a State outlives the model. The zero value, but for its version, is a first visit.
type State struct {
	Version  uint8
	Likes    []string // in the order they were said; no id stands in two lists, or twice in one
	Dislikes []string
	Seen     []string
	Settings Settings
}

// Settings are the page's own settings.
type Settings struct {
	Mode        uint8    // recommender.Mode
	Exploration float64  // in [0,1]
	Diversity   float64  // in [0,1]
	Seed        uint64   // of the Thompson draws
	Genres      []string // filter; none: all
	Decade      uint16   // filter: its first year; 0: all
	Theme       uint8    // 0 as the system, 1 light, 2 dark
	Distances   bool     // the map shows distances from the visitor
}

// NewState returns what is known of somebody who has never been here.
func NewState() State { return State{Version: StateVersion} }

// ErrNewerState says that a State was written by a later version of the program.
var ErrNewerState = errors.New("ui: the stored state was written by a newer version of this page")

// Encode returns s as bytes.
func (s *State) Encode() ([]byte, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	return s.MarshalMsg(nil)
}

// DecodeState reads what Encode wrote, and nothing else: bytes that Encode would not have written are an error, so
// trailing bytes, double entries and values out of range are all refused. O(len(b)) time and memory.
func DecodeState(b []byte) (State, error) {
	if len(b) > maxStateBytes {
		return State{}, fmt.Errorf("ui: the stored state has %d bytes, more than the %d that are allowed", len(b), maxStateBytes)
	}
	fields, rest, err := msgp.ReadArrayHeaderBytes(b)
	if err != nil {
		return State{}, fmt.Errorf("ui: the stored state does not begin as one: %w", err)
	}
	version, _, err := msgp.ReadUint8Bytes(rest)
	if err != nil || fields == 0 {
		return State{}, fmt.Errorf("ui: the stored state has no version at byte %d: %w", len(b)-len(rest), err)
	}
	if version > StateVersion {
		return State{}, ErrNewerState
	}
	var s State
	left, err := s.UnmarshalMsg(b)
	if err != nil {
		return State{}, fmt.Errorf("ui: the stored state is damaged before byte %d: %w", len(b)-len(left), err)
	}
	if err := s.check(); err != nil {
		return State{}, err
	}
	again, err := s.MarshalMsg(nil)
	if err != nil {
		return State{}, fmt.Errorf("ui: the stored state cannot be written again: %w", err)
	}
	if !bytes.Equal(again, b) {
		return State{}, errors.New("ui: the stored state holds bytes that this page would not have written")
	}
	return s, nil
}

// check returns an error that says which promise of State is broken, or nil.
func (s *State) check() error {
	if s.Version != StateVersion {
		return fmt.Errorf("ui: the state has version %d, this page writes version %d", s.Version, StateVersion)
	}
	seen := make(map[string]struct{}, len(s.Likes)+len(s.Dislikes)+len(s.Seen))
	for _, list := range [...][]string{s.Likes, s.Dislikes, s.Seen} {
		if len(list) > maxMarks {
			return fmt.Errorf("ui: the state lists %d titles, more than the %d that are allowed", len(list), maxMarks)
		}
		for _, id := range list {
			if err := checkID(id); err != nil {
				return err
			}
			if _, twice := seen[id]; twice {
				return fmt.Errorf("ui: the state names title %q twice", id)
			}
			seen[id] = struct{}{}
		}
	}
	t := &s.Settings
	if int(t.Mode) > 2 || t.Theme > 2 || !unit(t.Exploration) || !unit(t.Diversity) || len(t.Genres) > 256 {
		return errors.New("ui: the state holds a setting that is out of range")
	}
	for _, g := range t.Genres {
		if err := checkID(g); err != nil {
			return err
		}
	}
	return nil
}

func checkID(id string) error {
	if id == "" || len(id) > maxIDBytes || !utf8.ValidString(id) {
		return fmt.Errorf("ui: the state holds %q, which names nothing", id[:min(len(id), 40)])
	}
	return nil
}

func unit(v float64) bool { return !math.IsNaN(v) && v >= 0 && v <= 1 }

// Mark is what a visitor says of a title.
type Mark uint8

// The marks.
const (
	Unmarked Mark = iota
	LikedIt
	NotForMe
	SeenIt
)

// list returns the list that holds titles with that mark, or nil for Unmarked.
func (s *State) list(m Mark) *[]string {
	switch m {
	case LikedIt:
		return &s.Likes
	case NotForMe:
		return &s.Dislikes
	case SeenIt:
		return &s.Seen
	}
	return nil
}

// set marks a title: it leaves the list it was in and goes to the end of its new one. Lists are never changed in
// place, so a copy of a State stays what it was.
func (s *State) set(id string, m Mark) {
	for _, l := range [...]*[]string{&s.Likes, &s.Dislikes, &s.Seen} {
		if i := slices.Index(*l, id); i >= 0 {
			*l = slices.Concat((*l)[:i], (*l)[i+1:])
		}
	}
	if l := s.list(m); l != nil {
		*l = append(slices.Clip(*l), id)
	}
}

// marked tells whether anything has been said.
func (s *State) marked() bool { return len(s.Likes)+len(s.Dislikes)+len(s.Seen) > 0 }

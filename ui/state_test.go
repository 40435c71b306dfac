package ui

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
)

func encoded(t testing.TB, s State) []byte {
	t.Helper()
	b, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func fullState() State {
	return State{
		Version: StateVersion, Likes: []string{"1", "é"}, Dislikes: []string{"3"}, Seen: []string{"4", "5"},
		Settings: Settings{Mode: 2, Exploration: 0.25, Diversity: 1, Seed: 77, Genres: []string{"Film-Noir"}, Decade: 1940, Theme: 2, Distances: true},
	}
}

func TestStateRoundTrip(t *testing.T) {
	want := fullState()
	got, err := DecodeState(encoded(t, want))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestStateRefuses(t *testing.T) {
	for name, change := range map[string]func(*State){
		"a title twice":         func(s *State) { s.Seen = append(s.Seen, "1") },
		"an empty id":           func(s *State) { s.Likes = []string{""} },
		"an id of no text":      func(s *State) { s.Likes = []string{"\xff"} },
		"a long id":             func(s *State) { s.Likes = []string{strings.Repeat("x", maxIDBytes+1)} },
		"no such mode":          func(s *State) { s.Settings.Mode = 3 },
		"exploration beyond 1":  func(s *State) { s.Settings.Exploration = 1.5 },
		"no number":             func(s *State) { s.Settings.Diversity = math.NaN() },
		"a version of nobody's": func(s *State) { s.Version = 0 },
	} {
		s := fullState()
		change(&s)
		if _, err := s.Encode(); err == nil {
			t.Errorf("%s can be written", name)
		}
		raw, err := s.MarshalMsg(nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := DecodeState(raw); err == nil {
			t.Errorf("%s can be read", name)
		}
	}
	good := encoded(t, fullState())
	for n := range good {
		if _, err := DecodeState(good[:n]); err == nil {
			t.Errorf("the first %d of %d bytes can be read", n, len(good))
		}
	}
	if _, err := DecodeState(append(good, 0xc0)); err == nil {
		t.Error("a byte too many can be read")
	}
	if _, err := DecodeState([]byte{0x95, StateVersion + 1}); !errors.Is(err, ErrNewerState) {
		t.Errorf("a newer version gives %v", err)
	}
	if _, err := DecodeState([]byte{0x95, StateVersion, 0xdd, 0xff, 0xff, 0xff, 0xff}); err == nil {
		t.Error("four thousand million likes can be read")
	}
}

// TestStateCopies: a copy of a State is what it was whatever happens to the other; undo rests on it.
func TestStateCopies(t *testing.T) {
	s := NewState()
	for _, id := range []string{"a", "b", "c", "d"} {
		s.set(id, LikedIt)
	}
	before := s
	want := encoded(t, before)
	s.set("b", Unmarked)
	s.set("e", LikedIt)
	s.set("a", SeenIt)
	if got := encoded(t, before); !bytes.Equal(got, want) {
		t.Error("a copy changed with the original")
	}
}

func FuzzState(f *testing.F) {
	f.Add(encoded(f, fullState()))
	f.Add(encoded(f, NewState()))
	f.Add([]byte{0x95, 1, 0xdd, 0xff, 0xff, 0xff, 0xff})
	f.Add([]byte{0x95, 2})
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := DecodeState(b)
		if err != nil {
			if !reflect.DeepEqual(s, State{}) {
				t.Fatalf("an error came with %+v", s)
			}
			return
		}
		if again := encoded(t, s); !bytes.Equal(again, b) {
			t.Fatalf("%x was read, %x would be written", b, again)
		}
	})
}

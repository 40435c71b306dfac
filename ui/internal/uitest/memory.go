package uitest

import (
	"slices"
	"sync"
	"testing"

	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/visit"
)

// Memory is a store.Disk that tabs share and that can fail.
type Memory struct {
	Mu     sync.Mutex // of M and Fail
	M      map[string][]byte
	Fail   error  // error of every call; nil: none
	Before func() // called before each update, unless nil

	Updates int // number of calls of Update

	tabs []func(erased bool)
}

// NewMemory returns an empty disk.
func NewMemory() *Memory { return &Memory{M: map[string][]byte{}} }

func (s *Memory) Update(keys []string, change func([][]byte) error) error {
	if s.Before != nil {
		s.Before()
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.Updates++
	if s.Fail != nil {
		return s.Fail
	}
	values := make([][]byte, len(keys))
	for i, k := range keys {
		values[i] = slices.Clone(s.M[k])
	}
	if err := change(values); err != nil {
		return err
	}
	for i, k := range keys {
		delete(s.M, k)
		if values[i] != nil {
			s.M[k] = slices.Clone(values[i])
		}
	}
	return nil
}

func (s *Memory) Erase() error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if s.Fail != nil {
		return s.Fail
	}
	clear(s.M)
	return nil
}

func (s *Memory) Listen(f func(erased bool)) { s.tabs = append(s.tabs, f) }

// Ledger returns the visitor's stored ledger.
func (s *Memory) Ledger(t *testing.T) *keep.Ledger {
	t.Helper()
	s.Mu.Lock()
	defer s.Mu.Unlock()
	l, err := keep.Decode(s.M[visit.StateKey])
	if err != nil {
		t.Fatal(err)
	}
	return &l
}

// Person returns the second person's stored ledger, or nil.
func (s *Memory) Person(t *testing.T) *keep.Ledger {
	t.Helper()
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if s.M[visit.OtherKey] == nil {
		return nil
	}
	l, err := keep.Decode(s.M[visit.OtherKey])
	if err != nil {
		t.Fatal(err)
	}
	return &l
}

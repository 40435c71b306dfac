package ui

import "sync"

// saver writes to the store, one write at a time and the latest last. Writes that are overtaken are left out.
type saver struct {
	store Store
	mu    sync.Mutex // held while writing
	turns sync.Mutex // guards last
	last  int
}

// next returns the turn of a new write; all earlier ones are overtaken.
func (s *saver) next() int {
	s.turns.Lock()
	defer s.turns.Unlock()
	s.last++
	return s.last
}

func (s *saver) overtaken(turn int) bool {
	s.turns.Lock()
	defer s.turns.Unlock()
	return turn != s.last
}

// write saves b unless a later write is waiting.
func (s *saver) write(turn int, b []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.overtaken(turn) {
		return nil
	}
	return s.store.Save(StateKey, b)
}

// erase deletes everything; writes that are still waiting are overtaken.
func (s *saver) erase() error {
	s.next()
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.store.Delete(StateKey); err != nil {
		return err
	}
	return s.store.Delete(AsideKey)
}

// save keeps the present state, in the background. A failure is told once and the page goes on.
func (p *Page) save() {
	b, err := p.State.Encode()
	if err != nil {
		p.Notice = p.W.StoreFull
		return
	}
	p.Bytes = len(b)
	if p.store == nil {
		return
	}
	turn := p.saves.next()
	p.background(func() {
		err := p.saves.write(turn, b)
		if err == nil {
			return
		}
		p.env.Lock()
		p.Notice = p.W.StoreFull
		p.env.UnlockRender()
	})
}

// stateSize returns how many bytes the state takes, 0 where there is nothing to keep.
func stateSize(s *State) int {
	if !s.marked() {
		return 0
	}
	b, err := s.Encode()
	if err != nil {
		return 0
	}
	return len(b)
}

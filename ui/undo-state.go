package ui

import "time"

// UndoState is the offer to take the latest change back.
type UndoState struct {
	*Session
	Undo *Undo // nil: there is none
}

// Undo is a change that can be taken back.
type Undo struct {
	Text string // what was done
	back func()
}

// undoFor is how long the offer to undo stays on the screen; the lists under Your taste take back anything, any time.
const undoFor = 12 * time.Second

// offer shows and announces the offer for a while.
func (u *UndoState) offer(text string, back func()) {
	undo := &Undo{text, back}
	u.announce(text)
	u.Undo = undo
	if u.env == nil {
		return
	}
	go func() { // not counted by Wait: nothing depends on it
		time.Sleep(undoFor)
		u.env.Lock()
		if u.Undo != undo {
			u.env.UnlockOnly()
			return
		}
		u.Undo = nil
		u.env.UnlockRender()
	}()
}

// TakeBack undoes the latest change. What was changed since stays, here or in another tab.
func (u *UndoState) TakeBack() {
	if u.Undo == nil {
		return
	}
	undo := u.Undo
	u.Undo = nil
	undo.back()
	u.announce(u.W.Undone)
}

// DropUndo puts the offer to undo away.
func (u *UndoState) DropUndo() { u.Undo = nil }

package ui

import (
	"github.com/pmlam/pmlam/ui/store"
	"github.com/pmlam/pmlam/ui/words"
)

// Failure is the page without an engine: the model is damaged, or of another version. It says so, says that the
// visitor's choices are safe, and offers to reload.
type Failure struct {
	W      *words.Words
	Reason string
}

// NewFailure returns a page that explains why the model could not be opened. A nil w means the document's language.
func NewFailure(w *words.Words, err error) *Failure {
	if w == nil {
		w = store.Spoken()
	}
	return &Failure{W: w, Reason: err.Error()}
}

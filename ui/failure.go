package ui

import (
	"github.com/pmlam/pmlam/ui/store"
	"github.com/pmlam/pmlam/ui/words"
)

// Failure is the page where there is no engine: the model is damaged or of another version. It explains that, that
// the visitor's choices are untouched, and offers to reload.
type Failure struct {
	W      *words.Words
	Reason string
}

// NewFailure returns a page that explains why the model could not be opened. w nil: in the language of the document.
func NewFailure(w *words.Words, err error) *Failure {
	if w == nil {
		w = store.Spoken()
	}
	return &Failure{W: w, Reason: err.Error()}
}

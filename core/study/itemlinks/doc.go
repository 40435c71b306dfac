// Package fit finds the sparse item-item part of a model in the training data: builders of parts (Cosine, Ridge, EASE), the
// scorer that puts a part beside another scorer (Beside), and the choice among parts and γ on validation data (Choose).
//
// Everything is deterministic: the same data give the same part, whatever the number of workers.
//
// In the flow: dataset → fit → model. Not linked into the browser's program, which needs package itemitem alone.
package itemlinks

// Package mapview is the taste map: a canvas painted by a script, its buttons, and its description as text.
//
// After each render the painted map gets the changes of its picture (State.Update, picture). Panning and zooming stay
// within the script.
//
// In the flow: store, list → mapview.
package mapview

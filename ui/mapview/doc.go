// Package mapview is the taste map: a canvas that a script paints, its buttons, and everything that it shows as text.
//
// After each render the painted map gets the differences from its present picture (State.Update, picture), so that
// panning and zooming never come back to the program.
//
// In the flow: store, list → mapview.
package mapview

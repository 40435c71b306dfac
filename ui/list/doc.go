// Package list is the list of recommendations and everything that it shows by another view: genres, decades, regions,
// titles like one, titles for two.
//
// Each question to the engine has a turn number; an answer whose turn has passed is dropped (State.ask, work, settle).
// The list comes first; certainties, places on the map and distances follow, and then everything that nothing waits for
// (State.WhenIdle).
//
// In the flow: store → list → map, pick for the week, question of two, shared links.
package list

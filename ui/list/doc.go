// Package list is the list of recommendations, and of the titles of other views: genres, decades, regions, titles like
// one, titles for two.
//
// Each question to the engine has a turn number; an answer with an outdated turn is dropped (State.ask, work, settle).
// The list comes first. Certainties, places on the map and distances follow, and then low-priority work
// (State.WhenIdle).
//
// In the flow: store → list → map, pick for the week, question of two, shared links.
package list

// Package undo offers to undo the latest change.
//
// In the flow: store → undo → every feature with changes to undo.
package undo

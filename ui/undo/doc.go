// Package undo offers to take the latest change back.
//
// In the flow: store → undo → everything that can be taken back.
package undo

//go:build !(js && wasm)

package ui

import "github.com/pmlam/pmlam/core/importer"

// Without a browser nobody chooses files.
func (p *Page) takeFiles() {}

// inflate is the browser's.
var inflate importer.Inflate

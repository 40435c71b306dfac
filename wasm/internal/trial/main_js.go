//go:build js && wasm

package main

import (
	"bytes"
	"fmt"
	"syscall/js"

	"github.com/pmlam/pmlam/wasm/internal/host"
	"github.com/pmlam/pmlam/wasm/kernel"
)

func main() {
	h, err := host.Take()
	if err != nil {
		panic(err)
	}
	word, _, _ := bytes.Cut(h.Model(), []byte("\n"))
	switch string(word) {
	case "stands":
		_, scan := kernel.Fastest()
		js.Global().Get("document").Set("title", fmt.Sprintf("stands with %s", scan))
		h.Ready(true)
		select {} // like a page
	case "refuses":
		h.Fail("The model is of tomorrow.", true)
	case "breaks":
		h.Ready(true)
		panic("this model asks for a panic")
	}
}

//go:build js && wasm

package main

import (
	"github.com/pmlam/pmlam/wasm/internal/host"
)

func main() {
	h, err := host.Take()
	if err != nil {
		panic(err)
	}
	end := make(chan struct{})
	h.Offer("program", newProgram(func() { close(end) }).functions())
	<-end // JavaScript keeps calling the offered functions
}

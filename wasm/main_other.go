//go:build !js

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "This is the page's program, which runs in a browser. Build it with GOOS=js GOARCH=wasm, "+
		"or try the page with make run.")
	os.Exit(2)
}

//go:build !js

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "This program runs in a JavaScript engine, loaded by wasm/embed/package/pmlam.js. "+
		"Build it with GOOS=js GOARCH=wasm.")
	os.Exit(2)
}

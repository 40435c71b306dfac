//go:build !js

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "This program runs in a browser, under assets/js/loader/pmlam.js. "+
		"Build it with GOOS=js GOARCH=wasm.")
	os.Exit(2)
}

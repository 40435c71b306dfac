//go:build !js

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "This program is the page's and runs in a browser. "+
		"Build it with GOOS=js GOARCH=wasm; to see it, run make run.")
	os.Exit(2)
}

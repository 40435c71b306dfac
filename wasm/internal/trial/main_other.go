//go:build !js

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "This program is for browser tests. Build it with GOOS=js GOARCH=wasm.")
	os.Exit(2)
}

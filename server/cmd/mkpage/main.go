// Command mkpage packs the built page into the file that pmlam embeds (package server/page). `make page` calls it.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"

	"github.com/pmlam/pmlam/server/page"
)

func main() {
	var s page.Sources
	flag.StringVar(&s.Root, "root", ".", "the repository")
	flag.StringVar(&s.Program, "program", "build/app.wasm", "the page's program")
	flag.StringVar(&s.WasmExec, "wasm-exec", "", "wasm_exec.js of the Go installation")
	flag.StringVar(&s.Package, "package", "", "the folder of the package for other pages; none by default")
	flag.IntVar(&s.Quality, "quality", 11, "quality of brotli, 0 (fastest) to 11 (smallest)")
	flag.StringVar(&s.Cache, "cache", "", "a folder that caches compressed files between runs")
	out := flag.String("out", "server/page/built/page.zip", "the file to write")
	flag.Parse()
	if err := run(s, *out); err != nil {
		fmt.Fprintln(os.Stderr, "mkpage:", err)
		os.Exit(1)
	}
}

func run(s page.Sources, out string) error {
	var b bytes.Buffer
	if err := page.Pack(&b, s); err != nil {
		return err
	}
	if there, err := os.ReadFile(out); err == nil && bytes.Equal(there, b.Bytes()) {
		return nil // keep its time, so that Go does not link again
	}
	if err := os.WriteFile(out+".tmp", b.Bytes(), 0o644); err != nil {
		return err
	}
	return os.Rename(out+".tmp", out)
}

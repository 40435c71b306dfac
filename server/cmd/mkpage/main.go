// Command mkpage packs the built page into the file that pmlam embeds (package server/page). make calls it.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"

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
	out := flag.String("out", "build/page.zip", "archive to write, next to overlay.json for go build")
	flag.Parse()
	if err := run(s, *out); err != nil {
		fmt.Fprintln(os.Stderr, "mkpage:", err)
		os.Exit(1)
	}
}

// embedded is the file that package page embeds. The overlay puts the archive there without writing to the tree.
const embedded = "server/page/built/page.zip"

func run(s page.Sources, out string) error {
	var b bytes.Buffer
	if err := page.Pack(&b, s); err != nil {
		return err
	}
	place, err := filepath.Abs(filepath.Join(s.Root, embedded))
	if err != nil {
		return err
	}
	if out, err = filepath.Abs(out); err != nil {
		return err
	}
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{place: out}})
	if err != nil {
		return err
	}
	if err := write(out, b.Bytes()); err != nil {
		return err
	}
	return write(filepath.Join(filepath.Dir(out), "overlay.json"), overlay)
}

// write replaces a file, unless it has this content already: then its time stays, and Go need not link again.
func write(file string, content []byte) error {
	if there, err := os.ReadFile(file); err == nil && bytes.Equal(there, content) {
		return nil
	}
	if err := os.WriteFile(file+".tmp", content, 0o644); err != nil {
		return err
	}
	return os.Rename(file+".tmp", file)
}

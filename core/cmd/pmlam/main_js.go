package main

import (
	"context"
	"os"
	"syscall/js"

	"github.com/pmlam/pmlam/core/internal/cli"
)

// main runs one command in a page's worker (wasm/studio). The worker has set globalThis.pmlam and the file system.
func main() {
	ctx, cancel := context.WithCancel(context.Background())
	js.Global().Get("pmlam").Set("cancel", js.FuncOf(func(js.Value, []js.Value) any {
		cancel()
		return nil
	}))
	os.Exit(cli.Execute(ctx, newRoot, os.Args[1:], os.Stdout, os.Stderr))
}

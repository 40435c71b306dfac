package main

import (
	"context"
	"os"
	"syscall/js"
	"time"

	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/yield"
)

// main runs one command in a page's worker (wasm/studio). The worker has set globalThis.pmlam and the file system.
func main() {
	ctx, cancel := context.WithCancel(context.Background())
	js.Global().Get("pmlam").Set("cancel", js.FuncOf(func(js.Value, []js.Value) any {
		cancel()
		return nil
	}))
	last := time.Now()
	yield.Set(func() { // the worker hears of a cancellation meanwhile
		if time.Since(last) >= between {
			time.Sleep(time.Microsecond)
			last = time.Now()
		}
	})
	os.Exit(cli.Execute(ctx, newRoot, os.Args[1:], os.Stdout, os.Stderr))
}

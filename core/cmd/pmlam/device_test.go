//go:build !gpu || !linux

package main

import (
	"strings"
	"testing"
)

// A program without GPUs says so, and how to build one that has them, before it reads anything.
func TestWithoutGPUs(t *testing.T) {
	for _, args := range []string{"train --data no-such-data", "unseen --data no-such-data", "evaluate --data no-such-data --fold 0 --model no-such-model"} {
		r := command(append(strings.Fields(args), "--device", "cuda:0")...)
		const want = "the device cuda:0 cannot be used: this program was built without GPUs; on Linux, go build -tags gpu ./core/cmd/pmlam builds one"
		if r.code != exitFailed || !strings.Contains(r.errors, want) {
			t.Errorf("%s: exit code %d, %s", args, r.code, r.errors)
		}
	}
}

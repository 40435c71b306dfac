//go:build !js

package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// A file that decompresses without end is rejected once it is too long or its first bytes are wrong. A damaged part of
// a model in chunks is fetched once more, past the browser's cache.
func TestEndlessAndDamagedFiles(t *testing.T) {
	dir := onDisk(t)
	f := cut(t, filepath.Join(dir, "model.msgpack"))
	var got struct {
		Said map[string]string
		Peak int // KiB of memory
	}
	ask(t, &got, "endless.mjs", dir, f.Path)
	t.Logf("peak memory: %d MiB", got.Peak>>10)
	noModel := "model: model: this is not a model file at byte 0: it does not begin like a model file of pmlam"
	for name, want := range map[string]string{
		"program":  "program: starting the program failed: program is longer than 67108864 bytes",
		"kernel":   "opened",
		"model":    noModel,
		"response": noModel,
		"no index": "model: index.bin is damaged or from another model: bad magic",
		"index":    "file: index.bin is longer than 67108864 bytes",

		"damaged once": "opened",
	} {
		if got.Said[name] != want {
			t.Errorf("%s: %q, want %q", name, got.Said[name], want)
		}
		delete(got.Said, name)
	}
	if part := got.Said["damaged part"]; !strings.HasPrefix(part, "model: ") ||
		!strings.HasSuffix(part, "its digest is not in the index") {
		t.Errorf("a damaged part: %q", part)
	}
	if part := got.Said["part"]; !strings.HasPrefix(part, "file: ") || !strings.HasSuffix(part, " bytes") {
		t.Errorf("a part: %q", part)
	}
	if len(got.Said) != 2 {
		t.Errorf("unexpected results: %v", got.Said)
	}
}

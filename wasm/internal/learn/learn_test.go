//go:build !js

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/pmlam/pmlam/wasm/internal/jstest"
)

// A training under node writes the bytes of a native one: the choice of settings, links, map, order of likes and
// calibration included.
func TestNodeWritesTheBytesOfTheCommand(t *testing.T) {
	program := jstest.Training(t, "github.com/pmlam/pmlam/wasm/internal/learn")
	folder := t.TempDir()
	native, node := filepath.Join(folder, "native.msgpack"), filepath.Join(folder, "node.msgpack")
	args := []string{filepath.Join(jstest.Root(t), "assets", "data", "ml-latest-small"), native,
		"MinUser=60", "MinItem=20", "epochs=10"}
	if err := learn(args); err != nil {
		t.Fatal(err)
	}
	args[1] = node
	t.Log(jstest.Node(t, program, nil, args...))
	want, err := os.ReadFile(native)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(node)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("the model trained under node (%d bytes) differs from the native one (%d bytes)", len(got), len(want))
	}
}

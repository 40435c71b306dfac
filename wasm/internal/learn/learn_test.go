//go:build !js

package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

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

// BenchmarkTraining trains with the default settings on one worker natively, under node and in Chromium, and prints
// the times of the steps: wall time, so let the machine do nothing else.
//
//	go test ./wasm/internal/learn -run '^$' -bench Training -benchtime 1x [-args FILE SETTING=VALUE …]
func BenchmarkTraining(b *testing.B) {
	program := jstest.Training(b, "github.com/pmlam/pmlam/wasm/internal/learn")
	native := filepath.Join(b.TempDir(), "learn")
	if out, err := exec.Command("go", "build", "-o", native, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	folder := filepath.Join(jstest.Root(b), "assets", "data", "ml-latest-small")
	data, files, settings := folder, []string(nil), []string(nil)
	if args := flag.Args(); len(args) > 0 {
		data, files, settings = args[0], args[:1], args[1:]
	} else {
		for _, name := range []string{"ratings.csv", "movies.csv", "links.csv", "tags.csv"} {
			files = append(files, filepath.Join(folder, name))
		}
	}
	inPage := "/data"
	if data != folder {
		inPage += "/" + filepath.Base(data)
	}
	for b.Loop() {
		cmd := exec.Command(native, append([]string{data, "-"}, settings...)...)
		cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
		used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		fmt.Printf("\nnative, one core, %v of processor:\n%s", used, out)
		fmt.Printf("node:\n%s", jstest.Node(b, program, nil, append([]string{data, "-"}, settings...)...))
		fmt.Printf("Chromium:\n%s", jstest.Browser(b, program, jstest.Page{Limit: time.Hour, Files: files},
			append([]string{inPage, "-"}, settings...)...))
	}
}

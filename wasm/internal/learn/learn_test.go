//go:build !js

package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pmlam/pmlam/wasm/internal/jstest"
)

// A training under node and in Chromium writes the bytes of a native one: the choice of settings, links, map, order of
// likes and calibration included.
func TestBytesOfTheCommand(t *testing.T) {
	program := jstest.Training(t, "github.com/pmlam/pmlam/wasm/internal/learn")
	ratings := filepath.Join(jstest.Root(t), "assets", "data", "ml-latest-small", "ratings.csv")
	data := folderOf(t, ratings)
	args := []string{data, "-", "MinUser=60", "MinItem=20", "epochs=5"}
	var native bytes.Buffer
	if err := learn(&native, args); err != nil {
		t.Fatal(err)
	}
	want := digestOf(t, native.String())
	if out := jstest.Node(t, program, nil, args...); digestOf(t, out) != want {
		t.Errorf("node wrote another model than the native program:\n%s%s", out, &native)
	}
	args[0] = "/data"
	page := jstest.Page{Limit: 5 * time.Minute, Files: []string{ratings}}
	if out := jstest.Browser(t, program, page, args...); digestOf(t, out) != want {
		t.Errorf("Chromium wrote another model than the native program:\n%s%s", out, &native)
	}
}

// folderOf returns a folder "data" with copies of the files, as the page has them.
func folderOf(t testing.TB, files ...string) string {
	t.Helper()
	data := filepath.Join(t.TempDir(), "data")
	if err := os.Mkdir(data, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		if err := os.WriteFile(filepath.Join(data, filepath.Base(path)), jstest.ReadFile(t, path), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return data
}

// digestOf returns the line of the model's digest.
func digestOf(t testing.TB, output string) string {
	t.Helper()
	_, digest, found := strings.Cut(output, "sha256 ")
	if !found {
		t.Fatalf("no digest in:\n%s", output)
	}
	digest, _, _ = strings.Cut(digest, "\n")
	return digest
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
	var files, settings []string
	if args := flag.Args(); len(args) > 0 {
		files, settings = args[:1], args[1:]
	} else {
		for _, name := range []string{"ratings.csv", "movies.csv", "links.csv", "tags.csv"} {
			files = append(files, filepath.Join(folder, name))
		}
	}
	data := folderOf(b, files...)
	for b.Loop() {
		cmd := exec.Command(native, append([]string{data, "-"}, settings...)...)
		cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
		used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		fmt.Printf("\nnative, one core, %v of processor:\n%s", used, out)
		for name, run := range map[string]func() string{
			"node": func() string { return jstest.Node(b, program, nil, append([]string{data, "-"}, settings...)...) },
			"Chromium": func() string {
				page := jstest.Page{Limit: time.Hour, Files: files}
				return jstest.Browser(b, program, page, append([]string{"/data", "-"}, settings...)...)
			},
		} {
			there := run()
			fmt.Printf("%s:\n%s", name, there)
			if digestOf(b, there) != digestOf(b, string(out)) {
				b.Errorf("%s wrote another model", name)
			}
		}
	}
}

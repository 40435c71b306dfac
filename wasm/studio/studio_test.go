//go:build !js

package studio

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/pmlam/pmlam/server/page"
	"github.com/pmlam/pmlam/wasm/internal/jstest"
)

// built holds the studio's files as a site has them, and the command natively, both with the same small page.
type built struct{ folder, pmlam string }

var (
	once   sync.Once
	shared built
)

func TestMain(m *testing.M) {
	code := m.Run()
	if shared.folder != "" {
		os.RemoveAll(filepath.Dir(shared.folder))
	}
	os.Exit(code)
}

func build(t *testing.T) built {
	t.Helper()
	once.Do(func() {
		top, err := os.MkdirTemp("", "studio")
		if err != nil {
			t.Fatal(err)
		}
		shared = built{filepath.Join(top, "studio"), filepath.Join(top, "pmlam")}
		root := jstest.Root(t)
		put := func(name string, content []byte) {
			if err := os.WriteFile(filepath.Join(shared.folder, name), content, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Mkdir(shared.folder, 0o755); err != nil {
			t.Fatal(err)
		}
		program, err := os.ReadFile(jstest.Training(t, "github.com/pmlam/pmlam/core/cmd/pmlam"))
		if err != nil {
			t.Fatal(err)
		}
		put("studio.wasm", program)
		put("wasm_exec.js", jstest.WasmExec(t))
		put("package.json", []byte(`{"type":"module"}`))
		for _, name := range []string{"studio.js", "worker.js", "commands.js", "fs.js", "store.js"} {
			put(name, jstest.Read(t, "wasm/studio/"+name))
		}
		for _, name := range []string{"training.js", "fused.wasm", "plain.wasm"} {
			put(name, jstest.Read(t, "wasm/kernel/training/"+name))
		}
		standIn := filepath.Join(top, "app.wasm")
		if err := os.WriteFile(standIn, bytes.Repeat([]byte("program "), 1000), 0o600); err != nil {
			t.Fatal(err)
		}
		var archive bytes.Buffer
		err = page.Pack(&archive, page.Sources{Root: root, Program: standIn,
			WasmExec: filepath.Join(shared.folder, "wasm_exec.js"), Quality: 11})
		if err != nil {
			t.Fatal(err)
		}
		put("page.zip", archive.Bytes())
		overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{
			filepath.Join(root, "server/page/built/page.zip"): filepath.Join(shared.folder, "page.zip")}})
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(top, "overlay.json")
		if err := os.WriteFile(file, overlay, 0o600); err != nil {
			t.Fatal(err)
		}
		run(t, root, "go", "build", "-overlay", file, "-o", shared.pmlam, "./core/cmd/pmlam")
	})
	if shared.pmlam == "" || t.Failed() {
		t.Fatal("the studio was not built")
	}
	return shared
}

func run(t *testing.T, folder, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = folder
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

// check runs a check of check.mjs.
func check(t *testing.T, name string, args ...string) {
	t.Helper()
	run(t, ".", "node", append([]string{"check.mjs", name, build(t).folder}, args...)...)
}

// Every download of the studio has the bytes that the command writes.
func TestDownloadsAreTheCommands(t *testing.T) {
	b := build(t)
	root := jstest.Root(t)
	out, native := t.TempDir(), filepath.Join(t.TempDir(), "project")
	if err := os.Mkdir(native, 0o755); err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, name := range []string{"products.csv", "orders.csv"} {
		file := filepath.Join(root, "docs", "examples", "shop", name)
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(native, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	check(t, "downloads", append([]string{out}, files...)...)
	run(t, native, b.pmlam, "init", "orders.csv", "products.csv")
	run(t, native, b.pmlam, "train")
	run(t, native, b.pmlam, "site")
	for _, name := range []string{"pmlam.toml", "model.msgpack"} {
		same(t, name, read(t, filepath.Join(out, name)), read(t, filepath.Join(native, name)))
	}
	z, err := zip.OpenReader(filepath.Join(out, "site.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	left := map[string]bool{}
	err = filepath.WalkDir(filepath.Join(native, "public"), func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && d.Name() != ".lock" {
			left[path] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(native, "public", filepath.FromSlash(f.Name))
		same(t, f.Name, got, read(t, path))
		delete(left, path)
	}
	if len(z.File) < 50 || len(left) > 0 {
		t.Errorf("the archive has %d files and lacks %v", len(z.File), left)
	}
}

// shop are the files of the example's shop.
func shop(t *testing.T) []string {
	folder := filepath.Join(jstest.Root(t), "docs", "examples", "shop")
	return []string{filepath.Join(folder, "orders.csv"), filepath.Join(folder, "products.csv")}
}

func TestCutsLoseNothing(t *testing.T)         { check(t, "cuts", shop(t)...) }
func TestCancelledWorkGoesOn(t *testing.T)     { check(t, "cancelled", shop(t)...) }
func TestFullStorage(t *testing.T)             { check(t, "full", shop(t)...) }
func TestWrongFilesAreRefused(t *testing.T)    { check(t, "wrong", shop(t)...) }
func TestMemoryEndsWithASentence(t *testing.T) { check(t, "memory", shop(t)...) }

func read(t *testing.T, file string) []byte {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func same(t *testing.T, name string, got, want []byte) {
	t.Helper()
	if !bytes.Equal(got, want) {
		t.Errorf("%s of the studio (%d bytes) differs from the command's (%d bytes)", name, len(got), len(want))
	}
}

package page

import (
	"archive/zip"
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/server/site"
)

// sources is a small page: a program that compresses well, a kernel, and a package of one file.
func sources(t *testing.T) Sources {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{
		"index.html": `<!doctype html><meta charset="utf-8"><script type="module" src="assets/js/a.js" ` +
			`data-program="assets/app.wasm" data-model="assets/models/movielens.msgpack"></script>`,
		"assets/js/a.js":                  "export const a = 1;\n",
		"assets/models/movielens.msgpack": "not packed",
		"assets/data/ratings.csv":         "not packed",
		"assets/.hidden":                  "not packed",
		"wasm/kernel/kernel.wasm":         "kernel",
		"LICENSE":                         "licence",
		"NOTICE":                          "notice",
		"build/app.wasm":                  strings.Repeat("program ", 1000),
		"build/wasm_exec.js":              "globalThis.Go = 1;\n",
		"build/package/pmlam.js":          "export const pmlam = 1;\n",
		"build/package/.written":          "not packed",
	} {
		if err := put(filepath.Join(root, filepath.FromSlash(name)), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	return Sources{
		Root: root, Program: filepath.Join(root, "build/app.wasm"), WasmExec: filepath.Join(root, "build/wasm_exec.js"),
		Package: filepath.Join(root, "build/package"), Quality: 3,
	}
}

func pack(t *testing.T, s Sources) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Pack(&b, s); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestPackedPageMakesASite(t *testing.T) {
	s := sources(t)
	packed := pack(t, s)
	if !bytes.Equal(packed, pack(t, s)) {
		t.Error("the same files gave other bytes")
	}
	z, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range z.File {
		if strings.Contains(f.Name, "models") || strings.Contains(f.Name, "data/") || strings.Contains(f.Name, "/.") {
			t.Errorf("%s is in the page", f.Name)
		}
	}
	folder := t.TempDir()
	c, err := unpack(packed, folder, 3)
	if err != nil {
		t.Fatal(err)
	}
	if kept, _ := filepath.Glob(filepath.Join(c.Cache, "*.q3.br")); len(kept) != 2 {
		t.Errorf("%d compressed programs are reused, want 2", len(kept))
	}
	model := filepath.Join(t.TempDir(), "m.msgpack")
	if err := put(model, []byte("model")); err != nil {
		t.Fatal(err)
	}
	c.With["assets/models/movielens.msgpack"], c.Out = model, filepath.Join(t.TempDir(), "site")
	if _, err := site.Build(c); err != nil {
		t.Fatal(err)
	}
	for pattern, want := range map[string]string{
		"assets/app.*.wasm": strings.Repeat("program ", 1000), "assets/models/m.*.msgpack": "model",
		"embed/pmlam.js": "export const pmlam = 1;\n", "LICENSE": "licence",
	} {
		found, _ := filepath.Glob(filepath.Join(c.Out, pattern))
		if len(found) != 1 {
			t.Errorf("the site has %d files %s", len(found), pattern)
			continue
		}
		if got, err := os.ReadFile(found[0]); err != nil || string(got) != want {
			t.Errorf("%s contains %q, %v", pattern, got, err)
		}
	}
}

// Programs stored with a lower quality than the site's are compressed again.
func TestLowerQualityIsRecompressed(t *testing.T) {
	c, err := unpack(pack(t, sources(t)), t.TempDir(), 11)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(c.Cache); !errors.Is(err, os.ErrNotExist) {
		t.Error("the site reuses programs of quality 3")
	}
}

func TestDamagedPage(t *testing.T) {
	packed := pack(t, sources(t))
	for name, damaged := range map[string][]byte{
		"empty": nil, "cut": packed[:len(packed)/2],
		"flipped": bytes.Replace(packed, []byte("index.html"), []byte("inde/../.."), -1),
	} {
		if _, err := unpack(damaged, t.TempDir(), 3); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestConfig(t *testing.T) {
	_, err := Config(t.TempDir(), 5)
	if _, there := built.ReadFile(archive); there != nil && !errors.Is(err, ErrNone) || there == nil && err != nil {
		t.Errorf("Config: %v; reading %s: %v", err, archive, there)
	}
}

func TestPackWithoutSources(t *testing.T) {
	s := sources(t)
	s.Program = filepath.Join(s.Root, "gone")
	if err := Pack(&bytes.Buffer{}, s); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

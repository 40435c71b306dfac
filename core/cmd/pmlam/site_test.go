package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/server/site"
)

var tree, treeError = filepath.Abs(repo)

// testPage is the repository's page with programs of a few bytes: what page.Config returns, without compiling.
func testPage(folder string, quality int) (site.Config, error) {
	if treeError != nil {
		return site.Config{}, treeError
	}
	c := site.Config{Tree: tree, Quality: quality, With: map[string]string{},
		Copy: map[string]string{"embed/pmlam.js": filepath.Join(tree, "wasm/embed/package/pmlam.js")}}
	for address, text := range map[string]string{
		"assets/app.wasm": "\x00asm\x01\x00\x00\x00", "assets/kernel.wasm": "\x00asm\x01\x00\x00\x01",
		"assets/js/loader/wasm_exec.js": "globalThis.Go = 1;\n",
	} {
		file := filepath.Join(folder, filepath.Base(address))
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return site.Config{}, err
		}
		c.With[address] = file
	}
	return c, nil
}

// A site needs the command and nothing else: a project, or a model alone.
func TestSite(t *testing.T) {
	model, err := filepath.Abs(shipped)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if r := command("site"); r.code != cli.ExitUsage || !strings.Contains(r.errors, "pmlam init writes one, or name a model") {
		t.Errorf("without anything: %+v", r)
	}
	ok(t, "site", "--model", model, "--quality", "0", "--copy", "assets/models/README.txt="+model)
	if page := string(read(t, "site/index.html")); !strings.Contains(page, "/movielens.") {
		t.Error("the page does not name the model")
	}
	read(t, "site/assets/models/README.txt")
	write(t, "pmlam.toml", "[train]\nmodel = \"m.msgpack\"\n[site]\nout = \"public\"\ntitle = \"Kettle\"\n")
	write(t, "m.msgpack", string(read(t, model)))
	r := ok(t, "site", "--quality", "0", "--json")
	var report struct {
		Out   string
		Files []site.File
	}
	if err := json.Unmarshal([]byte(r.out), &report); err != nil || report.Out != "public" || len(report.Files) < 20 {
		t.Errorf("%v: %.200s", err, r.out)
	}
	if page := string(read(t, "public/index.html")); !strings.Contains(page, "<title>Kettle") {
		t.Error("the page has not the project's title")
	}
	write(t, "empty.toml", "[site]\nout = \"public\"\n")
	for want, args := range map[string][]string{
		`--copy is "x"`:         {"--copy", "x"},
		"qualities 0 to 11":     {"--quality", "12"},
		"project file":          {"--project", "gone.toml"},
		"does not name a model": {"--project", "empty.toml"},
		"gone.msgpack":          {"--model", "gone.msgpack"},
	} {
		if r := command(append([]string{"site"}, args...)...); r.code == cli.ExitOK || !strings.Contains(r.errors, want) {
			t.Errorf("%v: exit code %d, %s", args, r.code, r.errors)
		}
	}
}

// updated is the object that update prints.
type updated struct {
	Out            string
	Upload, Remove []string
}

// The first update trains and lists all files; the next one refreshes and lists the changed ones, the page last.
func TestUpdate(t *testing.T) {
	orders(t, "customer;sku;ordered")
	ok(t, "init", "orders.csv", "products.csv")
	project := string(read(t, "pmlam.toml"))
	write(t, "pmlam.toml", strings.Replace(project, "[train]\n", "[train]\nepochs = 1\n", 1))
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir()) // the project is elsewhere
	update := func() (u updated) {
		t.Helper()
		r := ok(t, "update", "--project", filepath.Join(folder, "pmlam.toml"), "--quality", "0", "--json",
			"--upload-list", "upload.txt")
		lines := strings.Split(strings.TrimSpace(r.out), "\n")
		if err := json.Unmarshal([]byte(lines[len(lines)-1]), &u); err != nil {
			t.Fatal(err)
		}
		if got := string(read(t, "upload.txt")); got != strings.Join(u.Upload, "\n")+"\n" {
			t.Errorf("the list is\n%s", got)
		}
		for _, name := range u.Upload {
			read(t, filepath.Join(u.Out, name))
		}
		return u
	}
	first := update()
	// An upload that failed: its names are listed again, and the page is still last.
	again := update()
	if len(again.Upload) < len(first.Upload)-3 || !strings.HasPrefix(again.Upload[len(again.Upload)-1], "service-worker") {
		t.Errorf("after a failed upload %d files are listed, %d before", len(again.Upload), len(first.Upload))
	}
	if err := os.Remove("upload.txt"); err != nil {
		t.Fatal(err)
	}
	if len(first.Upload) < 30 || len(first.Remove) != 0 {
		t.Errorf("the first update lists %d files to upload and %d to remove", len(first.Upload), len(first.Remove))
	}
	write(t, filepath.Join(folder, "orders.csv"), string(read(t, filepath.Join(folder, "orders.csv")))+
		"c90;p0;2026-04-01\nc90;p1;2026-04-01\nc90;p6;2026-04-02\n")
	second := update()
	if len(second.Upload) == 0 || len(second.Upload) > 13 {
		t.Errorf("the second update lists %q", second.Upload)
	}
	for _, u := range []updated{first, second} {
		page := slices.Index(u.Upload, "index.html")
		for k, name := range u.Upload {
			if last := strings.HasPrefix(name, "index.html") || strings.HasPrefix(name, "service-worker"); !last && k > page {
				t.Errorf("%s is listed after the page, which may name it", name)
			}
		}
		if page < 0 {
			t.Error("the page is not listed")
		}
	}
	if len(second.Remove) == 0 || !strings.Contains(strings.Join(second.Remove, " "), "msgpack") {
		t.Errorf("to remove: %q; want the older model", second.Remove)
	}
}

// play serves a quick model, then the full one, and leaves nothing behind.
func TestPlay(t *testing.T) {
	orders(t, "customer;sku;ordered")
	scratch := t.TempDir()
	t.Setenv("TMPDIR", scratch)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	out, in := io.Pipe()
	done := make(chan int, 1)
	go func() {
		code := cli.Execute(ctx, testRoot, []string{"play", "orders.csv", "products.csv", "--no-open", "--json"}, in,
			io.Discard)
		in.Close()
		done <- code
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	go io.Copy(io.Discard, out)
	var said struct{ Address string }
	if err := json.Unmarshal([]byte(line), &said); err != nil {
		t.Fatalf("%v: %s", err, line)
	}
	get := func(name string) string {
		t.Helper()
		r, err := http.Get(said.Address + name)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		b, err := io.ReadAll(r.Body)
		if err != nil || r.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s, %v", name, r.Status, err)
		}
		return string(b)
	}
	if page := get(""); !strings.Contains(page, "play.js") || !strings.Contains(page, "/quick.") && !strings.Contains(page, "/full.") {
		t.Errorf("the page is\n%s", page)
	}
	get("play.js")
	for deadline := time.Now().Add(5 * time.Minute); get("play.txt") != "full"; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the page still has the quick model")
		}
	}
	if page := get(""); !strings.Contains(page, "/full.") {
		t.Error("the page does not name the full model")
	}
	stop()
	if code := <-done; code != cli.ExitOK {
		t.Errorf("exit code %d", code)
	}
	if left, err := filepath.Glob(filepath.Join(scratch, "pmlam-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %q, %v", left, fmt.Sprint(err))
	}
}

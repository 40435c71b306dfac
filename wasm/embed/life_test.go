//go:build !js

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/server/sitetest"
	"github.com/pmlam/pmlam/wasm/internal/jstest"
)

// onDisk writes the package and a model into a folder.
func onDisk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range folder(t) {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func ask(t *testing.T, answer any, args ...string) {
	t.Helper()
	out := jstest.RunNode(t, nil, args...)
	if err := json.Unmarshal([]byte(out), answer); err != nil {
		t.Fatalf("%v in\n%s", err, out)
	}
}

// likesThree returns the ids that the native program recommends for likes of 1, 6 and 1214.
func likesThree(t *testing.T, file string) (ids []string) {
	t.Helper()
	m, err := model.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	engine, err := recommend.Open(m, recommend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var visit recommend.Visit
	for i := range engine.Len() {
		if slices.Contains([]string{"1", "6", "1214"}, engine.Item(i).ID) {
			visit.Likes = append(visit.Likes, i)
		}
	}
	for _, s := range engine.Recommend(visit, engine.Taste(visit, nil), recommend.Request{K: 10}) {
		ids = append(ids, engine.Item(s.Item).ID)
	}
	return ids
}

// Opening, closing and asking models does not leak memory, and closing the last model ends the program and frees its
// memory. 40 openings and 2,000 questions; 100 and 10,000 with PMLAM_BIG.
func TestClosingFrees(t *testing.T) {
	dir := onDisk(t)
	var got struct {
		Before, After struct{ Bytes, Values int }
		Ended         []bool
		Answers       int
		Freed         bool
	}
	openings, questions := "40", "2000"
	if os.Getenv("PMLAM_BIG") != "" {
		openings, questions = "100", "10000"
	}
	ask(t, &got, "--expose-gc", "leak.mjs", dir, openings, questions)
	t.Logf("%+v", got)
	// Leaking 40 models of 3 MB would take four times as much.
	if got.After.Bytes > 2*got.Before.Bytes {
		t.Errorf("memory grew from %d to %d bytes", got.Before.Bytes, got.After.Bytes)
	}
	// Go releases references to JavaScript values when it collects garbage, some thousands at a time.
	if got.After.Values > 2*got.Before.Values+20_000 {
		t.Errorf("Go holds %d JavaScript values, up from %d", got.After.Values, got.Before.Values)
	}
	if !slices.Equal(got.Ended, []bool{true, true}) || !got.Freed || got.Answers != 10 {
		t.Errorf("after the last close: %+v", got)
	}
}

// Edge workers refuse to compile bytes, but accept modules that the platform compiled.
func TestCompiledModules(t *testing.T) {
	dir := onDisk(t)
	var got struct {
		Items         []string
		Refused, Scan string
	}
	ask(t, &got, "sealed.mjs", dir)
	if want := likesThree(t, filepath.Join(dir, "model.msgpack")); !slices.Equal(got.Items, want) || got.Scan != "simd" || got.Refused != "program" {
		t.Errorf("got %+v; want %q by simd, and bytes rejected as the program", got, want)
	}
}

// The package works in a worker of a page, under the site's policy.
func TestInAWorker(t *testing.T) {
	files := map[string][]byte{
		"": []byte(`<!doctype html><title></title><link rel="icon" href="data:,">
			<script type="module" src="page.js"></script>`),
		"page.js": []byte(`const worker = new Worker("worker.js", { type: "module" });
			worker.onmessage = ({ data }) => (document.title = data);
			worker.onerror = (event) => (document.title = event.message);`),
		"worker.js": []byte(`import { open } from "./embed/pmlam.js";
			const films = await open("embed/model.msgpack");
			postMessage(JSON.stringify(films.recommend({ likes: [1, 6, 1214] }).items.map((item) => item.id)));`),
	}
	for name, content := range folder(t) {
		files["embed/"+name] = content
	}
	tab := jstest.Chromium(t, 2*time.Minute)
	if err := chromedp.Do(tab, chromedp.Navigate((&sitetest.Site{Files: files}).Serve(t))); err != nil {
		t.Fatal(err)
	}
	title, err := untilTitled(tab)
	if err != nil {
		t.Fatal(err)
	}
	want, err := json.Marshal(likesThree(t, filepath.Join(jstest.Root(t), "assets/models/movielens.msgpack")))
	if err != nil {
		t.Fatal(err)
	}
	if title != string(want) {
		t.Errorf("the worker answered %s, want %s", title, want)
	}
}

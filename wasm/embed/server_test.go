//go:build !js

package main

import (
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/server/api"
	"github.com/pmlam/pmlam/server/api/apitest"
	"github.com/pmlam/pmlam/wasm/internal/jstest"
)

// The server and WebAssembly under node give the same answers and errors: 120 random questions, 2,000 with PMLAM_BIG.
func TestAnswersMatchTheServer(t *testing.T) {
	dir := t.TempDir()
	for name, content := range folder(t) {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, "model.msgpack")
	m, err := model.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < m.Catalogue.Len(); i += 20 { // new items
		m.Catalogue.Items[i].Count = 0
	}
	if err := model.WriteFile(file, m); err != nil {
		t.Fatal(err)
	}
	engine, err := recommend.Open(m, recommend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	handler, err := api.New(file, api.Options{})
	if err != nil {
		t.Fatal(err)
	}
	n := 120
	if os.Getenv("PMLAM_BIG") != "" {
		n = 2000
	}
	questions := []any{
		map[string]any{"likes": "1"}, map[string]any{"like": []string{"1"}}, map[string]any{"mode": "sideways"},
		map[string]any{"diversity": 2}, map[string]any{"where": map[string]any{"colour": "red"}},
		map[string]any{"genres": []int{1}}, map[string]any{"order": 3}, map[string]any{"likes": []any{[]int{}}},
		map[string]any{"likes": []any{"gone", 1, 6, "lost", "gone"}},
	}
	mistakes := 8 // the number of invalid questions, which come first
	r := rand.New(rand.NewPCG(7, 8))
	for i := range n {
		if i%10 == 0 {
			questions = append(questions, engine.Item(r.IntN(engine.Len())).ID)
		} else {
			questions = append(questions, apitest.Random(r, engine).JSON)
		}
	}
	asked, err := json.Marshal(questions)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "questions.json"), asked, 0o644); err != nil {
		t.Fatal(err)
	}
	var browser []any
	out := jstest.RunNode(t, nil, "same.mjs", dir, filepath.Join(dir, "questions.json"))
	if err := json.Unmarshal([]byte(out), &browser); err != nil || len(browser) != len(questions) {
		t.Fatalf("%v, %d answers to %d questions: %.500s", err, len(browser), len(questions), out)
	}
	items := 0
	for i, q := range questions {
		body, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		request := httptest.NewRequest("POST", "/v1/recommend", strings.NewReader(string(body)))
		request.Header.Set("Content-Type", "application/json")
		if id, ok := q.(string); ok {
			request = httptest.NewRequest("GET", "/v1/similar/"+id, nil)
		}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, request)
		var server map[string]any
		if err := json.Unmarshal(w.Body.Bytes(), &server); err != nil {
			t.Fatal(err)
		}
		if i < mistakes {
			if of, ok := browser[i].(map[string]any); !ok || of["error"] != server["error"] ||
				w.Code != http.StatusBadRequest {
				t.Errorf("%s: the browser %v, the server %d %v", body, browser[i], w.Code, server)
			}
			continue
		}
		delete(server, "model")
		if !reflect.DeepEqual(browser[i], server) {
			t.Errorf("%s: the browser\n%.1000v\nthe server\n%.1000v", body, browser[i], server)
		} else {
			items += len(server["items"].([]any))
		}
	}
	if items < 4*n {
		t.Errorf("%d questions returned only %d items, too few to compare", n, items)
	}
}

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func TestCommittedScriptIsThatOfVugu(t *testing.T) {
	want, err := helper()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join("..", "..", "..", filepath.FromSlash(out)))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not the script of the Vugu that go.mod names: run go run ./wasm/internal/vuguhelper and commit it", out)
	}
	for _, part := range []string{"window.vuguRender=", "vuguGetRenderArray", "Permission is hereby granted"} {
		if !bytes.Contains(want, []byte(part)) {
			t.Errorf("the script lacks %q", part)
		}
	}
}

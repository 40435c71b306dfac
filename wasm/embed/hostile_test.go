//go:build !js

package main

import (
	"path/filepath"
	"testing"
)

// Whatever values JavaScript passes anywhere, the call answers or throws an Error, and all models keep working.
func TestHostileValues(t *testing.T) {
	dir := onDisk(t)
	f := cut(t, filepath.Join(dir, "model.msgpack"))
	var got struct {
		Calls, Answered, Refused int
		Wrong                    []string
	}
	ask(t, &got, "hostile.mjs", dir, f.Path)
	t.Logf("%d calls: %d answered, %d rejected", got.Calls, got.Answered, got.Refused)
	if got.Calls < 10_000 || got.Answered+got.Refused != got.Calls {
		t.Errorf("%+v", got)
	}
	for k, what := range got.Wrong {
		if t.Error(what); k == 40 {
			t.Fatalf("and %d more", len(got.Wrong)-k-1)
		}
	}
}

//go:build !js

package storage_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/wasm/internal/jstest"
	"github.com/pmlam/pmlam/wasm/storage"
)

const pkg = "github.com/pmlam/pmlam/wasm/storage"

// Node has no IndexedDB, like a browser that blocks site data.
func TestWithoutStorage(t *testing.T) {
	out := jstest.Node(t, jstest.TestProgram(t, pkg), nil, "-test.v", "-test.run=TestUnavailable")
	if !strings.Contains(out, "PASS: TestUnavailable") {
		t.Errorf("the js/wasm test did not run:\n%s", out)
	}
}

func TestInChromium(t *testing.T) {
	out := jstest.Browser(t, jstest.TestProgram(t, pkg), jstest.Page{}, "-test.v", "-test.run=TestDatabase")
	if n := strings.Count(out, "--- PASS: TestDatabase"); n < 10 {
		t.Errorf("only %d tests of the database ran:\n%s", n, out)
	}
}

func TestFullDiskInChromium(t *testing.T) {
	out := jstest.Browser(t, jstest.TestProgram(t, pkg), jstest.Page{Quota: 1 << 20}, "-test.v", "-test.run=TestFull")
	if !strings.Contains(out, "PASS: TestFull") {
		t.Errorf("the js/wasm test did not run:\n%s", out)
	}
}

func TestErrorsAreSentencesAndUnwrap(t *testing.T) {
	cause := errors.New("SecurityError: denied")
	for _, err := range []error{&storage.UnavailableError{Err: cause}, &storage.FullError{Err: cause}} {
		if !errors.Is(err, cause) || !strings.HasSuffix(err.Error(), cause.Error()) ||
			len(strings.Fields(err.Error())) < 12 {
			t.Errorf("%T: %v", err, err)
		}
	}
}

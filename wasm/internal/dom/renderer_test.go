//go:build !js

package dom_test

import (
	"strings"
	"testing"

	"github.com/pmlam/pmlam/wasm/internal/jstest"
)

func TestRendererUnderNode(t *testing.T) {
	program := jstest.TestProgram(t, "github.com/pmlam/pmlam/wasm/internal/dom")
	out := jstest.Node(t, program, nil, "-test.v", "-test.run=TestRenderer")
	if !strings.Contains(out, "PASS: TestRenderer") {
		t.Errorf("the js/wasm test did not run:\n%s", out)
	}
}

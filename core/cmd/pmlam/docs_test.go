package main

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/internal/cli/clitest"
)

// The examples of docs/cli.md run as they are printed, and every command has one.
func TestManual(t *testing.T) {
	page := string(read(t, filepath.Join(repo, "docs", "cli.md")))
	clitest.Manual(t, page, repo, map[string]clitest.Program{"pmlam": func(args []string, stdout, stderr io.Writer) int {
		return cli.Execute(t.Context(), newRoot, args, stdout, stderr)
	}})
	for _, c := range newRoot(&bytes.Buffer{}, &bytes.Buffer{}).Commands() {
		if !strings.Contains(page, "$ pmlam "+c.Name()) {
			t.Errorf("the page has no example of %s", c.Name())
		}
	}
}

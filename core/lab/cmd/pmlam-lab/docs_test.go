package main

import (
	"bytes"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/internal/cli/clitest"
)

// The examples of docs/cli.md run as printed, and every command has one.
func TestManual(t *testing.T) {
	page := string(read(t, filepath.Join("../../docs/cli.md")))
	product := built(t)
	t.Setenv("PATH", filepath.Dir(product)) // where record finds it
	clitest.Manual(t, page, repo, map[string]clitest.Program{
		"pmlam-lab": func(args []string, stdout, stderr io.Writer) int {
			return cli.Execute(t.Context(), newRoot, args, stdout, stderr)
		},
		"pmlam": func(args []string, stdout, stderr io.Writer) int {
			c := exec.Command(product, args...)
			c.Stdout, c.Stderr = stdout, stderr
			if err := c.Run(); err != nil {
				t.Error(err)
			}
			return c.ProcessState.ExitCode()
		},
	})
	for _, c := range newRoot(&bytes.Buffer{}, &bytes.Buffer{}).Commands() {
		if c.Name() != "version" && !strings.Contains(page, "$ pmlam-lab "+c.Name()) {
			t.Errorf("the page has no example of %s", c.Name())
		}
	}
}

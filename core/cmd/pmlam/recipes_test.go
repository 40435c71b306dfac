package main

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/internal/cli"
)

// The recipes use existing flags.
func TestRecipesAreOfThisCommand(t *testing.T) {
	read := func(name string) string {
		data, err := os.ReadFile(repo + "/server/recipes/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	var container []string
	for _, line := range regexp.MustCompile(`(?m)^(?:ENTRYPOINT|CMD) (.*)$`).FindAllStringSubmatch(
		read("Containerfile"), -1) {
		var words []string
		if err := json.Unmarshal([]byte(line[1]), &words); err != nil {
			t.Fatal(err)
		}
		container = append(container, words...)
	}
	unit := strings.Fields(regexp.MustCompile(`(?m)^ExecStart=(.*)$`).FindStringSubmatch(read("pmlam.service"))[1])
	for _, args := range [][]string{container, unit} {
		c := serveCommand(cli.NewApp("pmlam", io.Discard, io.Discard))
		if args[1] != "serve" {
			t.Errorf("%q does not call pmlam serve", args)
		}
		if err := c.ParseFlags(args[2:]); err != nil || len(args) < 8 || c.Flags().NArg() != 0 {
			t.Errorf("%q: %v, %q are not flags", args, err, c.Flags().Args())
		}
	}
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Skip("SKIPPED: systemd-analyze is not installed, so the unit was not checked")
	}
	out, err := exec.Command("systemd-analyze", "verify", "--man=no", repo+"/server/recipes/pmlam.service").CombinedOutput()
	// The only expected complaint is that the program is not installed here.
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, "pmlam.service") && !strings.Contains(line, "/usr/local/bin/pmlam is not executable") {
			t.Errorf("systemd-analyze: %v %s", err, line)
		}
	}
}

// The image's build context contains only its sources: no history, data or models.
func TestImageContext(t *testing.T) {
	text, err := os.ReadFile("../../../.dockerignore")
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "list", "-deps", "-f",
		"{{with .Module}}{{if .Main}}{{$.ImportPath}}{{end}}{{end}}", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	if lines[1] != "*" {
		t.Fatalf(".dockerignore does not begin by excluding everything: %q", lines[1])
	}
	for _, name := range strings.Fields(string(out)) {
		_, within, _ := strings.Cut(name, "/pmlam/pmlam/")
		folder, _, _ := strings.Cut(within, "/")
		if !slices.Contains(lines, "!/"+folder) {
			t.Errorf("%s is missing: .dockerignore excludes /%s", name, folder)
		}
	}
	for _, line := range lines {
		if name, ok := strings.CutPrefix(line, "!/"); ok && !slices.Contains([]string{"go.mod", "go.sum", "core", "server", "ui"},
			name) {
			t.Errorf("/%s is included, but the image does not need it", name)
		}
	}
}

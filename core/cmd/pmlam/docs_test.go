package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/internal/cli/clitest"
)

//go:generate go test -count=1 -run ^TestManualIsTheHelp$ . -update

var update = flag.Bool("update", false, "write the generated parts of docs/cli.md")

var manual = filepath.Join(repo, "docs", "cli.md")

// The examples of docs/cli.md run as they are printed, and every command has one.
func TestManual(t *testing.T) {
	page := string(read(t, manual))
	clitest.Manual(t, page, repo, map[string]clitest.Program{"pmlam": func(args []string, stdout, stderr io.Writer) int {
		return cli.Execute(t.Context(), newRoot, args, stdout, stderr)
	}})
	for _, c := range newRoot(&bytes.Buffer{}, &bytes.Buffer{}).Commands() {
		if !strings.Contains(page, "$ pmlam "+c.Name()) {
			t.Errorf("the page has no example of %s", c.Name())
		}
	}
}

// The parts of docs/cli.md between <!-- commands --> or <!-- help COMMAND --> and the matching end are generated from
// the commands. go generate writes them; without -update the test compares.
func TestManualIsTheHelp(t *testing.T) {
	page := string(read(t, manual))
	root := newRoot(&bytes.Buffer{}, &bytes.Buffer{})
	described := map[*cobra.Command]bool{}
	want := regexp.MustCompile(`(?s)<!-- help ([a-z -]+) -->\n.*?<!-- /help -->`).ReplaceAllStringFunc(page,
		func(part string) string {
			begin, _, _ := strings.Cut(part, "\n")
			name := strings.TrimSuffix(strings.TrimPrefix(begin, "<!-- help "), " -->")
			c, rest, err := root.Find(strings.Fields(name))
			if err != nil || len(rest) > 0 {
				t.Fatalf("the page describes %q, which is not a command", name)
			}
			described[c] = true
			return begin + "\n\n" + markdown(c) + "\n<!-- /help -->"
		})
	want = regexp.MustCompile(`(?s)<!-- commands -->\n.*?<!-- /commands -->`).ReplaceAllString(want,
		"<!-- commands -->\n\n"+strings.ReplaceAll(commandTable(root, page), "$", "$$")+"\n<!-- /commands -->")
	for _, c := range root.Commands() {
		if c.Long != "" && c.Name() != "completion" && !described[c] {
			t.Errorf("the page does not describe %s", c.Name())
		}
	}
	switch {
	case want == page:
	case *update:
		if err := os.WriteFile(manual, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Error("docs/cli.md is not what the commands' help gives; write it by go generate ./core/cmd/pmlam")
	}
}

// commandTable lists the commands, with links to the sections of the page that are named after them.
func commandTable(root *cobra.Command, page string) string {
	var b strings.Builder
	b.WriteString("| command | what it does |\n| --- | --- |\n")
	for _, c := range root.Commands() {
		if c.Name() == "help" || c.Name() == "completion" {
			continue
		}
		name := "`" + c.Name() + "`"
		heading := strings.ReplaceAll(c.Name(), "-", "[- ]")
		if h := regexp.MustCompile(`(?mi)^## (` + heading + `[:,?] .*)$`).FindStringSubmatch(page); h != nil {
			anchor := regexp.MustCompile(`[^\w -]`).ReplaceAllString(strings.ToLower(h[1]), "")
			name = "[" + name + "](#" + strings.ReplaceAll(anchor, " ", "-") + ")"
		}
		fmt.Fprintf(&b, "| %s | %s |\n", name, c.Short)
	}
	return b.String()
}

// inCode are the words of a help text that are code.
var inCode = regexp.MustCompile(`<[a-z-]+>(</[a-z-]+>)?|--[a-z][a-z-]*(=[\w.]+)?|"pmlam[^"]*"|\b[\w.-]+\.(toml|json|html|npy)\b`)

// markdown returns a command's usage and its long description: paragraphs are wrapped, and indented lines are code.
func markdown(c *cobra.Command) string {
	text := c.Long
	if text == "" {
		text = c.Short + "."
	}
	out := "    " + c.UseLine() + "\n"
	for _, paragraph := range strings.Split(text, "\n\n") {
		lines := strings.Split(paragraph, "\n")
		plain, indented := lines, []string(nil)
		for i, l := range lines {
			if strings.HasPrefix(l, "  ") {
				plain, indented = lines[:i], lines[i:]
				break
			}
		}
		words := inCode.ReplaceAllStringFunc(strings.Join(plain, " "), func(s string) string {
			return "`" + strings.Trim(s, `"`) + "`"
		})
		out += "\n" + wrapped(words, 120)
		if indented != nil {
			out += "\n```text\n" + strings.Join(indented, "\n") + "\n```\n"
		}
	}
	return out
}

// wrapped breaks a text into lines of at most that many characters.
func wrapped(text string, width int) string {
	var b strings.Builder
	column := 0
	for i, word := range strings.Fields(text) {
		n := len([]rune(word))
		switch {
		case i == 0:
		case column+1+n > width:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	return b.String() + "\n"
}

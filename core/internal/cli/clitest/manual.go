package clitest

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Program runs a command line and returns the exit code.
type Program func(args []string, stdout, stderr io.Writer) int

// Manual runs the examples of a page in their order, as a reader in the root of a clone would, and fails t if their
// output differs from the page's. "…" stands for anything on a line, and alone on a line for any lines. repo is the
// clone; the examples write to a temporary folder.
func Manual(t *testing.T, page, repo string, programs map[string]Program) {
	t.Helper()
	root, err := filepath.Abs(repo)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for _, name := range []string{"assets", "core", "docs"} {
		if err := os.Symlink(filepath.Join(root, name), filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(folder)
	ran, code := 0, 0
	for n, block := range strings.Split(page, "```console\n")[1:] {
		block, _, closed := strings.Cut(block, "```")
		if !closed {
			t.Fatalf("block %d does not end", n+1)
		}
		for _, example := range strings.Split("\n"+block, "\n$ ")[1:] {
			line, want, _ := strings.Cut(example, "\n")
			var got string
			if got, code, err = typed(line, code, programs); err != nil {
				t.Fatal(err)
			}
			ran++
			if !matches(lines(want), lines(got)) {
				t.Errorf("$ %s\nthe page shows\n%s\nthe command prints\n%s", line, want, got)
			}
		}
	}
	if ran < 10 {
		t.Errorf("only %d examples were found", ran)
	}
}

// typed runs a line as a shell would: a program, words in double quotes, at most one "> file"; or echo $?.
func typed(line string, last int, programs map[string]Program) (out string, code int, err error) {
	var words []string
	for i, part := range strings.Split(line, `"`) {
		if i%2 == 1 {
			words = append(words, part)
		} else {
			words = append(words, strings.Fields(part)...)
		}
	}
	if line == "echo $?" {
		return fmt.Sprintf("%d\n", last), 0, nil
	}
	if len(words) == 0 || programs[words[0]] == nil {
		return "", 0, fmt.Errorf("%q is not an example of our programs", line)
	}
	var screen, file bytes.Buffer
	stdout := &screen
	into := ""
	if n := len(words); n > 2 && words[n-2] == ">" {
		words, into, stdout = words[:n-2], words[n-1], &file
	}
	code = programs[words[0]](words[1:], stdout, &screen)
	if into != "" {
		err = os.WriteFile(into, file.Bytes(), 0o644)
	}
	return screen.String(), code, err
}

var progressLine = regexp.MustCompile(`^[a-z]+( [a-z]+| \d+ of \d+)*: \d+(% of [0-9.]+ MB| of \d+ [a-z]+)(,|$)`)

// lines splits a text into lines, without trailing blank lines and without progress that slow machines print.
func lines(text string) (out []string) {
	for _, l := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		if !progressLine.MatchString(l) {
			out = append(out, strings.TrimRight(l, " "))
		}
	}
	return out
}

func matches(want, have []string) bool {
	switch {
	case len(want) == 0:
		return len(have) == 0
	case want[0] == "…":
		for i := range len(have) + 1 {
			if matches(want[1:], have[i:]) {
				return true
			}
		}
		return false
	case len(have) == 0:
		return false
	}
	rest := have[0]
	parts := strings.Split(want[0], "…")
	for i, part := range parts {
		at := strings.Index(rest, part)
		if i == len(parts)-1 && i > 0 {
			at = len(rest) - len(part)
			if !strings.HasSuffix(rest, part) {
				return false
			}
		}
		if at < 0 || i == 0 && at > 0 {
			return false
		}
		rest = rest[at+len(part):]
	}
	return rest == "" && matches(want[1:], have[1:])
}

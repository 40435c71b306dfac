package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/internal/cli"
)

// The examples of docs/cli.md are run as they stand there, one after another as by somebody who reads the page in the
// root of a clone, and must give what it shows. "…" stands for anything on a line, and alone on a line for any lines.
func TestManual(t *testing.T) {
	page := string(read(t, filepath.Join(repo, "docs", "cli.md")))
	root, err := filepath.Abs(repo)
	if err != nil {
		t.Fatal(err)
	}
	// A folder of its own takes what the examples write.
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
			if got, code, err = typed(line, code); err != nil {
				t.Fatal(err)
			}
			ran++
			if !matches(lines(want), lines(got)) {
				t.Errorf("$ %s\nthe page shows\n%s\nit prints\n%s", line, want, got)
			}
		}
	}
	if ran < 10 {
		t.Errorf("only %d examples were found", ran)
	}
	// Every command has an example.
	for _, c := range newRoot(&bytes.Buffer{}, &bytes.Buffer{}).Commands() {
		if !strings.Contains(page, "$ pmlam "+c.Name()) {
			t.Errorf("the page has no example of %s", c.Name())
		}
	}
}

// typed runs a line as a shell would: pmlam with words in double quotes and at most one "> file", or echo $?.
func typed(line string, last int) (out string, code int, err error) {
	var words []string
	for i, part := range strings.Split(line, `"`) {
		if i%2 == 1 {
			words = append(words, part)
		} else {
			words = append(words, strings.Fields(part)...)
		}
	}
	switch {
	case line == "echo $?":
		return fmt.Sprintf("%d\n", last), 0, nil
	case len(words) == 0 || words[0] != "pmlam":
		return "", 0, fmt.Errorf("an example is %q, which is not pmlam", line)
	}
	var screen, file bytes.Buffer
	stdout := &screen
	into := ""
	if n := len(words); n > 2 && words[n-2] == ">" {
		words, into, stdout = words[:n-2], words[n-1], &file
	}
	code = cli.Execute(context.Background(), newRoot, words[1:], stdout, &screen)
	if into != "" {
		err = os.WriteFile(into, file.Bytes(), 0o644)
	}
	return screen.String(), code, err
}

var progressLine = regexp.MustCompile(`^[a-z]+( [a-z]+| \d+ of \d+)*: \d+(% of [0-9.]+ MB| of \d+ [a-z]+)(,|$)`)

// lines cuts a text, without the blank lines at its end and the progress of slow machines.
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

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		want, have string
		is         bool
	}{
		{"a b", "a b", true}, {"a b", "a c", false}, {"a", "a b", false}, {"a …", "a b", true}, {"… b", "a b", true},
		{"a … c", "a b c", true}, {"a … c", "a c", false}, {"a…a", "a", false}, {"…", "a\nb", true},
		{"a\nb", "a\nlaying out: 750 of 750 steps, in 15s\nb", true},
		{"a\nb", "a\ncalibrating 1 of 4: 35 of 3200 batches, about 9s left\nb", true},
		{"a\n…\nd", "a\nb\nc\nd", true}, {"a\n…\nd", "a\nb", false}, {"a", "a\nb", false}, {"a\nb", "a", false},
	} {
		if matches(lines(c.want), lines(c.have)) != c.is {
			t.Errorf("%q and %q: want %t", c.want, c.have, c.is)
		}
	}
}

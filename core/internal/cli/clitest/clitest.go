// Package clitest holds helpers for tests of several commands.
package clitest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Hostile are texts that act on a terminal, by their effect.
var Hostile = map[string]string{
	"colour":        "\x1b[31mred",
	"clipboard":     "\x1b]52;c;cm0gLXJmIH4=\x07",
	"title":         "\x1b]0;you are root\x1b\\",
	"overwriting":   "good\rbad",
	"backspace":     "good\b\b\b\bbad",
	"C1":            "\u009b31mred",
	"turned around": "invoice\u202egpj.exe",
	"isolate":       "\u2066a\u2069",
	"line end":      "a\npmlam: all is well",
	"tab":           "a\tb",
	"separator":     "a\u2028b\u2029c",
	"delete":        "a\x7fb",
}

// MovieLens returns a folder with the ratings of the first users of MovieLens small, which lies in the folder from.
func MovieLens(t *testing.T, from string, users int) string {
	t.Helper()
	folder := t.TempDir()
	ratings, err := os.ReadFile(filepath.Join(from, "ratings.csv"))
	if err != nil {
		t.Fatal(err)
	}
	// Users are in ascending order in the file.
	if at := bytes.Index(ratings, fmt.Appendf(nil, "\n%d,", users+1)); at >= 0 {
		ratings = ratings[:at+1]
	}
	write(t, filepath.Join(folder, "ratings.csv"), string(ratings))
	for _, name := range []string{"movies.csv", "links.csv"} {
		b, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(folder, name), string(b))
	}
	return folder
}

// Blocks writes interactions of two disjoint groups of users, which train quickly.
func Blocks(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("user,item,rating,timestamp\n")
	for u := range 24 {
		for i := range 14 {
			if (u+i)%7 != 0 {
				fmt.Fprintf(&b, "u%d,i%d,5,%d\n", u, u%2*14+i, 1000+i)
			}
		}
	}
	path := filepath.Join(t.TempDir(), "blocks.csv")
	write(t, path, b.String())
	return path
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Quick are settings that train in milliseconds.
var Quick = []string{"--preset", "composed", "--epochs", "2", "--dim", "4", "--batch", "64", "--negatives", "5"}

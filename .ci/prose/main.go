// Command prose reads comments, Go's longer strings and Markdown, and prints phrases that native technical English
// avoids, with advice. It fails where a room of the house has more of them than it may.
//
//	go run ./.ci/prose [-all] [FILE …]
//
// Without files it reads the files that git lists. -all prints every phrase, also in rooms within their bound. A single
// phrase may be fine: the bounds leave room for that.
package main

import (
	"flag"
	"fmt"
	"go/scanner"
	"go/token"
	"os"
	"os/exec"
	"path"
	"regexp"
	"strings"
)

// rooms are the parts of the repository, the first match first, with the phrases allowed in 10,000 words.
var rooms = []struct {
	folder string
	most   float64
}{{"core/lab/", 8}, {"core/", 5}, {"ui/", 5}, {"wasm/", 5}, {"server/", 5}, {"assets/", 5}, {"docs/", 5}, {"", 5}}

// paragraph is text without its comment signs, and the line where it starts, from 1.
type paragraph struct {
	line int
	text string
}

func main() {
	all := flag.Bool("all", false, "print every phrase")
	flag.Parse()
	files := flag.Args()
	if len(files) == 0 {
		out, err := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
		if err != nil {
			fmt.Fprintln(os.Stderr, "prose: git ls-files:", err)
			os.Exit(2)
		}
		files = strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 })
	}
	found := make([][]string, len(rooms))
	words := make([]int, len(rooms))
	for _, file := range files {
		if skipped(file) {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			if os.IsNotExist(err) {
				continue // deleted, but not yet committed
			}
			fmt.Fprintln(os.Stderr, "prose:", err)
			os.Exit(2)
		}
		room := 0
		for !strings.HasPrefix(file, rooms[room].folder) {
			room++
		}
		for _, p := range read(file, text) {
			words[room] += len(strings.Fields(p.text))
			phrases, advice := find(p.text)
			for i, phrase := range phrases {
				found[room] = append(found[room], fmt.Sprintf("%s:%d: %q: %s", file, p.line, phrase, advice[i]))
			}
		}
	}
	failed := false
	for i, room := range rooms {
		share := 10_000 * float64(len(found[i])) / float64(max(words[i], 1))
		above := share > room.most
		if above || *all {
			fmt.Println(strings.Join(found[i], "\n"))
		}
		if above {
			fmt.Printf("prose: %s %d phrases in %d words, %.1f in 10,000; at most %.0f\n", "./"+room.folder,
				len(found[i]), words[i], share, room.most)
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}

var otherFolders = regexp.MustCompile(`(?:^|/)(?:testdata|node_modules|results)/|^\.ci/prose/|^CHANGELOG\.md$`)

func skipped(file string) bool { return otherFolders.MatchString(file) }

// read returns the prose of a file, by the kind that its name tells: none for kinds that hold none.
func read(file string, text []byte) []paragraph {
	if strings.Contains(strings.ToLower(string(text[:min(len(text), 400)])), "code generated") {
		return nil
	}
	switch extension := path.Ext(file); {
	case extension == ".go":
		return readGo(text)
	case extension == ".md":
		return readMarkdown(string(text))
	case strings.Contains(".js.mjs.ts.css.cu.c.h", extension) && extension != "":
		return readComments(string(text), "//")
	case strings.Contains(".sh.py.toml.yml.yaml.mk", extension) && extension != "",
		path.Base(file) == "Makefile", strings.HasPrefix(file, ".ci/"):
		return readComments(string(text), "#")
	}
	return nil
}

// readGo returns comments, neighbouring lines as one paragraph, and strings of more than four words.
func readGo(text []byte) (found []paragraph) {
	files := token.NewFileSet()
	file := files.AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(file, text, nil, scanner.ScanComments)
	last := -2 // line of the last comment
	for {
		position, kind, literal := s.Scan()
		line := file.Line(position)
		switch {
		case kind == token.EOF:
			return found
		case kind == token.COMMENT:
			literal = strings.Trim(strings.TrimPrefix(literal, "//"), "/* \t")
			if line == last+1 && literal != "" {
				found[len(found)-1].text += " " + literal
			} else {
				found = append(found, paragraph{line, literal})
			}
			last = line
		case kind == token.STRING && strings.Count(literal, " ") >= 4:
			found = append(found, paragraph{line, strings.Trim(literal, "\"`")})
		}
	}
}

var code = regexp.MustCompile("`[^`]*`|\\([^)]*://[^)]*\\)")

// readMarkdown returns paragraphs without fenced and indented code.
func readMarkdown(text string) (found []paragraph) {
	fenced, open := false, false
	for i, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~") {
			fenced, open = !fenced, false
			continue
		}
		if fenced || trimmed == "" || strings.HasPrefix(line, "    ") && !open {
			open = false
			continue
		}
		trimmed = code.ReplaceAllString(trimmed, "")
		if open && !strings.ContainsAny(trimmed[:min(len(trimmed), 1)], "-*|#") {
			found[len(found)-1].text += " " + trimmed
		} else {
			found = append(found, paragraph{i + 1, trimmed})
		}
		open = !strings.HasPrefix(trimmed, "#")
	}
	return found
}

var trailing = regexp.MustCompile(`\s(?://|##?) ([^"']*)$`)

// readComments returns comments that start with a sign or stand between /* and */, neighbouring lines as one paragraph.
func readComments(text, sign string) (found []paragraph) {
	block, last := false, -2
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		comment, ok := "", block
		switch {
		case block || sign == "//" && strings.HasPrefix(line, "/*"):
			comment, ok = strings.Trim(line, "/* "), true
			block = !strings.Contains(line, "*/")
		case strings.HasPrefix(line, sign):
			comment, ok = strings.TrimLeft(line, sign+" "), true
		default:
			if match := trailing.FindStringSubmatch(line); match != nil {
				found = append(found, paragraph{i + 1, match[1]})
			}
		}
		if !ok || comment == "" {
			continue
		}
		if i == last+1 {
			found[len(found)-1].text += " " + comment
		} else {
			found = append(found, paragraph{i + 1, comment})
		}
		last = i
	}
	return found
}

package siteconfig

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// Edit returns the text of a project file in which a key of a table, such as "site" or "words.en", has this value,
// written as TOML. "" comments the key out. Other lines stay as they are, comments too. A key that is commented out
// gets its value in that place; a new one is added to the end of its table. The caller parses the result.
func Edit(text, table, key, value string) (string, error) {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	from := slices.IndexFunc(lines, func(l string) bool { return header(l) == table }) + 1
	if from == 0 {
		if value == "" {
			return text, nil
		}
		lines = append(lines, "", "["+table+"]")
		from = len(lines)
	}
	to := from
	for to < len(lines) && header(lines[to]) == "" {
		to++
	}
	for to > from && strings.TrimSpace(lines[to-1]) == "" {
		to-- // blank lines separate it from the next table
	}
	at, n := to, 0
	for _, commented := range []bool{true, false} { // the given key wins
		for i := from; i < to; i++ {
			line, hash := strings.CutPrefix(strings.TrimSpace(lines[i]), "#")
			name, _, ok := strings.Cut(line, "=")
			if !ok || strings.TrimSpace(name) != key || hash != commented {
				continue
			}
			at, n = i, 1
			for !commented && toml.Unmarshal([]byte(strings.Join(lines[i:i+n], "\n")), &map[string]any{}) != nil {
				if n++; i+n > to {
					return "", fmt.Errorf("%s: the value of %s in [%s] has no end", Name, key, table)
				}
			}
			break
		}
	}
	switch {
	case value != "":
		lines = slices.Replace(lines, at, at+n, key+" = "+value)
	case n > 0 && !strings.HasPrefix(strings.TrimSpace(lines[at]), "#"):
		for i := range n {
			lines[at+i] = "# " + lines[at+i]
		}
	}
	return strings.Join(lines, "\n") + "\n", nil
}

// header returns the name of the table that a line begins, or "".
func header(line string) string {
	line, _, _ = strings.Cut(line, "#")
	line = strings.TrimSpace(line)
	if !strings.HasPrefix(line, "[") || !strings.HasSuffix(line, "]") || strings.ContainsAny(line, "=,\"{") {
		return ""
	}
	return strings.TrimSpace(strings.Trim(line, "[]"))
}

package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/internal/cli"
)

// No error repeats more of a long text than a short beginning: words of the command line, and names in files.
func TestNoErrorRepeatsALongText(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	folder := t.TempDir()
	in := func(name, text string) string {
		path := filepath.Join(folder, name)
		write(t, path, text)
		return path
	}
	data := in("data.csv", "user,item,rating\n1,x,5\n1,y,5\n")
	for name, args := range map[string][]string{
		"a command":         {long},
		"a command of data": {"data", long},
		"an argument":       {"train", long},
		"a flag":            {"train", "--" + long},
		"short flags":       {"train", "-" + long},
		"a file":            {"data", "stats", long},
		"a number":          {"train", "--dim", long},
		"a time":            {"train", "--max-time", long},
		"a preset":          {"train", "--preset", long},
		"a loss":            {"train", "--loss", long},
		"a format":          {"data", "stats", "--format", long, data},
		"a delimiter":       {"data", "stats", "--delimiter", long, data},
		"a column":          {"data", "stats", "--user-column", long, data},
		"a model":           {"recommend", "--model", long},
		"a title":           {"recommend", "--model", shipped, "--like", long},
		"an id":             {"recommend", "--model", shipped, "--like", "id:" + long},
		"a genre":           {"recommend", "--model", shipped, "--like", "id:1", "--genre", long},
		"a filter":          {"recommend", "--model", shipped, "--like", "id:1", "--where", long},
		"a filter's column": {"recommend", "--model", shipped, "--like", "id:1", "--where", long + "=1"},
		"a mode":            {"recommend", "--model", shipped, "--like", "id:1", "--mode", long},
		"a method":          {"evaluate", "--data", data, "--baselines", long},
		"a setting":         {"evaluate", "--data", data, "--baselines", "itemknn:" + long + "=1"},
		"an export":         {"export", "--model", shipped, "--as", long},
		"a device":          {"train", "--data", data, "--device", long},
		"a settings file":   {"train", "--data", data, "--config", in("long.json", `{"`+long+`": 1}`)},
		"a setting's value": {"train", "--data", data, "--config", in("value.json", `{"preset": "`+long+`"}`)},
		"a setting's kind":  {"train", "--data", data, "--config", in("kind.json", `{"epochs": "`+long+`"}`)},
		"a data's column":   {"data", "stats", in("column.csv", long+",b\n1,2\n")},
		"columns":           {"data", "stats", in("columns.csv", strings.Repeat("abcdefgh,", 10_000)+"z\n1,2\n")},
		"a rating":          {"data", "stats", in("rating.csv", "user,item,rating\n1,x,"+long+"\n")},
		"a user":            {"data", "stats", in("user.csv", "user,item,rating\n"+long+",x,1\n")},
		"a template":        {"similar", "--model", shipped, "--all", "--html", folder, "--link", "{" + long + "}"},
		"an export to read": {"recommend", "--model", shipped, "--from", in("from.csv", long)},
	} {
		r := command(args...)
		if r.code == cli.ExitOK || len(r.errors) > 2500 || len(r.out) > 2500 {
			t.Errorf("%s: exit code %d, %d bytes printed and %d of errors: %.300s", name, r.code, len(r.out), len(r.errors),
				r.errors)
		}
	}
}

package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/internal/cli/clitest"
	"github.com/pmlam/pmlam/core/model"
)

// No command prints control characters from a model: neither as text nor in JSON, neither in results nor in errors.
func TestNoCommandPrintsWhatATerminalObeys(t *testing.T) {
	m, err := model.ReadFile(shipped)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, text := range clitest.Hostile {
		all.WriteString(text)
	}
	evil := all.String()
	p := &m.Provenance
	p.Dataset, p.Preset, p.Program, p.Licence, p.Attribution = evil, evil, evil, evil, evil
	p.Config = `{"preset": "` + clitest.Hostile["C1"] + clitest.Hostile["turned around"] + `"}`
	p.Metrics = map[string]float64{evil: 0.5, "recall@10": 0.5}
	for i := range m.Catalogue.Items {
		item := &m.Catalogue.Items[i]
		item.ID, item.Title = fmt.Sprint(item.ID, evil), item.Title+evil
		item.Genres = append(item.Genres, evil)
	}
	m.Catalogue.Columns[0] = evil
	path := filepath.Join(t.TempDir(), "evil.msgpack")
	if err := model.WriteFile(path, m); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(t.TempDir(), "other.csv")
	write(t, data, "user,item,rating\n1,x,5\n1,y,5\n")
	for _, c := range []struct {
		code int
		args []string
	}{
		{cli.ExitOK, []string{"inspect", path}},
		{cli.ExitOK, []string{"inspect", "--config", path}},
		{cli.ExitOK, []string{"recommend", "--model", path, "--like", "id:1" + evil}},
		{cli.ExitUsage, []string{"recommend", "--model", path, "--like", "id:1" + evil, "--genre", "none" + evil}},
		{cli.ExitUsage, []string{"recommend", "--model", path, "--like", "id:1" + evil, "--where", evil + "x=y"}},
		{cli.ExitFailed, []string{"recommend", "--model", path, "--like", "zzzz" + evil}},
		{cli.ExitFailed, []string{"recommend", "--model", path, "--like", "id:zzzz" + evil}},
		{cli.ExitFailed, []string{"recommend", "--model", path + evil, "--like", "x"}},
		{cli.ExitOK, []string{"export", "--model", path, "--as", "csv", "--replace", "--out", t.TempDir()}},
		{cli.ExitFailed, []string{"export", "--model", path, "--data", data, "--min-user", "1", "--min-item", "1", "--out",
			t.TempDir()}},
		{cli.ExitFailed, []string{"data", "stats", path}},
		{cli.ExitFailed, []string{"data", "stats", "nowhere" + evil}},
		{cli.ExitUsage, []string{"nothing" + evil}},
		{cli.ExitUsage, []string{"train", "--" + evil}},
		{cli.ExitOK, []string{"__complete", "recommend", "--model", path, "--like", "toy"}},
		{cli.ExitOK, []string{"__complete", "recommend", "--model", path, "--genre", ""}},
	} {
		for _, how := range [][]string{nil, {"--json"}} {
			if c.args[0] == "__complete" && how != nil {
				continue
			}
			r := command(append(c.args, how...)...)
			if r.code != c.code {
				t.Errorf("%.60q: exit code %d, want %d: %s", c.args, r.code, c.code, r.errors)
			}
			for _, text := range []string{r.out, r.errors} {
				if cli.Visible(text) != text {
					t.Errorf("%.60q prints %q", c.args, text)
				}
			}
			if c.code == cli.ExitOK && how != nil {
				r.object(t)
			}
		}
	}
	// A title cannot start another line, and JSON keeps it unchanged.
	r := ok(t, "recommend", "--model", path, "--like", "id:1"+evil, "--number", "3")
	if lines := strings.Split(strings.TrimSpace(r.out), "\n"); len(lines) != 6 || strings.Contains(r.out,
		"\npmlam: all is well") {
		t.Errorf("3 recommendations and their reasons in %d lines:\n%s", len(lines), r.out)
	}
	o := ok(t, "recommend", "--model", path, "--like", "id:1"+evil, "--json").object(t)
	if title := o["recommendations"].([]any)[0].(map[string]any)["title"].(string); !strings.HasSuffix(title, evil) {
		t.Errorf("in JSON the title is %q", title)
	}
}

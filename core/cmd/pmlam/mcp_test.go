//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// mcpProcess is the command mcp as a process of its own.
type mcpProcess struct {
	*testing.T
	in     io.WriteCloser
	out    *bufio.Reader
	signal func(os.Signal) error
	wait   func() error
}

func startMCP(t *testing.T, args ...string) *mcpProcess {
	t.Helper()
	c := start(t, append([]string{"mcp", "--model", shipped}, args...)...)
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	late := time.AfterFunc(2*time.Minute, func() { _ = c.Process.Kill() })
	t.Cleanup(func() { late.Stop() })
	p := &mcpProcess{t, in, bufio.NewReader(out), c.Process.Signal, c.Wait}
	p.say(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":` +
		`{"elicitation":{}},"clientInfo":{"name":"t","version":"1"}}}`)
	p.hear(nil)
	p.say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return p
}

func (p *mcpProcess) say(line string) {
	p.Helper()
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		p.Fatal(err)
	}
}

func (p *mcpProcess) hear(to any) {
	p.Helper()
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		p.Fatal(err)
	}
	if to != nil {
		if err := json.Unmarshal(line, to); err != nil {
			p.Fatalf("%v: %s", err, line)
		}
	}
}

// The answers over MCP are those of pmlam recommend and pmlam similar, number for number, with the project's rules.
func TestAgentsGetTheSameLists(t *testing.T) {
	model, err := filepath.Abs(shipped)
	if err != nil {
		t.Fatal(err)
	}
	project := filepath.Join(t.TempDir(), "pmlam.toml")
	write(t, project, "[train]\nmodel = "+quoted(model)+"\n[rules]\npinned = [\"50\"]\nexcluded = [\"1200\"]\n")
	p := startMCP(t, "--project", project)
	for _, c := range []struct{ tool, args, command, key string }{
		{"recommend", `{"likes":["Toy Story","Heat","id:1214"],"k":25,"diversity":0.25}`,
			"recommend --like=Toy%Story --like=Heat --like=id:1214 --number=25 --diversity=0.25", "recommendations"},
		{"recommend", `{"likes":["Fargo"],"dislikes":["Casino"],"genres":["comedy"],"seed":3,"exploration":0.5}`,
			"recommend --like=Fargo --dislike=Casino --genre=Comedy --seed=3 --explore=0.5", "recommendations"},
		{"similar", `{"item":"Alien","k":7}`, "similar Alien --number=7", "similar"},
	} {
		args := strings.Fields(c.command + " --json --model " + model + " --project " + project)
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "%", " ")
		}
		var want map[string]json.RawMessage
		lines := strings.Split(strings.TrimSpace(ok(t, args...).out), "\n")
		if err := json.Unmarshal([]byte(lines[len(lines)-1]), &want); err != nil {
			t.Fatal(err)
		}
		p.say(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + c.tool + `","arguments":` + c.args + `}}`)
		var m struct {
			Result struct {
				StructuredContent struct {
					Items []struct {
						suggestion
						Because []reason
					}
				}
			}
		}
		p.hear(&m)
		rows := []suggestion{}
		for _, item := range m.Result.StructuredContent.Items {
			if item.Reasons = []reason{}; item.Because != nil {
				item.Reasons = item.Because
			}
			rows = append(rows, item.suggestion)
		}
		got, err := json.Marshal(rows)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(want[c.key]) || len(rows) < 7 {
			t.Errorf("%s: got %s\nwant %s", c.command, got, want[c.key])
		}
	}
	p.in.Close()
	if err := p.wait(); err != nil {
		t.Error(err)
	}
}

// The command ends with its input and with Ctrl-C, also while the user is asked; then nothing is written.
func TestAgentsStop(t *testing.T) {
	for name, stop := range map[string]func(*mcpProcess) error{
		"end":    func(p *mcpProcess) error { return p.in.Close() },
		"Ctrl-C": func(p *mcpProcess) error { return p.signal(os.Interrupt) },
	} {
		marks := filepath.Join(t.TempDir(), "marks.json")
		p := startMCP(t, "--marks", marks)
		p.say(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"remember","arguments":{"like":["Heat"]}}}`)
		var asked struct{ Method string }
		if p.hear(&asked); asked.Method != "elicitation/create" {
			t.Errorf("%s: %+v", name, asked)
		}
		if err := stop(p); err != nil {
			t.Error(err)
		}
		if err := p.wait(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(marks); err == nil {
			t.Errorf("%s: marks were written without a yes", name)
		}
	}
}

func TestAgentsRefuseOtherFiles(t *testing.T) {
	notes := filepath.Join(t.TempDir(), "notes.txt")
	write(t, notes, "my notes\n")
	if r := command("mcp", "--model", shipped, "--marks", notes); r.code != 1 ||
		!strings.Contains(r.errors, "notes.txt:1: not a file of marks") || string(read(t, notes)) != "my notes\n" {
		t.Errorf("%d, %s", r.code, r.errors)
	}
}

//go:build unix

package main

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/model"
)

// start runs the command in a process of its own.
func start(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self, args...)
	c.Env = append(os.Environ(), asCommand+"=1")
	t.Cleanup(func() {
		if c.ProcessState == nil && c.Process != nil {
			c.Process.Kill()
			c.Wait()
		}
	})
	return c
}

// Ctrl-C ends a training and saves the best model, also while it measures.
func TestInterrupt(t *testing.T) {
	data := blocks(t)
	for _, c := range []struct {
		phase string
		args  []string
	}{
		{"training: ", []string{"--fold", "0"}},
		{"training: ", []string{"--validation", "0.3", "--every", "1000000"}}, // before the first validation
		{"measuring: ", []string{"--measure"}},
	} {
		out := filepath.Join(t.TempDir(), "model.msgpack")
		p := start(t, append([]string{"train", "--data", data, "--out", out, "--json", "--dim", "4", "--epochs",
			"100000000", "--auto=false", "--workers", "1"}, c.args...)...)
		var stdout bytes.Buffer
		p.Stdout = &stdout
		stderr, err := p.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		var lines []string
		for scan := bufio.NewScanner(stderr); scan.Scan(); {
			lines = append(lines, scan.Text())
			if strings.HasPrefix(scan.Text(), c.phase) {
				if !strings.Contains(scan.Text(), " left, epoch ") {
					t.Errorf("the progress has no time left: %s", scan.Text())
				}
				if err := p.Process.Signal(os.Interrupt); err != nil {
					t.Fatal(err)
				}
			}
		}
		p.Wait()
		if code := p.ProcessState.ExitCode(); code != cli.ExitInterrupted {
			t.Errorf("%v: exit code %d\n%s", c.args, code, strings.Join(lines, "\n"))
			continue
		}
		if last := lines[len(lines)-1]; !strings.HasPrefix(last, "pmlam: the training was stopped in epoch ") ||
			strings.Contains(last, "context") {
			t.Errorf("%v: the last line is %q", c.args, last)
		}
		m, err := model.ReadFile(out)
		if err != nil {
			t.Errorf("%v: %v", c.args, err)
			continue
		}
		o := result{out: stdout.String()}.object(t)
		if o["interrupted"] != true || figure(t, o, "epochs") < 1 || figure(t, o, "best_epoch") < 1 ||
			float64(m.Provenance.Interactions) != figure(t, o, "trained_interactions") {
			t.Errorf("%v: %v", c.args, o)
		}
		if len(m.Provenance.Metrics) != 0 {
			t.Errorf("%v: the file states a quality that was never measured: %v", c.args, m.Provenance.Metrics)
		}
		if left, err := os.ReadDir(filepath.Dir(out)); err != nil || len(left) != 1 {
			t.Errorf("%v: %v next to the model, %v", c.args, left, err)
		}
	}
}

// Ctrl-C leaves an existing model unchanged and writes the new one next to it; with --replace it overwrites.
func TestInterruptKeepsTheModelThatIsThere(t *testing.T) {
	data := blocks(t)
	for flag, want := range map[string]string{"--replace=false": ".stopped", "--replace": ""} {
		out := filepath.Join(t.TempDir(), "model.msgpack")
		write(t, out, string(read(t, shipped)))
		p := start(t, "train", "--data", data, "--out", out, flag, "--json", "--dim", "4", "--epochs", "100000000",
			"--auto=false", "--workers", "1")
		var stdout bytes.Buffer
		p.Stdout = &stdout
		stderr, err := p.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		said := ""
		for scan := bufio.NewScanner(stderr); scan.Scan(); said += scan.Text() + "\n" {
			if strings.HasPrefix(scan.Text(), "training: ") {
				if err := p.Process.Signal(os.Interrupt); err != nil {
					t.Fatal(err)
				}
			}
		}
		p.Wait()
		if code := p.ProcessState.ExitCode(); code != cli.ExitInterrupted {
			t.Errorf("%s: exit code %d\n%s", flag, code, said)
			continue
		}
		if m, err := model.ReadFile(out + want); err != nil || m.Items.Dim() != 4 {
			t.Errorf("%s: %v", flag, err)
		}
		if o := (result{out: stdout.String()}).object(t); o["out"] != out+want || o["interrupted"] != true {
			t.Errorf("%s: %v", flag, o)
		}
		kept := bytes.Equal(read(t, out), read(t, shipped))
		if kept != (want != "") || kept != strings.Contains(said, "pmlam: "+out+" is unchanged; this training's "+
			"model is in "+out+".stopped") {
			t.Errorf("%s: the model that was there is kept: %v\n%s", flag, kept, said)
		}
	}
}

// A training that is stopped by Ctrl-C, then killed, and then resumed writes the file of an uninterrupted one.
func TestStoppedKilledAndResumed(t *testing.T) {
	data, folder := blocks(t), t.TempDir()
	args := func(name string) []string {
		return []string{"train", "--data", data, "--out", filepath.Join(folder, name), "--dim", "4", "--epochs", "3000",
			"--auto=false", "--validation", "0.2", "--every", "1000", "--workers", "1"}
	}
	ok(t, args("undisturbed")...)
	kept := append(args("resumed"), "--checkpoint", filepath.Join(folder, "run"), "--checkpoint-every", "20ms")
	newest := func() string {
		names, _ := filepath.Glob(filepath.Join(folder, "run", "checkpoint-*"))
		return append(names, "")[max(0, len(names)-1)]
	}
	for _, by := range []os.Signal{os.Interrupt, os.Kill} {
		p := start(t, kept...)
		var stderr bytes.Buffer
		p.Stderr = &stderr
		before := newest()
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		await(t, "a further checkpoint", func() bool { return newest() != before })
		if err := p.Process.Signal(by); err != nil {
			t.Fatal(err)
		}
		p.Wait()
		lines := strings.Split(strings.TrimSpace(stderr.String()), "\n")
		last := lines[len(lines)-1]
		if by == os.Interrupt && (p.ProcessState.ExitCode() != cli.ExitInterrupted || !strings.HasPrefix(last,
			"pmlam: the training was stopped in epoch ") || !strings.HasSuffix(last, "; run the same command "+
			"again to resume")) {
			t.Errorf("exit code %d, %s", p.ProcessState.ExitCode(), &stderr)
		}
		if by == os.Kill && p.ProcessState.Success() {
			t.Errorf("it was not killed: %s", &stderr)
		}
	}
	r := ok(t, kept...)
	if !strings.Contains(r.errors, ": resuming in epoch ") && !strings.Contains(r.errors, ": resuming after epoch ") {
		t.Errorf("%s", r.errors)
	}
	if !bytes.Equal(read(t, filepath.Join(folder, "undisturbed")), read(t, filepath.Join(folder, "resumed"))) {
		t.Error("the training that was disturbed wrote another file")
	}
}

// If the first Ctrl-C cannot be answered, because the program waits for data, the second ends it.
func TestSecondInterrupt(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe.csv")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	p := start(t, "data", "stats", pipe)
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	w, err := os.OpenFile(pipe, os.O_WRONLY, 0) // waits until the program reads
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	ended := make(chan struct{})
	go func() { p.Wait(); close(ended) }()
	signals := 0
	for alive := true; alive; {
		if signals == 100 {
			t.Fatal("a hundred signals did not end the program")
		}
		p.Process.Signal(os.Interrupt)
		signals++
		select {
		case <-ended:
			alive = false
		case <-time.After(100 * time.Millisecond):
		}
	}
	if s := p.ProcessState.Sys().(syscall.WaitStatus); signals < 2 || !s.Signaled() || s.Signal() != syscall.SIGINT {
		t.Errorf("it ended after %d signals: %v", signals, p.ProcessState)
	}
}

// await polls for a condition, and fails the test after a minute.
func await(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

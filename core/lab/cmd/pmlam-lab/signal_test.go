package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pmlam/pmlam/core/internal/cli"
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

// Ctrl-C stops a training, and the same command resumes with the figures of an uninterrupted one.
func TestInterrupt(t *testing.T) {
	data, folder := blocks(t), t.TempDir()
	args := []string{"train-baseline", "--data", data, "--fold", "0", "--json", "--workers", "1", "--method",
		"bprmf:lr=0.01:dim=4:epochs=1500:batch=1024"}
	want := ok(t, args...).object(t)
	kept := append(args, "--checkpoint", folder)
	// An epoch is one batch, with a checkpoint after each, so the training has 1500 to write and cannot end before the
	// second is seen.
	p := start(t, append(kept, "--checkpoint-every", "0")...)
	var stdout, stderr bytes.Buffer
	p.Stdout, p.Stderr = &stdout, &stderr
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	await(t, "two checkpoints", func() bool {
		names, _ := filepath.Glob(filepath.Join(folder, "checkpoint-*"))
		return len(names) > 1
	})
	if err := p.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	p.Wait()
	if code := p.ProcessState.ExitCode(); code != cli.ExitInterrupted || !strings.HasSuffix(stderr.String(),
		"; run the same command again to resume\n") {
		t.Fatalf("exit code %d\n%s", code, &stderr)
	}
	if o := (result{out: stdout.String()}).object(t); o["interrupted"] != true || figure(t, o, "epochs") < 1 ||
		o["ndcg@10"] != nil {
		t.Errorf("%v", o)
	}
	r := ok(t, kept...)
	if o := r.object(t); !strings.Contains(r.errors, ": resuming ") || figure(t, o, "resumed_epochs") < 1 ||
		figure(t, o, "ndcg@10") != figure(t, want, "ndcg@10") {
		t.Errorf("%s%v\n%v", r.errors, o, want)
	}
}

// await polls until a condition holds, and fails the test after a minute.
func await(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("timed out waiting for %s", what)
		}
	}
}

package main

import (
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/internal/durable"
)

// Two processes cannot share a folder.
func TestClaimedFolders(t *testing.T) {
	folder, data := t.TempDir(), blocks(t)
	release, err := durable.Claim(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	for _, c := range []struct {
		what string
		args []string
	}{
		{"cannot keep checkpoints", []string{"train-baseline", "--data", data, "--fold", "0", "--method", "bprmf", "--checkpoint",
			folder}},
		{"cannot keep trials", []string{"tune", "--data", data, "--out", folder}},
		{"cannot keep tables", []string{"reproduce", "table1", "--data", data, "--out", folder}},
	} {
		want := "pmlam-lab: " + c.what + " in " + folder + ": another process is at work in this " +
			"folder; wait until it ends, or choose another folder\n"
		if r := command(c.args...); r.code != cli.ExitFailed || !strings.HasSuffix(r.errors, want) {
			t.Errorf("%v: exit code %d, %s", c.args, r.code, r.errors)
		}
	}
}

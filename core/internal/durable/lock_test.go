package durable_test

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/pmlam/pmlam/core/internal/durable"
)

// claimFolder names the folder that a child process of this test claims and holds until it is killed.
const claimFolder = "PMLAM_TEST_CLAIM"

// A folder belongs to one process until that process releases it or is killed.
func TestClaim(t *testing.T) {
	if folder := os.Getenv(claimFolder); folder != "" {
		release, err := durable.Claim(folder)
		if err != nil {
			t.Fatal(err)
		}
		defer release() // otherwise the collector may close the file, which ends the claim
		os.Stdout.WriteString("claimed\n")
		io.Copy(io.Discard, os.Stdin) // until it is killed
		return
	}
	folder := filepath.Join(t.TempDir(), "a", "b")
	busy := func() {
		t.Helper()
		var e *durable.BusyError
		if _, err := durable.Claim(folder); !errors.As(err, &e) || e.Folder != folder {
			t.Fatalf("claimed twice: %v", err)
		}
	}
	release, err := durable.Claim(folder)
	if err != nil {
		t.Fatal(err)
	}
	busy()
	release()

	other := exec.Command(os.Args[0], "-test.run", "^TestClaim$")
	other.Env = append(os.Environ(), claimFolder+"="+folder)
	out, err := other.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.StdinPipe(); err != nil { // open, so that the child waits
		t.Fatal(err)
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 8)); err != nil { // it reports its claim
		t.Fatal(err)
	}
	busy()
	if err := other.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	other.Wait()
	if release, err = durable.Claim(folder); err != nil {
		t.Fatalf("after the other was killed: %v", err)
	}
	release()
}

func TestClaimNoFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := durable.Claim(filepath.Join(file, "folder")); err == nil {
		t.Error("a folder in a file was claimed")
	}
}

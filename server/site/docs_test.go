package site

import (
	"os"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/server"
)

// docs/deploy.md recommends the policy that our own server sends.
func TestDeployPageHasTheServersPolicy(t *testing.T) {
	text, err := os.ReadFile("../../docs/deploy.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "\nContent-Security-Policy: "+server.Policy+"\n") {
		t.Errorf("docs/deploy.md lacks the policy of package server: %s", server.Policy)
	}
}

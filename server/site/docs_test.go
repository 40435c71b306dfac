package site

import (
	"os"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/server"
)

// What docs/deploy.md tells others to send is what our own server sends.
func TestTheDeployPageGivesThePolicyThatTheServerSends(t *testing.T) {
	text, err := os.ReadFile("../../docs/deploy.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "\nContent-Security-Policy: "+server.Policy+"\n") {
		t.Errorf("docs/deploy.md does not give the policy of package server: %s", server.Policy)
	}
}

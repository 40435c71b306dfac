package clitest

import (
	"encoding/json"
	"strings"
	"testing"
)

// Object returns the JSON object on the last line of a command's standard output.
func Object(t testing.TB, out string) map[string]any {
	t.Helper()
	lines := strings.Split(strings.TrimRight(out, "\n"), "\n")
	var m map[string]any
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &m); err != nil {
		t.Fatalf("the last line is not a JSON object: %v\n%s", err, out)
	}
	return m
}

// Figure returns the number with that key.
func Figure(t testing.TB, m map[string]any, key string) float64 {
	t.Helper()
	v, ok := m[key].(float64)
	if !ok {
		t.Fatalf("%s is %v, not a number", key, m[key])
	}
	return v
}

package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/internal/cli"
)

// Splits by time and by folds pass. Leaks planted in a published split are named with their ids, and the exit code is
// 1.
func TestAuditSplit(t *testing.T) {
	o := ok(t, "audit-split", "--data", lens, "--split-time", "0.2", "--json").object(t)
	if o["leaks"] != false || o["timed"] != true || figure(t, o, "test_pairs") < 9000 {
		t.Errorf("%v", o)
	}
	// Folds mix the times, which is counted but not a leak, unless --in-time promises otherwise.
	o = ok(t, "audit-split", "--data", lens, "--fold", "0", "--json").object(t)
	older := o["findings"].([]any)[5].(map[string]any)
	if o["leaks"] != false || figure(t, older, "count") < 1000 {
		t.Errorf("%v", o)
	}
	if r := command("audit-split", "--data", lens, "--fold", "0", "--in-time"); r.code != cli.ExitFailed ||
		!strings.Contains(r.errors, "the split leaks: 1 check failed") {
		t.Errorf("exit code %d, %s", r.code, r.errors)
	}
	folder := t.TempDir()
	train, test := filepath.Join(folder, "a.csv"), filepath.Join(folder, "b.csv")
	write(t, train, "user,item,timestamp\nann,x,1500000000\nann,Y-1,1500000001\nbob,x,1500000002\nbob,z,1500000003\n")
	write(t, test, "user,item,timestamp\nann,y 1,1600000000\nbob,x,1600000001\nbob,w,1600000002\n")
	r := command("audit-split", "--data", train, "--test", test, "--in-time", "--no-ratings")
	for _, want := range []string{"!         1 test pairs are in the training part too",
		"!         1 test items are in the user's training part under another id", "user ann: y 1 is Y-1",
		"0 test pairs are older than the latest training pair, of 2017-07-14T02:40:03Z"} {
		if !strings.Contains(r.out, want) {
			t.Errorf("%q is missing in %s%s", want, r.out, r.errors)
		}
	}
	if r.code != cli.ExitFailed || !strings.Contains(r.errors, "the split leaks: 2 checks") {
		t.Errorf("exit code %d, %s", r.code, r.errors)
	}
	// A promise that cannot be checked is an error.
	write(t, train, "user,item\nann,x\nbob,z\n")
	write(t, test, "user,item\nann,z\n")
	if r := command("audit-split", "--data", train, "--test", test, "--in-time", "--no-ratings"); r.code != cli.ExitFailed ||
		!strings.Contains(r.out, "the data have no times, so --in-time cannot be checked") {
		t.Errorf("exit code %d, %s%s", r.code, r.out, r.errors)
	}
}

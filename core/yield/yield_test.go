package yield

import "testing"

// Now calls what was set, and nothing where nothing is set.
func TestNowCallsWhatWasSet(t *testing.T) {
	Now()
	calls := 0
	Set(func() { calls++ })
	Now()
	Now()
	Set(nil)
	Now()
	if calls != 2 {
		t.Errorf("%d calls, want 2", calls)
	}
}

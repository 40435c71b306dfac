package yield

import "testing"

// Now calls the function that was set, or nothing.
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

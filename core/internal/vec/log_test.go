package vec

import (
	"math"
	"testing"
)

func TestLog(t *testing.T) {
	for x := 1e-9; x < 1e9; x *= 1.37 {
		if got, want := Log(x), math.Log(x); math.Abs(got-want) > 1e-14*(1+math.Abs(want)) {
			t.Fatalf("Log(%v) = %v, want %v", x, got, want)
		}
	}
}

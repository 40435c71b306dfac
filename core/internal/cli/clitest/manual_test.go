package clitest

import "testing"

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		want, have string
		is         bool
	}{
		{"a b", "a b", true}, {"a b", "a c", false}, {"a", "a b", false}, {"a …", "a b", true}, {"… b", "a b", true},
		{"a … c", "a b c", true}, {"a … c", "a c", false}, {"a…a", "a", false}, {"…", "a\nb", true},
		{"a\nb", "a\nlaying out: 750 of 750 steps, in 15s\nb", true},
		{"a\nb", "a\ncalibrating 1 of 4: 35 of 3200 batches, about 9s left\nb", true},
		{"a\n…\nd", "a\nb\nc\nd", true}, {"a\n…\nd", "a\nb", false}, {"a", "a\nb", false}, {"a\nb", "a", false},
	} {
		if matches(lines(c.want), lines(c.have)) != c.is {
			t.Errorf("%q and %q: want %t", c.want, c.have, c.is)
		}
	}
}

package cli

import (
	"testing"

	"github.com/pmlam/pmlam/core/train/choose"
)

// A plain method leads if it is ahead by more than the error; among several the best leads, and the latest comparison
// counts.
func TestLeader(t *testing.T) {
	of := func(method string, ndcg, gain float64) choose.Trial {
		return choose.Trial{Reference: method, NDCG: ndcg, Gain: gain, Error: 0.01}
	}
	ours := choose.Trial{NDCG: 0.3, Gain: 0.1, Taken: true}
	for _, c := range []struct {
		trials []choose.Trial
		want   string
	}{
		{nil, ""},
		{[]choose.Trial{ours, of("weighted", 0.305, 0.005), of("ease", 0.2, -0.1)}, ""},
		{[]choose.Trial{ours, of("weighted", 0.32, 0.02), of("ease", 0.33, 0.03), of("ials", 0.29, -0.01)}, "ease"},
		{[]choose.Trial{ours, of("weighted", 0.32, 0.02), of("ease", 0.33, 0.03), ours, of("ease", 0.33, -0.02)},
			"weighted"},
	} {
		got := ""
		if l := leader(c.trials); l != nil {
			got = l.Reference
		}
		if got != c.want {
			t.Errorf("of %+v, %q leads, not %q", c.trials, got, c.want)
		}
	}
	lead := of("ease", 0.33, 0.03)
	const want = "the plain method ease ranks better on the validation part, by 0.0300 ± 0.0100: pmlam evaluate " +
		"--baselines ease measures it on a test part"
	if got := leads(&lead); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

package tune

import (
	"maps"
	"testing"
)

// What is proposed after some trials is what a study of the same seed would try.
func TestProposeDrawsAsSearchDoes(t *testing.T) {
	space := Space{{Name: "learn_rate", Low: 0.001, High: 0.1, Log: true}, {Name: "dim", Values: []string{"2", "4", "8"}, Ordered: true}, {Name: "relations", Values: []string{"none", "fixed"}}}
	var past []Trial
	if _, err := space.Propose(3, past); err == nil {
		t.Error("the first trial is the caller's")
	}
	past = append(past, Trial{State: Complete, Values: map[string]string{"learn_rate": "0.01", "dim": "4", "relations": "none"}, NDCG: 0.1})
	for n := 1; n < 14; n++ {
		v, err := space.Propose(3, past)
		if err != nil {
			t.Fatal(err)
		}
		again, err := space.Propose(3, past)
		if err != nil || !maps.Equal(v, again) {
			t.Fatalf("trial %d: %v and %v", n, v, again)
		}
		for i := range space {
			if !space[i].Holds(v[space[i].Name]) {
				t.Errorf("trial %d: %v", n, v)
			}
		}
		past = append(past, Trial{Number: n, State: Complete, Values: v, NDCG: 0.1 / float64(n)})
	}
	other, err := space.Propose(4, past)
	if err != nil || maps.Equal(other, past[13].Values) {
		t.Errorf("another seed proposes the same: %v", other)
	}
	past[5].Values = map[string]string{"learn_rate": "7"}
	if _, err := space.Propose(3, past); err == nil {
		t.Error("a trial from outside of the space passes")
	}
}

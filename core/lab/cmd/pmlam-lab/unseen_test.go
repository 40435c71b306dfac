package main

import (
	"math"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/internal/cli"
)

func TestUnseen(t *testing.T) {
	args := append([]string{"unseen", "--data", some(t, 60), "--share", "0.2", "--json"}, quick...)
	o := ok(t, args...).object(t)
	left := figure(t, o, "left_out")
	if left < 5 || figure(t, o, "measured") > left {
		t.Errorf("%v", o)
	}
	for _, part := range []string{"inferred", "trained"} {
		if v := figure(t, o[part].(map[string]any), "recall@20"); v <= 0 || v > 1 {
			t.Errorf("%s: recall@20 %v", part, v)
		}
	}

	// Two draws together equal the single ones.
	second := ok(t, append(args, "--split-seed", "2")...).object(t)
	both := ok(t, append(args, "--draws", "2")...).object(t)
	n1, n2 := figure(t, o, "measured"), figure(t, second, "measured")
	if got := figure(t, both, "measured"); got != n1+n2 || figure(t, both, "draws") != 2 {
		t.Errorf("two draws measured %v users, not %v and %v", got, n1, n2)
	}
	total := map[string]float64{}
	for _, part := range []string{"inferred", "trained"} {
		of := func(o map[string]any) float64 { return figure(t, o[part].(map[string]any), "recall@20") }
		total[part] = (n1*of(o) + n2*of(second)) / (n1 + n2)
		if got := of(both); math.Abs(got-total[part]) > 1e-12 {
			t.Errorf("%s: recall@20 of two draws %v, not %v", part, got, total[part])
		}
	}
	kept := both["kept"].(map[string]any)["recall@20"].(map[string]any)
	value, low, high := figure(t, kept, "value"), figure(t, kept, "low"), figure(t, kept, "high")
	if want := total["inferred"] / total["trained"]; math.Abs(value-want) > 1e-6 || low > value || high < value ||
		low == high {
		t.Errorf("kept %v, not %v within its interval", kept, want)
	}

	// From their told likes; users without other items are left out.
	told := ok(t, append(args, "--told", "0,2,1000")...).object(t)["told"].([]any)
	if len(told) != 3 {
		t.Fatalf("%v", told)
	}
	for k, n := range []float64{0, 2, 1000} {
		one := told[k].(map[string]any)
		measured := figure(t, one, "measured")
		if figure(t, one, "told") != n || measured > left || (measured > 0) != (n < 1000) {
			t.Errorf("%v of %v", one, left)
		}
		if v := figure(t, one["inferred"].(map[string]any), "recall@20"); (v > 0) != (n < 1000) || v > 1 {
			t.Errorf("%v told: recall@20 %v", n, v)
		}
	}

	r := command("unseen", "--data", blocks(t), "--share", "0.001")
	if r.code != cli.ExitUsage || !strings.Contains(r.errors, "leaves out 0 of 24 users") {
		t.Errorf("exit code %d, %s", r.code, r.errors)
	}
}

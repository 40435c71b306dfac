package abtest

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// export returns a visitor's export with sessions of a variant, some with a click.
func export(r *rand.Rand, variant string, sessions, clicks int) string {
	var b strings.Builder
	b.WriteString(`{"format":"pmlam-log","version":1,"sessions":[`)
	for i := range sessions {
		if i > 0 {
			b.WriteByte(',')
		}
		click := ""
		if i < clicks {
			click = `,{"event":"clicked","list":"home","item":"1"}`
		}
		fmt.Fprintf(&b, `{"key":"%x%x","day":"2026-11-24","variants":{"mode":%q},"first":0,"events":[`+
			`{"event":"shown","list":"home","items":["1","2"]}%s]}`, r.Uint64(), r.Uint64(), variant, click)
	}
	b.WriteString("]}\n")
	return b.String()
}

// visitors returns exports of visitors with one of two variants, who come unequally often and click alike.
func visitors(r *rand.Rand, n int) string {
	var b strings.Builder
	for i := range n {
		sessions := int(math.Ceil(0.8 * math.Exp(r.NormFloat64())))
		rate, clicks := 0.5*r.Float64(), 0
		for range sessions {
			if r.Float64() < rate {
				clicks++
			}
		}
		b.WriteString(export(r, string(rune('A'+i%2)), sessions, clicks))
	}
	return b.String()
}

func compare(t *testing.T, exports string, o Options) *Report {
	t.Helper()
	c := newCollector()
	if err := c.read(context.Background(), "test", strings.NewReader(exports)); err != nil {
		t.Fatal(err)
	}
	r, err := Compare(c.visits(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Made-up variants in one or a few exports do not change the comparison, and are counted.
func TestMadeUpVariantsAreLeftOut(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	real := visitors(r, 200)
	want := compare(t, real, Options{}).Experiments[0]
	made := real + export(r, "!", 3, 3) + export(r, "Z", 1, 0) + export(r, "Y", 1, 1) +
		strings.Replace(export(r, "Z", 1, 1), `"variants":{"mode"`, `"variants":{"other":"x","mode"`, 1)
	for name, o := range map[string]Options{
		"declared":   {Experiment: "mode", Variants: []string{"A", "B"}},
		"undeclared": {Experiment: "mode"},
	} {
		e := compare(t, made, o).Experiments[0]
		if len(e.Variants) != 2 || e.Variants[0].Name != "A" || !reflect.DeepEqual(e.Variants, want.Variants) {
			t.Errorf("%s: %+v, want %+v", name, e.Variants, want.Variants)
		}
		if e.Even != want.Even || e.LeftOut != 3 || e.LeftOutVisitors != 4 || len(e.LeftOutNames) != 3 {
			t.Errorf("%s: %+v", name, e)
		}
	}
	// The first declared variant is the control. A variant without visitors stays in the correction, since it was
	// planned.
	e := compare(t, made, Options{Experiment: "mode", Variants: []string{"B", "A", "C"}}).Experiments[0]
	if e.Variants[0].Name != "B" || e.Variants[2].Difference != nil || e.Even > 0.001 ||
		!near(e.Variants[1].Difference.P, min(1, 2*want.Variants[1].Difference.P), 1e-9) {
		t.Errorf("%+v", e)
	}
	if _, err := Compare(&Visits{}, Options{Experiment: "mode", Variants: []string{"B", "A"}}); err == nil {
		t.Error("an unknown experiment is compared")
	}
	// The report is bounded, however many experiments are made up.
	var many strings.Builder
	many.WriteString(real)
	for i := range 100 {
		many.WriteString(strings.Replace(export(r, "x", 1, 0), `"mode"`, fmt.Sprintf(`"a%d"`, i), 1))
	}
	if all := compare(t, many.String(), Options{}); len(all.Experiments) != maxReported || all.Others != 81 ||
		all.Experiments[maxReported-1].Name != "mode" {
		t.Errorf("%d experiments and %d others", len(all.Experiments), all.Others)
	}
	if _, err := Compare(&Visits{}, Options{Experiment: "none"}); err == nil || len(err.Error()) > 500 {
		t.Error(err)
	}
}

// One export of 1,500 sessions decides nothing: it moves the rate by one vote, and two equal variants still differ only
// 5 times in 100. The bound is four standard errors.
func TestOneExportDecidesNothing(t *testing.T) {
	const runs = 100
	found := 0
	for run := range runs {
		r := rand.New(rand.NewPCG(2, uint64(run)))
		others := visitors(r, 120)
		without := compare(t, others, Options{}).Experiments[0].Variants[1].Value
		d := compare(t, others+export(r, "B", 1500, 1500), Options{}).Experiments[0].Variants[1]
		if want := (60*without + 1) / 61; !near(d.Value, want, 1e-9) {
			t.Fatalf("one export changes the rate to %.3f from %.3f, want %.3f", d.Value, without, want)
		}
		if d.Difference.P < alpha {
			found++
		}
		if d.Busiest < 0.8 {
			t.Fatalf("one visitor has a share of %.2f of the sessions", d.Busiest)
		}
	}
	if share, bound := float64(found)/runs, 4*math.Sqrt(alpha*(1-alpha)/runs); math.Abs(share-alpha) > bound {
		t.Errorf("%.1f%% of %d find a difference, want 5%% ± %.1f", 100*share, runs, 100*bound)
	}
}

// A variant with few visitors who all did the same is not found different for that reason.
func TestFewWhoAgreeDifferFromNobody(t *testing.T) {
	const runs = 2000
	for _, few := range []int{2, 5, 20} {
		found := 0
		for run := range runs {
			r := rand.New(rand.NewPCG(uint64(few), uint64(run)))
			draw := func(n int) Rate {
				counts := make([]Count, n)
				for i := range counts {
					counts[i].Of = 1
					if r.Float64() < 0.2 {
						counts[i].Hits = 1
					}
				}
				return NewRate(counts)
			}
			if d := NewDifference(draw(500), draw(few), 1, 0.05); d != nil && d.P < alpha {
				found++
			}
		}
		if share := float64(found) / runs; share > alpha+4*math.Sqrt(alpha*(1-alpha)/runs) {
			t.Errorf("%d visitors: %.1f%% of %d differ from 500 equal visitors, want 5%%", few, 100*share, runs)
		}
	}
}

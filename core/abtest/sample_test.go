package abtest

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"
)

const sample = "testdata/logs.jsonl"

var update = flag.Bool("update", false, "write the sample again")

// The sample of docs/cli.md: 120 visitors with two variants of one list, of which "genres" gets half as many clicks
// again, and a list interleaved from two models, of which "against" is preferred. -update writes it again.
func TestSample(t *testing.T) {
	want := drawSample()
	if *update {
		if err := os.WriteFile(sample, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(sample)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not the sample that this test generates", sample)
	}
	v, err := Read(context.Background(), []string{sample})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Compare(v, Options{List: "product"})
	if err != nil {
		t.Fatal(err)
	}
	// Count again from the lines.
	hits, of := map[string]float64{}, map[string]float64{}
	for line := range bytes.Lines(want) {
		var w wire
		if err := json.Unmarshal(line, &w); err != nil {
			t.Fatal(err)
		}
		for _, s := range *w.Sessions {
			of[s.Variants["ranking"]]++
			for _, e := range s.Events {
				if e.Event == "clicked" && e.List == "product" {
					hits[s.Variants["ranking"]]++
					break
				}
			}
		}
	}
	for _, x := range r.Experiments[0].Variants {
		if x.Hits != hits[x.Name] || x.Of != of[x.Name] {
			t.Errorf("%s: %g of %g, want %g of %g", x.Name, x.Hits, x.Of, hits[x.Name], of[x.Name])
		}
	}
	if b, err := json.Marshal(r); err != nil || r.Visitors != 120 || len(r.Interleaved) != 0 {
		t.Errorf("%s, %v", b, err)
	}
}

func drawSample() []byte {
	r := rand.New(rand.NewPCG(11, 0))
	var b bytes.Buffer
	for visitor := range 120 {
		variant, rate := "genres", 0.45
		if r.IntN(2) == 0 {
			variant, rate = "plain", 0.3
		}
		var sessions []string
		for n := range int(math.Ceil(0.8 * math.Exp(r.NormFloat64()))) {
			event := fmt.Sprintf(`{"event":"shown","list":"product","items":["%d","%d","%d"]}`, r.IntN(40), 40+r.IntN(40),
				80+r.IntN(40))
			events := event
			if r.Float64() < rate {
				var shown wireEvent
				_ = json.Unmarshal([]byte(event), &shown)
				events += fmt.Sprintf(`,{"event":"clicked","list":"product","item":%q}`, shown.Items[r.IntN(3)])
			}
			first := r.IntN(2)
			events += fmt.Sprintf(`,{"event":"shown","list":"foot","items":["1","2"],"teams":[%q,%q]}`,
				[]string{"model", "against"}[first], []string{"against", "model"}[first])
			if x := r.Float64(); x < 0.6 {
				liked := first // place of "model"
				if x > 0.2 {
					liked = 1 - first
				}
				events += fmt.Sprintf(`,{"event":"clicked","list":"foot","item":"%d"}`, 1+liked)
			}
			sessions = append(sessions, fmt.Sprintf(`{"key":"%032x","day":"2026-11-%02d","variants":{"ranking":%q},"first":0,`+
				`"events":[%s]}`, r.Uint64(), 1+min(visitor/5+n, 28), variant, events))
		}
		fmt.Fprintf(&b, `{"format":"pmlam-log","version":1,"sessions":[%s]}`+"\n", bytes.Join(texts(sessions), []byte(",")))
	}
	return b.Bytes()
}

func texts(of []string) (out [][]byte) {
	for _, s := range of {
		out = append(out, []byte(s))
	}
	return out
}

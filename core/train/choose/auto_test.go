package choose

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/pmlam/pmlam/core/pmlam"
)

func chosen(t *testing.T, base Settings, o AutoOptions) (Settings, []Trial) {
	t.Helper()
	c, trials, err := Auto(context.Background(), few(t), base, o)
	if err != nil {
		t.Fatal(err)
	}
	return c, trials
}

// beforeReferences returns the trials before the first comparison with a plain method.
func beforeReferences(trials []Trial) []Trial {
	for n, t := range trials {
		if t.Reference != "" {
			return trials[:n]
		}
	}
	return trials
}

// far returns settings that suit the data badly, so that there is something to choose.
func far(t *testing.T) Settings {
	base := quick(t, "hybrid")
	base.Dim, base.Epochs, base.Batch, base.Negatives, base.LearnRate = 8, 1, 64, 16, 0.03
	return base
}

// The choice starts with the preset, takes exactly the moves that help by more than their error, and ends with their
// sum. It is then compared with plain methods. As one is ahead of these settings, the search continues with moves that
// help at all, and with more links. Neither the number of workers nor an interruption changes the result.
func TestAuto(t *testing.T) {
	base := far(t)
	got, all := chosen(t, base, AutoOptions{Workers: 1})
	want, spent, taken, compared, ahead := base, 0.0, 0, 0, 0
	want.VisitorPrior = visitorPrior // a rule sets it
	for i, x := range all {
		next, err := Apply(want, x.Values)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case i == 0:
			if len(x.Values) > 0 || !x.Taken {
				t.Errorf("the first trial is %+v", x)
			}
		case x.Reference != "":
			if compared++; x.Taken || x.NDCG <= 0 || x.Error == 0 {
				t.Errorf("the comparison is %+v", x)
			}
			if x.Gain > x.Error {
				ahead++
			}
		case x.Part != nil:
			if x.Part.Gamma == 0 || !x.Taken || x.Gain <= 0 || compared == 0 && x.Part.Top > 0 {
				t.Fatalf("the part's trial is %+v", x)
			}
			x.Part.ApplyTo(&next)
		case x.Taken != (x.Gain > x.Error || compared > 0 && x.Gain > 0) || x.Error == 0:
			t.Errorf("trial %d: %+v", i, x)
		}
		if compared == 0 && x.Part == nil {
			if spent >= Budget {
				t.Errorf("trial %d was made after the work of %v", i, spent)
			}
			spent += float64(next.Epochs*next.Dim) / float64(base.Epochs*base.Dim)
		}
		if x.Taken {
			want = next
			taken++
		}
	}
	if got != want {
		t.Errorf("chose %+v, want %+v", got, want)
	}
	if taken < 3 || taken > len(all)-compared-1 {
		t.Errorf("%d of %d trials were taken; this test needs some, but not all", taken,
			len(all)-compared)
	}
	if last := all[len(all)-1]; ahead == 0 || compared != len(references)+1 || last.Note == "" {
		t.Errorf("%d comparisons, %d of them lost, the last %+v; there must be one with each plain method and one after "+
			"the wider search", compared, ahead, last)
	}
	again, same := chosen(t, base, AutoOptions{Workers: 3})
	if again != got || !reflect.DeepEqual(plain(same), plain(all)) {
		t.Error("three workers choose other settings")
	}
	for _, cut := range []int{1, len(beforeReferences(all)) - 1, len(all) - 1, len(all)} {
		path := filepath.Join(t.TempDir(), "choice.jsonl")
		o := AutoOptions{}
		ctx, cancel := context.WithCancel(context.Background())
		o.Report = func(e AutoEvent) {
			if e.Done && e.Trial.Number == cut-1 {
				cancel()
			}
		}
		journal := func() *Journal {
			j, err := OpenJournal(path, NewAutoHeader(few(t), base, o))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { j.Close() })
			return j
		}
		o.Journal = journal()
		_, some, err := Auto(ctx, few(t), base, o)
		if cut < len(all) && (!errors.Is(err, context.Canceled) || len(some) != cut) {
			t.Fatalf("stopped after %d: %d trials, %v", cut, len(some), err)
		}
		o.Journal.Close()
		o.Journal = journal()
		if n := len(o.Journal.Trials); n != cut {
			t.Fatalf("stopped after %d: %d trials in the journal", cut, n)
		}
		again, same := chosen(t, base, o)
		if again != got || !reflect.DeepEqual(plain(same), plain(all)) {
			t.Errorf("stopped after %d trials and resumed, it chooses other settings", cut)
		}
	}
}

// Settings set by hand are neither tried nor changed.
func TestAutoByHand(t *testing.T) {
	base := far(t)
	hand := []string{"user_weight", "visitor_prior", "relation_weight", "epochs", "item_weight"}
	got, trials := chosen(t, base, AutoOptions{ByHand: hand})
	for _, x := range trials {
		for _, name := range append(hand, "relations") {
			if _, tried := x.Values[name]; tried {
				t.Errorf("%s was tried: %v", name, x.Values)
			}
		}
	}
	if got.UserWeight != base.UserWeight || got.VisitorPrior != 0 || got.Epochs != base.Epochs || got.ItemWeight != base.ItemWeight ||
		got.Relations != base.Relations {
		t.Errorf("%+v", got)
	}
	all := []string{"temperature", "user_weight", "relations", "dim", "epochs"}
	if h := NewAutoHeader(few(t), base, AutoOptions{ByHand: all}); len(h.Space) != 0 {
		t.Errorf("with everything set by hand, %v is still chosen", h.Space)
	}
	base.Loss = "hinge"
	base.Auto = true
	if _, _, err := Auto(context.Background(), few(t), base, AutoOptions{}); !errors.As(err, new(*pmlam.ConfigError)) {
		t.Errorf("with a hinge: %v", err)
	}
}

// A trial on a sample of the users takes as many steps as a training on all, by smaller batches.
func TestAutoScalesBatches(t *testing.T) {
	m, err := films()
	if err != nil {
		t.Fatal(err)
	}
	base := quick(t, "best")
	for _, part := range []int{m.Len(), m.Len() / 4} {
		a := &auto{all: m, base: base}
		s := Sample(m, part)
		batch := a.batch(base.Batch, s)
		whole := math.Ceil(float64(m.Len()) / float64(base.Batch))
		if steps := math.Ceil(float64(s.Len()) / float64(batch)); math.Abs(steps-whole) > 2 {
			t.Errorf("%v steps on %d interactions, %v on all", steps, s.Len(), whole)
		}
	}
}

func TestPaired(t *testing.T) {
	gain, stderr := paired([]float32{0.5, 0.25, 1, 0.75}, []float32{0.25, 0.25, 0.5, 0.5})
	// Differences .25, 0, .5, .25: mean .25, sum of squares about it .125, /3/4.
	if gain != 0.25 || math.Abs(stderr-math.Sqrt(0.125/12)) > 1e-12 {
		t.Errorf("%v ± %v", gain, stderr)
	}
	if gain, stderr := paired([]float32{1}, []float32{0}); gain > stderr {
		t.Errorf("one user gives %v ± %v", gain, stderr)
	}
}

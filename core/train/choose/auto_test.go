package choose

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/train/calibrate"
	"github.com/pmlam/pmlam/core/train/itemlinks"
)

// far returns settings that suit the data badly, so that there is something to choose.
func far(t *testing.T) Settings {
	base := quick(t, "hybrid")
	base.Dim, base.Epochs, base.Batch, base.Negatives, base.LearnRate = 8, 2, 64, 16, 0.03
	base.Temperature, base.SharedNegatives = 0.4, 2
	return base
}

// The choice starts with the schedule, takes exactly the temperatures that help by more than their error, and ends with
// the item-item part. On large data it chooses only that part, on a sample. Trials can leave users out. Neither the
// number of workers nor an interruption changes the result.
func TestAuto(t *testing.T) {
	for name, x := range map[string]struct {
		large, most int
		left        []int
	}{
		"small": {1 << 30, 1 << 30, nil}, "large": {2000, 1200, nil}, "strangers": {1 << 30, 1 << 30, []int{1, 3, 6, 9, 12}},
	} {
		t.Run(name, func(t *testing.T) {
			base := far(t)
			run := func(workers, cut int, path string) (Settings, []Trial) {
				o := AutoOptions{Workers: workers, ByHand: []string{"item_top"}, Left: x.left}
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				o.Report = func(e AutoEvent) {
					if e.Done && e.Trial.Number == cut-1 {
						cancel()
					}
				}
				var err error
				if o.Journal, err = OpenJournal(path, NewAutoHeader(few(t), base, o)); err != nil {
					t.Fatal(err)
				}
				defer o.Journal.Close()
				c, trials, err := choose(ctx, few(t), base, o, x.large, x.most)
				if err != nil && !errors.Is(err, context.Canceled) {
					t.Fatal(err)
				}
				return c, trials
			}
			path := func() string { return filepath.Join(t.TempDir(), "choice.jsonl") }
			got, all := run(1, 0, path())
			want, taken := withSchedule(base, few(t), nil), 0
			want.VisitorPrior = visitorPrior // a rule sets it
			for i, x := range all {
				next, err := Apply(want, x.Values)
				if err != nil {
					t.Fatal(err)
				}
				switch {
				case x.Part != nil:
					if x.Part.Gamma == 0 || !x.Taken || x.Gain <= 0 {
						t.Fatalf("the part's trial is %+v", x)
					}
					x.Part.ApplyTo(&next)
				case i == 0:
					if len(x.Values) > 0 || !x.Taken {
						t.Errorf("the first trial is %+v", x)
					}
				case x.Taken != (x.Gain > x.Error) || x.Error == 0:
					t.Errorf("trial %d: %+v", i, x)
				}
				if x.Taken {
					want = next
					taken++
				}
			}
			if got != want {
				t.Errorf("chose %+v, want %+v", got, want)
			}
			if large := x.large < 1<<30; large != (len(all) == 1) || !large && (taken < 3 || taken == len(all)) {
				t.Errorf("%d of %d trials were taken; small data need some but not all, large data have one trial", taken,
					len(all))
			}
			if again, same := run(3, 0, path()); again != got || !reflect.DeepEqual(plain(same), plain(all)) {
				t.Error("three workers choose other settings")
			}
			for cut := 1; cut < len(all); cut++ {
				at := path()
				if _, some := run(1, cut, at); len(some) != cut {
					t.Fatalf("stopped after %d: %d trials", cut, len(some))
				}
				if again, same := run(1, 0, at); again != got || !reflect.DeepEqual(plain(same), plain(all)) {
					t.Errorf("stopped after %d trials and resumed, it chooses other settings", cut)
				}
			}
		})
	}
}

// Trials that leave users out do not learn from them, and pass on the training of the best settings.
func TestAutoLeavesOut(t *testing.T) {
	base, left := far(t), []int{0, 2, 5}
	var learned *pmlam.Result
	run := func(m *dataset.Matrix) (Settings, *pmlam.Result) {
		learned = nil
		c, _, err := Auto(t.Context(), m, base, AutoOptions{ByHand: []string{"item_weight"}, Left: left,
			Learned: func(r *pmlam.Result) { learned = r }})
		if err != nil {
			t.Fatal(err)
		}
		return c, learned
	}
	c, got := run(few(t))
	trainer, err := pmlam.New(t.Context(), calibrate.Without(few(t), left), c.Config, 0)
	if err != nil {
		t.Fatal(err)
	}
	want, err := trainer.Run(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got == nil || !slices.Equal(got.Items.Data(), want.Items.Data()) {
		t.Error("the training that was passed on is not the one without the users left out")
	}
}

// The share of the trainings that is reported as over is the share of the epochs that are over, so an estimate of the
// time left, which assumes that, holds for as long as the machine keeps its speed.
func TestProgressIsWork(t *testing.T) {
	base := far(t)
	for _, temperature := range []float64{1, 4} {
		t.Run(fmt.Sprint("temperature ", temperature), func(t *testing.T) {
			base.Temperature = temperature
			type point struct{ done, all, epochs int }
			var points []point
			epochs := 0
			o := AutoOptions{Left: []int{1, 3, 6}, Report: func(e AutoEvent) {
				if !e.Done {
					epochs++
				}
				done, all := e.Progress()
				points = append(points, point{done, all, epochs})
			}}
			if _, _, err := Auto(t.Context(), few(t), base, o); err != nil {
				t.Fatal(err)
			}
			for _, p := range points {
				if p.done*epochs != p.epochs*p.all || epochs != 3*base.Epochs {
					t.Errorf("%d of %d is reported after %d of %d epochs", p.done, p.all, p.epochs, epochs)
				}
			}
		})
	}
}

// Settings set by hand are neither tried nor changed.
func TestAutoByHand(t *testing.T) {
	base := far(t)
	hand := []string{"temperature", "visitor_prior", "user_parts", "item_weight"}
	got, trials, err := Auto(context.Background(), few(t), base, AutoOptions{ByHand: hand})
	if err != nil || got != base || len(trials) > 0 {
		t.Errorf("%+v after %d trials: %v", got, len(trials), err)
	}
	if h := NewAutoHeader(few(t), base, AutoOptions{ByHand: hand}); len(h.Space) != 0 {
		t.Errorf("with everything set by hand, %v is still chosen", h.Space)
	}
	base.Loss = "hinge"
	base.Auto = true
	if _, _, err := Auto(context.Background(), few(t), base, AutoOptions{}); !errors.As(err, new(*pmlam.ConfigError)) {
		t.Errorf("with a hinge: %v", err)
	}
}

// A trial on a part takes as many steps as a training on all, by smaller batches. If data are large, it has the
// schedule for the part and a bounded number of pairs.
func TestTrialsSchedule(t *testing.T) {
	base, err := Preset("best")
	if err != nil {
		t.Fatal(err)
	}
	of := func(interactions, items int) *dataset.Matrix {
		return &dataset.Matrix{Cols: items, Offsets: []int{0, interactions}, Indices: make([]int32, interactions)}
	}
	trial := func(all, part int, byHand ...string) Settings {
		m := of(all, 20_000)
		a := &auto{AutoOptions: AutoOptions{ByHand: byHand}, all: m, mostEpochs: base.Epochs,
			train: of(part, 20_000)}
		return a.onPart(withSchedule(base, m, byHand))
	}
	if c := trial(40_000, 30_000); c.Batch != base.Batch*3/4 || c.Epochs != base.Epochs {
		t.Errorf("on small data %+v", c)
	}
	if c := trial(20_000_000, 100_000); c.Epochs != largeEpochs || c.Dim != largeDim || c.UserParts != largeUserParts {
		t.Errorf("on large data %+v", c)
	}
	if c := trial(20_000_000, choicePairs/10); c.Epochs != 10 {
		t.Errorf("%d epochs", c.Epochs)
	}
	if c := trial(20_000_000, 160_000, "epochs", "batch"); c.Epochs != base.Epochs || c.Batch != base.Batch {
		t.Errorf("settings set by hand became %+v", c)
	}
}

// EASE, whose cost grows with the cube of the items, is tried for few items only, and not if the number of links is set
// by hand. Dropout is tried on large data.
func TestUsualRecipes(t *testing.T) {
	of := func(items, likes int) *dataset.Matrix {
		return &dataset.Matrix{Cols: items, Offsets: []int{0, likes * items}, Indices: make([]int32, likes*items)}
	}
	for _, x := range []struct {
		items, likes  int
		onlyTop       bool
		ease, dropout int
	}{
		{1000, 30, false, 7, 0}, {mostEASEItems, 10, false, 7, 0}, {mostEASEItems + 1, 10, false, 0, 0},
		{1000, 30, true, 0, 0}, {mostEASEItems, 30, false, 8, 2}, {mostEASEItems + 1, 90, false, 1, 1},
		{mostLargeEASEItems, 30, false, 1, 2}, {mostLargeEASEItems + 1, 30, false, 0, 1},
		{mostWideItems, 30, false, 0, 2}, {mostWideItems + 1, 30, false, 0, 1},
	} {
		some, ease, dropout := usualRecipes(of(x.items, x.likes), 10, x.onlyTop), 0, 0
		for _, r := range some {
			if r.Kind == itemlinks.ByEASE {
				ease++
			}
			if r.Dropout > 0 {
				dropout++
			}
		}
		if ease != x.ease || dropout != x.dropout || some[0].Top != 10 {
			t.Errorf("%+v: %v", x, some)
		}
		for k := range some[1:] {
			if some[k].Top > some[k+1].Top {
				t.Errorf("%v: recipes with more links must follow those with fewer", some)
			}
		}
	}
}

package experiments

import (
	"context"
	"math"
	"testing"
)

// Two equal things are told apart five times of a hundred, by variants and by interleaving. A test with sessions as
// units counts active visitors several times and is wrong more often. The bounds are four standard errors.
func TestAlike(t *testing.T) {
	const runs = 2000
	variants, err := Variants(context.Background(), 300, 0, runs, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	interleaved, err := Interleaved(context.Background(), 100, alike, runs, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]Found{"variants": variants, "interleaved": interleaved} {
		if share, _ := f.Share(false); math.Abs(share-significant) > 4*math.Sqrt(significant*(1-significant)/runs) {
			t.Errorf("%s: %.1f%% of %d found a difference, want 5%%", name, 100*share, runs)
		}
		if f.First < f.Either/3 || f.First > f.Either*2/3 {
			t.Errorf("%s: of %d that found one, %d found the first better, want half", name, f.Either, f.First)
		}
	}
	if variants.Naive < runs/11 {
		t.Errorf("sessions as units found a difference %d times of %d, want more than 9%%", variants.Naive, runs)
	}
}

// The stated number of visitors finds a planted difference four times of five, and hardly ever the opposite.
func TestPlanted(t *testing.T) {
	const runs, lift = 400, 0.4
	needed := Needed(20_000, lift, 1)
	variants, err := Variants(context.Background(), 2*needed, lift, runs, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	far := Rankers{3, 0.5}
	visitors, won := NeededInterleaved(20_000, far, 1)
	interleaved, err := Interleaved(context.Background(), visitors, far, runs, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	if won < 0.55 || visitors > needed {
		t.Errorf("far better rankers win %.2f of the lists, and %d visitors are planned", won, visitors)
	}
	for name, f := range map[string]Found{"variants": variants, "interleaved": interleaved} {
		if share, _ := f.Share(true); share < 0.74 || share > 0.93 || f.First > runs/50 {
			t.Errorf("%s: the better one was found by %.0f%% of %d, the worse by %d; %d and %d visitors", name, 100*share,
				runs, f.First, 2*needed, visitors)
		}
	}
}

// Too few visitors find nothing.
func TestFew(t *testing.T) {
	for visitors := range 4 {
		if f, err := Variants(context.Background(), visitors, 0, 50, 1, 1); err != nil || f.Runs != 50 {
			t.Errorf("%d visitors: %+v, %v", visitors, f, err)
		}
	}
}

// The same seed gives the same figures with any number of workers.
func TestWorkers(t *testing.T) {
	one, _ := Variants(context.Background(), 50, 0, 100, 1, 7)
	three, _ := Variants(context.Background(), 50, 0, 100, 3, 7)
	if one != three {
		t.Errorf("%+v with one worker, %+v with three", one, three)
	}
}

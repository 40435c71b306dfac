package experiments

import (
	"context"
	"fmt"
	"strings"

	"github.com/pmlam/pmlam/core/abtest"
)

// Lift is the planted relative change.
const Lift = 0.05

// alike and apart are rankers. The two of alike are equally good; the second of apart lifts the rate of sessions with a
// click by about Lift if each visitor gets the lists of one.
var (
	alike = Rankers{1.5, 1.5}
	apart = Rankers{1.5, 1.2}
)

// pilots is the number of visitors that sample sizes are planned on.
const pilots = 20_000

// Alike returns how often that many experiments, each with two equal lists, found a difference: a table in Markdown.
func Alike(ctx context.Context, runs, workers int, seed uint64) (string, error) {
	var b strings.Builder
	b.WriteString("| two alike | visitors | found | sessions as units |\n| --- | --- | --- | --- |\n")
	for _, visitors := range []int{200, 1000, 5000} {
		f, err := Variants(ctx, visitors, 0, runs, workers, seed+uint64(visitors))
		if err != nil {
			return "", err
		}
		line(&b, "variants", visitors, f)
	}
	for _, visitors := range []int{200, 1000} {
		f, err := Interleaved(ctx, visitors, alike, runs, workers, seed+uint64(visitors))
		if err != nil {
			return "", err
		}
		line(&b, "interleaved", visitors, f)
	}
	return b.String(), nil
}

// Planted returns how often that many experiments found a planted difference, as a table in Markdown.
func Planted(ctx context.Context, runs, workers int, seed uint64) (string, error) {
	var b strings.Builder
	needed := Needed(pilots, Lift, seed)
	f, err := Variants(ctx, 2*needed, Lift, runs, workers, seed)
	if err != nil {
		return "", err
	}
	first, second := Separate(100*pilots, apart, seed)
	fmt.Fprintf(&b, "| planted | visitors | better one found | worse one found |\n| --- | --- | --- | --- |\n")
	power(&b, fmt.Sprintf("variants, a lift of %.0f%%", 100*Lift), 2*needed, f)
	needed, share := NeededInterleaved(25*pilots, apart, seed)
	if f, err = Interleaved(ctx, needed, apart, runs, workers, seed); err != nil {
		return "", err
	}
	power(&b, fmt.Sprintf("interleaved, rankers with a lift of %.1f%%: %.1f%% won", 100*(second.Value/first.Value-1),
		100*share), needed, f)
	d := abtest.NewDifference(first, second, 1, second.Value/first.Value-1)
	fmt.Fprintf(&b, "\nThe same rankers as variants need %d visitors.\n", 2*d.Needed)
	return b.String(), nil
}

func line(b *strings.Builder, what string, visitors int, f Found) {
	share, deviation := f.Share(false)
	fmt.Fprintf(b, "| %s | %d | %.1f%% ± %.1f | %.1f%% |\n", what, visitors, 100*share, 100*deviation,
		100*float64(f.Naive)/float64(f.Runs))
}

func power(b *strings.Builder, what string, visitors int, f Found) {
	share, deviation := f.Share(true)
	fmt.Fprintf(b, "| %s | %d | %.1f%% ± %.1f | %.1f%% |\n", what, visitors, 100*share, 100*deviation,
		100*float64(f.First)/float64(f.Runs))
}

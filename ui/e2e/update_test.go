//go:build !js

package e2e

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"testing"
)

// Whichever file of a new version cannot be had, and however: the update is refused, the version before goes on without
// a network, and the next update succeeds. Every file of every page is of one release.
func TestEveryFetchFails(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	var releases []string
	for i := range len(faults) + 1 {
		releases = append(releases, string(rune('a'+i)))
	}
	h := newTinyHost(t, wholeSite, releases...)
	var files []string // in every release
	digest := regexp.MustCompile(`\.[0-9a-f]{12}\.`)
	for name := range h.releases["a"] {
		if base := path.Base(name); base != "service-worker.js" && base != ".nojekyll" {
			files = append(files, digest.ReplaceAllString(base, ".*."))
		}
	}
	slices.Sort(files)
	v := h.driver(t)
	result := see[struct {
		Trials int
		Wrong  []string
	}](v, fmt.Sprintf("trials.all(%s, %s, %s)", list(files), list(faults), wholeSite.says(releases...)))
	if want := len(files) * len(faults); result.Trials != want || want < 100 {
		t.Errorf("there were %d trials, want %d, which should be at least 100", result.Trials, want)
	}
	for _, w := range result.Wrong {
		t.Error(w)
	}
}

// A release that fails to start twice gives way to the one before: one that says so, one that does not, one whose tab
// is closed. One that was only left early does not.
func TestBadReleases(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	h := newTinyHost(t, wholeSite, "one", "two", "three", "broken", "silent", "slow")
	v := h.driver(t)
	for _, trial := range []struct{ name, script string }{
		{"says so", `trials.rollback("b1", "broken", "three", false)`},
		{"does not", `trials.rollback("b2", "silent", "three", false)`},
		{"closed", `trials.rollback("b3", "silent", "two", true)`},
		{"left early", `trials.impatience("b4", "slow")`},
		{"alone and damaged", `trials.alone("b5")`},
		{"two damaged", `trials.both("b7", ["one", "two"])`},
		{"asked meanwhile", `trials.asked("b8", ["one", "two", "three", "one", "two", "three", "one", "two", "three"])`},
		{"tabs", `trials.tabs("b6", ["one", "two", "three"])`},
	} {
		t.Run(trial.name, func(t *testing.T) {
			v := *v
			v.TB = t
			for _, wrong := range see[[]string](&v, trial.script) {
				t.Error(wrong)
			}
		})
	}
}

// A page that opens in the instant in which the last page of an older worker closes has all its files from a worker:
// one that has a page to load is not replaced.
func TestOpenAsTheLastCloses(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	h := newTinyHost(t, wholeSite, "one", "two")
	v := h.driver(t)
	for _, wrong := range see[[]string](v, `trials.seams(["s1", "s2", "s3", "s4", "s5", "s6"], ["one", "two"], 3)`) {
		t.Error(wrong)
	}
}

//go:build !js

package e2e

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"testing"
)

// If any file of a new version fails in any way, the update is rejected, the previous version continues offline, and
// the next update succeeds. Every file of every page is of one release.
func TestEveryFetchFails(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	var releases []string
	for i := range len(faults) + 1 {
		releases = append(releases, string(rune('a'+i)))
	}
	h := newTinyHost(t, wholeSite, releases...)
	var files []string // in each release
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
		t.Errorf("ran %d trials, want %d, which should be at least 100", result.Trials, want)
	}
	for _, w := range result.Wrong {
		t.Error(w)
	}
}

// A release that fails to start twice is replaced by the previous one: one that reports the failure, one that does not,
// one whose tab is closed. One that was only left early is kept.
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

// A page that opens at the moment the last page of an older worker closes gets all its files from one worker: a worker
// with a page to load is not replaced.
func TestOpenAsTheLastCloses(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	h := newTinyHost(t, wholeSite, "one", "two")
	v := h.driver(t)
	for _, wrong := range see[[]string](v, `trials.seams(["s1", "s2", "s3", "s4", "s5", "s6"], ["one", "two"], 3)`) {
		t.Error(wrong)
	}
}

//go:build !js

package e2e

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

//go:embed testdata/delta-trials.js
var deltaTrialsScript string

// deltaHost serves releases one, two and three, each built over the previous one. The model is larger here and differs
// between releases in its stamp and 1% of its bytes, all white space, which a page does not show.
func deltaHost(t testing.TB) *tinyHost {
	t.Helper()
	h := newTinyHost(t, smallSite, "one")
	r := rand.New(rand.NewPCG(1, 1))
	rest := make([]byte, 20_000)
	for i := range rest {
		rest[i] = " \n\t\r"[r.IntN(4)]
	}
	previous := ""
	for _, stamp := range []string{"one", "two", "three"} {
		h.releases[stamp], previous = smallSite.releaseOver(t, stamp, previous, rest)
		for range len(rest) / 100 {
			rest[r.IntN(len(rest))] = " \n\t\r"[r.IntN(4)]
		}
	}
	return h
}

// rounds is the number of repetitions of fault tests: one, or the value of PMLAM_FAULTS.
func rounds() int { n, _ := strconv.Atoi(os.Getenv("PMLAM_FAULTS")); return max(n, 1) }

// A visitor with the previous release downloads one delta instead of the model, with the one before that two, and both
// end up with the files of a first visit. A visitor without a release downloads no delta.
func TestUpdatesByDelta(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	h := deltaHost(t)
	v := h.driver(t)
	see[bool](v, deltaTrialsScript+"; true")
	for _, c := range []struct {
		from, to string
		deltas   int
	}{{"one", "two", 1}, {"two", "three", 1}, {"one", "three", 2}} {
		got := see[struct {
			End, Shown string
			Files      []string
		}](v, fmt.Sprintf("deltaTrials.fetched('u-%s-%s', %s, %s)", c.from, c.to, quote(c.from), quote(c.to)))
		if got.End != "activated" || got.Shown != smallSite.stampsOf(c.to) {
			t.Errorf("%s to %s: ended %s and shows %q", c.from, c.to, got.End, got.Shown)
		}
		deltas, bytes := 0, 0
		for _, name := range got.Files {
			if strings.HasPrefix(name, deltasFolder+"model.bin.") {
				deltas++
				bytes += len(h.releases[c.to][name])
			} else if strings.HasPrefix(path.Base(name), "model.") {
				t.Errorf("%s to %s: the whole model was downloaded: %s", c.from, c.to, name)
			}
		}
		if deltas != c.deltas || bytes > 3000*c.deltas {
			t.Errorf("%s to %s: there were %d deltas of %d bytes: %q", c.from, c.to, deltas, bytes, got.Files)
		}
	}
}

// If a delta fails in any way, the whole file is downloaded and the update succeeds. If that fails too, the previous
// version continues offline until the host recovers. Every page is of one release.
func TestUpdatesByDeltaFail(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	h := deltaHost(t)
	v := h.driver(t)
	see[bool](v, deltaTrialsScript+"; true")
	type trial struct {
		From  string `json:"from"`
		To    string `json:"to"`
		File  string `json:"file"`
		Fault string `json:"fault"`
		Whole bool   `json:"whole"`
	}
	var trials []trial
	for range rounds() {
		for _, way := range [][2]string{{"one", "two"}, {"one", "three"}} {
			for _, fault := range faults {
				trials = append(trials, trial{way[0], way[1], "model.bin.*", fault, true},
					trial{way[0], way[1], "model*", fault, false})
			}
		}
	}
	cases, err := json.Marshal(trials)
	if err != nil {
		t.Fatal(err)
	}
	result := see[struct {
		Trials int
		Wrong  []string
	}](v, fmt.Sprintf("deltaTrials.all(%s, %s)", cases, smallSite.says("one", "two", "three")))
	if result.Trials != len(trials) || len(trials) < 40 {
		t.Errorf("ran %d trials of %d", result.Trials, len(trials))
	}
	for _, w := range result.Wrong {
		t.Error(w)
	}
	t.Logf("%d delta updates with a failing host", result.Trials)
}

// The browser is killed during the download of a delta. The complete previous version then starts offline, and the next
// update applies the delta.
func TestKilledDuringADelta(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	h := deltaHost(t)
	for n := range rounds() {
		place, profile := fmt.Sprint("k", n), t.TempDir()
		come := func() *visitor { return newVisitor(t, persona{Profile: profile}) }
		starts := func(v *visitor) string {
			v.do(chromedp.Navigate(h.address(place)))
			return until[string](v, "the page", `document.documentElement?.dataset.stamps ?? ""`)
		}
		h.publish(place, published{Release: "one"})
		v := come()
		if got := starts(v); got != smallSite.stampsOf("one") {
			t.Fatalf("the first visit shows %q", got)
		}
		version := see[string](v, `document.querySelector("script[data-worker]").dataset.version`)
		until[bool](v, "the site to be kept", `globalThis.tiny?.known?.since > 0`)
		v.wait("the browser to write it down", func() string {
			if mentions(t, profile, version) {
				return ""
			}
			return "no file of its caches names version " + version
		})
		stalled := make(chan bool, 9)
		h.publish(place, published{Release: "two", File: "model.bin.*"})
		h.stalls(place, stalled)
		v.update()
		<-stalled
		if err := chromedp.FromContext(v.ctx).Browser.Process().Kill(); err != nil {
			t.Fatal(err)
		}
		h.stalls(place, nil)
		h.publish(place, published{Down: true})
		v = come()
		if got := starts(v); got != smallSite.stampsOf("one") {
			t.Fatalf("killed during a delta, it starts with %q", got)
		}
		h.publish(place, published{Release: "two"})
		v.wait("the update", func() string {
			see[bool](v, lookForUpdate)
			if got := starts(v); got != smallSite.stampsOf("two") {
				return "it starts with " + got
			}
			return ""
		})
		h.Lock()
		for _, name := range h.sent[place] {
			if strings.HasPrefix(path.Base(name), "model.") && h.releases["two"][name] != nil &&
				h.releases["one"][name] == nil && !strings.HasPrefix(name, deltasFolder) {
				t.Errorf("the whole model was downloaded: %s", name)
			}
		}
		h.Unlock()
	}
}

// deltasFolder is the site's folder of deltas.
const deltasFolder = "deltas/"

// Each storage call fails in turn during a delta update: one complete release starts. It needs PMLAM_FAULTS;
// TestEveryStorageCallFailsInAnUpdate does the same without deltas.
func TestStorageFailsInAnUpdateByDelta(t *testing.T) {
	if os.Getenv("PMLAM_FAULTS") == "" {
		t.Skip("SKIPPED: takes minutes; set PMLAM_FAULTS=1 to run it")
	}
	t.Parallel()
	needBrowser(t)
	h := deltaHost(t)
	for stamp, files := range h.releases {
		files["service-worker.js"] = fmt.Appendf(nil, "const RELEASE = %s;\n%s\n%s", quote(stamp), faultsScript,
			files["service-worker.js"])
	}
	v := h.driver(t)
	see[bool](v, faultTrialsScript+"; true")
	for _, o := range see[[]outcome](v, fmt.Sprintf("faultTrials.updates(%s, %s, %s, %s)", list(storageExceptions),
		list(storageMethods), quote(smallSite.stampsOf("one")), quote(smallSite.stampsOf("two")))) {
		o.check(t)
	}
}

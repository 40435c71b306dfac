//go:build !js

package e2e

import (
	_ "embed"
	"fmt"
	"os"
	"testing"

	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"

	"github.com/pmlam/pmlam/core/recommend"
	speech "github.com/pmlam/pmlam/ui/words"
)

// usage returns the browser's storage used by the host, and its quota.
func (v *visitor) usage(h *host) (used, quota float64) {
	v.Helper()
	asked, err := chromedp.Call(v.ctx, storage.GetUsageAndQuota, storage.GetUsageAndQuotaParams{Origin: h.server.URL})
	v.must(err)
	return asked.Usage, asked.Quota
}

// setQuota sets the host's storage quota in bytes.
func (v *visitor) setQuota(h *host, size float64) {
	v.Helper()
	_, err := chromedp.Call(v.ctx, storage.OverrideQuotaForOrigin,
		storage.OverrideQuotaForOriginParams{Origin: h.server.URL, QuotaSize: &size})
	v.must(err)
}

// A browser without more space for this site still opens it, online and offline, from its existing copy and with the
// marks. The page reports the lack of space in the visitor's language, until there is space again.
func TestOverQuota(t *testing.T) {
	t.Parallel()
	for _, speaks := range []*speech.Words{inEnglish(), inGerman()} {
		t.Run(speaks.Tag, func(t *testing.T) {
			t.Parallel()
			h := ownHost(t)
			v := newVisitor(t, persona{Language: speaks})
			v.open(h.address)
			v.like(three...)
			want := answer(visit(t, three...), recommend.Request{})
			v.lists(want)
			v.likesStored(three...)
			v.siteStored()
			used, before := v.usage(h)
			v.setQuota(h, used)
			for range 3 {
				v.open(h.address)
				v.lists(want)
				v.likesStored(three...)
				v.reads(speaks.CopyFull)
			}
			restore := v.down(h)
			v.reload()
			v.lists(want)
			v.reads(speaks.CopyFull)
			restore()
			v.setQuota(h, before)
			v.open(h.address)
			v.lists(want)
			v.siteStored()
			until[bool](v, "the message about missing space to disappear",
				"!document.body.innerText.includes("+quote(speaks.CopyFull)+")")
			v.noErrors()
		})
	}
}

// A browser without space for a copy of the site says so, and opens it from the network at every visit.
func TestNoRoomForACopy(t *testing.T) {
	t.Parallel()
	for _, speaks := range []*speech.Words{inEnglish(), inGerman()} {
		t.Run(speaks.Tag, func(t *testing.T) {
			t.Parallel()
			h := ownHost(t)
			v := newVisitor(t, persona{Language: speaks})
			v.setQuota(h, 1<<20)
			v.open(h.address)
			v.like("Heat")
			for range 3 {
				v.likesStored("Heat")
				v.reads(speaks.CopyNoRoom)
				v.open(h.address)
			}
			v.setQuota(h, 1<<30)
			v.open(h.address)
			v.siteStored()
			v.noErrors("could not be kept for use without a network")
		})
	}
}

//go:embed testdata/faults.js
var faultsScript string

//go:embed testdata/fault-trials.js
var faultTrialsScript string

// storageExceptions are failures of the worker's storage calls, in addition to the disappearance of all caches.
var storageExceptions = []string{"QuotaExceededError", "InvalidStateError"}

// storageMethods are made to fail at every call, one after the other; "*" means all.
var storageMethods = []string{
	"CacheStorage.keys", "CacheStorage.match", "CacheStorage.open", "CacheStorage.delete", "Cache.keys", "Cache.match",
	"Cache.put",
	"LockManager.request", "Clients.get", "Clients.matchAll", "Clients.claim", "*",
}

// faultySite is the site whose workers fail: the small one, or with PMLAM_FAULTS the whole one.
func faultySite() tinySite {
	if os.Getenv("PMLAM_FAULTS") == "" {
		return smallSite
	}
	return wholeSite
}

// faultyHost serves tiny sites whose workers fail as defined in testdata/faults.js, and returns a tab that visits them.
func faultyHost(t *testing.T) *visitor {
	t.Helper()
	needBrowser(t)
	h := newTinyHost(t, faultySite(), "one", "two")
	for stamp, files := range h.releases {
		files["service-worker.js"] = fmt.Appendf(nil, "const RELEASE = %s;\n%s\n%s", quote(stamp), faultsScript,
			files["service-worker.js"])
	}
	v := h.driver(t)
	see[bool](v, faultTrialsScript+"; true")
	return v
}

// outcome is the result of some trials.
type outcome struct {
	Kind   string
	Least  int // the minimum number of trials
	Trials int
	Wrong  []string
	Said   map[string]int // the page's message about its copy → count
}

func (o outcome) check(t *testing.T) {
	t.Helper()
	if o.Trials < o.Least {
		t.Errorf("%s: ran %d trials, want at least %d", o.Kind, o.Trials, o.Least)
	}
	for _, w := range o.Wrong {
		t.Error(w)
	}
	t.Logf("%s: %d trials; %v", o.Kind, o.Trials, o.Said)
}

// For a kept site, every storage call of its worker fails in turn, and every method in all its calls, online and
// offline. No page is lost, and the page's message about its copy is true.
func TestEveryStorageCallFails(t *testing.T) {
	t.Parallel()
	v := faultyHost(t)
	for _, o := range see[[]outcome](v, fmt.Sprintf("faultTrials.returning(%s, %s, %s)", list(storageExceptions),
		list(storageMethods), quote(faultySite().stampsOf("one")))) {
		o.check(t)
	}
}

// The same for the first visit and the two after it, and for an update that is downloaded and started while the storage
// fails: one complete release starts.
func TestEveryStorageCallFailsAtFirst(t *testing.T) {
	t.Parallel()
	v := faultyHost(t)
	for _, o := range see[[]outcome](v, fmt.Sprintf("faultTrials.first(%s, %s, %s)", list(storageExceptions),
		list(storageMethods), quote(faultySite().stampsOf("one")))) {
		o.check(t)
	}
}

func TestEveryStorageCallFailsInAnUpdate(t *testing.T) {
	t.Parallel()
	v := faultyHost(t)
	old, fresh := quote(faultySite().stampsOf("one")), quote(faultySite().stampsOf("two"))
	for _, o := range see[[]outcome](v, fmt.Sprintf("faultTrials.updates(%s, %s, %s, %s)", list(storageExceptions),
		list(storageMethods), old, fresh)) {
		o.check(t)
	}
}

// Events of one site are not reported to pages of another site on the same origin.
func TestSitesOfOneOrigin(t *testing.T) {
	t.Parallel()
	v := faultyHost(t)
	for _, o := range see[[]outcome](v, fmt.Sprintf("faultTrials.neighbours(%s)", quote(faultySite().stampsOf("one")))) {
		o.check(t)
	}
}

// Each IndexedDB call of the page fails in turn: the page works, reports if it cannot store marks, and has the earlier
// marks again once nothing fails.
func TestEveryDatabaseCallFails(t *testing.T) {
	t.Parallel()
	h := ownHost(t)
	v := newVisitor(t, persona{Before: `
		globalThis.calls = [];
		const [at, error] = (sessionStorage.getItem("fault") ?? "").split(" ");
		for (const [type, names] of [[IDBFactory, ["open"]], [IDBDatabase, ["transaction"]], [IDBTransaction, ["objectStore"]], [IDBObjectStore, ["get", "put"]]]) {
			for (const name of names) {
				const original = type.prototype[name];
				type.prototype[name] = function (...a) {
					if (calls.push(type.name + "." + name) === Number(at) || at === "all") {
						throw new DOMException("as the test has it", error);
					}
					return original.apply(this, a);
				};
			}
		}`})
	v.open(h.address)
	v.like(three...)
	want := answer(visit(t, three...), recommend.Request{})
	v.lists(want)
	v.likesStored(three...)
	trials := 0
	try := func(at, fault string) (calls int) {
		t.Helper()
		trials++
		see[bool](v, fmt.Sprintf("sessionStorage.setItem('fault', %s), true", quote(at+" "+fault)))
		v.reload()
		v.sees("searchbox", words.SearchLabel)
		if at == "all" {
			v.reads(map[string]string{"QuotaExceededError": words.StoreFull,
				"InvalidStateError": words.StoreBlocked}[fault])
			v.reads(words.StoredUnread)
		}
		calls = len(see[[]string](v, "calls"))
		see[bool](v, "sessionStorage.removeItem('fault'), true")
		v.reload()
		v.lists(want)
		v.likesStored(three...)
		return calls
	}
	for at := 1; ; at++ {
		if fault := storageExceptions[at%2]; try(fmt.Sprint(at), fault) < at {
			break
		}
	}
	for _, fault := range storageExceptions {
		try("all", fault)
	}
	if trials < 6 {
		t.Errorf("ran only %d trials", trials)
	}
	t.Logf("%d trials", trials)
	v.noErrors("console.warning: ", "as the test has it")
}

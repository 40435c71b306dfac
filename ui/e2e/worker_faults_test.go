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

// usage is what the browser has stored of the host, and the most that it may.
func (v *visitor) usage(h *host) (used, quota float64) {
	v.Helper()
	asked, err := chromedp.Call(v.ctx, storage.GetUsageAndQuota, storage.GetUsageAndQuotaParams{Origin: h.server.URL})
	v.must(err)
	return asked.Usage, asked.Quota
}

// setQuota lowers or raises what the browser may store of the host, in bytes.
func (v *visitor) setQuota(h *host, size float64) {
	v.Helper()
	_, err := chromedp.Call(v.ctx, storage.OverrideQuotaForOrigin,
		storage.OverrideQuotaForOriginParams{Origin: h.server.URL, QuotaSize: &size})
	v.must(err)
}

// A browser that has no more room for this site opens it all the same, with a network and without: from the copy that
// it has, with what was said. The page says that there is no room, in the visitor's language, and stops saying so once
// there is.
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
			until[bool](v, "the page to say no more that there is no room",
				"!document.body.innerText.includes("+quote(speaks.CopyFull)+")")
			v.noErrors()
		})
	}
}

// A browser that has no room for a copy of the site says so, and opens it from the network at every visit.
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

// storageExceptions are how a call of the worker's storage fails, beside that all caches are gone by then.
var storageExceptions = []string{"QuotaExceededError", "InvalidStateError"}

// storageMethods are what fails at every call, one after the other; "*" is all of them.
var storageMethods = []string{
	"CacheStorage.keys", "CacheStorage.match", "CacheStorage.open", "CacheStorage.delete", "Cache.keys", "Cache.match",
	"Cache.put",
	"LockManager.request", "Clients.get", "Clients.matchAll", "Clients.claim", "*",
}

// faultySite is the site whose workers fail: the small one, or with PMLAM_FAULTS the whole.
func faultySite() tinySite {
	if os.Getenv("PMLAM_FAULTS") == "" {
		return smallSite
	}
	return wholeSite
}

// faultyHost serves tiny sites whose workers fail as testdata/faults.js says, and a tab that visits them.
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

// outcome is what came of some trials.
type outcome struct {
	Kind   string
	Least  int // trials that there should be
	Trials int
	Wrong  []string
	Said   map[string]int // by what the page says of its copy, how often
}

func (o outcome) check(t *testing.T) {
	t.Helper()
	if o.Trials < o.Least {
		t.Errorf("%s: there were %d trials, want %d at least", o.Kind, o.Trials, o.Least)
	}
	for _, w := range o.Wrong {
		t.Error(w)
	}
	t.Logf("%s: %d trials; %v", o.Kind, o.Trials, o.Said)
}

// A site that is kept: every call of its worker's storage fails in turn, and every method at all its calls, with a
// network and without. No page is lost, and what the page says of its copy is so.
func TestEveryStorageCallFails(t *testing.T) {
	t.Parallel()
	v := faultyHost(t)
	for _, o := range see[[]outcome](v, fmt.Sprintf("faultTrials.returning(%s, %s, %s)", list(storageExceptions),
		list(storageMethods), quote(faultySite().stampsOf("one")))) {
		o.check(t)
	}
}

// The same of the first visit and the two after it, and of an update that is fetched and started while the storage
// fails: what starts is one release, whole.
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

// What becomes of one site is not told to the pages of another one of the same origin.
func TestSitesOfOneOrigin(t *testing.T) {
	t.Parallel()
	v := faultyHost(t)
	for _, o := range see[[]outcome](v, fmt.Sprintf("faultTrials.neighbours(%s)", quote(faultySite().stampsOf("one")))) {
		o.check(t)
	}
}

// Every call of IndexedDB by the page fails in turn: it stands all the same, says so where it cannot keep what is said,
// and what was said before is there again once nothing fails.
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
		t.Errorf("there were only %d trials", trials)
	}
	t.Logf("%d trials", trials)
	v.noErrors("console.warning: ", "as the test has it")
}

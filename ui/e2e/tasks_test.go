//go:build !js

package e2e

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"
)

// task is one task of the page's thread.
type task struct {
	Wall, CPU float64 // milliseconds of wall time and of CPU time
}

// event is an entry of the browser's trace.
type event struct {
	Name, Ph      string
	PID, TID      int
	TS, Dur, Tdur float64 // microseconds: start, duration, CPU time
	Args          struct{ Name string }
}

// trace runs f and returns the browser's trace of page threads: their activities, and marks set by scripts. It does not
// query the page, which would be traced too.
func (v *visitor) trace(f func()) (out []event) {
	v.Helper()
	var lock sync.Mutex
	var events []event
	done := make(chan struct{})
	ctx, stop := context.WithCancel(v.ctx)
	defer stop()
	if err := chromedp.Listen(ctx, func(e any) {
		switch e := e.(type) {
		case *tracing.EventDataCollected:
			lock.Lock()
			defer lock.Unlock()
			for _, raw := range e.Value {
				var x event
				if json.Unmarshal(raw, &x) == nil {
					events = append(events, x)
				}
			}
		case *tracing.EventTracingComplete:
			close(done)
		}
	}); err != nil {
		v.Fatal(err)
	}
	if _, err := chromedp.Call(v.ctx, tracing.Start, tracing.StartParams{
		TransferMode: tracing.StartTransferModeReportEvents,
		TraceConfig: &tracing.TraceConfig{
			IncludedCategories: []string{
				"devtools.timeline",
				"disabled-by-default-devtools.timeline",
				"blink.user_timing",
			},
			ExcludedCategories: []string{"*"},
		},
	}); err != nil {
		v.Fatal(err)
	}
	f()
	if _, err := chromedp.Call(v.ctx, tracing.End, cdp.Empty{}); err != nil {
		v.Fatal(err)
	}
	select {
	case <-done:
	case <-time.After(waitLimit):
		v.Fatal("the browser did not finish its trace")
	}
	lock.Lock()
	defer lock.Unlock()
	type thread struct{ pid, tid int }
	pages := map[thread]bool{}
	for _, e := range events {
		if e.Name == "thread_name" && e.Args.Name == "CrRendererMain" {
			pages[thread{e.PID, e.TID}] = true
		}
	}
	for _, e := range events {
		if pages[thread{e.PID, e.TID}] {
			out = append(out, e)
		}
	}
	slices.SortStableFunc(out, func(a, b event) int {
		return cmp.Or(cmp.Compare(a.TS, b.TS), cmp.Compare(b.Dur, a.Dur))
	})
	return out
}

// tasks runs f and returns the tasks of the page's thread until `rest` later, as recorded by the browser.
func (v *visitor) tasks(rest time.Duration, f func()) (out []task) {
	v.Helper()
	for _, e := range v.trace(func() { f(); time.Sleep(rest) }) {
		if e.Name == "RunTask" && e.Ph == "X" {
			out = append(out, task{e.Dur / 1000, e.Tdur / 1000})
		}
	}
	if len(out) == 0 {
		v.Fatal("the trace has no tasks of the page's thread")
	}
	return out
}

// spent is CPU time of the page's thread, in milliseconds.
type spent struct {
	All    float64
	Script float64 // the program, the scripts
	Style  float64 // style calculation and layout
	Paint  float64
}

// work runs f and returns the work of the page's thread until the mark of that name was set.
func (v *visitor) work(mark string, f func()) (sum spent) {
	v.Helper()
	all := v.trace(f)
	at := slices.IndexFunc(all, func(e event) bool { return e.Name == mark })
	if at < 0 {
		v.Fatalf("the page did not set the mark %q", mark)
	}
	var open []event // enclosing the current one
	for _, e := range all[:at] {
		if e.Ph != "X" || e.TID != all[at].TID || e.PID != all[at].PID {
			continue
		}
		for len(open) > 0 && open[len(open)-1].TS+open[len(open)-1].Dur <= e.TS {
			open = open[:len(open)-1]
		}
		took := e.Tdur / 1000
		if part := sum.of(e.Name); part != nil {
			*part += took
		}
		if len(open) == 0 {
			sum.All += took
		} else if part := sum.of(open[len(open)-1].Name); part != nil {
			*part -= took
		}
		open = append(open, e)
	}
	return sum
}

// of returns the part that events of this name belong to, or nil.
func (s *spent) of(name string) *float64 {
	switch name {
	case "FunctionCall", "EvaluateScript", "EventDispatch", "TimerFire", "FireAnimationFrame",
		"v8.callFunction", "v8.evaluateModule", "v8.compileModule":
		return &s.Script
	case "UpdateLayoutTree", "Layout":
		return &s.Style
	case "PrePaint", "Paint", "Layerize", "UpdateLayer", "Commit":
		return &s.Paint
	}
	return nil
}

// longest returns the maximum of the tasks, separately by each measure.
func longest(tasks []task) (most task) {
	for _, t := range tasks {
		most.Wall, most.CPU = max(most.Wall, t.Wall), max(most.CPU, t.CPU)
	}
	return most
}

// Scripts of a visitor's actions.
const (
	starterButton = `document.querySelectorAll("#app .starters-grid button")[%d].click()`
	cardButton    = `document.querySelector("#recommendations button[data-act=%s]").click()`
	slide         = `((s, v) => { s.value = v; s.dispatchEvent(new Event("input", { bubbles: true })); })(document.querySelectorAll(".slider input")[%d], %d)`
	typeIn        = `((s, v) => { s.value = v; s.dispatchEvent(new Event("input", { bubbles: true })); })(document.getElementById("search"), %s)`
	firstGenre    = `document.querySelector(".legend-item").click()`
	draw          = `(async (m) => { for (let i = 0; i < 20; i++) { m.pan(9 * Math.cos(i / 3), 14); await new Promise(requestAnimationFrame); } })(document.querySelector(".map-host").map)`
)

func pressing(name string) string {
	return fmt.Sprintf(`visitor.find("button", %s)[0].click()`, quote(name))
}

// walk returns a visitor's actions in order: names and scripts.
func walk(query string) (steps [][2]string) {
	do := func(name, script string) { steps = append(steps, [2]string{name, script}) }
	for i := range 3 {
		do("pick", fmt.Sprintf(starterButton, i))
	}
	for i := range query {
		do("type", fmt.Sprintf(typeIn, quote(query[:i+1])))
	}
	do("like what was found", `document.querySelector(".found button[data-act=like]").click()`)
	do("clear the search", pressing(words.ClearSearch))
	for range 5 {
		do("like", fmt.Sprintf(cardButton, "like"))
	}
	do("dislike", fmt.Sprintf(cardButton, "dislike"))
	do("seen", fmt.Sprintf(cardButton, "seen"))
	do("undo", pressing(words.Undo))
	do("why", fmt.Sprintf(cardButton, "why"))
	do("more", pressing(words.More))
	do("more", pressing(words.More))
	do("like in thirty", fmt.Sprintf(cardButton, "like"))
	do("alike", fmt.Sprintf(cardButton, "alike"))
	do("back", pressing(words.Back))
	do("ways", pressing(words.Filter(0)))
	for _, m := range []int{1, 2, 0} {
		do("mode", pressing(words.Modes[m]))
	}
	do("genre", firstGenre)
	do("all genres", firstGenre)
	for _, to := range []int{50, 0} {
		do("surprise", fmt.Sprintf(slide, 0, to))
		do("vary", fmt.Sprintf(slide, 1, to))
	}
	do("distances", pressing(words.ViewDistance))
	do("like by distance", fmt.Sprintf(cardButton, "like"))
	do("map", pressing(words.ViewMap))
	do("zoom", pressing(words.ZoomIn))
	do("zoom", pressing(words.ZoomIn))
	do("drag", draw)
	return steps
}

// programMemory makes the page keep a reference to the program's memory, the largest memory of its modules.
const programMemory = `
	globalThis.programMB = () => 0;
	for (const name of ["instantiate", "instantiateStreaming"]) {
		const made = WebAssembly[name];
		WebAssembly[name] = async (...given) => {
			const all = await made.apply(WebAssembly, given);
			const memory = (all.instance ?? all).exports.mem;
			if (memory !== undefined) {
				globalThis.programMB = () => memory.buffer.byteLength / 1e6;
			}
			return all;
		};
	}`

// BenchmarkTasks loads catalogues and performs a series of actions: the longest task during and after loading, in wall
// and CPU time, which a busy machine does not inflate; the milliseconds until the page is complete; and finally the
// memory of the program and of the page's scripts. -v shows each step.
func BenchmarkTasks(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			h := sizeHost(b, n)
			for b.Loop() {
				v := newVisitor(b, persona{Before: programMemory, Motion: true})
				since := time.Now()
				load := longest(v.tasks(500*time.Millisecond, func() { v.open(h.address) }))
				b.ReportMetric(float64(time.Since(since).Milliseconds()-500), "load-ms")
				b.ReportMetric(load.Wall, "load-task-ms")
				b.ReportMetric(load.CPU, "load-task-cpu-ms")
				v.settled() // the search index is ready
				var most task
				for _, s := range walk(see[string](v,
					`document.querySelector(".starters-grid .starter-title").textContent.slice(0, 7)`)) {
					got := longest(v.tasks(time.Duration(500+n/100)*time.Millisecond,
						func() { see[bool](v, s[1]+", true") }))
					b.Logf("%-20s %6.1f ms, %6.1f ms of CPU", s[0], got.Wall, got.CPU)
					most = longest([]task{most, got})
				}
				b.ReportMetric(most.Wall, "task-ms")
				b.ReportMetric(most.CPU, "task-cpu-ms")
				b.ReportMetric(see[float64](v, `programMB()`), "program-MB")
				b.ReportMetric(see[float64](v, `performance.memory.usedJSHeapSize / 1e6`), "scripts-MB")
			}
		})
	}
}

// BenchmarkImportTasks imports ten thousand ratings, agrees and undoes: the longest task of each step, in wall and CPU
// time.
func BenchmarkImportTasks(b *testing.B) {
	many := written(b, "ratings.csv", manyRows(10_000))
	for b.Loop() {
		v := newVisitor(b, persona{})
		v.open(ours.address)
		v.settled() // the search index is ready
		for _, step := range []struct {
			name string
			do   func()
		}{
			{"read", func() { v.chooseImport(many) }},
			{"agree", func() { see[bool](v, pressing(words.BringAgree)+", true") }},
			{"take-back", func() { see[bool](v, pressing(words.BringTakeBack)+", true") }},
		} {
			got := longest(v.tasks(4*time.Second, step.do))
			b.ReportMetric(got.Wall, step.name+"-ms")
			b.ReportMetric(got.CPU, step.name+"-cpu-ms")
		}
		v.sees("list", words.Starters)
	}
}

// sizes are the measured catalogue sizes: the site's own, and synthetic ones.
var sizes = []int{own, tenThousand, twoHundredThousand}

// own is the size of the site's own catalogue.
const own = 3708

// sizeHost serves the site with a catalogue of that size.
func sizeHost(b *testing.B, n int) *host {
	if n == own {
		return ours
	}
	h, _ := syntheticHost(b, n)
	return h
}

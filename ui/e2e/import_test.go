//go:build !js

package e2e

import (
	"archive/zip"
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/importer"
	"github.com/pmlam/pmlam/core/recommend"
	speech "github.com/pmlam/pmlam/ui/words"
)

// Each site's export format works: nothing is applied before the visitor agrees, then everything is, and it is undone
// in one step. Nothing is sent.
func TestImportFormats(t *testing.T) {
	t.Parallel()
	h := ownHost(t)
	v := newVisitor(t, persona{Requests: true})
	v.open(h.address)
	v.sees("list", words.Starters)
	v.siteStored() // the offline copy is complete
	sent, asked := len(v.requests()), h.count()
	for _, c := range []struct {
		file                  string
		from                  string
		reads                 []string
		likes, dislikes, seen []string
	}{
		{"letterboxd", words.BringFrom("Letterboxd", 14), []string{words.BringFound(11, 0, 1), words.BringWished(2)},
			ids(t, "Toy Story", "Heat", "Alien", "Léon: The Professional", "The Good, the Bad and the Ugly",
				"Jurassic Park", "Aliens"), ids(t, "Batman Forever"), ids(t, "Forrest Gump", "Seven", "Cinderella")},
		{"imdb.csv", words.BringFrom("IMDb", 6), []string{words.BringFound(5, 0, 0), words.BringSeries(1)},
			ids(t, "Toy Story", "Heat", "The Good, the Bad and the Ugly"), ids(t, "Batman Forever"),
			ids(t, "Forrest Gump")},
		{"imdb-old.csv", words.BringFrom("IMDb", 1), nil, ids(t, "Alien"), nil, nil},
		{"storygraph.csv", words.BringFrom("StoryGraph", 5), []string{words.BringWished(1)}, nil, nil,
			ids(t, "The Martian")},
		{"movielens.csv", words.BringFrom("MovieLens", 5), []string{words.BringFound(5, 0, 0)},
			ids(t, "Toy Story", "Heat", "Alien"), ids(t, "Batman Forever"), ids(t, "Forrest Gump")},
		{"movielens-site.csv", words.BringFrom("MovieLens", 3), []string{words.BringFound(3, 0, 0)},
			ids(t, "Toy Story", "Heat", "Alien"), nil, nil},
		{"semicolons.csv", words.BringFrom(words.BringTable, 4), []string{words.BringScale},
			ids(t, "Alien", "Heat"), ids(t, "Batman Forever"), nil},
		{"latin1.csv", words.BringFrom(words.BringTable, 3), nil,
			ids(t, "Léon: The Professional", "Amelie", "Alien"), nil, nil},
	} {
		v.chooseImport(export(t, c.file))
		v.reads(c.from)
		for _, text := range c.reads {
			v.reads(text)
		}
		if s := v.state(); len(s.Likes)+len(s.Dislikes)+len(s.Seen) > 0 {
			t.Fatalf("%s: marks were applied before the visitor agreed: %+v", c.file, s)
		}
		v.press(words.BringAgree)
		v.marksStored(c.likes, c.dislikes, c.seen)
		v.sees("button", words.Undo)
		v.press(words.BringTakeBack)
		v.marksStored(nil, nil, nil)
		v.misses("button", words.BringTakeBack)
	}
	v.chooseImport(export(t, "goodreads.csv"))
	v.reads(words.BringFound(0, 1, 3)) // a film of the same name as a book, three years later
	v.reads(words.BringWished(1))
	v.press(words.BringCancel)
	for _, address := range v.requests()[sent:] {
		t.Errorf("a request was sent for %s", address)
	}
	for _, request := range h.since(asked) {
		t.Errorf("the host received a request: %s", request)
	}
	v.noErrors()
}

// Uncertain matches are asked about; the meaning of ratings can be set; earlier marks stay; the undo reverses the whole
// import; and the list is the native one.
func TestImportReview(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	v.open(ours.address)
	v.like("Toy Story")
	v.chooseImport(export(t, "titles.csv"))
	v.reads(words.BringFound(0, 5, 0))

	// Two films are called Hamlet, so neither is matched; Heat is unique; and two names have a typo.
	hamlet := "Hamlet, 1990"
	v.attribute("button", words.BringNone, "aria-pressed", "true", "group", "Hamlet")
	v.attribute("button", hamlet, "aria-pressed", "false", "group", "Hamlet")
	v.attribute("button", "Heat, 1995", "aria-pressed", "true", "group", "Heat")
	v.attribute("button", "Jurassic Park, 1993", "aria-pressed", "false", "group", "Jurasic Park")
	v.reads(words.BringAdds(speech.Tally{Likes: 1, Kept: 1}))
	v.press(words.BringFirst)
	v.reads(words.BringAdds(speech.Tally{Likes: 3, Dislikes: 1, Kept: 1}))
	v.press(words.BringNoneOfAll)
	v.press(hamlet, "group", "Hamlet")
	v.press("Heat, 1995", "group", "Heat")
	v.press("The Lion King, 1994", "group", "The Lion Kng")
	v.press("Toy Story, 1995", "group", "Toy Story")
	v.reads(words.BringAdds(speech.Tally{Likes: 2, Dislikes: 1, Kept: 1}))
	v.press(words.BringOf("5", "5"), "group", words.BringLike)
	v.reads(words.BringAdds(speech.Tally{Likes: 1, Dislikes: 1, Seen: 1, Kept: 1}))
	v.press(words.BringNever, "group", words.BringDislike)
	v.reads(words.BringAdds(speech.Tally{Likes: 1, Seen: 2, Kept: 1}))
	v.press("10", "group", words.BringScale)
	v.reads(words.BringAdds(speech.Tally{Seen: 3, Kept: 1}))
	v.press("5", "group", words.BringScale)
	v.reads(words.BringAdds(speech.Tally{Likes: 1, Seen: 2, Kept: 1}))

	before := v.state()
	v.press(words.BringAgree)
	v.marksStored(append(ids(t, "Toy Story"), ids(t, "Hamlet 1990")...), nil, ids(t, "Heat", "The Lion King"))
	said := visit(t, "Toy Story", "Hamlet 1990")
	said.Seen = []int{find(t, "Heat"), find(t, "The Lion King")}
	said.Weights = weighs(find(t, "Hamlet 1990"), 1.5) // five stars
	v.lists(answer(said, recommend.Request{}))
	v.press(words.Undo)
	v.marksStored(before.Likes, nil, nil)
	v.misses("button", words.BringTakeBack)

	// After agreeing and a reload, the marks are still there.
	v.chooseImport(export(t, "imdb.csv"))
	v.press(words.BringAgree)
	v.marksStored(ids(t, "Toy Story", "Heat", "The Good, the Bad and the Ugly"), ids(t, "Batman Forever"),
		ids(t, "Forrest Gump"))
	v.reload()
	v.lists(answer(func() recommend.Visit {
		said := visit(t, "Toy Story", "Heat", "The Good, the Bad and the Ugly")
		said.Dislikes, said.Seen = visit(t, "Batman Forever").Likes, visit(t, "Forrest Gump").Likes
		said.Weights = weighs(find(t, "The Good, the Bad and the Ugly"), 1.25) // nine of ten
		return said
	}(), recommend.Request{}))
	v.noErrors()
}

// A file can be dropped anywhere, and the browser does not navigate to it.
func TestImportDropped(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{Width: 900, Height: 900})
	v.open(ours.address)
	v.sees("list", words.Starters)
	see[bool](v, `(() => {
		const data = new DataTransfer();
		data.items.add(new File(["Title,Year,Rating\nHeat,1995,5\nAlien,1979,5\n"], "mine.csv", { type: "text/csv" }));
		const target = document.querySelector("main");
		for (const type of ["dragover", "drop"]) {
			const event = new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true });
			target.dispatchEvent(event);
			if (!event.defaultPrevented) throw new Error(type + " is left to the browser");
		}
		return true;
	})()`)
	v.attribute("button", words.TabTaste, "aria-current", "page", "navigation", words.Views)
	v.reads(words.BringFound(2, 0, 0))
	v.press(words.BringAgree)
	v.marksStored(ids(t, "Heat", "Alien"), nil, nil)
	v.noErrors()
}

// Errors in a file are reported with file, line and column, nothing changes, and the next file works.
func TestImportBadFiles(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	v.open(ours.address)
	v.sees("list", words.Starters)
	problem := func(file string, line int, why importer.Reason, value ...string) string {
		return words.BringProblem(&importer.Error{File: file, Line: line, Reason: why, Value: strings.Join(value, "")})
	}
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	w, err := z.Create("ratings.csv")
	if err == nil {
		_, err = w.Write(manyRows(50))
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	b := packed.Bytes()
	b[len(b)/2] ^= 0x40
	for _, c := range []struct{ path, want string }{
		{written(t, "photo.csv", []byte("\x89PNG\r\n\x1a\n\x00\x00")), problem("photo.csv", 0, importer.NotText, "PNG")},
		{written(t, "nothing.csv", nil), problem("nothing.csv", 0, importer.Empty)},
		{written(t, "numbers.csv", []byte("a,b\n1,2\n")), problem("numbers.csv", 1, importer.NoTitle, "a, b")},
		{written(t, "cut.zip", b[:len(b)/2]), problem("cut.zip", 0, importer.ZipDamaged)},
		{written(t, "flipped.zip", b), problem("flipped.zip/ratings.csv", 0, importer.ZipDamaged)},
		{written(t, "huge.csv", make([]byte, importer.MaxBytes+1)), problem("huge.csv", 0, importer.TooLarge)},
		{export(t, "../../../assets/data/ml-latest-small/ratings.csv"), words.BringWrong[importer.ManyPeople]},
	} {
		v.chooseImport(c.path)
		v.reads(c.want)
		v.sees("alert", "")
	}
	v.chooseImport(written(t, "rows.csv", []byte("Title,Year,Rating\nHeat,1995,great\nAlien,1979,5\n")))
	v.reads(words.BringProblem(&importer.Error{File: "rows.csv", Line: 2, Column: "Rating", Value: "great",
		Reason: importer.NotARating}))
	v.reads(words.BringAdds(speech.Tally{Likes: 1}))
	v.press(words.BringCancel)
	v.chooseImport(written(t, "quote.csv", []byte("Title,Year,Rating\nHeat,1995,4\n\"Alien,5\nUp,2009,5\n")))
	v.reads(problem("quote.csv", 3, importer.OpenQuote))
	v.reads(words.BringAdds(speech.Tally{Likes: 2}))
	v.press(words.BringCancel)
	v.misses("button", words.BringAgree)
	if s := v.state(); len(s.Likes) > 0 {
		t.Errorf("after invalid files and a cancelled one, the likes are %q", s.Likes)
	}
	v.noErrors()
}

// manyRows is a table of n titles: the catalogue's, and others made of their words.
func manyRows(n int) []byte {
	r := rand.New(rand.NewPCG(1, 7))
	var b bytes.Buffer
	b.WriteString("Date,Name,Year,Letterboxd URI,Rating\n")
	word := func() string {
		w := strings.Fields(strings.NewReplacer(`"`, "", ",", "").Replace(native.Item(r.IntN(native.Len())).Title))
		return w[r.IntN(len(w))]
	}
	for i := range n {
		it := native.Item(i % native.Len())
		title, year := it.Title, it.Year
		if i >= native.Len() {
			title, year = word()+" "+word()+" "+word(), 1930+r.IntN(90)
		} else {
			title, _, _ = strings.Cut(title, " (")
		}
		fmt.Fprintf(&b, "2024-01-01,\"%s\",%d,https://boxd.it/%d,%.1f\n", strings.ReplaceAll(title, `"`, `""`), year, i,
			0.5*float64(1+r.IntN(10)))
	}
	return b.Bytes()
}

// longTasks records the page's longest task from now on, and importClock the time when a review appeared.
const longTasks = `
	globalThis.long = []; globalThis.reviewed = 0;
	new PerformanceObserver((list) => { for (const e of list.getEntries()) long.push([e.startTime, e.duration]); }).observe({ type: "longtask", buffered: true });
	new MutationObserver(() => {
		const stage = document.querySelector(".bring")?.dataset.stage;
		if (stage === "reviewing" && !reviewed) reviewed = performance.now();
		if (stage !== "reviewing") reviewed = 0;
	}).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-stage"] });`

// Ten thousand rows are read and matched; the visitor can stop in the middle, and nothing changes then.
func TestImportTenThousand(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{Before: longTasks})
	v.open(ours.address)
	v.sees("list", words.Starters)
	many := written(t, "ratings.csv", manyRows(10_000))
	// Stop immediately after the start.
	see[bool](v, `(() => {
		const o = new MutationObserver(() => {
			const stop = visitor.find("button", `+quote(words.BringStop)+`)[0];
			if (stop) { o.disconnect(); globalThis.stopped = true; stop.click(); }
		});
		o.observe(document.body, { subtree: true, childList: true });
		return true;
	})()`)
	v.chooseImport(many)
	until[bool](v, "the import to be stopped",
		`globalThis.stopped === true && document.querySelector(".bring").dataset.stage === "waiting"`)
	v.misses("button", words.BringAgree)

	start := see[float64](v, `performance.now()`)
	v.chooseImport(many)
	end := until[float64](v, "the review", `reviewed`)
	longest := 0.0
	for _, task := range see[[][2]float64](v, `long`) {
		if task[0] >= start {
			longest = max(longest, task[1])
		}
	}
	t.Logf("10,000 rows: %.0f ms from the file to the review; longest task: %.0f ms", end-start, longest)
	v.press(words.BringAgree)
	v.sees("button", words.BringTakeBack)
	v.sees("list", words.Recommendations)
	v.press(words.Undo)
	v.misses("button", words.BringTakeBack)
	v.sees("list", words.Starters)
	v.noErrors()
}

// The review is accessible, on a phone too.
func TestImportAccessibility(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	script := axe(t)
	for _, p := range []persona{{Width: 1440, Height: 900}, {Width: 360, Height: 740, Phone: true, Dark: true}} {
		t.Run(fmt.Sprintf("%d wide", p.Width), func(t *testing.T) {
			t.Parallel()
			v := newVisitor(t, p)
			v.open(ours.address)
			v.sees("list", words.Starters)
			v.press(words.BringInstead)
			v.wait("the focus where files are chosen", func() string {
				if got := see[[]string](v, "visitor.focused()"); !slices.Equal(got,
					[]string{"button", words.BringChoose}) {
					return fmt.Sprintf("it is on %q", got)
				}
				return ""
			})
			v.chooseImport(export(t, "titles.csv"), export(t, "letterboxd"))
			v.reads(words.BringWished(2))
			v.press(words.BringShowFound(11))
			v.press(words.BringShowMissing(1))
			see[bool](v, `(scrollTo(0, 0), true)`) // so that the tab bar does not partly cover targets
			v.accessible(script, "an import under review")
			v.checkNames("with an import under review")
			if got := see[[2]float64](v, `[innerWidth, document.documentElement.scrollWidth]`); got[1] > got[0] {
				t.Errorf("on a screen of %v px the page is %v px wide; rightmost: %s", got[0], got[1], v.widest())
			}
			v.chooseImport(written(t, "photo.csv", []byte("\x89PNG\x00")))
			v.sees("alert", "")
			v.accessible(script, "an import that failed")
			v.noErrors()
		})
	}
}

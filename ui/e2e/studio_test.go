//go:build !js

package e2e

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/pmlam/pmlam/server"
)

// The studio's own texts (ui/studio/words.js), as far as tests press them.
const (
	kitchenShop = "A kitchen shop 1,000 orders of 40 products"
	toTraining  = "On to the training"
	quickLook   = "A quick look"
	trainFully  = "Train fully"
	takeItHome  = "Take it home"
)

// studio is the site with the studio, built for the first test that needs it.
var studio struct {
	sync.Once
	handler http.Handler
	err     error
}

// buildStudio builds the owner's page, the studio around it, and the site with both.
func buildStudio(scratch string) (http.Handler, error) {
	config, err := siteConfig(filepath.Dir(built), filepath.Join(scratch, "site"))
	if err != nil {
		return nil, err
	}
	folder, page := filepath.Join(scratch, "studio"), filepath.Join(scratch, "page.zip")
	for _, command := range [][]string{
		{"go", "run", "./server/cmd/mkpage", "--cache", "build/compressed", "--program", config.With["assets/app.wasm"],
			"--wasm-exec", config.With["assets/js/loader/wasm_exec.js"], "--out", page},
		{".ci/studio", folder, page},
	} {
		c := exec.Command(command[0], command[1:]...)
		c.Dir = root
		if b, err := c.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", strings.Join(command, " "), err, b)
		}
	}
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			name, _ := filepath.Rel(folder, path)
			config.Copy["studio/"+filepath.ToSlash(name)] = path
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := publish(config); err != nil {
		return nil, err
	}
	return server.New(os.DirFS(config.Out), server.Options{})
}

// studioHost serves the site with the studio, for a single test.
func studioHost(t testing.TB) *host {
	t.Helper()
	needBrowser(t)
	studio.Do(func() {
		scratch, err := os.MkdirTemp(filepath.Dir(built), "studio-")
		if err == nil {
			studio.handler, err = buildStudio(scratch)
		}
		studio.err = err
	})
	if studio.err != nil {
		t.Fatal(studio.err)
	}
	h := serve("/", studio.handler)
	t.Cleanup(h.close)
	return h
}

// atStudio opens the studio and waits for its program.
func (v *visitor) atStudio(h *host) {
	v.Helper()
	v.must(v.driver.navigate(h.address + "studio/"))
	v.inStudio()
}

// againInStudio reloads the studio.
func (v *visitor) againInStudio() {
	v.Helper()
	v.must(v.driver.reload())
	v.inStudio()
}

func (v *visitor) inStudio() {
	v.Helper()
	until[bool](v, "the studio's steps", `document.querySelector(".steps a") !== null`)
}

// atStep waits until the studio shows this step and no call runs.
func (v *visitor) atStep(step string) {
	v.Helper()
	until[bool](v, "the step "+step, fmt.Sprintf(
		`document.getElementById("studio").dataset.step === %s && document.getElementById("studio").dataset.running === ""`,
		quote(step)))
}

// atWork waits until this call runs.
func (v *visitor) atWork(what string) {
	v.Helper()
	until[bool](v, "the call "+what, `document.getElementById("studio").dataset.running === `+quote(what))
}

// bring chooses files in the studio.
func (v *visitor) bring(files ...string) {
	v.Helper()
	v.must(v.driver.choose(`document.getElementById("choose")`, files...))
}

// framed waits until the preview is the page with this name, ready for picks.
func (v *visitor) framed(name string) {
	v.Helper()
	v.wait("the preview of "+name, func() string {
		got := see[string](v, `document.getElementById("frame")?.contentDocument?.querySelector("#app .brand")?.innerText ?? ""`)
		if strings.TrimSpace(got) != name {
			return fmt.Sprintf("it has %q", got)
		}
		return ""
	})
	until[bool](v, "the preview's first titles",
		`document.getElementById("frame").contentDocument.querySelectorAll("#app .starter").length > 2`)
}

// fill types into a field of the studio's form and leaves it.
func (v *visitor) fill(name, text string) {
	v.Helper()
	v.click("textbox", name)
	v.must(v.driver.selectAll())
	v.keys(text)
	see[bool](v, `document.activeElement.dispatchEvent(new Event("change"))`) // the drivers have no common key for it
}

// unzipped returns the files of a zip by name.
func unzipped(t testing.TB, b []byte) map[string][]byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if files[f.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// From a sample to the finished site, in each engine: what was understood, the training, the page at work in a frame,
// another name, the site as a zip, and all of it again after a reload.
func TestStudio(t *testing.T) {
	inEachEngine(t, func(t *testing.T, v *visitor, _ *host) {
		h, folder := studioHost(t), v.downloads()
		v.atStudio(h)
		v.press(kitchenShop)
		v.atStep("reading")
		v.reads("40 titles")
		v.reads("customer")
		v.press(toTraining)
		v.press(quickLook)
		v.atStep("site")
		v.framed("orders")
		v.fill("Name", "Kettle & Co.")
		v.framed("Kettle & Co.")
		v.atStep("site")
		v.press(takeItHome)
		v.reads("What becomes public")
		v.press("Download site.zip")
		_, b := v.file(folder, ".zip")
		files := unzipped(t, b)
		if page := string(files["index.html"]); !strings.Contains(page, "Kettle &amp; Co.") {
			t.Errorf("the site's page has another name: %.300s", page)
		}
		v.atStep("home")
		v.againInStudio()
		if _, webkit := v.driver.(*webkitDriver); webkit { // its session under automation may store no Blobs
			until[bool](v, "the studio again", `document.getElementById("choose") !== null ||
				document.body.innerText.includes("Found from your last visit")`)
		} else {
			v.reads("Found from your last visit: a trained model")
			see[bool](v, `(location.hash = "site", true)`)
			v.framed("Kettle & Co.")
		}
		v.noErrors()
	})
}

// brought is a file's name and content.
type brought struct{ name, content string }

// writeAll writes the files and returns their paths.
func writeAll(t testing.TB, files ...brought) (paths []string) {
	t.Helper()
	for _, f := range files {
		paths = append(paths, written(t, f.name, []byte(f.content)))
	}
	return paths
}

// interactions writes a line for each of the likes of users who each prefer one half of the items.
func interactions(header string, users, items, each int, line func(user, item, i int) string) string {
	var b strings.Builder
	b.WriteString(header + "\n")
	random := rand.New(rand.NewPCG(60, 0))
	for u := range users {
		for i, k := range random.Perm(items / 2)[:each] {
			b.WriteString(line(u, k*2+u%2, i) + "\n")
		}
	}
	return b.String()
}

// ratings is a plain file of this size.
func ratings(users, items, each int) brought {
	return brought{"ratings.csv", interactions("user,item,rating,time", users, items, each, func(u, k, i int) string {
		return fmt.Sprintf("u%d,i%d,%d,2026-%02d-%02d", u, k, 4+i%2, 1+i%12, 1+u%28)
	})}
}

// Owners' files are understood, or the studio asks; the page works with each.
func TestStudioOwners(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	orders := interactions("Name,Email,Financial Status,Created at,Lineitem quantity,Lineitem name,Lineitem sku", 40, 24, 8,
		func(u, k, i int) string {
			return fmt.Sprintf("#%d,anna%d@example.com,paid,2026-03-%02d 10:00:00 +0100,1,Lamp %d,SKU-%d", 1000+u, u, 1+i, k, k)
		}) + "#2000,,paid,2026-03-01 10:00:00 +0100,1,Lamp 1,SKU-1\n"
	products := "Handle,Title,Vendor,Type,Variant SKU,Variant Price,Cost per item,Status\n"
	for k := range 24 {
		products += fmt.Sprintf("lamp-%d,Lamp %d,Nine,Lamps,SKU-%d,%d.90,%d.10,active\n", k, k, k, 20+k, 5+k)
	}
	views := interactions("event_date,event_timestamp,event_name,user_pseudo_id,page_location,page_title", 40, 24, 8,
		func(u, k, i int) string {
			return fmt.Sprintf("2026030%d,17724975%02d000000,page_view,%d.17,https://weekly.example/p/%d/?utm=x,Story %d – Weekly",
				1+i, i, 9000+u, k, k)
		})
	games := interactions("Kunde;Spiel;Bewertung;Datum", 40, 24, 8, func(u, k, i int) string {
		return fmt.Sprintf("K%d;M\xfcnchen %d;%d,5;0%d.03.2026", u, k, 3+i%2, 1+i) // Latin-1
	})
	for name, files := range map[string][]brought{
		"orders with e-mails": {{"orders_export.csv", orders}, {"products.csv", products}},
		"page views":          {{"pv.csv", views}},
		"German ratings":      {{"bewertungen.csv", games}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := newVisitor(t, persona{NoCopy: false})
			v.atStudio(studioHost(t))
			v.bring(writeAll(t, files...)...)
			v.atStep("reading")
			if strings.Contains(name, "orders") {
				v.reads("Cost per item stays here")
			}
			v.press(toTraining)
			v.press(quickLook)
			v.atStep("site")
			until[bool](v, "the preview's first titles",
				`document.getElementById("frame")?.contentDocument?.querySelectorAll("#app .starter").length > 2`)
			v.noErrors()
		})
	}
}

// A training that is killed or reloaded at random moments goes on, and gives the model of one that was left alone.
func TestStudioKilled(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	paths := writeAll(t, ratings(120, 60, 12))
	models, h := make([][]byte, 2), studioHost(t)
	for i, kills := range []int{0, 6} {
		v := newVisitor(t, persona{})
		folder := v.downloads()
		v.atStudio(h)
		v.bring(paths...)
		v.atStep("reading")
		v.press(toTraining)
		v.press(trainFully)
		for range kills {
			v.reachedShare(rand.Float64())
			if rand.IntN(2) == 0 {
				v.must(v.driver.navigate("about:blank")) // as if the tab were closed
				v.atStudio(h)
			} else {
				v.againInStudio()
			}
		}
		v.framedAnything()
		v.atStep("site")
		v.press(takeItHome)
		v.press("Download model.msgpack")
		_, models[i] = v.file(folder, ".msgpack")
		v.noErrors()
	}
	if !bytes.Equal(models[0], models[1]) {
		t.Errorf("killed and left alone give different models, of %d and %d bytes", len(models[1]), len(models[0]))
	}
}

// reachedShare waits until the running stage has come this far, or the training is over.
func (v *visitor) reachedShare(share float64) {
	v.Helper()
	until[bool](v, "the training's progress", fmt.Sprintf(
		`document.querySelector("#studio[data-running=''] #to-site-button, #studio[data-step=site]") !== null ||
		document.querySelector(".progress progress")?.position >= %g`, share))
}

func (v *visitor) framedAnything() {
	v.Helper()
	until[bool](v, "the preview's first titles",
		`document.getElementById("frame")?.contentDocument?.querySelectorAll("#app .starter").length > 2`)
}

// A cancelled training stays as it is, also after a reload, until the visitor goes on with it.
func TestStudioCancel(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	v.atStudio(studioHost(t))
	v.bring(writeAll(t, ratings(120, 60, 12))...)
	v.atStep("reading")
	v.press(toTraining)
	v.press(trainFully)
	v.atWork("training")
	v.press("Cancel")
	v.atStep("training")
	v.announced("Cancelled. Nothing is lost.")
	v.againInStudio()
	v.atStep("training")
	v.press(trainFully)
	v.framedAnything()
	v.noErrors()
}

// Columns, lines and values that the command would ask about on a terminal are asked for in forms.
func TestStudioQuestions(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	v.atStudio(studioHost(t))
	n := 0
	lines := interactions("who,what,state", 30, 24, 8, func(u, k, i int) string {
		n++
		return fmt.Sprintf("a%d,b%d,%s", u, k, []string{"bought", "returned", "zork"}[n%3])
	})
	v.bring(writeAll(t, brought{"lines.csv", lines})...)
	v.reads("Which column is the user?")
	v.press("Go on") // the first column, and the first line has names
	v.reads("Which column is the title’s id?")
	see[bool](v, `(document.getElementById("answer-1").click(), true)`)
	v.press("Go on")
	v.reads("Which values of “state” mean that somebody likes the title?")
	see[bool](v, `([...document.querySelectorAll(".option")].find((o) => o.innerText.trim() === "bought").click(), true)`)
	v.press("Go on")
	v.atStep("reading")
	v.reads("29 users, 23 titles, 78 likes")
	v.noErrors()
}

// Files that cannot be read are refused with the command's sentence, where other files can be chosen.
func TestStudioWrongFile(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	v.atStudio(studioHost(t))
	for _, wrong := range []struct {
		file brought
		text string
	}{
		{brought{"empty.csv", ""}, "empty.csv"},
	} {
		v.bring(writeAll(t, wrong.file)...)
		v.atStep("files")
		until[bool](v, "the sentence about "+wrong.file.name,
			`document.querySelector("[role=alert]")?.innerText.includes(`+quote(wrong.text)+`)`)
	}
	v.bring(writeAll(t, brought{"a", "1"}, brought{"b", "2"}, brought{"c", "3"})...)
	v.reads("These are 3 files; bring one or two, or a zip of them.")
	v.press(kitchenShop)
	v.atStep("reading")
	v.reads("40 titles")
	v.noErrors()
}

// A second tab says that the studio is open elsewhere, and takes over once the first is closed.
func TestStudioTwoTabs(t *testing.T) {
	t.Parallel()
	a := newVisitor(t, persona{})
	h := studioHost(t)
	a.atStudio(h)
	a.press(kitchenShop)
	a.atStep("reading")
	b := a.anotherTab()
	b.must(b.driver.navigate(h.address + "studio/"))
	b.reads("The studio is open in another tab")
	a.must(a.driver.navigate("about:blank"))
	b.inStudio()
	b.reads("40 titles")
	b.noErrors()
}

// After the first visit everything works without a network, and nothing is asked of one.
func TestStudioOffline(t *testing.T) {
	t.Parallel()
	h := studioHost(t)
	v := newVisitor(t, persona{})
	v.atStudio(h)
	until[bool](v, "the copy for use without a network", `document.documentElement.dataset.offline === "kept"`)
	v.down(h)
	v.againInStudio()
	v.bring(writeAll(t, ratings(60, 30, 8))...)
	v.atStep("reading")
	v.press(toTraining)
	v.press(quickLook)
	v.framedAnything()
	v.press(takeItHome)
	folder := v.downloads()
	v.press("Download model.msgpack")
	if _, b := v.file(folder, ".msgpack"); len(b) == 0 {
		t.Error("the model is empty")
	}
}

// Without room for its data, the studio says so and goes on in memory.
func TestStudioOverQuota(t *testing.T) {
	t.Parallel()
	h := studioHost(t)
	v := newVisitor(t, persona{})
	v.setQuota(h, 1)
	v.atStudio(h)
	v.bring(writeAll(t, ratings(60, 30, 8))...)
	v.atStep("reading")
	v.reads("This browser keeps nothing for this page")
	v.press(toTraining)
	v.press(quickLook)
	v.atWork("")
	folder := v.downloads()
	v.press(takeItHome)
	v.press("Download model.msgpack")
	if _, b := v.file(folder, ".msgpack"); len(b) == 0 {
		t.Error("the model is empty")
	}
}

// Newer files refresh the model.
func TestStudioRefresh(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	v.atStudio(studioHost(t))
	v.bring(writeAll(t, ratings(60, 30, 8))...)
	v.atStep("reading")
	v.press(toTraining)
	v.press(trainFully)
	v.framedAnything()
	v.againInStudio()
	v.framedAnything()
	see[bool](v, `(location.hash = "files", true)`)
	v.atStep("files")
	v.bring(writeAll(t, ratings(66, 30, 8))...)
	v.press("Newer files: refresh my model")
	v.atStep("site")
	v.framedAnything()
	v.noErrors()
}

// No step breaks a rule of axe-core, in English and light, and in German, dark, on a phone.
func TestStudioAccessibility(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	script := axe(t)
	for name, p := range map[string]persona{
		"a desktop":      {},
		"a German phone": {Width: 390, Height: 844, Phone: true, Dark: true, Language: inGerman()},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := newVisitor(t, p)
			v.atStudio(studioHost(t))
			v.accessible(script, "the files")
			v.bring(writeAll(t, brought{"pages.csv", "a;b;c\n1;2;3\n4;5;6\n"})...)
			until[bool](v, "a question or a refusal", `document.querySelector(".question, [role=alert]") !== null`)
			v.accessible(script, "a question")
			see[bool](v, `(location.hash = "files", true)`)
			until[bool](v, "the choice of files", `document.getElementById("choose") !== null`)
			v.bring(writeAll(t, ratings(120, 60, 12))...)
			until[bool](v, "the columns", `document.querySelector("table") !== null`)
			v.accessible(script, "the columns")
			see[bool](v, `(document.getElementById("next").click(), true)`)
			v.accessible(script, "before the training")
			see[bool](v, `(document.getElementById("full").click(), true)`)
			until[bool](v, "the training's figures", `document.querySelector(".progress-figure:not([hidden])") !== null`)
			v.accessible(script, "the training")
			v.framedAnything()
			v.atStep("site")
			v.accessible(script, "the page")
			see[bool](v, `(document.getElementById("next").click(), true)`)
			v.accessible(script, "the downloads")
			if wide := see[bool](v, `document.documentElement.scrollWidth > innerWidth`); wide {
				t.Error("the downloads are wider than the screen")
			}
		})
	}
}

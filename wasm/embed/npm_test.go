//go:build !js

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/pmlam/pmlam/server/sitetest"
	"github.com/pmlam/pmlam/wasm/internal/jstest"
)

// The package is packed as for npm, installed into a clean project and used there: under node, by TypeScript and by two
// bundlers of tools/package.json.
func TestInstalledFromNPM(t *testing.T) {
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skip("SKIPPED: npm is not installed (apt-get install npm), so the package was neither packed nor installed")
	}
	project := t.TempDir()
	call := func(t *testing.T, dir, name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		var problems strings.Builder
		cmd.Stderr = &problems
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s %q: %v\n%s%s", filepath.Base(name), args, err, out, problems.String())
		}
		return string(out)
	}
	var packed []struct {
		Filename, Version string
		Files             []struct{ Path string }
	}
	listed := call(t, built(t), npm, "pack", "--json", "--pack-destination", project)
	if err := json.Unmarshal([]byte(listed), &packed); err != nil || len(packed) != 1 {
		t.Fatalf("npm pack: %v: %s", err, listed)
	}
	for _, want := range []string{"pmlam.js", "pmlam.d.ts", "components.js", "wasm_exec.js", "embed.wasm", "kernel.wasm",
		"LICENSE", "NOTICE", "README.md"} {
		if !slices.ContainsFunc(packed[0].Files, func(f struct{ Path string }) bool { return f.Path == want }) {
			t.Errorf("the package lacks %s: %v", want, packed[0].Files)
		}
	}
	command := string(jstest.Read(t, "core/train/options.go"))
	if !strings.Contains(command, `var Version = "`+packed[0].Version+`"`) {
		t.Errorf("the package has version %s, unlike the command; change package.json", packed[0].Version)
	}
	model := filepath.Join(jstest.Root(t), "assets/models/movielens.msgpack")
	for name, content := range map[string]string{
		"package.json": `{"private": true, "type": "module"}`,
		"run.js": `import { open } from "@pmlam/recommender";
			import "@pmlam/recommender/components"; // as a server-side rendering framework does
			const films = await open(process.argv[2]);
			console.log(JSON.stringify(films.recommend({ likes: [1, 6, 1214] }).items.map((item) => item.id)));`,
		"bundled.js": `import { open } from "@pmlam/recommender";
			import program from "@pmlam/recommender/embed.wasm";
			const films = await open(process.argv[2], { program: new URL(program, import.meta.url) });
			console.log(JSON.stringify(films.recommend({ likes: [1, 6, 1214] }).items.map((item) => item.id)));`,
		"types.ts":      types,
		"tsconfig.json": tsconfig,
		"index.html": `<!doctype html><html><head><title></title><link rel="icon" href="data:,">
			<script type="module" src="./page.js"></script></head><body></body></html>`,
		"page.js": `import { open } from "@pmlam/recommender";
			import "@pmlam/recommender/components";
			open("model.msgpack").then((films) => {
				const items = films.recommend({ likes: [1, 6, 1214] }).items.map((item) => item.id);
				document.title = JSON.stringify({ items, scan: films.about().scan });
			}, (error) => (document.title = error.message));`,
	} {
		if err := os.WriteFile(filepath.Join(project, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	call(t, project, npm, "install", "--offline", "--no-audit", "--no-fund", packed[0].Filename)
	native, err := json.Marshal(likesThree(t, model))
	if err != nil {
		t.Fatal(err)
	}
	want := string(native)

	t.Run("node", func(t *testing.T) {
		out := jstest.RunNode(t, nil, filepath.Join(project, "run.js"), model)
		if got := strings.TrimSpace(out); got != want {
			t.Errorf("node printed %s, want %s", got, want)
		}
	})
	tool := func(t *testing.T, name string) string {
		t.Helper()
		path := filepath.Join(jstest.Root(t), "wasm/embed/tools/node_modules/.bin", name)
		if _, err := os.Stat(path); err != nil {
			t.Skipf("SKIPPED: %s is not installed (npm ci --prefix wasm/embed/tools), so the package was not tested with it",
				name)
		}
		return path
	}
	t.Run("TypeScript", func(t *testing.T) { call(t, project, tool(t, "tsc"), "--project", ".") })
	t.Run("esbuild", func(t *testing.T) {
		call(t, project, tool(t, "esbuild"), "bundled.js", "--bundle", "--format=esm", "--loader:.wasm=file",
			"--outdir=esbuild", "--log-level=warning")
		out := jstest.RunNode(t, nil, filepath.Join(project, "esbuild", "bundled.js"), model)
		if got := strings.TrimSpace(out); got != want {
			t.Errorf("bundled by esbuild: %s, want %s", got, want)
		}
	})
	t.Run("Vite", func(t *testing.T) {
		call(t, project, tool(t, "vite"), "build", "--base", "./", "--outDir", "vite", "--logLevel", "warn")
		files := map[string][]byte{"model.msgpack": jstest.ReadFile(t, model)}
		for _, pattern := range []string{"*.html", "assets/*"} {
			found, err := filepath.Glob(filepath.Join(project, "vite", pattern))
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range found {
				name, err := filepath.Rel(filepath.Join(project, "vite"), file)
				if err != nil {
					t.Fatal(err)
				}
				files[filepath.ToSlash(name)] = jstest.ReadFile(t, file)
			}
		}
		files[""] = files["index.html"]
		for name, content := range files {
			if bytes.Contains(content, []byte("data:application/wasm")) {
				t.Errorf("%s embeds WebAssembly as a data: URL, which a strict policy blocks", name)
			}
		}
		tab := jstest.Chromium(t, 2*time.Minute)
		if err := chromedp.Do(tab, chromedp.Navigate((&sitetest.Site{Files: files}).Serve(t))); err != nil {
			t.Fatal(err)
		}
		title, err := untilTitled(tab)
		if err != nil {
			t.Fatal(err)
		}
		if title != `{"items":`+want+`,"scan":"simd"}` {
			t.Errorf("bundled by Vite: %s, want %s by simd", title, want)
		}
	})
}

const tsconfig = `{"compilerOptions": {"strict": true, "noEmit": true, "target": "es2022", "module": "nodenext",
	"moduleResolution": "nodenext", "lib": ["es2022", "dom", "dom.iterable"], "types": [], "skipLibCheck": false},
	"files": ["types.ts"]}`

// The program must compile, except the lines after "@ts-expect-error".
const types = `import { interleave, log, open, openChunked, Profile, RecommenderError, shown, variant } from "@pmlam/recommender";
import type { ErrorCode, ExportedLog, Item, Suggestion } from "@pmlam/recommender";
import { clicked, liked } from "@pmlam/recommender/experiment";
import { visitor } from "@pmlam/recommender/components";

const films = await open(new URL("https://example.org/model.msgpack"), { kernel: null });
const profile: Profile = Profile.restore({});
profile.mark(6, "like");
const { items, unknown } = films.recommend({ ...profile.marks, k: 6, mode: "hidden-gems", where: { price: 3 } });
const first: Suggestion = items[0];
const price: string | undefined = first.columns.price;
const why: Item[] = first.because;
const ids: string[] = unknown;
films.similar(first, 5);
films.recommend({ likes: [6n, { id: 1n }, { id: 2 }], where: { price: 3n } });
profile.of(6n) === visitor.of(7n);
films.together({ likes: ["1"] }, { likes: [items[0]] }).items[0].each[1].certainty === "very sure";
films.search("heat", 3).items[0].score.toFixed();
try {
  films.item("1");
} catch (error) {
  if (error instanceof RecommenderError) {
    const code: ErrorCode = error.code;
    code satisfies string;
  }
}
visitor.consent = true;
const which: "plain" | "genres" = variant("ranking", ["plain", "genres"]);
const mixed = interleave(items, films.recommend({}).items, { seed: 1, k: 6, teams: ["old", "new"], atMost: null });
const team: "old" | "new" = mixed[0].team;
shown("home", mixed);
shown(which, ["1", 2, 3n, { id: 4n }]);
const counted: boolean = clicked("home", mixed[0]) && liked("1");
const sent: ExportedLog = log({ keys: false, keep: true });
sent.sessions[0].events.forEach((event) => event.event === "shown" && event.teams?.length);
interleave(["1"], ["2"])[0].team satisfies "a" | "b";
document.querySelector("pmlam-recommendations")?.addEventListener("pmlam-ready", (event) => event.detail.items[0].title);
const chunks = await openChunked("model", { kernel: null });
(await chunks.recommend({ likes: ["1"], k: 5 })).items[0].because[0].share.toFixed();
(await chunks.similar("1", 3)).unknown.length === chunks.length;
(await chunks.search("heat", 3)).items[0].score === (await chunks.find("Heat")).genres.length;
chunks.close();
films.close();
export { price, why, ids, team, counted };

// @ts-expect-error
films.recommend({ like: ["1"] });
// @ts-expect-error
films.recommend({ mode: "sideways" });
// @ts-expect-error
profile.mark("6", "love");
// @ts-expect-error
await open("m", { programm: "" });
// @ts-expect-error
variant("ranking", ["plain", "genres"]) === "other";
// @ts-expect-error
log({ key: false });
// @ts-expect-error
(await chunks.search("heat")).items[0].genres;
`

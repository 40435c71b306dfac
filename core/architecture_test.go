// Package core_test holds the code to docs/architecture.md: what the browser links, how the page's features import one
// another, and the functions that its tour names.
package core_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/pmlam/pmlam/"

// above are the packages that the browser's programs link, each after those that it imports. below are all others of
// core. Nothing above imports anything below.
var (
	above = []string{
		"brief",
		"yield",
		"internal/vec",
		"internal/durable",
		"internal/topk",
		"internal/digest",
		"catalogue",
		"gaussian",
		"margin",
		"model",
		"importer",
		"recommend",
		"chunks",
	}
	below = []string{
		"internal/parallel",
		"internal/cosine",
		"internal/cuda",
		"internal/oddtest",
		"internal/people",
		"internal/cli",
		"dataset",
		"delta",
		"eval",
		"abtest",
		"export",
		"tastemap",
		"siteconfig",
		"publish",
		"related", "sequence",
		"training",
		"pmlam",
		"baseline",
		"coldstart",
		"train",
		"refresh",
		"scoring",
		"chunks/writer",
		"cmd",
	}
)

// TestBrowserLine checks that no package above the line depends on one below it, and that the browser's programs link
// nothing below it.
func TestBrowserLine(t *testing.T) {
	for _, target := range []struct {
		name     string
		env      []string
		packages []string
	}{
		{"native", nil, roots("./core/", above)},
		{"browser", []string{"GOOS=js", "GOARCH=wasm"}, []string{"./wasm", "./wasm/embed"}},
	} {
		deps := goList(t, target.env, append([]string{"-deps"}, target.packages...))
		for _, dep := range deps {
			dir, ours := strings.CutPrefix(dep, module+"core/")
			if ours && side(dir) != "above" {
				t.Errorf("%s: %s is linked, which is %s the line", target.name, dep, side(dir))
			}
		}
	}
}

// TestTrainingNeedsNoTerminal checks that core/train can be linked by any program: it draws and parses nothing on a
// terminal, and compiles for browsers with the tag train.
func TestTrainingNeedsNoTerminal(t *testing.T) {
	for _, dep := range goList(t, nil, []string{"-deps", "./core/train/..."}) {
		if dir, _ := strings.CutPrefix(dep, module); strings.HasPrefix(dir, "core/internal/cli") ||
			strings.Contains(dep, "/spf13/") || strings.Contains(dep, "/vbauerster/") || strings.HasSuffix(dep, "x/term") {
			t.Errorf("core/train links %s", dep)
		}
	}
	cmd := exec.Command("go", "build", "-tags", "train", "./core/train/...")
	cmd.Dir, cmd.Env = "..", append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("core/train does not compile for browsers: %v\n%s", err, out)
	}
}

// TestEveryPackageHasASide checks that each package of core stands on one side of the line.
func TestEveryPackageHasASide(t *testing.T) {
	for _, p := range goList(t, nil, []string{"./core/..."}) {
		if dir, ok := strings.CutPrefix(p, module+"core/"); ok && side(dir) == "on neither side of" {
			t.Errorf("core/%s is in neither list of this file", dir)
		}
	}
}

// page are the packages of ui that the page's program links, each after those that it imports: first what knows nothing
// of a visit, then the store, then the features. Features hear of one another through the store's events, so none has to
// know one that stands below it.
var page = []string{
	"share",
	"keep",
	"words",
	"browser",
	"visit",
	"address",
	"icons",
	"markup",
	"internal/node",
	"blocks",
	"titles",
	"tasks",
	"store",
	"tabs",
	"undo",
	"marking",
	"tuning",
	"people",
	"list",
	"search",
	"mapview",
	"importing",
	"starters",
	"pair",
	"week",
	"after",
	"history",
	"sharing",
	"taste",
	"offline",
	"looks",
	"data",
	"", // ui itself: the whole page
}

// TestFeaturesImportDownward checks that the packages of the page import only those that stand before them in the list,
// and that each is in it.
func TestFeaturesImportDownward(t *testing.T) {
	position := func(path string) (int, bool) {
		dir, ours := strings.CutPrefix(path, module+"ui")
		return slices.Index(page, strings.TrimPrefix(dir, "/")), ours
	}
	seen := map[int]bool{}
	for _, env := range [][]string{nil, {"GOOS=js", "GOARCH=wasm"}} {
		format := "{{.ImportPath}}{{range .Imports}},{{.}}{{end}}"
		for _, line := range goList(t, env, []string{"-f", format, "-deps", "./ui"}) {
			path, imports, _ := strings.Cut(line, ",")
			at, ours := position(path)
			if !ours {
				continue
			}
			if at < 0 {
				t.Errorf("%s is not in the list of this file", path)
				continue
			}
			seen[at] = true
			for _, imported := range strings.Split(imports, ",") {
				if below, ours := position(imported); ours && below >= at {
					t.Errorf("%s imports %s, which does not stand before it", path, imported)
				}
			}
		}
	}
	for at, dir := range page {
		if !seen[at] {
			t.Errorf("ui/%s is in the list, but the page does not link it", dir)
		}
	}
}

// TestProductLinksNoLaboratory checks that neither the command nor any other package of the product depends on the
// laboratory or on the libraries that only studies need.
func TestProductLinksNoLaboratory(t *testing.T) {
	for _, dep := range goList(t, nil, []string{"-deps", "-test", "./..."}) {
		for _, lab := range []string{module + "core/lab", "github.com/c-bata/goptuna", "gonum.org/v1/plot"} {
			if dep == lab || strings.HasPrefix(dep, lab+"/") {
				t.Errorf("the product depends on %s", dep)
			}
		}
	}
}

// TestEnvironmentIsDocumented checks that CONTRIBUTING.md lists the variables that tests and studies read, and no others.
func TestEnvironmentIsDocumented(t *testing.T) {
	page, err := os.ReadFile("../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^ *\\| `(PMLAM_[A-Z_]+)` \\|").FindAllSubmatch(page, -1) {
		documented[string(row[1])] = false
	}
	out, err := exec.Command("git", "-C", "..", "grep", "-ohwE", "PMLAM_[A-Z][A-Z_]*", "--", ":!CONTRIBUTING.md",
		":!CHANGELOG.md").Output()
	if err != nil {
		t.Skipf("SKIPPED: git cannot search the tree: %v", err)
	}
	for _, name := range strings.Fields(string(out)) {
		if _, ok := documented[name]; ok {
			documented[name] = true
		} else if !strings.HasPrefix(name, "PMLAM_TEST_") {
			t.Errorf("%s is read somewhere, and not in the table of CONTRIBUTING.md", name)
			documented[name] = true
		}
	}
	for name, used := range documented {
		if !used {
			t.Errorf("CONTRIBUTING.md lists %s, which nothing reads", name)
		}
	}
}

func side(dir string) string {
	// The longest name decides: chunks/writer stands below, the rest of chunks above.
	longest, found := 0, "on neither side of"
	for name, list := range map[string][]string{"above": above, "below": below} {
		for _, p := range list {
			if (dir == p || strings.HasPrefix(dir, p+"/")) && len(p) > longest {
				longest, found = len(p), name
			}
		}
	}
	return found
}

func roots(prefix string, dirs []string) (out []string) {
	for _, d := range dirs {
		out = append(out, prefix+d)
	}
	return out
}

func goList(t *testing.T, env, args []string) []string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list"}, args...)...)
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), env...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list %v: %v", args, err)
	}
	return strings.Fields(string(out))
}

// step is how the tour writes a function or method: `dataset.Load`, `pmlam.Trainer.Run`, or `map/map.js: createMap`.
var step = regexp.MustCompile("`([a-z]\\w*)\\.(\\w+(?:\\.\\w+)?)`|`([\\w/-]+\\.js): (\\w+)`")

// TestTourNamesExist checks that every function which the tour of docs/architecture.md names exists.
func TestTourNamesExist(t *testing.T) {
	text, err := os.ReadFile("../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, tour, ok := strings.Cut(string(text), "\n## A tour\n")
	if !ok {
		t.Fatal("docs/architecture.md has no section \"A tour\"")
	}
	tour, _, _ = strings.Cut(tour, "\n## ")
	declared := declarations(t)
	steps := step.FindAllStringSubmatch(tour, -1)
	if len(steps) < 40 {
		t.Errorf("the tour has %d steps, want both ways in full", len(steps))
	}
	for _, s := range steps {
		if s[3] != "" {
			js, err := os.ReadFile(filepath.Join("../assets/js", s[3]))
			if err != nil {
				t.Errorf("%s: %v", s[0], err)
			} else if !regexp.MustCompile(`\b` + s[4] + `\b\s*(\(|=)`).Match(js) {
				t.Errorf("%s: assets/js/%s has no function %s", s[0], s[3], s[4])
			}
			continue
		}
		if !declared[s[1]+"."+s[2]] {
			t.Errorf("%s: no package %s of this module declares %s", s[0], s[1], s[2])
		}
	}
}

// declarations returns package.Function, package.Type and package.Type.Method of all Go files of the module but tests.
func declarations(t *testing.T) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && name != ".." &&
			(strings.HasPrefix(name, ".") || name == "build" || name == "node_modules" || name == "testdata") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		pkg := file.Name.Name
		if pkg == "main" {
			pkg = filepath.Base(filepath.Dir(path))
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				name := d.Name.Name
				if d.Recv != nil {
					name = receiver(d.Recv.List[0].Type) + "." + name
				}
				out[pkg+"."+name] = true
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, ok := s.(*ast.TypeSpec); ok {
						out[pkg+"."+s.Name.Name] = true
						if i, ok := s.Type.(*ast.InterfaceType); ok {
							for _, m := range i.Methods.List {
								for _, n := range m.Names {
									out[pkg+"."+s.Name.Name+"."+n.Name] = true
								}
							}
						}
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

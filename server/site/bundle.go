package site

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/js"
)

// bundleAttribute marks a module script of the page that is published as one file with all modules that it imports, so
// that browsers do not fetch, check and link dozens of small ones. Workers that it names are bundled as well.
const bundleAttribute = "data-bundle"

// statement finds the imports and exports of a module, which begin lines.
var statement = regexp.MustCompile(`(?m)^(import|export)\b`)

// bundle joins the module at entry with the modules that it imports, in the order in which browsers run them. Each
// becomes a function that returns its exports; so an exported name must be declared once, by const, function or class.
// Comments are left out.
type bundle struct {
	b       *builder
	entry   string
	out     bytes.Buffer
	numbers map[string]int // address → number of the module's function, from 1
	path    []string       // modules being added, outermost first: detects cycles
}

// bundled returns the content of the bundle of this entry.
func (b *builder) bundled(entry string) ([]byte, error) {
	all := &bundle{b: b, entry: entry, numbers: map[string]int{}}
	if err := all.add(entry); err != nil {
		return nil, err
	}
	return all.out.Bytes(), nil
}

// add appends a module after its imports, unless it is there already.
func (a *bundle) add(address string) error {
	if a.numbers[address] > 0 {
		return nil
	}
	if i := slices.Index(a.path, address); i >= 0 {
		return fmt.Errorf("%s import one another in a circle: move the shared code to another file",
			strings.Join(append(a.path[i:], address), " → "))
	}
	a.path = append(a.path, address)
	defer func() { a.path = a.path[:len(a.path)-1] }()
	f, err := a.b.read(address)
	if err != nil {
		return err
	}
	edits, exports, err := a.edits(address, f.content)
	if err != nil {
		return place(a.b.disk(address), f.content, err)
	}
	n := len(a.numbers) + 1
	a.numbers[address] = n
	fmt.Fprintf(&a.out, "const $%d = (() => {\n%s\nreturn { %s };\n})();\n", n,
		bytes.TrimSpace(withoutComments(apply(f.content, edits))), strings.Join(exports, ", "))
	a.b.parts = append(a.b.parts, address)
	return nil
}

// edits adds the imports of a module, and returns the edits that turn it into a function's body, and its exports.
func (a *bundle) edits(address string, content []byte) (edits []edit, exports []string, err error) {
	refs, err := scanJS(content)
	if err != nil {
		return nil, nil, err
	}
	tree, _ := js.Parse(parse.NewInputBytes(bytes.Clone(content)), js.Options{}) // scanJS reports errors
	places := statement.FindAllIndex(content, -1)
	for _, s := range tree.List {
		imported, isImport := s.(*js.ImportStmt)
		exported, isExport := s.(*js.ExportStmt)
		if !isImport && !isExport {
			continue
		}
		if len(places) == 0 {
			return nil, nil, mistakef(0, "an import or export does not begin its line")
		}
		start := places[0][0]
		places = places[1:]
		if isExport {
			names, err := exportedNames(exported)
			if err != nil {
				return nil, nil, mistakef(start, "%v", err)
			}
			exports = append(exports, names...)
			edits = append(edits, edit{start, start + len("export "), ""})
			continue
		}
		if imported.Default != nil {
			return nil, nil, mistakef(start, "a bundle cannot contain default imports: import { name } instead")
		}
		i := slices.IndexFunc(refs, func(r reference) bool { return r.start > start })
		to, err := refs[i].target(address)
		if err != nil {
			return nil, nil, err
		}
		switch err := a.add(to); {
		case errors.Is(err, fs.ErrNotExist):
			return nil, nil, mistakef(refs[i].start, "%s does not exist; expected at %s", refs[i].address, a.b.disk(to))
		case err != nil:
			return nil, nil, err
		}
		edits = append(edits, edit{start, refs[i].end + 1, a.imports(imported, to)})
		refs = slices.Delete(refs, i, i+1)
	}
	if len(places) > 0 {
		return nil, nil, mistakef(places[0][0], "a line begins like an import or export but is none: indent it")
	}
	for _, r := range refs { // as seen from the bundle
		to, err := r.target(address)
		if err != nil {
			return nil, nil, err
		}
		if to == "" {
			continue
		}
		rel, err := filepath.Rel(path.Dir(a.entry), to)
		if err != nil {
			return nil, nil, err
		}
		edits = append(edits, edit{r.start, r.end, "./" + filepath.ToSlash(rel)})
	}
	slices.SortFunc(edits, func(x, y edit) int { return x.start - y.start })
	return edits, exports, nil
}

// comment finds comments on lines of their own.
var comment = regexp.MustCompile(`(?m)(?:^[ \t]*//.*\n)+|^[ \t]*/\*\*(?s:.*?)\*/\n`)

// withoutComments returns a script without comments on lines of their own, except copyright notices. A script with a
// string that looks like one is unchanged.
func withoutComments(content []byte) []byte {
	less := comment.ReplaceAllFunc(content, func(c []byte) []byte {
		if bytes.Contains(c, []byte("Copyright")) {
			return c
		}
		return nil
	})
	before, err := js.Parse(parse.NewInputBytes(bytes.Clone(content)), js.Options{})
	if err != nil {
		return content
	}
	after, err := js.Parse(parse.NewInputBytes(bytes.Clone(less)), js.Options{})
	if err != nil || after.JSString() != before.JSString() {
		return content
	}
	return less
}

// imports returns the declaration of the names that a module imports from the module to.
func (a *bundle) imports(s *js.ImportStmt, to string) string {
	var names []string
	for _, n := range s.List {
		switch {
		case string(n.Name) == "*":
			return fmt.Sprintf("const %s = $%d", n.Binding, a.numbers[to])
		case n.Name != nil:
			names = append(names, string(n.Name)+": "+string(n.Binding))
		default:
			names = append(names, string(n.Binding))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("const { %s } = $%d", strings.Join(names, ", "), a.numbers[to])
}

// exportedNames returns the names that a statement exports.
func exportedNames(s *js.ExportStmt) (names []string, err error) {
	switch d := s.Decl.(type) {
	case *js.FuncDecl:
		if !s.Default && d.Name != nil {
			return []string{string(d.Name.Data)}, nil
		}
	case *js.ClassDecl:
		if !s.Default && d.Name != nil {
			return []string{string(d.Name.Data)}, nil
		}
	case *js.VarDecl:
		if d.TokenType == js.ConstToken {
			for _, e := range d.List {
				name, ok := e.Binding.(*js.Var)
				if !ok {
					return nil, fmt.Errorf("a bundle can only export plain names")
				}
				names = append(names, string(name.Data))
			}
			return names, nil
		}
	}
	return nil, fmt.Errorf("a bundle can only export declarations by const, function or class")
}

package core_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// indexFirst is a format whose argument index precedes the width or the precision, such as %[2].4f instead of %.4[2]f.
// It prints %!f(BADINDEX), and go vet does not report it.
var indexFirst = regexp.MustCompile(`%[-+# 0]*\[\d+\][-+# 0-9.]`)

// TestFormatsAreVetted checks that go vet sees every function of the tree that formats like fmt.Printf, the other
// modules' included: one that hands the format and the arguments on as they are. A function value is not seen.
func TestFormatsAreVetted(t *testing.T) {
	functions := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && name != ".." && (strings.HasPrefix(name, ".") || name == "build" || name == "node_modules") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") {
			return nil
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		n, faults := formatFaults(file, strings.HasSuffix(name, "_test.go"))
		functions += n
		for _, f := range faults {
			t.Errorf("%s: %s", files.Position(f.at), f.what)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if functions < 15 {
		t.Errorf("%d functions that format were found, want 15 at least", functions)
	}
}

type formatFault struct {
	at   token.Pos
	what string
}

// formatFaults returns how many functions of a file take a format and its arguments, and what go vet cannot see.
func formatFaults(file *ast.File, test bool) (functions int, faults []formatFault) {
	seen := map[*ast.FuncType]bool{} // of declarations, of function literals that are assigned, of methods of interfaces
	assigned := func(values []ast.Expr) {
		for _, v := range values {
			if lit, ok := v.(*ast.FuncLit); ok {
				seen[lit.Type] = true
			}
		}
	}
	function := func(of *ast.FuncType, body *ast.BlockStmt) {
		format, args := formatParameters(of)
		if format == "" || body == nil {
			return
		}
		functions++
		ast.Inspect(body, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if ok && call.Ellipsis.IsValid() && isName(call.Args[len(call.Args)-1], args) &&
				!(len(call.Args) > 1 && isName(call.Args[len(call.Args)-2], format)) {
				faults = append(faults, formatFault{call.Pos(), fmt.Sprintf("%s... are handed on without %s as it is, so "+
					"go vet does not check the calls of this function", args, format)})
			}
			return true
		})
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			seen[n.Type] = true
			function(n.Type, n.Body)
		case *ast.AssignStmt:
			assigned(n.Rhs)
		case *ast.ValueSpec:
			assigned(n.Values)
		case *ast.InterfaceType:
			for _, m := range n.Methods.List {
				if of, ok := m.Type.(*ast.FuncType); ok {
					seen[of] = true
				}
			}
		case *ast.FuncLit:
			function(n.Type, n.Body)
		case *ast.FuncType:
			if format, _ := formatParameters(n); format != "" && !seen[n] && !test {
				faults = append(faults, formatFault{n.Pos(), "go vet does not check the calls of a function value that " +
					"takes a format: take the text instead"})
			}
		case *ast.BasicLit:
			if n.Kind == token.STRING && indexFirst.MatchString(n.Value) {
				faults = append(faults, formatFault{n.Pos(), fmt.Sprintf("the argument index in %q must stand right before "+
					"the verb, as in %%.4[2]f", indexFirst.FindString(n.Value))})
			}
		}
		return true
	})
	return functions, faults
}

// formatParameters returns the names of the last two parameters where their types are string and ...any; else "".
func formatParameters(of *ast.FuncType) (format, args string) {
	type parameter struct {
		name string
		of   ast.Expr
	}
	var all []parameter
	for _, f := range of.Params.List {
		if len(f.Names) == 0 {
			all = append(all, parameter{"_", f.Type})
		}
		for _, name := range f.Names {
			all = append(all, parameter{name.Name, f.Type})
		}
	}
	if len(all) < 2 {
		return "", ""
	}
	text, rest := all[len(all)-2], all[len(all)-1]
	more, ok := rest.of.(*ast.Ellipsis)
	if !ok || !isName(more.Elt, "any") || !isName(text.of, "string") {
		return "", ""
	}
	return text.name, rest.name
}

func isName(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

// TestFormatFaults gives each way to hide a format from go vet to the check.
func TestFormatFaults(t *testing.T) {
	for body, want := range map[string]string{
		`func notef(f string, a ...any) { fmt.Printf("x: "+f, a...) }`:                                            "a... are handed on without f as it is",
		`func notef(f string, a ...any) { fmt.Println(fmt.Sprintf("x: "+f, a...)) }`:                              "a... are handed on without f as it is",
		`func g() { notef := func(f string, a ...any) { fmt.Printf(f+"\n", a...) }; _ = notef }`:                  "a... are handed on without f as it is",
		`type s struct { say func(f string, a ...any) }`:                                                          "take the text instead",
		`func g(say func(f string, a ...any)) {}`:                                                                 "take the text instead",
		`func g() { call(func(f string, a ...any) { fmt.Printf(f, a...) }) }`:                                     "take the text instead",
		`var x = fmt.Sprintf("#[1]s #[2].4f", "a", 1.5)`:                                                          `"#[2]." must stand right before`,
		`var x = fmt.Sprintf("#+[2]6f", "a", 1.5)`:                                                                `"#+[2]6" must stand right before`,
		`func notef(f string, a ...any) { fmt.Printf("x: %s", fmt.Sprintf(f, a...)) }`:                            "",
		`func g() { notef := func(f string, a ...any) { fmt.Printf(f, a...) }; notef("%.4[2]f %[1]s %6.2[2]f") }`: "",
	} {
		body, want = strings.ReplaceAll(body, "#", "%"), strings.ReplaceAll(want, "#", "%")
		file, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x\n"+body, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		_, faults := formatFaults(file, false)
		switch {
		case want == "" && len(faults) > 0:
			t.Errorf("%s: %s", body, faults[0].what)
		case want != "" && (len(faults) != 1 || !strings.Contains(faults[0].what, want)):
			t.Errorf("%s: %v, want one fault with %q", body, faults, want)
		}
	}
}

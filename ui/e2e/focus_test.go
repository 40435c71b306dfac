//go:build !js

package e2e

import (
	"fmt"
	"strings"

	"github.com/chromedp/chromedp"
)

// focused returns the role and name of the focused element, or empty strings.
func (v *visitor) focused() (role, name string) {
	v.Helper()
	if f := see[[]string](v, "visitor.focused()"); len(f) == 2 {
		return f[0], f[1]
	}
	return "", ""
}

// focusOn waits until the focused element satisfies ok, and fails if the focus is lost.
func (v *visitor) focusOn(what string, ok func(role, name string) bool) {
	v.Helper()
	v.wait("the focus on "+what, func() string {
		v.Helper()
		role, name := v.focused()
		if ok(role, name) {
			return ""
		}
		if role == "" && name == "" {
			return "nothing has the focus"
		}
		return fmt.Sprintf("the focus is on the %s %q", role, name)
	})
}

// tabTo presses Tab until the focused element satisfies ok.
func (v *visitor) tabTo(what string, ok func(role, name string) bool) {
	v.Helper()
	see[bool](v, `visitor.frames(1).then(() => true)`) // lets the page move the focus, if requested
	var path []string
	for range 400 {
		role, name := v.focused()
		if ok(role, name) {
			return
		}
		path = append(path, role+" "+name)
		v.keys(tab)
	}
	v.Fatalf("Tab does not reach %s; it visits %q", what, path)
}

// is matches a role and an exact name.
func is(role, name string) func(string, string) bool {
	return func(r, n string) bool { return r == role && n == name }
}

// starts matches a role and a prefix of the name.
func starts(role, prefix string) func(string, string) bool {
	return func(r, n string) bool { return r == role && strings.HasPrefix(n, prefix) }
}

// retype replaces the content of the focused box.
func (v *visitor) retype(query string) {
	v.Helper()
	v.do(chromedp.KeyEvent("a", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	v.keys(query)
}

// focusInList waits until a button of the list is focused.
func (v *visitor) focusInList(after string) {
	v.Helper()
	until[bool](v, "the focus in the list after "+after, focusInList)
}

const focusInList = `visitor.find("list", "Recommendations")[0].contains(document.activeElement)`
